"""Readings as small pictures on a page: maps as PNG in the colours of a scale, rows of numbers as bars."""

from __future__ import annotations

import base64
import math
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lab.api import Reading
from lab.interop.report.charts import LARGEST
from lab.interop.report.markup import Markup, element

SIDE = 192
"""The largest number of cells along a side of a map; of several cells in one, the largest in magnitude stays."""
TILES = 8
"""The largest number of maps of one reading at one step, for heads or another axis."""
WIDTHS = (56, 220)
"""Smallest and largest width of a map in pixels."""
MASKED = 255
"""The colour index of values that are not finite: transparent."""
RISING = "440154 482475 414487 355f8d 2a788e 21918c 22a884 44bf70 7ad151 bddf26 fde725"
"""Eleven colours of viridis (van der Walt and Smith 2015), from low to high."""
BELOW, ABOVE = "2f7fd6", "d9822b"
"""Colours of signed maps; near zero they are transparent, for a light or dark page."""

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Scale:
    """The range of values of the colours; a signed range is symmetric about zero."""

    low: float
    high: float

    @property
    def signed(self) -> bool:
        """True if zero is the middle."""
        return self.low < 0

    def colour_indices(self, values: Array) -> NDArray[np.uint8]:
        """Return the colour index of each value, 0 to 254; MASKED if it is not finite."""
        share = (values - self.low) / (self.high - self.low)
        with np.errstate(invalid="ignore"):
            numbers = np.rint(np.clip(share, 0, 1) * 254)
        return np.where(np.isfinite(values), numbers, MASKED).astype(np.uint8)


def scale_of(readings: Sequence[Reading]) -> Scale:
    """Return one scale for the same reading at several steps: from zero, about zero, or over all values."""
    values = np.concatenate([np.ravel(reading.values).astype(float) for reading in readings])
    finite = values[np.abs(values) < LARGEST]
    if not len(finite):
        return Scale(0.0, 1.0)
    low, high = float(finite.min()), float(finite.max())
    if low < 0:
        largest = max(-low, high)
        return Scale(-largest, largest)
    return Scale(0.0, high or 1.0)


def pictures(reading: Reading, scale: Scale) -> Markup:
    """Draw a reading at one step: maps next to each other, or bars.

    Args:
        reading: Its last two axes are those of a map, earlier axes number the maps; "batch" shows its first row.
        scale: The range of colours and heights.
    """
    values, axes = np.asarray(reading.values, float), list(reading.axes)
    if axes[:1] == ["batch"]:
        values, axes = values[0] if len(values) else values.sum(axis=0), axes[1:]
    if not values.size:
        return element("p", "no values", class_="dim")
    if values.ndim == 0:
        return element("p", f"{float(values):.6g}")
    if values.ndim == 1:
        return _bars(values, scale)
    if axes[-2:] == ["query", "key"]:
        values = np.where(values == 0, np.nan, values)  # zero means not read: masked
    tiles = values.reshape(-1, *values.shape[-2:])
    names = [
        " ".join(f"{axis} {at + 1}" for axis, at in zip(axes, index, strict=False))
        for index in np.ndindex(values.shape[:-2])
    ]
    shown = [_map(tile, scale, f"{reading.name} {name}".strip(), name) for tile, name in zip(tiles, names, strict=True)]
    more = f"and {len(shown) - TILES} more" if len(shown) > TILES else None
    return element("div", *shown[:TILES], element("p", more, class_="dim") if more else None, class_="tiles")


def scale_label(scale: Scale, reading: Reading) -> Markup | None:
    """Describe the range of the colours of a reading's maps, or of its bars; None for a single number."""
    colours = [f"#{BELOW}", "transparent", f"#{ABOVE}"] if scale.signed else [f"#{each}" for each in RISING.split()]
    bar = element("span", class_="bar", style=f"background: linear-gradient(to right, {', '.join(colours)})")
    low, high = (f"{value:.3g}".replace("-", "−") for value in (scale.low, scale.high))
    high = f"{high} {reading.units}" if reading.units else high
    axes = sum(axis != "batch" for axis in reading.axes)
    if axes == 0:
        return None
    return element("span", *((low, bar, high) if axes > 1 else (f"{low} to {high}",)), class_="scale")


def _map(values: Array, scale: Scale, alt: str, caption: str) -> Markup:
    cells = scale.colour_indices(_shrunk(values))
    rows, columns = cells.shape
    width = min(max(columns * 2, WIDTHS[0]), WIDTHS[1])
    height = min(max(round(width * rows / columns), 12), 2 * WIDTHS[1])
    palette, alphas = _colours(scale)
    picture = element("img", src=_data(png(cells, palette, alphas)), width=width, height=height, alt=alt)
    return element("figure", picture, element("figcaption", caption) if caption else None)


def _shrunk(values: Array) -> Array:
    """Reduce to at most SIDE cells along each side."""
    for axis in (0, 1):
        if values.shape[axis] > SIDE:
            cuts = np.linspace(0, values.shape[axis], SIDE + 1).astype(int)[:-1]
            above, below = (which.reduceat(values, cuts, axis=axis) for which in (np.fmax, np.fmin))
            values = np.where(np.abs(above) >= np.abs(below), above, below)
    return values


def _bars(values: Array, scale: Scale) -> Markup:
    """Draw one row of numbers, each a vertical bar from zero."""
    width, height = 260.0, 70.0
    zero = height - (0 - scale.low) / (scale.high - scale.low) * height
    step = width / len(values)
    thick = max(step - 1, step * 0.8)
    tops = height - (np.clip(values, scale.low, scale.high) - scale.low) / (scale.high - scale.low) * height
    drawn = [
        f"M{index * step + thick / 2:.1f} {zero:.1f}V{top:.1f}" for index, top in enumerate(tops) if math.isfinite(top)
    ]
    line = element("path", d=f"M0 {zero:.1f}H{width}", class_="axis")
    bars = element("path", d="".join(drawn), class_="bars", stroke_width=f"{thick:.2f}")
    tooltip = element("title", f"{len(values)} values, {np.nanmin(values):.3g} to {np.nanmax(values):.3g}")
    return element("svg", tooltip, bars, line, viewBox=f"0 -1 {width} {height + 2}", role="img", class_="row")


def _colours(scale: Scale) -> tuple[bytes, bytes]:
    """Return red, green and blue of every colour index, and its opacity."""
    share = np.linspace(0, 1, MASKED)
    if scale.signed:
        below, above = (np.frombuffer(bytes.fromhex(each), np.uint8) for each in (BELOW, ABOVE))
        table = np.where(share[:, None] < 0.5, below, above)
        alphas = np.rint(np.abs(2 * share - 1) * 255)
    else:
        points = np.array([list(bytes.fromhex(each)) for each in RISING.split()], float)
        at = np.linspace(0, 1, len(points))
        table = np.stack([np.interp(share, at, points[:, channel]) for channel in range(3)], axis=1)
        alphas = np.full(MASKED, 255)
    return table.round().astype(np.uint8).tobytes() + bytes(3), alphas.astype(np.uint8).tobytes() + bytes(1)


def png(cells: NDArray[np.uint8], palette: bytes, alphas: bytes) -> bytes:
    """Return a PNG file (ISO/IEC 15948, colour type 3) of colour indices (rows, columns).

    Args:
        cells: Colour indices.
        palette: Red, green and blue of each colour.
        alphas: Opacity of each colour.
    """
    rows, columns = cells.shape
    lines = np.concatenate([np.zeros((rows, 1), np.uint8), cells], axis=1)  # each starts with its filter: none
    head = struct.pack(">IIBBBBB", columns, rows, 8, 3, 0, 0, 0)
    chunks = [
        (b"IHDR", head),
        (b"PLTE", palette),
        (b"tRNS", alphas),
        (b"IDAT", zlib.compress(lines.tobytes(), 9)),
        (b"IEND", b""),
    ]
    parts = (
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def _data(content: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(content).decode('ascii')}"
