"""Samplers and stopping rules of Optuna."""

import sys

import pytest

from lab.base import BadInput
from lab.studies.plans import StoppedRuns, parse_study, suggest

pytest.importorskip("optuna")

TEXT = """
title = "Mine"
[[vary]]
path = "training.optimizer.name"
values = ["sgd", "adamw"]
[[vary]]
path = "training.optimizer.learning_rate"
low = 1e-4
high = 1e-1
log = true
[[vary]]
path = "architecture.layers"
low = 1
high = 4
whole = true
[sampler]
runs = 20
name = "NAME"
[stopping]
rule = "asha"
first = 10
factor = 2
"""


def study_of(name):
    return parse_study(TEXT.replace("NAME", name))


def loss_at(point):
    """A loss that is least at AdamW, a rate of 0.01 and three layers."""
    rate = point["training.optimizer.learning_rate"]
    miss = abs(rate - 0.01) / 0.01 if rate > 0.01 else abs(0.01 / rate - 1) / 10
    return 1 + miss + abs(point["architecture.layers"] - 3) + (point["training.optimizer.name"] == "sgd")


def searched(name, runs):
    study, finished = study_of(name), []
    for number in range(runs):
        point = suggest(study, number, finished, {})
        finished.append((point, loss_at(point)))
    return finished


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "runs"), [("tpe", 30), pytest.param("gp", 16, marks=pytest.mark.long)])
def test_a_sampler_that_learns_comes_near_the_least_loss(name, runs):
    found = searched(name, runs)
    first, last = found[:5], found[-8:]
    assert min(loss for _, loss in last) < min(loss for _, loss in first)
    assert all(1e-4 <= point["training.optimizer.learning_rate"] <= 1e-1 for point, _ in found)


@pytest.mark.filterwarnings("ignore")
def test_the_next_setting_depends_on_what_has_finished_alone():
    finished = searched("tpe", 8)
    assert suggest(study_of("tpe"), 8, finished, {}) == suggest(study_of("tpe"), 8, list(finished), {})


@pytest.mark.filterwarnings("ignore")
def test_a_run_that_falls_behind_is_stopped_with_its_reason():
    rule = StoppedRuns(study_of("tpe"))
    assert rule.report(0, 10, 2.0) is None
    assert rule.report(1, 10, 1.9) is None
    reason = rule.report(2, 10, 5.0)
    assert reason == "stopped at step 10 by asha: its loss of 5.0000 is not among the best 1 of 2 of 3 runs"
    assert rule.report(2, 10, 5.0) is None  # a step that was reported before


@pytest.mark.filterwarnings("ignore")
def test_a_loss_that_is_no_number_stops_its_run():
    assert "not a number" in StoppedRuns(study_of("tpe")).report(0, 10, float("nan"))


def test_without_optuna_one_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "optuna", None)
    with pytest.raises(BadInput, match=r"needs optuna.*lm-lab\[studies\]"):
        suggest(study_of("tpe"), 0, [], {})


@pytest.mark.filterwarnings("ignore")
def test_the_median_compares_with_runs_that_have_ended():
    rule = StoppedRuns(parse_study(TEXT.replace("NAME", "tpe").replace('rule = "asha"', 'rule = "median"')))
    for number in range(3):
        assert rule.report(number, 10, 3.0 + number / 10) is None
        assert rule.report(number, 20, 2.0 + number / 10) is None  # none has ended yet
    for number in range(3):
        rule.ended(number)
    assert rule.report(3, 20, 2.05) is None
    assert "by median" in rule.report(4, 20, 9.0)
