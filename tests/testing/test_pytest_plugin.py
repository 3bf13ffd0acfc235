"""The suite inside pytest: a parametrised function in a test file, or a plugin file on the command line."""

from pathlib import Path

import pytest
import torch.fx.experimental.symbolic_shapes  # noqa: F401 - torch imports it on the meta device, and cannot when pytester has made it forgotten

import lab.testing.suite  # noqa: F401 - the same

pytest_plugins = ["pytester"]
PLUGINS = Path(__file__).parent / "plugins"


@pytest.fixture
def run(pytester, request):
    installed = request.config.pluginmanager.has_plugin("lm_lab")
    own = () if installed else ("-p", "lab.testing.pytest_plugin")
    without = ("-p", "no:randomly", "-p", "no:pytest-qt")
    return lambda *arguments: pytester.runpytest_inprocess(*without, *own, *arguments)


def test_a_plugin_file_is_tested_without_a_test_file(pytester, run):
    pytester.makepyfile(gru=(PLUGINS / "gru.py").read_text())
    result = run("--conformance", "gru.py", "-v")
    result.stdout.fnmatch_lines(["*gru-causal-defaults-pieces*PASSED*"])
    assert result.parseoutcomes().keys() == {"passed"}


def test_cards_that_are_no_models_are_tested_too(pytester, run):
    flat = """
from lab.api import Schedule, hookimpl


@hookimpl
def lab_register_schedules(register):
    register(Schedule("flat", "Flat", lambda config, steps: lambda step: 1.0))
"""
    pytester.makepyfile(flat=flat)
    result = run("--conformance", "flat.py", "-v")
    result.stdout.fnmatch_lines(["*::loads PASSED*", "*::schedules-flat-defaults-contract PASSED*"])
    assert result.parseoutcomes().keys() == {"passed"}


def test_a_failure_is_shown_with_its_own_message(pytester, run):
    padded = """
class Padded(LanguageModel):
    def score(self, tokens, targets):
        return self(tokens).log_softmax(-1).gather(-1, targets.clamp(min=0)[..., None])[..., 0]


class GRU(Padded):"""
    pytester.makepyfile(gru=(PLUGINS / "gru.py").read_text().replace("class GRU(LanguageModel):", padded))
    result = run("--conformance", "gru.py", "-k", "score")
    assert result.parseoutcomes()["failed"] == 1
    result.stdout.fnmatch_lines(["gru (causal-defaults) fails the check score: *", "Change: let score return *"])
    result.stdout.no_fnmatch_line("*Traceback*")


def test_a_refusal_of_the_host_fails_with_its_message_and_misleading_checks_are_skipped(pytester, run):
    source = (PLUGINS / "gru.py").read_text()
    pytester.makepyfile(
        gru=source.replace("(register):", "(add):"), short=source.replace("self.head(hidden),", "hidden,")
    )
    result = run("--conformance", "gru.py", "short.py", "-rs")
    outcomes = result.parseoutcomes()
    assert outcomes["failed"] == 2
    assert outcomes["passed"] == 4
    result.stdout.fnmatch_lines(
        [
            "*Write the hook as: def lab_register_architectures(register)*",
            "gru (causal-defaults) fails the check shape: forward of tokens (3, 5) returns *",
            "SKIPPED * shape failed",
        ]
    )


def test_every_check_is_a_test_of_its_own_in_a_test_file(pytester, run):
    pytester.makepyfile(
        f"""
        from lab.testing import conformance

        test_bigram = conformance("bigram", plugin={str(PLUGINS / "bigram.py")!r})
        """
    )
    result = run("-v")
    result.stdout.fnmatch_lines(["*::test_bigram?causal-defaults-slices? PASSED*"])
    assert result.parseoutcomes().keys() == {"passed"}


def test_without_the_option_a_plugin_file_holds_no_tests(pytester, run):
    pytester.makepyfile(gru=(PLUGINS / "gru.py").read_text())
    assert run("gru.py").parseoutcomes() == {}
