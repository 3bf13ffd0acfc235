"""Numbers in colours of the theme: the ticks of a scale, and the picture of an array."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
from PySide6.QtGui import QColor, QImage

from lab.base.charts.maps import Numbers, Scale, levels_within, scale_of, shrunk
from lab.base.charts.ticks import round_values, value_ticks
from lab.widgets.core.i18n import number_text
from lab.widgets.core.theme import Theme, contrast

__all__ = [
    "Numbers",
    "Scale",
    "figure",
    "ground_and_ink",
    "levels_within",
    "picture",
    "pictures",
    "scale_of",
    "shrunk",
    "ticks_of",
]

AT_ONCE = 32768
"""Number of cells that are coloured at once, so that intermediate results stay in the processor's cache."""


def ticks_of(scale: Scale, count: int) -> list[tuple[float, str]]:
    """Return about `count` round values of a scale: the position of each in the table, and its label."""
    if scale.log:
        values = value_ticks(math.log10(scale.low), math.log10(scale.high), log=True, most=count)
    else:
        values = round_values(scale.low, scale.high, count)
    positions = scale.shares(np.array(values))
    return [(float(position), figure(value)) for position, value in zip(positions, values, strict=True)]


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
