"""Which part of its lines a chart shows by itself: everything or up to a ceiling, in coarse steps."""

from __future__ import annotations

import math
from collections.abc import Sequence

from lab.widgets.charts.lines import Curve
from lab.widgets.charts.ticks import round_step
from lab.widgets.charts.transform import Frame

BELOW, ABOVE = 0.4, 0.15
"""A floor is in sight when it lies at most so many heights of the lines below or above them."""


def fitting(
    curves: Sequence[Curve], floors: Sequence[float], ceiling: float | None, kept: Sequence[float] = ()
) -> Frame:
    """What is in sight when nobody chose otherwise.

    Args:
        curves: Lines, at least one with a value.
        floors: Places of floors on the y axis; those near the lines are in sight.
        ceiling: Place on the y axis at which the view ends once the newest values are below it.
        kept: Places on the y axis that are in sight, however far they are from the lines.
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
    y0, y1 = coarse_y(min([low, *kept]), max([high, *kept]))
    if cut:
        y1 = high + 0.04 * (high - y0)
    return Frame(x0, x1, y0, y1)


def coarse_x(low: float, high: float) -> tuple[float, float]:
    """Ends of an x axis that holds from `low` to `high`; the right end moves in steps of about a twentieth."""
    high = high if high > low else low + 1
    step = round_step((high - low) / 20, up=False)
    end = low + math.ceil((high - low) * 1.004 / step) * step
    return low - 0.012 * (end - low), end


def coarse_y(low: float, high: float) -> tuple[float, float]:
    """Ends of a y axis that holds from `low` to `high`; both move in steps of about a sixteenth."""
    low, high = _opened(low, high)
    rim = 0.02 * (high - low)
    step = round_step((high - low) / 16, up=False)
    return math.floor((low - rim) / step) * step, math.ceil((high + rim) / step) * step


def _opened(low: float, high: float) -> tuple[float, float]:
    """The same ends, or ends about them where they are one and the same value."""
    if high - low > 1e-9 * max(abs(low), abs(high)):
        return low, high
    around = 0.1 * max(abs(low), abs(high)) or 1.0
    return low - around, high + around
