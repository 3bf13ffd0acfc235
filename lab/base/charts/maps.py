"""Numbers as colours of a map: the scale from values to colours, and maps of more cells than pixels."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from lab.base.charts.colours import COLOURS, SIGNED, VIRIDIS, table_of

Numbers = NDArray[np.floating[Any]]


class Theme(Protocol):
    """The part of a theme that selects a table of colours."""

    @property
    def scheme(self) -> str:
        """Its name: "light" or "dark"."""


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
        log: Whether the colours follow the logarithm of the value; low is then positive, and other values have none.
    """

    low: float
    high: float
    signed: bool = False
    root: bool = False
    log: bool = False

    def shares(self, values: Numbers) -> Numbers:
        """Return positions in the table, 0 to 1; NaN where the value is NaN."""
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            return self._shares(values)

    def _shares(self, values: Numbers) -> Numbers:
        if self.log:
            positive = np.where(values > 0, values, np.nan)
            return np.clip(np.log(positive / self.low) / math.log(self.high / self.low), 0, 1).astype(np.float32)
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

    def indices(self, values: Numbers) -> NDArray[np.uint8]:
        """Return the number of each value's colour in a table, COLOURS where it is NaN."""
        index = self.shares(values) * np.float32(COLOURS - 1)
        index += np.float32(0.5)
        np.copyto(index, COLOURS, where=np.isnan(index))
        return index.astype(np.uint8)

    def colours(self, values: Numbers, theme: Theme) -> NDArray[np.uint32]:
        """Return 0xAARRGGBB of each value, 0 where it is NaN."""
        return (_SIGNED[theme.scheme] if self.signed else _RISING).take(self.indices(values))


def scale_of(
    values: Numbers,
    *,
    levels: tuple[float, float] | None = None,
    signed: bool | None = None,
    root: bool = False,
    log: bool = False,
) -> Scale:
    """Return the scale that shows all values.

    Args:
        values: Values of any shape; those that are not finite are left out.
        levels: Least and greatest value, if they are known.
        signed: Whether the colours diverge at zero; None: if there are negative values.
        root: See Scale.
        log: See Scale; ignored without positive values.
    """
    positive = values[(values > 0) & np.isfinite(values)] if log else values[:0]
    if positive.size:
        low, high = levels or (float(positive.min()), float(positive.max()))
        return Scale(low, high if high > low else 10 * low, log=True)
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
