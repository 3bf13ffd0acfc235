"""The scale from values to colours, and maps of more cells than pixels."""

import numpy as np
import pytest

from lab.base.charts.colours import COLOURS
from lab.base.charts.maps import Scale, scale_of, shrunk


def test_a_negative_value_makes_the_scale_signed():
    assert not scale_of(np.array([[0.0, 3.0]])).signed
    signed = scale_of(np.array([[-1.0, 3.0]]))
    assert (signed.low, signed.high, signed.signed) == (-3.0, 3.0, True)


def test_the_root_scale_lifts_small_values_and_keeps_the_ends():
    places = Scale(0.0, 1.0, root=True).shares(np.array([0, 0.01, 0.25, 1], np.float32))
    assert places.tolist() == pytest.approx([0, 0.1, 0.5, 1])
    places = Scale(-4.0, 4.0, True, root=True).shares(np.array([-4, -1, 0, 1, 4], np.float32))
    assert places.tolist() == pytest.approx([0, 0.25, 0.5, 0.75, 1])


def test_infinite_values_have_the_end_colours_and_do_not_stretch_the_scale():
    values = np.array([[-np.inf, -1.0, 2.0, np.inf]], np.float32)
    scale = scale_of(values)
    assert (scale.low, scale.high) == (-2.0, 2.0)
    assert scale.shares(values)[0].tolist() == [0.0, 0.25, 1.0, 1.0]


def test_a_map_with_more_cells_than_pixels_shows_the_strongest_of_each_pixel():
    values = np.zeros((1000, 3), np.float32)
    values[333, 1], values[334, 1], values[900, 2] = 5, -7, -2
    small = shrunk(values, 100, 100)
    assert small.shape == (100, 3)
    assert (small[33, 1], small[90, 2]) == (-7, -2)
    assert np.count_nonzero(small) == 2


def test_a_value_has_the_number_of_its_colour_and_a_masked_one_the_transparent():
    values = np.array([0, 1, 2, np.nan], np.float32)
    assert Scale(0.0, 2.0).indices(values).tolist() == [0, 127, 254, COLOURS]
