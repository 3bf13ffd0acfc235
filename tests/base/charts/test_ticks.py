"""Ticks of charts stand at round values, few enough to read, and numbers are written for people."""

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.base.charts.numbers import format_value
from lab.base.charts.ticks import format_position, format_ticks, round_values, ticks, value_ticks


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (0, 1240, ["0", "200", "400", "600", "800", "1,000", "1,200"]),
        (1.4, 3.3, ["1.5", "2.0", "2.5", "3.0"]),
        (0, 5e-4, ["0", "1e-4", "2e-4", "3e-4", "4e-4", "5e-4"]),
        (0, 0.01, ["0.000", "0.002", "0.004", "0.006", "0.008", "0.010"]),
        (-2, 2, ["−2", "−1", "0", "1", "2"]),
        (0, 2e30, ["0", "5e29", "1e30", "1.5e30", "2e30"]),
    ],
)
def test_ticks_are_round_and_their_labels_are_distinct(low, high, words):
    assert format_ticks(ticks(low, high)) == words


def test_tokens_are_counted_in_millions():
    assert format_ticks(ticks(0, 3e6, kind="tokens"), kind="tokens") == [
        "0", "0.5 M", "1.0 M", "1.5 M", "2.0 M", "2.5 M", "3.0 M",
    ]  # fmt: skip


def test_ticks_of_seconds_are_at_multiples_of_minutes_and_hours():
    assert format_ticks(ticks(0, 190, kind="seconds"), kind="seconds") == [
        "0:00", "0:30", "1:00", "1:30", "2:00", "2:30", "3:00",
    ]  # fmt: skip
    assert format_ticks(ticks(0, 9000, kind="seconds"), kind="seconds")[-1] == "2:30:00"


def test_there_is_no_half_step():
    assert ticks(0, 2, kind="steps") == [0, 1, 2]


def test_a_logarithmic_axis_has_a_tick_at_each_decade():
    assert format_ticks(ticks(0, 4, log=True), log=True) == ["1", "10", "100", "1,000", "10,000"]


def test_a_logarithmic_axis_of_less_than_a_decade_has_ticks_too():
    assert len(ticks(math.log10(1.7), math.log10(2.3), log=True)) >= 2


@given(st.floats(-290, 290), st.floats(0.01, 200))
def test_a_logarithmic_axis_has_at_most_eight_ticks(low, span):
    assert len(ticks(low, min(low + span, 300), log=True)) <= 8


@given(st.floats(-1e90, 1e90), st.floats(1e-6, 1e90), st.sampled_from(["number", "steps", "tokens", "seconds"]))
def test_an_axis_has_at_most_eight_ticks_and_none_reads_like_a_computer(low, span, kind):
    span = max(span, abs(low) * 1e-6)
    values = ticks(low, low + span, kind=kind)
    assert len(values) <= 8
    assert not any("e+" in words for words in format_ticks(values, kind=kind))


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (1.8349, "1.83"), (0.002134, "0.00213"), (5e-4, "5e-4"), (12400.0, "12,400"), (0.0, "0"), (-0.5, "−0.500"),
        (9.999, "10.0"), (1e30, "1e30"), (math.nan, "nan"),
    ],
)  # fmt: skip
def test_a_value_is_written_in_three_digits(value, words):
    assert format_value(value) == words


def test_a_short_time_keeps_its_digits():
    assert format_position(0.25, "seconds") == "0.25"


@pytest.mark.parametrize(("low", "high"), [(0, 1), (-3, 17), (2.1, 2.100001), (1e-9, 3e-9), (0, 123_456_789)])
def test_round_values_are_few_and_inside_the_range(low, high):
    found = round_values(low, high, 6)
    assert 3 <= len(found) <= 7
    assert all(low - 1e-12 <= tick <= high * (1 + 1e-9) for tick in found)
    assert f"{found[1] - found[0]:.3e}"[:5] in ("1.000", "2.000", "5.000")


def test_there_are_two_round_values_at_least():
    assert len(round_values(0.9, 2.1, 1)) >= 2


def test_a_range_of_one_value_has_that_value():
    assert round_values(3.0, 3.0, 5) == [3.0]


@pytest.mark.parametrize(("low", "high"), [(0.75, 2.2), (0.78, 9.0), (0.3, 1.4), (2.0, 9.9), (1.0, 1.3)])
@pytest.mark.parametrize("most", [2, 3, 5, 7])
def test_ticks_of_a_logarithmic_axis_are_not_crowded(low, high, most):
    found = ticks(math.log10(low), math.log10(high), log=True, most=most)
    gaps = [math.log10(b / a) for a, b in pairwise(found)]
    assert min(gaps) >= 0.6 * math.log10(high / low) / most


def test_an_axis_of_values_has_two_ticks_where_one_shows_no_scale():
    assert len(ticks(0.2, 1.8, most=1)) < 2
    assert len(value_ticks(0.2, 1.8, most=1)) >= 2
    assert value_ticks(1.0, 6.0) == ticks(1.0, 6.0)
