"""The ends of axes: a little beyond the data, in coarse steps, so that an axis rarely moves while lines grow."""

from __future__ import annotations

import math

from lab.base.charts.ticks import round_step

SMALLEST = 1e-300
"""Smaller ranges count as empty, because their ticks could not be distinguished from zero."""


def coarse_x(low: float, high: float) -> tuple[float, float]:
    """Return the ends of an x axis that holds `low` to `high`; the right end moves in steps of about a twentieth.

    Positions that differ only by rounding count as equal and get space on the right.
    """
    size = max(abs(low), abs(high))
    if not high - low > max(1e-12 * size, SMALLEST):
        high = low + max(1.0, 0.001 * size)
    step = round_step((high - low) / 20, up=False)
    end = low + math.ceil((high - low) * 1.004 / step) * step
    return low - 0.012 * (end - low), end


def coarse_y(low: float, high: float) -> tuple[float, float]:
    """Return the ends of a y axis that holds `low` to `high`; both move in steps of about a sixteenth.

    Values that differ only by rounding count as equal and get space on both sides.
    """
    size = max(abs(low), abs(high))
    if not high - low > max(1e-9 * size, SMALLEST):
        space = 0.1 * size if size > SMALLEST else 1.0
        low, high = low - space, high + space
    margin = 0.02 * (high - low)
    step = round_step((high - low) / 16, up=False)
    return math.floor((low - margin) / step) * step, math.ceil((high + margin) / step) * step


def filled(low: float, high: float) -> tuple[float, float]:
    """Return the ends of an axis that values from `low` to `high` fill; one wide if they are all equal."""
    return low, high if high > low else low + 1.0
