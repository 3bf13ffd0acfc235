"""The series of a run: completeness and version of the curves."""

import math

import numpy as np
import pytest

from lab.shell.session.runs.series import RunSeries, SeriesState
from lab.training.recording.telemetry import Rows
from lab.workbench.analysis.curves import Curves


class Ring:
    """A ring with these rows, each read once; some were overwritten before."""

    names = ("train loss",)

    def __init__(self, steps, missed=0):
        self._rows = [rows(steps, missed)]

    def reader(self):
        return self

    def take(self):
        return self._rows.pop() if self._rows else rows([])


def rows(steps, missed=0, values=None):
    values = np.ones(len(steps)) if values is None else np.array(values, float)
    return Rows(np.array(steps, np.int64), np.zeros(len(steps), np.int64), values, missed)


def curves(values, name="train loss"):
    made = Curves()
    made.feed(rows(range(1, len(values) + 1), values=values), [name])
    return made


@pytest.fixture
def series():
    return RunSeries()


def test_the_rows_of_a_training_are_taken_once(series):
    ring = Ring([1, 2, 3])
    assert series.take(ring, {})
    assert not series.take(ring, {})
    assert series.curves.steps("train loss").tolist() == [1, 2, 3]


def test_curves_without_gaps_are_not_read_again_at_the_end(series):
    series.take(Ring([1, 2]), {})
    assert not series.end()
    assert series.state is SeriesState.READ


def test_curves_with_gaps_are_read_at_the_end(series):
    series.take(Ring([1, 2], missed=5), {})
    assert series.end()
    assert series.state is SeriesState.NOT_READ


def test_a_resumed_run_waits_for_its_past(series):
    series.take(Ring([1, 2], missed=5), {})
    series.resume()
    assert series.state is SeriesState.PAST_NOT_READ
    series.take_past(curves([3.0, 2.0]))
    assert series.state is SeriesState.READ
    assert not series.end()


def test_a_resumed_run_that_ends_before_its_past_was_read_is_read_at_the_end(series):
    series.resume()
    assert series.end()


def test_a_resumed_run_continues_without_a_past_that_cannot_be_read(series):
    series.resume()
    series.skip_past()
    assert not series.end()


def test_the_version_differs_after_new_rows_and_after_other_curves(series):
    versions = [series.version]
    series.take(Ring([1]), {})
    versions.append(series.version)
    series.replace(Curves())
    versions.append(series.version)
    series.replace(Curves())
    versions.append(series.version)
    assert len(set(versions)) == 4
    assert series.version == versions[-1]


@pytest.mark.parametrize(("values", "last"), [([3.0, 2.0], 2.0), ([3.0, math.inf], math.inf), ([3.0, math.nan], None)])
def test_the_last_value_is_a_number_or_none(series, values, last):
    series.replace(curves(values))
    assert series.last("train loss") == last
    assert series.last("validation loss") is None


def test_the_speed_is_not_known_without_tokens_and_seconds(series):
    series.replace(curves([1.0, 2.0]))
    assert series.tokens_per_second() is None


def test_the_speed_is_that_of_the_last_steps(series):
    made = curves([0.0, 100.0, 300.0], "tokens")
    made.feed(rows([1, 2, 3], values=[0.0, 1.0, 2.0]), ["seconds"])
    series.replace(made)
    assert series.tokens_per_second() == pytest.approx(150.0)
