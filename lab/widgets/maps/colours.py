"""Numbers as colours: the scale of a map, its two colour tables, and the picture of an array."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QColor, QImage

from lab.base.charts.ticks import round_values
from lab.widgets.core.i18n import number_text
from lab.widgets.core.theme import Theme, contrast

Numbers = NDArray[np.floating[Any]]

COLOURS = 255
"""Number of colours of a table; the next one, number 255, is transparent, for masked cells."""
AT_ONCE = 32768
"""Number of cells that are coloured at once, so that intermediate results stay in the processor's cache."""
VIRIDIS = (
    "440154 470d60 48186a 482374 472d7b 453781 424086 3e4989 3b528b 375b8d 33638d 2f6b8e 2c728e 297a8e 26828e 23898e "
    "21908c 1f978b 1f9f88 21a685 27ad81 31b57b 3ebc74 4dc26c 5cc863 6ece58 82d34d 95d840 aadc32 c0df25 d5e21a eae51a "
    "fde725"
)
"""Every eighth colour of viridis (van der Walt and Smith 2015), from low to high."""
SIGNED = {
    "light": "0a3d78 1d68b3 5e9fdc a9cbec e3e6ea f2c08f df8836 a95a0c 6b3600",
    "dark": "9fd3ff 5aa9ee 2c76bd 28507a 343942 7d5226 b9701d ef9c3f ffd08a",
}
"""Blue below zero and orange above, distinct also for the colour-blind; zero is close to the theme's background."""


def table_of(anchors: str) -> NDArray[np.uint8]:
    """Return (255, 3) red, green and blue, linear between colours written as "rrggbb rrggbb …"."""
    points = np.array([list(bytes.fromhex(anchor)) for anchor in anchors.split()], float)
    at, known = np.linspace(0, 1, COLOURS), np.linspace(0, 1, len(points))
    channels = [np.interp(at, known, points[:, channel]) for channel in range(3)]
    return np.stack(channels, axis=1).round().astype(np.uint8)


def _packed(table: NDArray[np.uint8]) -> NDArray[np.uint32]:
    red, green, blue = table.astype(np.uint32).T
    return np.append(0xFF000000 | red << 16 | green << 8 | blue, 0).astype(np.uint32)


_RISING = _packed(table_of(VIRIDIS))
_SIGNED = {name: _packed(table_of(anchors)) for name, anchors in SIGNED.items()}


@dataclass(frozen=True)
class Scale:
    """The map from values to positions in a colour table, 0 to 1.

    Args:
        low: Value of the first colour.
        high: Value of the last colour; above low.
        signed: Whether zero is the middle and the colours diverge there; low is then −high.
        root: Whether the colours follow the square root of the value, which makes small values visible.
    """

    low: float
    high: float
    signed: bool = False
    root: bool = False

    def shares(self, values: Numbers) -> Numbers:
        """Return positions in the table, 0 to 1; NaN where the value is NaN."""
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            return self._shares(values)

    def _shares(self, values: Numbers) -> Numbers:
        low, span = (0.0, self.high) if self.signed else (self.low, self.high - self.low)
        share = np.asarray(values - np.float32(low))
        share /= np.float32(span)
        np.clip(share, -1 if self.signed else 0, 1, out=share)
        if self.signed:
            share = np.copysign(np.sqrt(np.abs(share)), share) if self.root else share
            share += np.float32(1)
            share *= np.float32(0.5)
        elif self.root:
            np.sqrt(share, out=share)
        return share

    def colours(self, values: Numbers, theme: Theme) -> NDArray[np.uint32]:
        """Return 0xAARRGGBB of each value, 0 where it is NaN."""
        index = self.shares(values) * np.float32(COLOURS - 1)
        index += np.float32(0.5)
        np.copyto(index, COLOURS, where=np.isnan(index))
        return (_SIGNED[theme.scheme] if self.signed else _RISING).take(index.astype(np.uint8))

    def ticks(self, count: int) -> list[tuple[float, str]]:
        """Return about `count` round values: the position of each in the table, and its label."""
        values = round_values(self.low, self.high, count)
        positions = self.shares(np.array(values))
        return [(float(position), figure(value)) for position, value in zip(positions, values, strict=True)]


def scale_of(
    values: Numbers, *, levels: tuple[float, float] | None = None, signed: bool | None = None, root: bool = False
) -> Scale:
    """Return the scale that shows all values.

    Args:
        values: Values of any shape; those that are not finite are left out.
        levels: Least and greatest value, if they are known.
        signed: Whether the colours diverge at zero; None: if there are negative values.
        root: See Scale.
    """
    low, high = levels or _extremes(values)
    if signed if signed is not None else low < 0:
        most = max(-low, high) or 1.0
        return Scale(-most, most, True, root)
    low = min(low, 0.0) if levels is None else low
    return Scale(low, high if high > low else low + 1.0, False, root)


def levels_within(limits: tuple[float, float] | None) -> tuple[float, float] | None:
    """Return the levels of a scale for values within limits, as `scale_of` derives them from values."""
    return None if limits is None else (min(limits[0], 0.0), limits[1])


def _extremes(values: Numbers) -> tuple[float, float]:
    if not values.size:
        return 0.0, 0.0
    low, high = float(np.fmin.reduce(values, axis=None)), float(np.fmax.reduce(values, axis=None))
    if not (math.isfinite(low) and math.isfinite(high)):
        finite = values[np.isfinite(values)]
        low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
    return low, high


def shrunk(values: Numbers, rows: int, columns: int) -> Numbers:
    """Return the map with at most one row and column per pixel; of cells that share a pixel, the strongest stays.

    Args:
        values: (…, R, C).
        rows: Number of vertical pixels.
        columns: Number of horizontal pixels.
    """
    least = float(np.fmin.reduce(values, axis=None)) if values.size else 0.0
    for axis, pixels in ((-2, max(rows, 1)), (-1, max(columns, 1))):
        size = values.shape[axis]
        if size > pixels:
            edges = np.arange(pixels) * size // pixels
            high = np.fmax.reduceat(values, edges, axis=axis)
            if least >= 0:  # attention and other weights: the strongest is the greatest
                values = high
            else:
                low = np.fmin.reduceat(values, edges, axis=axis)
                values = np.where(np.abs(low) > np.abs(high), low, high)
    return values


def picture(values: Numbers, scale: Scale, theme: Theme) -> QImage:
    """Return a map of (R, C) values as R × C pixels."""
    return pictures(values[None], scale, theme)[0]


def pictures(values: Numbers, scale: Scale, theme: Theme) -> list[QImage]:
    """Return the pictures of (N, R, C) values."""
    shape = QImage.Format.Format_ARGB32_Premultiplied
    made = []
    count, rows, columns = values.shape
    several = max(1, AT_ONCE // max(1, rows * columns))
    for first in range(0, count, several):
        colours = np.ascontiguousarray(scale.colours(values[first : first + several], theme))
        made += [QImage(one.data, columns, rows, columns * 4, shape).copy() for one in colours]
    return made


@cache
def ground_and_ink(packed: int) -> tuple[QColor, QColor]:
    """Return a colour of a table, 0xAARRGGBB, and black or white for text on it."""
    ground = QColor(packed & 0xFFFFFF)
    return ground, QColor(max(("#ffffff", "#000000"), key=lambda ink: contrast(ink, ground.name())))


def figure(value: float, decimals: int | None = None) -> str:
    """Return a number with three digits and a real minus sign: "0.125", "−3.1".

    Args:
        value: The number; NaN gives "" where decimals are given.
        decimals: The number of decimals instead of three significant digits.
    """
    if decimals is not None:
        return "" if value != value else number_text(value, f".{decimals}f").replace("-", "−")
    return number_text(value, ".3g").replace("-", "−")
