"""The series of a run as growing arrays: fed, filled, placed along an axis, smoothed."""

import itertools
import math

import numpy as np
import pytest

from lab.base import LabError
from lab.base.charts import averages
from lab.base.notices import listen
from lab.runs import MetricReader, MetricWriter
from lab.training.recording.telemetry import Ring
from lab.workbench import Curves
from lab.workbench.analysis import curves as module


@pytest.fixture
def written(tmp_path):
    """Write series ({name: [(step, value), …]}) to a file of metrics and read them."""

    def written(**series):
        path = tmp_path / "metrics.sqlite"
        writer = MetricWriter(path)
        for name, points in series.items():
            writer.append((step, name, value) for step, value in points)
        writer.close()
        return MetricReader(path)

    return written


def fed(points, name="loss", curves=None):
    """Return curves that got these points through a ring."""
    ring = Ring()
    reader, number = ring.reader(), ring.number(name)
    for step, value in points:
        ring.write(step, [number], [value])
    curves = curves or Curves()
    curves.feed(reader.take(), ring.names)
    return curves


def naive(values, share):
    """The moving average as its definition reads."""
    found, mean, count = [], 0.0, 0
    for value in values:
        if math.isfinite(value):
            mean, count = share * mean + (1 - share) * value, count + 1
        found.append(mean / (1 - share**count) if count else math.nan)
    return found


def test_what_a_reader_takes_is_appended_to_its_series():
    ring, curves = Ring(), Curves()
    reader = ring.reader()
    for step in range(1, 301):
        ring.write(step, [ring.number("loss"), ring.number("norm")], [step / 10, -step])
        if step % 7 == 0:
            curves.feed(reader.take(), ring.names)
    curves.feed(reader.take(), ring.names)
    assert curves.names() == ["loss", "norm"]
    assert curves.steps("loss").tolist() == list(range(1, 301))
    assert curves.values("norm").tolist() == [-step for step in range(1, 301)]
    assert curves.steps("loss").dtype == curves.values("loss").dtype == np.float64


def test_steps_that_do_not_follow_the_last_one_are_dropped():
    curves = fed([(1, 10), (2, 20), (2, 21), (1, 11), (3, 30)])
    fed([(3, 31), (2, 22), (5, 50)], curves=curves)
    assert curves.steps("loss").tolist() == [1, 2, 3, 5]
    assert curves.values("loss").tolist() == [10, 20, 30, 50]


def test_a_file_replaces_what_is_there_and_the_ring_continues_behind_it(written):
    curves = fed([(1, 10), (2, 20)])
    curves.fill(written(loss=[(1, 1.0), (2, 2.0), (3, 3.0)], norm=[(1, 5.0)]))
    fed([(2, 20), (3, 30), (4, 40)], curves=curves)
    assert curves.values("loss").tolist() == [1, 2, 3, 40]
    assert curves.names() == ["loss", "norm"]


def test_what_the_file_does_not_have_is_gone_after_it(written):
    curves = fed([(1, 10)], "other")
    curves.fill(written(loss=[(1, 1.0)], norm=[(1, 5.0)]))
    assert curves.names() == ["loss", "norm"]


def test_a_missing_file_is_reported_and_leaves_all_as_it_was(tmp_path):
    curves = fed([(1, 10)])
    with pytest.raises(LabError, match="it is missing"):
        curves.fill(MetricReader(tmp_path / "metrics.sqlite"))
    assert curves.values("loss").tolist() == [10]


# ---- long series


@pytest.fixture
def long(written, monkeypatch):
    """Return curves from a file with two long series of 40 points and one of 3, and the data read from it."""
    monkeypatch.setattr(module, "AT_ONCE", 10)
    points = [(step, float(-step)) for step in range(1, 41)]
    reader, read, curves = written(loss=points, norm=points, few=points[:3]), [], Curves()
    real = reader.read
    reader.read = lambda name, *given, **limits: (read.append(name), real(name, *given, **limits))[1]
    curves.fill(reader)
    return curves, read


def test_a_long_series_is_read_on_first_use(long):
    curves, read = long
    assert curves.names() == ["loss", "norm", "few"]
    assert curves.ends() == {"loss": 40, "norm": 40, "few": 3}
    assert read == ["few"]
    assert curves.values("norm").tolist() == [-step for step in range(1, 41)]
    assert curves.steps("norm").tolist() == list(range(1, 41))
    assert read == ["few", "norm"]


def test_points_added_to_a_long_series_before_its_first_use_follow_it(long):
    curves, read = long
    fed([(40, 1.0), (41, 2.0)], "loss", curves)
    fed([(41, 3.0), (43, 4.0)], "loss", curves)
    assert read == ["few"]
    assert curves.ends()["loss"] == 43
    assert curves.steps("loss").tolist() == [*range(1, 42), 43]
    assert curves.values("loss")[-3:].tolist() == [-40, 2, 4]


def test_a_file_that_grew_meanwhile_gives_no_point_twice(long, tmp_path):
    curves, _ = long
    with MetricWriter(tmp_path / "metrics.sqlite") as writer:
        writer.append([(41, "loss", 2.0)])
    fed([(41, 2.0)], "loss", curves)
    assert curves.steps("loss").tolist() == list(range(1, 42))


def test_a_missing_file_leaves_later_points_and_is_reported(long, tmp_path):
    curves, _ = long
    heard = []
    end = listen(heard.append)
    (tmp_path / "metrics.sqlite").unlink()
    fed([(41, 2.0)], "loss", curves)
    assert curves.values("loss").tolist() == [2]
    end()
    assert [notice.problem.what for notice in heard] == ["metrics.sqlite cannot be read: it is missing"]


def test_series_of_the_same_steps_share_them(long):
    curves, _ = long
    assert np.shares_memory(curves.steps("loss"), curves.steps("norm"))
    fed([(41, 2.0)], "loss", curves)
    assert (len(curves.steps("loss")), len(curves.steps("norm"))) == (41, 40)


def test_a_series_that_is_not_there_is_empty():
    curves = Curves()
    for found in (
        curves.steps("loss"),
        curves.values("loss"),
        curves.x("loss", "tokens"),
        curves.smoothed("loss", 0.9),
    ):
        assert found.shape == (0,)
    assert curves.names() == []


def test_the_revision_grows_with_every_change_and_only_then(written):
    curves = Curves()
    seen = [curves.revision]
    fed([(1, 10)], curves=curves)
    seen.append(curves.revision)
    curves.fill(written(loss=[(1, 1.0)]))
    seen.append(curves.revision)
    assert seen == sorted(set(seen))
    fed([(1, 10)], curves=curves)
    fed([], curves=curves)
    curves.smoothed("loss", 0.5)
    assert curves.revision == seen[-1]


def test_a_view_that_was_given_out_never_changes_and_cannot_be_written():
    curves = fed([(1, 10)])
    view = curves.values("loss")
    fed([(step, step) for step in range(2, 1000)], curves=curves)
    assert view.tolist() == [10]
    with pytest.raises(ValueError, match="read-only"):
        view[0] = 3


@pytest.mark.parametrize("by", ["steps", "tokens", "seconds", "FLOPs", "joules"])
def test_while_nothing_comes_the_same_arrays_are_given_out_again(clocked, by):
    def given():
        return clocked.values("loss"), clocked.x("loss", by), clocked.smoothed("loss", 0.9), *clocked.speed(by)

    before = given()
    fed([(1, 5.0)], "something else", clocked)
    fed([(12, 5.0)], "loss", clocked)  # follows nothing
    assert all(again is once for again, once in zip(given(), before, strict=True))
    fed([(13, 5.0), (14, 6.0)], "loss", clocked)
    assert [len(one) for one in given()[:3]] == [8] * 3


# ---- places along an axis


@pytest.fixture
def clocked(written):
    """A loss at steps of its own, with tokens told at steps 4, 8 and 10."""
    curves = Curves()
    curves.fill(
        written(loss=[(step, 1.0) for step in (0, 2, 4, 6, 10, 12)], tokens=[(4, 40.0), (8, 80.0), (10, 180.0)])
    )
    return curves


def test_the_axis_of_steps_is_the_steps(clocked):
    assert clocked.x("loss", "steps").tolist() == [0, 2, 4, 6, 10, 12]


def test_tokens_are_linear_between_known_values_and_from_zero_to_the_first(clocked):
    assert clocked.x("loss", "tokens").tolist() == [0, 20, 40, 60, 180, 180]


def test_without_a_clock_all_points_lie_at_the_start(clocked):
    assert clocked.x("loss", "seconds").tolist() == [0] * 6


def test_at_the_steps_of_the_clock_itself_its_values_are_taken(written):
    curves = Curves()
    curves.fill(written(loss=[(1, 5.0), (2, 5.0)], seconds=[(1, 0.5), (2, 0.75), (3, 1.0)]))
    assert curves.x("loss", "seconds").tolist() == [0.5, 0.75]


def test_flops_are_tokens_times_what_one_takes(clocked):
    assert np.isnan(clocked.x("loss", "FLOPs")).all()
    reported = Curves(flops_per_token=2e6)
    fed([(4, 40.0), (8, 80.0)], "tokens", fed([(0, 1.0), (2, 1.0), (8, 1.0)], "loss", reported))
    assert reported.x("loss", "FLOPs").tolist() == [0, 4e7, 1.6e8]


# ---- speed


def timed(seconds, first=1):
    """Return curves of a training of 10 tokens per step whose steps ended at these times."""
    curves = Curves()
    fed([(first + place, second) for place, second in enumerate(seconds)], "seconds", curves)
    return fed([(first + place, 10.0 * (first + place)) for place in range(len(seconds))], "tokens", curves)


def test_the_speed_of_quick_steps_is_taken_over_twenty_of_them():
    steps, rates = timed(np.arange(1, 65) * 0.01).speed("steps")
    assert steps.tolist() == [20, 40, 64]
    assert np.allclose(rates, 1000)


def test_slow_steps_have_a_speed_each():
    steps, rates = timed([2.0, 4.0, 9.0]).speed("steps")
    assert steps.tolist() == [1, 2, 3]
    assert np.allclose(rates, [5, 5, 2])


def test_a_window_ends_after_a_second_if_that_is_sooner():
    steps, rates = timed(np.arange(1, 13) * 0.25).speed("steps")
    assert steps.tolist() == [4, 8, 12]
    assert np.allclose(rates, 40)


@pytest.mark.parametrize("count", [1, 2, 14])
def test_a_training_of_a_few_quick_steps_has_one_speed(count):
    steps, rates = timed(np.arange(1, count + 1) * 0.001).speed("steps")
    assert steps.tolist() == [count]
    assert np.allclose(rates, 10_000)


def test_what_does_not_begin_with_the_first_step_is_measured_between_its_steps():
    assert len(timed([50.0], first=7).speed("steps")[0]) == 0
    steps, rates = timed([50.0, 50.1], first=7).speed("steps")
    assert steps.tolist() == [8]
    assert np.allclose(rates, 100)


def test_the_windows_of_the_speed_are_the_same_however_often_it_is_asked_for():
    random = np.random.default_rng(0)
    seconds = np.cumsum(random.exponential(0.07, 300))
    at_once, again = timed(seconds), Curves()
    for count in range(1, 301):
        fed([(count, seconds[count - 1])], "seconds", again)
        fed([(count, 10.0 * count)], "tokens", again)
        again.speed("steps")
    for one, other in zip(at_once.speed("steps"), again.speed("steps"), strict=True):
        assert one.tolist() == other.tolist()


def test_a_new_file_has_windows_of_its_own(written):
    curves = timed(np.arange(1, 65) * 0.01)
    curves.speed("steps")
    curves.fill(written(tokens=[(1, 10.0), (2, 20.0)], seconds=[(1, 2.0), (2, 4.0)]))
    assert curves.speed("steps")[0].tolist() == [1, 2]


@pytest.mark.parametrize(("by", "places"), [("tokens", [10, 20, 30]), ("seconds", [2, 4, 9])])
def test_the_speed_has_its_places_on_every_axis(by, places):
    assert timed([2.0, 4.0, 9.0]).speed(by)[0].tolist() == places


def test_a_clock_that_stops_or_goes_back_makes_a_gap():
    assert np.isnan(timed([0.0, 0.0]).speed("steps")[1]).all()
    assert np.isnan(timed([9.0, 5.0, 1.0], first=2).speed("steps")[1]).all()
    assert len(Curves().speed("steps")[0]) == 0


# ---- smoothing


def test_a_smoothed_series_is_the_moving_average():
    for share, count in itertools.product([0.0, 0.3, 0.9, 0.999], [0, 1, 2, 63, 64, 65, 500, 64 * 64 + 3]):
        values = np.random.default_rng(count).normal(size=count)
        curves = fed(list(enumerate(values)))
        assert np.allclose(curves.smoothed("loss", share), naive(values, share), rtol=1e-9, atol=1e-12), (share, count)


@pytest.mark.parametrize("share", [0.0, 0.9])
def test_what_is_no_number_weighs_nothing_and_the_average_stays_there(share):
    values = [math.nan, math.inf, 3.0, math.nan, 5.0, -math.inf, math.nan, 4.0, *[math.nan] * 200, 2.0]
    found = fed(list(enumerate(values))).smoothed("loss", share)
    assert np.allclose(found, naive(values, share), equal_nan=True)
    assert np.isnan(found[:2]).all()
    assert found[3] == found[2] == 3


@pytest.mark.parametrize("share", [0.0, 0.95])
def test_a_smoothed_series_continues_as_if_it_were_smoothed_at_once(share):
    random = np.random.default_rng(0)
    values = random.normal(size=3000)
    values[random.random(3000) < 0.1] = math.nan
    curves, step = Curves(), 0
    while step < len(values):
        count = int(random.integers(0, 200))
        fed([(step + i, value) for i, value in enumerate(values[step : step + count])], curves=curves)
        step += count
        curves.smoothed("loss", share)
    assert np.allclose(curves.smoothed("loss", share), naive(values, share), equal_nan=True)


def test_only_what_is_new_is_smoothed(monkeypatch):
    lengths = []
    decayed = averages.decayed
    monkeypatch.setattr(averages, "decayed", lambda x, share: lengths.append(len(x)) or decayed(x, share))
    curves = fed([(step, 1.0) for step in range(50)])
    curves.smoothed("loss", 0.9)
    fed([(50, 1.0), (51, 1.0)], curves=curves)
    curves.smoothed("loss", 0.9)
    curves.smoothed("loss", 0.9)
    assert lengths == [50, 2]


def test_another_share_and_a_new_file_are_smoothed_again(written):
    curves = fed([(1, 10), (2, 20)])
    curves.smoothed("loss", 0.9)
    assert np.allclose(curves.smoothed("loss", 0.5), naive([10, 20], 0.5))
    curves.fill(written(loss=[(1, 1.0), (2, 2.0)]))
    assert np.allclose(curves.smoothed("loss", 0.5), naive([1, 2], 0.5))


@pytest.mark.parametrize("share", [-0.1, 1.0, math.nan])
def test_a_share_out_of_bounds_is_refused(share):
    with pytest.raises(ValueError, match="0 ≤ share < 1"):
        Curves().smoothed("loss", share)


def test_joules_are_the_power_of_all_machines_times_the_seconds_it_was_used(written):
    curves = Curves()
    curves.fill(
        written(
            loss=[(step, 1.0) for step in (0, 1, 2, 4, 6, 8)],
            seconds=[(step, 10.0 * step) for step in range(1, 9)],
            power=[(1, 5.0), (4, 20.0), (8, 10.0)],
            **{"accelerator power": [(4, 100.0)]},
        )
    )
    of_processor = [0, 50, 50 + 200, 50 + 600, 650 + 200, 650 + 400]
    of_accelerator = [0, 1000, 2000, 4000, 4000, 4000]
    assert curves.x("loss", "joules").tolist() == [a + b for a, b in zip(of_processor, of_accelerator, strict=True)]


def test_without_power_there_are_no_joules(clocked):
    assert np.isnan(clocked.x("loss", "joules")).all()
