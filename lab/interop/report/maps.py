"""Readings as small pictures on a page: maps as PNG in the colours of a scale, rows of numbers as bars."""

from __future__ import annotations

import base64
import math
import struct
import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lab.api import Reading
from lab.base.charts.colours import COLOURS, VIRIDIS, table_of
from lab.base.charts.maps import Numbers, Scale, scale_of, shrunk
from lab.interop.report.markup import Markup, element
from lab.interop.report.words import number, tr, tr_name

SIDE = 192
"""The largest number of cells along a side of a map; of several cells in one, the largest in magnitude stays."""
TILES = 8
"""The largest number of maps of one reading at one step, for heads or another axis."""
WIDTHS = (56, 220)
"""Smallest and largest width of a map in pixels."""
BELOW, ABOVE = "2f7fd6", "d9822b"
"""Colours of signed maps; near zero they are transparent, for a light or dark page."""


def range_of(readings: Sequence[Reading]) -> Scale:
    """Return one scale for the same reading at several steps: from zero, about zero, or over all values."""
    return scale_of(np.concatenate([np.ravel(_known(reading.values)) for reading in readings]))


def _known(values: ArrayLike) -> Numbers:
    """Return values as float32, NaN for those that are not finite."""
    with np.errstate(over="ignore"):
        known = np.asarray(values, np.float32)
    return np.where(np.isfinite(known), known, np.float32(np.nan))


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
        return element("p", tr("no values"), class_="dim")
    if values.ndim == 0:
        return element("p", number(f"{float(values):.6g}"))
    if values.ndim == 1:
        return _bars(values, scale)
    if axes[-2:] == ["query", "key"]:
        values = np.where(values == 0, np.nan, values)  # zero means not read: masked
    tiles = values.reshape(-1, *values.shape[-2:])
    names = [
        " ".join(f"{tr_name(axis)} {at + 1}" for axis, at in zip(axes, index, strict=False))
        for index in np.ndindex(values.shape[:-2])
    ]
    shown = [
        _map(tile, scale, f"{tr_name(reading.name)} {name}".strip(), name)
        for tile, name in zip(tiles, names, strict=True)
    ]
    more = tr("and {n} more", n=len(shown) - TILES) if len(shown) > TILES else None
    return element("div", *shown[:TILES], element("p", more, class_="dim") if more else None, class_="tiles")


def scale_label(scale: Scale, reading: Reading) -> Markup | None:
    """Describe the range of the colours of a reading's maps, or of its bars; None for a single number."""
    rising = [f"#{each}" for each in VIRIDIS.split()[::4]]
    colours = [f"#{BELOW}", "transparent", f"#{ABOVE}"] if scale.signed else rising
    bar = element("span", class_="bar", style=f"background: linear-gradient(to right, {', '.join(colours)})")
    low, high = (_short(value) for value in (scale.low, scale.high))
    high = f"{high} {tr_name(reading.units)}" if reading.units else high
    axes = sum(axis != "batch" for axis in reading.axes)
    if axes == 0:
        return None
    return element(
        "span", *((low, bar, high) if axes > 1 else (tr("{low} to {high}", low=low, high=high),)), class_="scale"
    )


def _short(value: float) -> str:
    return number(f"{value:.3g}").replace("-", "−")


def _map(values: Numbers, scale: Scale, alt: str, caption: str) -> Markup:
    cells = scale.indices(shrunk(_known(values), SIDE, SIDE))
    rows, columns = cells.shape
    width = min(max(columns * 2, WIDTHS[0]), WIDTHS[1])
    height = min(max(round(width * rows / columns), 12), 2 * WIDTHS[1])
    palette, alphas = _colours(scale)
    picture = element("img", src=_data(png(cells, palette, alphas)), width=width, height=height, alt=alt)
    return element("figure", picture, element("figcaption", caption) if caption else None)


def _bars(values: Numbers, scale: Scale) -> Markup:
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
    low, high = _short(float(np.nanmin(values))), _short(float(np.nanmax(values)))
    tooltip = element("title", tr("{n} values, {low} to {high}", n=len(values), low=low, high=high))
    return element("svg", tooltip, bars, line, viewBox=f"0 -1 {width} {height + 2}", role="img", class_="row")


def _colours(scale: Scale) -> tuple[bytes, bytes]:
    """Return red, green and blue of every colour index, and its opacity."""
    if scale.signed:
        share = np.linspace(0, 1, COLOURS)
        below, above = (np.frombuffer(bytes.fromhex(each), np.uint8) for each in (BELOW, ABOVE))
        table = np.where(share[:, None] < 0.5, below, above)
        alphas = np.rint(np.abs(2 * share - 1) * 255)
    else:
        table, alphas = table_of(VIRIDIS), np.full(COLOURS, 255)
    return table.tobytes() + bytes(3), alphas.astype(np.uint8).tobytes() + bytes(1)


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
