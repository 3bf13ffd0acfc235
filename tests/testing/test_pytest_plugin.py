"""The suite inside pytest: a parametrised function in a test file, or a plugin file on the command line."""

from pathlib import Path

import pytest
import torch._dynamo  # noqa: F401 - torch imports it on the meta device, and cannot when pytester has made it forgotten

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


def test_a_failure_is_shown_in_its_own_words(pytester, run):
    pytester.makepyfile(broken=(PLUGINS / "broken.py").read_text())
    result = run("--conformance", "broken.py", "-k", "ScoresPadding-")
    assert result.parseoutcomes()["failed"] == 1
    result.stdout.fnmatch_lines(
        ["ScoresPadding (causal-defaults) fails the check score: *", "Change: let score give *"]
    )
    result.stdout.no_fnmatch_line("*Traceback*")


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
