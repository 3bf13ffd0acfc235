"""The ends of an axis lie outside the data and move seldom."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lab.base.charts.ranges import coarse_x, coarse_y, filled


@given(st.floats(-1e6, 1e6), st.floats(0, 1e6))
def test_an_axis_holds_its_data(low, span):
    for ends in (coarse_x(low, low + span), coarse_y(low, low + span)):
        assert ends[0] < low <= low + span < ends[1]


@pytest.mark.parametrize(("low", "span"), [(0.0, 5e-324), (1.0, 5e-16), (1e6, 1e-9), (1e300, 1e290), (-1e9, 1.0)])
def test_an_axis_holds_data_that_are_hardly_apart(low, span):
    for ends in (coarse_x(low, low + span), coarse_y(low, low + span)):
        assert ends[0] < low <= low + span < ends[1]


def test_the_axis_of_a_growing_line_moves_seldom():
    assert len({coarse_x(0, step) for step in range(1000, 2000)}) <= 25
    assert len({coarse_y(2 - share / 1000, 4) for share in range(1000)}) <= 12


@pytest.mark.parametrize("value", [0.0, 1e-320, 1e-300, 2.5, -1e16, 1e299])
def test_an_axis_of_one_level_has_space_on_both_sides(value):
    low, high = coarse_y(value, value)
    assert math.isfinite(high - low)
    assert low < value < high


def test_a_curve_fills_its_axis_and_equal_values_have_one_that_is_not_empty():
    assert filled(2.0, 5.0) == (2.0, 5.0)
    assert filled(3.0, 3.0) == (3.0, 4.0)
