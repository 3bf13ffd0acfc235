"""Which part of its lines a chart shows by itself: everything or up to a ceiling, in coarse steps."""

from __future__ import annotations

from collections.abc import Sequence

from lab.base.charts.ranges import coarse_x, coarse_y
from lab.base.charts.transform import Frame
from lab.widgets.charts.lines import Curve

BELOW, ABOVE = 0.4, 0.15
"""A floor is in sight when it lies at most so many heights of the lines below or above them."""


def fitting(
    curves: Sequence[Curve], floors: Sequence[float], ceiling: float | None, included: Sequence[float] = ()
) -> Frame:
    """Return the visible range when nobody zoomed or moved.

    Args:
        curves: Lines, at least one with a value.
        floors: Places of floors on the y axis; those near the lines are in sight.
        ceiling: Place on the y axis at which the view ends once the newest values are below it.
        included: Places on the y axis that are in sight, however far they are from the lines.
    """
    there = [curve for curve in curves if not curve.empty]
    x0, x1 = coarse_x(min(curve.start for curve in there), max(curve.end for curve in there))
    low, high = min(curve.low for curve in there), max(curve.high for curve in there)
    newest = [float(curve.y[curve.last]) for curve in there if curve.line.style in ("main", "thin")]
    cut = ceiling is not None and low < ceiling < high and bool(newest) and max(newest) < ceiling
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
