"""The axes of a chart write positions with their units."""

import pytest

from lab.widgets.charts.axes import Axes


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
