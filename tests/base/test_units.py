"""Units of loss, and numbers for people."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.base.units import bits, bits_per_byte, duration, finite, perplexity, short


def test_a_coin_costs_one_bit():
    assert bits(math.log(2)) == 1
    assert perplexity(math.log(2)) == pytest.approx(2)


def test_perplexity_overflows_to_infinity():
    assert perplexity(1e9) == math.inf


def test_bits_per_byte_does_not_depend_on_how_text_is_cut():
    # one bit a byte, as 8 tokens of a byte and as 2 tokens of four bytes
    assert bits_per_byte(math.log(2), 8, 8) == pytest.approx(bits_per_byte(4 * math.log(2), 2, 8)) == pytest.approx(1)
    assert math.isnan(bits_per_byte(1, 1, 0))


@pytest.mark.parametrize(
    ("value", "expected"), [(1.5, 1.5), (None, None), (math.nan, None), (math.inf, None), (-math.inf, None)]
)
def test_only_finite_numbers_go_to_json(value, expected):
    assert finite(value) == expected


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (12, "12"), (999, "999"), (999.6, "1.0 k"), (1234, "1.2 k"), (804096, "804 k"), (999_600, "1.0 M"),
     (1.5e9, "1.5 G"), (8.25e14, "825 T"), (1e18, "1e+18"), (-2500, "-2.5 k")],
)  # fmt: skip
def test_counts_have_three_digits(value, text):
    assert short(value) == text


@given(st.floats(0, 1e15))
def test_no_count_is_longer_than_a_few_characters(value):
    assert len(short(value)) <= 7


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.84, "0.8 s"), (42.4, "42 s"), (59.7, "1 min 00 s"), (185, "3 min 05 s"), (3599.9, "1 h 00 min"),
     (7800, "2 h 10 min"), (9.97, "10 s")],
)  # fmt: skip
def test_times_are_formatted_in_their_two_largest_units(seconds, text):
    assert duration(seconds) == text
