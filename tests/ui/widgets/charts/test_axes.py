"""The axes of a chart write positions with their units."""

from itertools import pairwise

import pytest

from lab.widgets.charts.axes import Axes, AxesPaint
from lab.widgets.core.theme import LINE


@pytest.mark.parametrize(
    ("axis", "kind", "value", "label"),
    [
        ("step", "steps", 1240.3, "step 1,240"),
        ("Schritt", "steps", 1240.3, "Schritt 1,240"),
        ("tokens", "tokens", 950_000.0, "0.95 M tokens"),
        ("tokens read", "tokens", 12_300.0, "12.3 k tokens read"),
        ("training time", "seconds", 62.0, "1:02"),
        ("Zeit", "seconds", 3725.0, "1:02:05"),
        ("position", "number", 2.5, "position 2.5"),
        ("step", "number", 2.5, "step 2.5"),
    ],
)
def test_the_kind_of_an_axis_determines_the_format_of_positions(axis, kind, value, label):
    assert Axes(axis, x_kind=kind).position_text(value) == label


def test_an_axis_of_seconds_shows_a_clock():
    assert Axes("training time", x_kind="seconds").x_name() == "training time (min:s)"
    assert Axes("tokens read", x_kind="tokens").x_name() == "tokens read"


@pytest.mark.parametrize("height", [12, 20, 34, 50, 90, 300])
@pytest.mark.parametrize(("log", "low", "high"), [(False, 0.0, 1.0), (True, -5.0, -2.0), (True, -0.4, 0.1)])
def test_no_label_of_the_y_axis_is_painted_over_another(qapp, height, log, low, high):
    paint = AxesPaint()
    paint.arrange_y(Axes("step", y_log=log), low, high, height)
    pixels = [at * height / (high - low) for at, _ in paint._y]
    assert pixels
    assert all(b - a >= LINE for a, b in pairwise(pixels))
