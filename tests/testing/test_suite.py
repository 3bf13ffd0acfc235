"""The suite's own manners: what it lists, how it picks cases, how it fails."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from lab.api import BadInput, Schedule, Task, View, setting
from lab.testing import check_architecture, check_registration, conformance, list_checks, trials
from lab.testing.cards import offer_of
from lab_transformer import TransformerConfig

PLUGINS = Path(__file__).parent / "plugins"
(gru,) = offer_of("gru", PLUGINS / "gru.py").architectures.values()
(bigram,) = offer_of("bigram", PLUGINS / "bigram.py").architectures.values()
(transformer,) = offer_of("transformer", "lab_transformer").architectures.values()


def model_cases(*arguments):
    return {trial.case.label: trial.case for trial in trials(*arguments) if trial.case.label}


def test_every_check_has_a_requirement_and_comes_after_the_one_it_needs():
    names = [check.name for check in list_checks()]
    assert names[:5] == ["loads", "config", "build", "shape", "causality"]
    assert len(names) >= 25
    assert all(check.title.endswith(".") for check in list_checks())
    assert all(check.after in names[: names.index(check.name)] for check in list_checks() if check.after)


def test_each_check_on_each_task_is_a_trial_of_its_own_name():
    names = [trial.name for trial in trials(transformer)]
    assert len(names) == len(set(names))
    assert {"causal-defaults-pieces", "masked-defaults-no-decoding"} < set(names)
    assert "masked-defaults-pieces" not in names


def test_without_a_config_defaults_and_presets_are_tested_small_and_equal_ones_once():
    presets = {"same": {"training": {"steps": 9}}, "other": {"architecture": {"norm": "rms", "layers": 12}}}
    of_text = frozenset({"causal", "masked"})
    cases = model_cases(replace(transformer, presets=presets, sizes={}, tasks=of_text))
    assert set(cases) == {f"{task}-{case}" for task in ("causal", "masked") for case in ("defaults", "other")}
    other = cases["causal-other"].config()
    assert (other.layers, other.width, other.norm) == (2, 32, "rms")


def test_a_context_length_that_the_architecture_refuses_is_replaced_by_that_of_the_preset():
    def build(config, task):
        if task.context_length % 48:
            raise BadInput("is no multiple of 48", field="training.context_length")
        return gru.make(config, task)

    presets = {"long": {"training": {"context_length": 96}}, "odd": {"training": {"context_length": 100}}}
    blocks = replace(gru, build=build, presets=presets)
    assert [case.task.context_length for case in model_cases(blocks).values()] == [64, 96, 100]
    basic = ("loads", "config", "build", "meta")
    built = [trial for trial in trials(blocks) if trial.check.name in basic]
    assert {trial.case.label for trial in built if trial.failure} == {"causal-defaults", "causal-odd"}
    alike = trials(replace(blocks, presets={"long": presets["long"]}), task=Task(17, 96))
    assert [trial.failure for trial in alike if trial.check.name in basic] == [None] * 4


def test_a_config_that_is_given_is_tested_as_it_is():
    config = TransformerConfig(layers=1, width=24, heads=3)
    (only,) = model_cases(transformer, config, Task(5, 20)).values()
    assert only.config() == config
    assert only.task == Task(5, 20)


def test_a_preset_with_a_setting_that_no_recipe_has_fails_the_check_of_configs():
    presets = {"odd": {"training": {"stepz": 5}}}
    (failure,) = check_architecture(replace(bigram, presets=presets))
    assert failure.check == "config"
    assert "the preset odd: training.stepz: there is no such setting" in failure.measured


def test_a_card_that_the_host_refuses_fails_the_first_check_and_no_other():
    class Bare(gru.config):
        depth: int = setting(help="Depth.")

    bare, odd = replace(gru, config=Bare), replace(bigram, presets={"odd": {"architecture": {"added": -1}}})
    for card, words in ((bare, "the defaults of Bare are not a valid config"), (odd, "architecture.added = -1")):
        (failure,) = check_architecture(card)
        assert failure.check == "loads"
        assert words in str(failure)


REFUSED = {
    "an argument of another name": (
        "@hookimpl\ndef lab_register_corpora(add):\n    pass",
        "Write the hook as: def lab_register_corpora(register)",
    ),
    "a misspelt hook": ("@hookimpl\ndef lab_register_mixer(register):\n    pass", "Did you mean lab_register_mixers?"),
    "a hook without its mark": ("def lab_register_mixers(register):\n    pass", "Write @hookimpl above it"),
    "a hook that raises": (
        "@hookimpl\ndef lab_register_mixers(register):\n    1 / 0",
        "ZeroDivisionError: division by zero (odd.py, line 36)",
    ),
    "a card of another kind": ("@hookimpl\ndef lab_register_mixers(register):\n    register(GRU)", "the class GRU"),
    "a module that raises": ("1 / 0", "ZeroDivisionError: division by zero"),
}


@pytest.mark.parametrize("hook", REFUSED)
def test_a_plugin_that_the_host_refuses_fails_the_first_check_though_its_other_hook_is_sound(tmp_path, hook):
    code, words = REFUSED[hook]
    file = tmp_path / "odd.py"
    file.write_text(f"{(PLUGINS / 'gru.py').read_text()}\n\n{code}\n")
    (failure,) = check_architecture("gru", plugin=file)
    assert str(failure).startswith("odd fails the check loads: ")
    assert words in str(failure)


def test_a_plugin_without_a_card_fails_the_first_check(tmp_path):
    file = tmp_path / "nothing.py"
    file.write_text("def lab_register_mixer(register):\n    pass\n")
    (failure,) = check_architecture(None, plugin=file)
    assert "registers no card; is @hookimpl missing?" in str(failure)


def test_a_mixer_with_the_name_of_an_architecture_is_tested_too(tmp_path):
    file = tmp_path / "twins.py"
    average = (PLUGINS / "average.py").read_text()
    file.write_text(f"{average}\n\n{(PLUGINS / 'gru.py').read_text()}".replace('"gru"', '"average"'))
    assert {trial.case.name for trial in trials(None, plugin=file)} == {"twins", "average", "mixer:average"}
    tried = {trial.check.name: trial for trial in trials("mixer:average", plugin=file)}
    assert [tried[name].failure for name in ("loads", "build", "shape", "readings")] == [None] * 4


def test_where_one_check_fails_those_that_it_would_mislead_are_left_out():
    tried = {trial.name: trial for trial in trials("keeps-one-channel", plugin=PLUGINS / "broken.py")}
    assert tried["causal-defaults-shape"].moot is None
    assert tried["causal-defaults-pieces"].moot == tried["causal-defaults-rows"].moot == "shape"
    assert tried["causal-defaults-names"].moot is None


def test_an_architecture_for_no_device_that_is_here_is_checked_on_the_meta_device_alone():
    elsewhere = replace(gru, devices=frozenset({"mps"}))
    assert [trial.check.name for trial in trials(elsewhere)] == ["loads", "config", "meta"]
    assert check_architecture(elsewhere) == []


def test_a_task_that_the_suite_does_not_know_must_be_given():
    with pytest.raises(ValueError, match=r"is for poetry; .* pass task=Task"):
        list(trials(replace(gru, tasks=frozenset({"poetry"}))))
    assert list(trials(replace(gru, tasks=frozenset({"poetry"})), task=Task(5, 20)))


def test_a_name_needs_a_plugin_that_registers_it():
    with pytest.raises(ValueError, match="name the file or module"):
        conformance("gru")
    (failure,) = check_architecture("lstm", plugin=PLUGINS / "gru.py")
    assert "gru = lstm: registers no card of this name. Allowed: gru" in failure.measured


def test_checking_leaves_the_generator_of_the_process_as_it_was():
    before = torch.get_rng_state()
    check_architecture(bigram)
    assert torch.equal(before, torch.get_rng_state())


def test_an_error_of_a_model_is_reported_with_the_line_of_its_code_and_without_a_remedy():
    (failure,) = check_architecture("does-not-build", plugin=PLUGINS / "broken.py")
    line = failure.measured.removeprefix("RuntimeError: no such thing (broken.py, line ").removesuffix(")")
    assert 'RuntimeError("no such thing")' in (PLUGINS / "broken.py").read_text().splitlines()[int(line) - 1]
    assert "Change:" not in str(failure)
    assert "Traceback" in failure.trace


ROWS = """
from lab.api import Corpus, Pairs, hookimpl


@hookimpl
def lab_register_corpora(register):
    register(Corpus("good", "Good", lambda config: Pairs("Good", ["a", "b"], ["b", "a"]), kind="pairs"))
    register(Corpus("blank", "Blank", lambda config: Pairs("Blank", ["a", ""], ["b", "a"]), kind="pairs"))
    register(Corpus("other", "Other", lambda config: Pairs("Other", ["a", "b"], ["b", "a"])))
"""


def test_rows_are_checked_and_that_the_card_says_what_they_are(tmp_path):
    file = tmp_path / "rows.py"
    file.write_text(ROWS)
    measured = {failure.architecture: failure.measured for failure in check_architecture(None, plugin=file)}
    assert measured.keys() == {"blank", "other"}
    assert "row 2 is blank" in measured["blank"]
    assert "the card says 'text', and the corpus gives 'pairs'" in measured["other"]


PARTS = """
from lab.api import Corpus, ModelConfig, NoSettings, Sampler, Schedule, Text, hookimpl, setting


class Path(ModelConfig):
    path: str = setting(help="Where it lies.")


@hookimpl
def lab_register_corpora(register):
    register(Corpus("own", "Own", build=lambda config: Text("own", "Own"), config=Path))


@hookimpl
def lab_register_schedules(register):
    register(Schedule("flat", "Flat", lambda config, steps: lambda step: 1.0))


@hookimpl
def lab_register_samplers(register):
    register(Sampler("flat", "Flat", lambda config: lambda logits: logits[:1]))
"""


@pytest.fixture
def parts(tmp_path):
    file = tmp_path / "parts.py"
    file.write_text(PARTS)
    return file


def test_the_other_cards_of_a_plugin_are_tested_too(parts):
    tried = {trial.full_name: trial for trial in trials(None, plugin=parts)}
    assert next(iter(tried)) == "loads"
    assert {"schedules-flat-defaults-contract", "samplers-flat-defaults-contract"} < set(tried)
    failures = check_architecture(None, plugin=parts)
    assert {failure.architecture for failure in failures} == {"flat"}
    assert {trial.full_name for trial in tried.values() if not trial.moot and trial.failure} == {
        "samplers-flat-defaults-contract"
    }


def test_a_card_whose_settings_have_no_default_is_skipped_with_the_reason(parts):
    tried = {trial.full_name: trial for trial in trials("own", plugin=parts)}
    assert list(tried) == ["loads", "corpora-own-defaults-settings"]
    reason = r"has settings without a default: check_registration\('corpora', card, card.config\(path=…\)\) tests it"
    with pytest.raises(pytest.skip.Exception, match=reason):
        tried["corpora-own-defaults-settings"].test()


def test_a_card_that_is_no_model_is_tested_by_name_and_by_itself(parts):
    places = {trial.full_name for trial in trials("flat", plugin=parts)}
    assert {place.split("-")[0] for place in places} == {"loads", "schedules", "samplers"}
    flat = Schedule("flat", "Flat", lambda *_: lambda _: 1.0)
    assert check_registration("schedules", flat) == check_architecture(flat) == []


def test_pytest_loads_the_plugin_without_torch():
    code = "import sys, lab.testing, lab.testing.pytest_plugin; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_only_the_card_of_a_view_is_checked_and_its_window_is_not_imported(tmp_path):
    card = View(name="own", title="Own", axes=("head", "query", "key"), build="no_qt_here:Window")
    assert [trial.name for trial in trials(card) if trial.failure is None] == ["loads", "defaults-card"]
    code = "from lab.api import View, hookimpl\n@hookimpl\ndef lab_register_views(register):\n    register(" + (
        "View(name='own', title='Own', axes=('token',), build='no_qt_here:Window'))\n"
    )
    (tmp_path / "own.py").write_text(code)
    assert [trial.failure for trial in trials("own", plugin=tmp_path / "own.py")] == [None, None]
