"""Tables of runs: what differs, groups, and the Pareto front."""

import math

import pytest

from lab.studies.statistics import RunFigures, differing_fields, grouped, pareto_front


def run_of(number, width, loss):
    fields = {"architecture.width": width, "training.steps": 10, "training.seed": number}
    return RunFigures(str(number), f"run {number}", fields, {"loss": loss}, number)


RUNS = [run_of(0, 16, 3.0), run_of(1, 16, 3.2), run_of(2, 32, 2.5), run_of(3, 32, 2.7), run_of(4, 64, math.nan)]


def test_only_fields_that_differ_are_listed_and_the_seed_last():
    assert differing_fields(RUNS) == ["architecture.width", "training.seed"]


def test_a_field_that_some_runs_lack_differs():
    other = RunFigures("5", "other", {"training.steps": 10}, {})
    assert "architecture.width" in differing_fields([RUNS[0], other])


def test_groups_have_the_spread_of_their_runs_the_best_first():
    groups = grouped(RUNS, "architecture.width", "loss")
    assert [group.value for group in groups] == [32, 16, 64]
    assert groups[0].spread.mean == pytest.approx(2.6)
    assert groups[0].spread.count == 2
    assert groups[2].spread is None


def test_the_front_has_each_point_that_no_other_beats_in_both():
    assert pareto_front([1, 2, 3, 4, 2], [5, 3, 4, 1, math.nan]) == [0, 1, 3]


def test_of_equal_points_one_is_on_the_front():
    assert pareto_front([1, 1, 1], [2, 2, 1]) == [2]


def test_ten_thousand_runs_are_grouped():
    many = [run_of(number, number % 7, number / 1000) for number in range(10_000)]
    assert sum(len(group.runs) for group in grouped(many, "architecture.width", "loss")) == 10_000
