"""The axes of a chart write positions with their units."""

import pytest

from lab.widgets.charts.axes import Axes


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
    assert Axes(axis).position_text(value) == words


def test_an_axis_of_seconds_says_that_it_shows_a_clock():
    assert Axes("training time (s)").x_name() == "training time (min:s)"
    assert Axes("tokens read").x_name() == "tokens read"
