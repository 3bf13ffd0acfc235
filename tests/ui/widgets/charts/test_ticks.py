"""Ticks of charts stand at round values, few enough to read, and numbers are written for people."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.widgets.charts.axes import Axes
from lab.widgets.charts.ticks import place_words, tick_words, ticks, value_words


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
def test_ticks_are_round_and_their_words_tell_them_apart(low, high, words):
    assert tick_words(ticks(low, high)) == words


def test_tokens_are_counted_in_millions():
    assert tick_words(ticks(0, 3e6, kind="tokens"), kind="tokens") == [
        "0", "0.5 M", "1.0 M", "1.5 M", "2.0 M", "2.5 M", "3.0 M",
    ]  # fmt: skip


def test_seconds_stand_where_a_clock_would_put_them():
    assert tick_words(ticks(0, 190, kind="seconds"), kind="seconds") == [
        "0:00", "0:30", "1:00", "1:30", "2:00", "2:30", "3:00",
    ]  # fmt: skip
    assert tick_words(ticks(0, 9000, kind="seconds"), kind="seconds")[-1] == "2:30:00"


def test_there_is_no_half_step():
    assert ticks(0, 2, kind="steps") == [0, 1, 2]


def test_a_logarithmic_axis_has_a_tick_at_each_decade():
    assert tick_words(ticks(0, 4, log=True), log=True) == ["1", "10", "100", "1,000", "10,000"]


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
    assert not any("e+" in words for words in tick_words(values, kind=kind))


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (1.8349, "1.83"), (0.002134, "0.00213"), (5e-4, "5e-4"), (12400.0, "12,400"), (0.0, "0"), (-0.5, "−0.500"),
        (9.999, "10.0"), (1e30, "1e30"), (math.nan, "nan"),
    ],
)  # fmt: skip
def test_a_value_is_written_in_three_digits(value, words):
    assert value_words(value) == words


@pytest.mark.parametrize(
    ("axis", "value", "words"),
    [
        ("step", 1240.3, "step 1,240"),
        ("tokens", 950_000.0, "0.95 M tokens"),
        ("tokens read", 12_300.0, "12.3 k tokens read"),
        ("training time (s)", 62.0, "1:02"),
        ("time (s)", 3725.0, "1:02:05"),
        ("position", 2.5, "position 2.5"),
    ],
)
def test_a_place_is_written_with_its_unit(axis, value, words):
    assert Axes(axis).x_words(value) == words


def test_an_axis_of_seconds_says_that_it_shows_a_clock():
    assert Axes("training time (s)").x_name() == "training time (min:s)"
    assert Axes("tokens read").x_name() == "tokens read"


def test_a_short_time_keeps_its_digits():
    assert place_words(0.25, "seconds") == "0.25"
