"""The way from the values of a chart to its pixels, and back."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

WIDEST = 4.0
"""How many times everything a person can zoom out to."""
FINEST = 1e-7
"""The share of everything a person can zoom in to."""

FAR = 1e100
"""Places beyond it are taken for it, so that no difference of two overflows."""


@dataclass(frozen=True)
class Frame:
    """What is in sight, and where on the widget it is painted.

    Places on an axis are values, or powers of ten on a logarithmic one.

    Args:
        x0: Place at the left end.
        x1: Place at the right end.
        y0: Place at the lower end.
        y1: Place at the upper end.
        left: Pixels from the widget's left to the plot.
        top: Pixels from the widget's top to the plot.
        width: Of the plot, in pixels.
        height: Of the plot, in pixels.
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

    def across(self, place: Any) -> Any:
        """Pixels from the widget's left of a place on the x axis, or of an array of them."""
        return self.left + (place - self.x0) * (self.width / (self.x1 - self.x0))

    def down(self, place: Any) -> Any:
        """Pixels from the widget's top of a place on the y axis, or of an array of them."""
        return self.bottom - (place - self.y0) * (self.height / (self.y1 - self.y0))

    def x_at(self, pixels: float) -> float:
        """The place on the x axis at so many pixels from the widget's left."""
        return self.x0 + (pixels - self.left) * (self.x1 - self.x0) / self.width

    def holds(self, x: float, y: float) -> bool:
        """Whether a pixel of the widget lies in the plot."""
        return self.left <= x <= self.right and self.top <= y <= self.bottom

    def moved(self, right: float, down: float) -> Frame:
        """The frame after its contents were dragged by so many pixels."""
        along = right * (self.x1 - self.x0) / self.width
        up = down * (self.y1 - self.y0) / self.height
        return replace(self, x0=self.x0 - along, x1=self.x1 - along, y0=self.y0 + up, y1=self.y1 + up)

    def zoomed(self, x: float, y: float, across: float, down: float) -> Frame:
        """The frame stretched about a pixel of the widget.

        Args:
            x: How many times as much of the x axis is in sight then.
            y: How many times as much of the y axis.
            across: Of the pixel, from the widget's left.
            down: Of the pixel, from the widget's top.
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

    def kept_near(self, data: Frame) -> Frame:
        """The frame moved and stretched so far that it still shows some of the data, which fit into another frame."""
        x0, x1 = _near(self.x0, self.x1, data.x0, data.x1)
        y0, y1 = _near(self.y0, self.y1, data.y0, data.y1)
        return replace(self, x0=x0, x1=x1, y0=y0, y1=y1)


def _near(low: float, high: float, least: float, most: float) -> tuple[float, float]:
    whole = most - least
    middle = min(max((low + high) / 2, least), most)
    span = min(max(high - low, FINEST * whole), WIDEST * whole)
    return middle - span / 2, middle + span / 2


def places(values: Array, log: bool) -> Array:
    """Values as places on an axis; what a logarithmic axis has no place for is NaN, as is what is not finite."""
    if log:
        with np.errstate(divide="ignore", invalid="ignore"):
            values = np.log10(values)
    if not len(values) or max(-float(values.min()), float(values.max())) <= FAR:
        return values  # a NaN is never below anything
    return np.where(np.isfinite(values), np.clip(values, -FAR, FAR), np.nan)


def place(value: float, log: bool) -> float | None:
    """One value as a place on an axis, or None where there is none."""
    if not math.isfinite(value) or (log and value <= 0):
        return None
    return math.log10(value) if log else min(max(value, -FAR), FAR)
