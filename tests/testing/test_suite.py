"""The suite's own manners: what it lists, how it picks cases, how it fails."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from lab.api import Task, setting
from lab.testing import check_architecture, checks, conformance, trials
from lab.testing.cards import architecture_of
from lab_transformer import TransformerConfig

PLUGINS = Path(__file__).parent / "plugins"
gru = architecture_of("gru", PLUGINS / "gru.py")
bigram = architecture_of("bigram", PLUGINS / "bigram.py")
transformer = architecture_of("transformer", "lab_transformer")


def test_every_check_says_what_must_hold_and_what_to_change():
    assert len(checks()) >= 20
    assert all(check.title.endswith(".") and check.remedy for check in checks())


def test_each_check_on_each_task_is_a_trial_of_its_own_name():
    names = [trial.name for trial in trials(transformer)]
    assert len(names) == len(set(names))
    assert {"causal-defaults-pieces", "masked-defaults-no-decoding"} < set(names)
    assert "masked-defaults-pieces" not in names


def test_without_a_config_defaults_and_presets_are_tested_small_and_equal_ones_once():
    presets = {"same": {"training": {"steps": 9}}, "other": {"architecture": {"norm": "rms", "layers": 12}}}
    subjects = {trial.subject.case: trial.subject for trial in trials(replace(transformer, presets=presets))}
    assert set(subjects) == {f"{task}-{case}" for task in ("causal", "masked") for case in ("defaults", "other")}
    other = subjects["causal-other"].config()
    assert (other.layers, other.width, other.norm) == (2, 32, "rms")


def test_a_config_that_is_given_is_tested_as_it_is():
    config = TransformerConfig(layers=1, width=24, heads=3)
    (only,) = {id(trial.subject): trial.subject for trial in trials(transformer, config, Task(5, 20))}.values()
    assert only.config() == config
    assert only.task == Task(5, 20)


def test_a_preset_that_the_config_refuses_fails_the_check_of_configs():
    presets = {"odd": {"architecture": {"width": -1}}}
    failures = check_architecture(replace(bigram, presets=presets))
    assert [failure.check for failure in failures] == ["config"]
    assert "architecture.width" in failures[0].measured


def test_a_setting_without_a_default_fails_the_checks_that_need_one():
    class Bare(gru.config):
        depth: int = setting(help="Depth.")

    failures = check_architecture(replace(gru, config=Bare))
    assert {failure.check for failure in failures} == {"config", "build"}


def test_an_architecture_for_no_device_that_is_here_is_checked_on_the_meta_device_alone():
    elsewhere = replace(gru, devices=frozenset({"mps"}))
    assert [trial.check.name for trial in trials(elsewhere)] == ["config", "meta"]
    assert check_architecture(elsewhere) == []


def test_a_task_that_the_suite_does_not_know_must_be_given():
    with pytest.raises(ValueError, match=r"is for poetry; .* give task=Task"):
        list(trials(replace(gru, tasks=frozenset({"poetry"}))))
    assert list(trials(replace(gru, tasks=frozenset({"poetry"})), task=Task(5, 20)))


def test_a_name_needs_a_plugin_that_registers_it():
    with pytest.raises(ValueError, match="say which file or module"):
        conformance("gru")
    with pytest.raises(ValueError, match="registers no 'lstm'; it registers gru"):
        conformance("lstm", plugin=PLUGINS / "gru.py")


def test_checking_leaves_the_generator_of_the_process_as_it_was():
    before = torch.get_rng_state()
    check_architecture(bigram)
    assert torch.equal(before, torch.get_rng_state())


def test_what_a_model_raises_is_a_failure_with_the_line_of_its_own_code():
    (failure,) = check_architecture(architecture_of("DoesNotBuild", PLUGINS / "broken.py"))
    assert "RuntimeError: no such thing (in __init__, " in failure.measured
    assert failure.trace is not None
    assert "Traceback" in failure.trace


def test_pytest_loads_the_plugin_without_torch():
    code = "import sys, lab.testing, lab.testing.pytest_plugin; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
