"""The transform from the values of a chart to its pixels, and back."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

WIDEST = 4.0
"""The widest visible range, in multiples of the range of the data."""
FINEST = 1e-7
"""The narrowest visible range, as a share of the range of the data."""

FAR = 1e100
"""Positions are clipped to ±FAR, so that no difference of two overflows."""


@dataclass(frozen=True)
class Frame:
    """The visible range of both axes, and the plot's rectangle on the widget.

    Positions on an axis are values, or their logarithms to base ten on a logarithmic axis.

    Args:
        x0: Position at the left end.
        x1: Position at the right end.
        y0: Position at the lower end.
        y1: Position at the upper end.
        left: Pixels from the widget's left to the plot.
        top: Pixels from the widget's top to the plot.
        width: Width of the plot in pixels.
        height: Height of the plot in pixels.
    """

    x0: float = 0.0
    x1: float = 1.0
    y0: float = 0.0
    y1: float = 1.0
    left: float = 0.0
    top: float = 0.0
    width: float = 1.0
    height: float = 1.0

    @property
    def right(self) -> float:
        """Pixels from the widget's left to the plot's right end."""
        return self.left + self.width

    @property
    def bottom(self) -> float:
        """Pixels from the widget's top to the plot's lower end."""
        return self.top + self.height

    def across(self, position: Any) -> Any:
        """Return the pixels from the widget's left to a position on the x axis, or to an array of them."""
        return self.left + (position - self.x0) * (self.width / (self.x1 - self.x0))

    def down(self, position: Any) -> Any:
        """Return the pixels from the widget's top to a position on the y axis, or to an array of them."""
        return self.bottom - (position - self.y0) * (self.height / (self.y1 - self.y0))

    def x_at(self, pixels: float) -> float:
        """Return the position on the x axis at a distance in pixels from the widget's left."""
        return self.x0 + (pixels - self.left) * (self.x1 - self.x0) / self.width

    def contains(self, x: float, y: float) -> bool:
        """Return True if a pixel of the widget lies in the plot."""
        return self.left <= x <= self.right and self.top <= y <= self.bottom

    def moved(self, right: float, down: float) -> Frame:
        """Return the frame after its contents were dragged by `right` and `down` pixels."""
        along = right * (self.x1 - self.x0) / self.width
        up = down * (self.y1 - self.y0) / self.height
        return replace(self, x0=self.x0 - along, x1=self.x1 - along, y0=self.y0 + up, y1=self.y1 + up)

    def zoomed(self, x: float, y: float, across: float, down: float) -> Frame:
        """Return the frame scaled about a pixel of the widget.

        Args:
            x: Factor for the visible range of the x axis.
            y: Factor for the visible range of the y axis.
            across: Pixels from the widget's left to the fixed point.
            down: Pixels from the widget's top to the fixed point.
        """
        at = self.x_at(across)
        up = self.y0 + (self.bottom - down) * (self.y1 - self.y0) / self.height
        return replace(
            self,
            x0=at + (self.x0 - at) * x,
            x1=at + (self.x1 - at) * x,
            y0=up + (self.y0 - up) * y,
            y1=up + (self.y1 - up) * y,
        )

    def clamped(self, data: Frame) -> Frame:
        """Return the frame moved and scaled so that it shows some of the data, whose range is the frame `data`."""
        x0, x1 = _clamped(self.x0, self.x1, data.x0, data.x1)
        y0, y1 = _clamped(self.y0, self.y1, data.y0, data.y1)
        return replace(self, x0=x0, x1=x1, y0=y0, y1=y1)


def _clamped(low: float, high: float, least: float, most: float) -> tuple[float, float]:
    full = most - least
    middle = min(max((low + high) / 2, least), most)
    span = min(max(high - low, FINEST * full), WIDEST * full)
    return middle - span / 2, middle + span / 2


def axis_positions(values: Array, log: bool) -> Array:
    """Return the positions of values on an axis; NaN for values that are not finite or have no logarithm."""
    if log:
        with np.errstate(divide="ignore", invalid="ignore"):
            values = np.log10(values)
    if not len(values) or max(-float(values.min()), float(values.max())) <= FAR:
        return values  # a NaN is never below anything
    return np.where(np.isfinite(values), np.clip(values, -FAR, FAR), np.nan)


def axis_position(value: float, log: bool) -> float | None:
    """Return the position of one value on an axis, or None if it has none."""
    if not math.isfinite(value) or (log and value <= 0):
        return None
    return math.log10(value) if log else min(max(value, -FAR), FAR)
