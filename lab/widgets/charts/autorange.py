"""The range that a chart shows by default: everything or up to a ceiling, in coarse steps."""

from __future__ import annotations

from collections.abc import Sequence

from lab.base.charts.ranges import coarse_x, coarse_y
from lab.base.charts.transform import Frame
from lab.widgets.charts.lines import Curve

BELOW, ABOVE = 0.4, 0.15
"""Largest distance of a visible floor below or above the lines, in multiples of their height."""
EARLY = 0.1
"""A line that reaches at most this share of the x axis does not keep the view from being cut at the ceiling."""
YOUNG = 300
"""With fewer points in the longest line, all values are visible: the first ones are then much of what there is."""


def fitting(
    curves: Sequence[Curve], floors: Sequence[float], ceiling: float | None, included: Sequence[float] = ()
) -> Frame:
    """Return the default visible range.

    Args:
        curves: Lines, at least one with a value.
        floors: Positions of floors on the y axis; those near the lines are visible.
        ceiling: Position on the y axis at which the view ends once a line is no longer young and the newest values are
            below it; those of a line that has only started do not count while another one is far along.
        included: Positions on the y axis that are always visible.
    """
    shown = [curve for curve in curves if not curve.empty]
    x0, x1 = coarse_x(min(curve.start for curve in shown), max(curve.end for curve in shown))
    low, high = min(curve.low for curve in shown), max(curve.high for curve in shown)
    far = max(curve.reach for curve in shown)
    advanced = [curve for curve in shown if curve.line.style in ("main", "thin") and curve.reach > EARLY * far]
    newest = [float(curve.y[curve.last]) for curve in advanced]
    is_young = max((curve.last for curve in advanced), default=0) + 1 < YOUNG
    cut = ceiling is not None and low < ceiling < high and bool(newest) and max(newest) < ceiling and not is_young
    if ceiling is not None and cut:
        high = ceiling
    span = high - low
    low = min([low, *(floor for floor in floors if 0 < low - floor <= BELOW * span)])
    if not cut:
        high = max([high, *(floor for floor in floors if 0 < floor - high <= ABOVE * span)])
    y0, y1 = coarse_y(min([low, *included]), max([high, *included]))
    if cut:
        y1 = high + 0.04 * (high - y0)
    return Frame(x0, x1, y0, y1)
