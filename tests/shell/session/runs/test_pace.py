"""The pace of a training: the time that more steps take."""

import pytest

from lab.shell.session.runs.pace import WINDOW, Pace


def test_the_pace_is_not_known_before_the_second_step():
    pace = Pace()
    assert pace.seconds_for(10) is None
    pace.add(0.0, 1)
    assert pace.seconds_for(10) is None


def test_further_steps_take_as_long_as_the_last_ones():
    pace = Pace()
    pace.add(0.0, 10)
    pace.add(4.0, 30)
    assert pace.seconds_for(100) == pytest.approx(20.0)
    assert pace.seconds_for(0) == 0.0


def test_only_the_last_half_minute_counts():
    pace = Pace()
    pace.add(0.0, 0)
    pace.add(WINDOW + 1, 10)
    pace.add(WINDOW + 2, 20)
    assert pace.seconds_for(10) == pytest.approx(1.0)


def test_a_step_that_is_not_made_yet_adds_nothing():
    pace = Pace()
    pace.add(0.0, 1)
    pace.add(9.0, 1)
    pace.add(10.0, 2)
    assert pace.seconds_for(1) == pytest.approx(10.0)


def test_after_a_pause_the_pace_is_not_known():
    pace = Pace()
    pace.add(0.0, 1)
    pace.add(1.0, 2)
    pace.clear()
    assert pace.seconds_for(1) is None
