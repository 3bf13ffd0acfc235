"""The pace of a training: the time that more steps take."""

import pytest

from lab.shell.session.runs.pace import LEAST_SECONDS, LEAST_STEPS, WINDOW, Pace


def paced(*steps):
    """Return a pace with (time, step) of each record."""
    pace = Pace()
    for time, step in steps:
        pace.add(time, step)
    return pace


def test_further_steps_take_as_long_as_the_last_ones():
    pace = paced((0.0, 0), (1.0, 10), (5.0, 30))
    assert pace.seconds_for(100) == pytest.approx(20.0)
    assert pace.seconds_for(0) == 0.0


def test_the_first_step_with_its_warm_up_does_not_count():
    pace = paced((0.0, 0), (20.0, 1), (25.0, 11))
    assert pace.seconds_for(100) == pytest.approx(50.0)


def test_neither_does_the_first_step_of_a_resumed_run():
    assert paced((0.0, 500), (20.0, 501), (25.0, 511)).seconds_for(100) == pytest.approx(50.0)


@pytest.mark.parametrize(("seconds", "steps"), [(LEAST_SECONDS - 0.1, 100), (100.0, LEAST_STEPS - 1)])
def test_a_few_steps_or_seconds_are_too_little_to_know_the_pace(seconds, steps):
    assert paced((0.0, 0), (1.0, 1), (1.0 + seconds, 1 + steps)).seconds_for(10) is None


def test_of_a_short_training_only_the_last_seconds_count():
    pace = paced((0.0, 0), (1.0, 1), (WINDOW + 2, 2), (WINDOW + 12, 12))
    assert pace.seconds_for(10) == pytest.approx(10.0)


def test_the_pace_of_a_long_training_follows_a_machine_that_becomes_busy_within_half_a_minute():
    steady = [(float(step), step) for step in range(601)]
    slow = [(600.0 + 4 * more, 600 + more) for more in range(1, 10)]
    assert paced(*steady).seconds_for(100) == pytest.approx(100.0)
    assert 100.0 < paced(*steady, *slow[:3]).seconds_for(100) < 200.0
    assert paced(*steady, *slow).seconds_for(100) == pytest.approx(400.0)


def test_of_slow_steps_the_last_ones_count_however_long_they_took():
    pace = paced(*((20.0 * step, step) for step in range(20)))
    assert pace.seconds_for(3) == pytest.approx(60.0)


def test_a_step_that_is_not_made_yet_adds_nothing():
    assert paced((0.0, 0), (1.0, 1), (9.0, 1), (11.0, 11)).seconds_for(1) == pytest.approx(1.0)


def test_after_a_pause_the_pace_is_not_known():
    pace = paced((0.0, 0), (1.0, 1), (11.0, 11))
    pace.clear()
    assert pace.seconds_for(1) is None
