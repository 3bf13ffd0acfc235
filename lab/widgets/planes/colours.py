"""The colours of a plane: classes blended by their probability, numbers by their size, borders of regions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QImage

from lab.widgets.core.theme import Theme, mixed
from lab.widgets.maps.categories import colours_of_kinds
from lab.widgets.maps.colours import Numbers, picture, scale_of

GROUND = 0.25
"""Share of the colour of the panel in that of a class, so that points are visible on it."""


def shares_of(values: Numbers) -> NDArray[np.float32]:
    """Return the probabilities of classes (K, …): the values themselves, or the softmax of scores.

    Args:
        values: (K, …).
    """
    flat = values.astype(np.float32, copy=False)
    if flat.size and float(flat.min()) >= 0 and np.allclose(flat.sum(axis=0), 1, atol=1e-3):
        return flat
    powers = np.exp(flat - flat.max(axis=0, keepdims=True))
    shares: NDArray[np.float32] = powers / powers.sum(axis=0, keepdims=True)
    return shares


def image_of_classes(values: Numbers, theme: Theme) -> QImage:
    """Return the picture of classes (K, R, C): the colour of the likeliest, the paler the less sure.

    A class that is as likely as another has the colour of the panel.
    """
    classes, rows, columns = values.shape
    shares = np.nan_to_num(shares_of(values)).reshape(classes, -1)
    best = shares.argmax(axis=0)
    strength = shares.max(axis=0)
    least = 1 / classes
    strength = np.clip((strength - least) / max(1e-6, 1 - least), 0, 1) * (1 - GROUND)
    panel = _channels(np.array([0xFF000000 | int(theme.panel[1:], 16)], np.uint32))[0]
    kinds = _channels(colours_of_kinds(classes, theme))
    blended = panel + strength[:, None] * (kinds[best] - panel)
    return _image(blended, rows, columns)


def image_of_numbers(values: Numbers, theme: Theme) -> QImage:
    """Return the picture of numbers (R, C) on a scale of their own."""
    return picture(values.astype(np.float32, copy=False), scale_of(values), theme)


def borders(regions: Numbers) -> NDArray[np.bool_]:
    """Return which cells (R, C) are at a border: a neighbour to the right or below is of another region."""
    found = np.zeros(regions.shape, bool)
    found[:, :-1] |= regions[:, :-1] != regions[:, 1:]
    found[:-1, :] |= regions[:-1, :] != regions[1:, :]
    return found


def image_of_borders(regions: Numbers, theme: Theme) -> QImage:
    """Return the borders of regions (R, C), and nothing else, in the colour of text."""
    ink = np.uint32(0xC0000000 | _premultiplied(theme.text, 0xC0))
    packed = np.where(borders(regions), ink, np.uint32(0)).astype(np.uint32)
    return _from_packed(packed)


def class_colours(count: int, theme: Theme) -> list[int]:
    """Return 0xRRGGBB of each class, for its points."""
    return [packed & 0xFFFFFF for packed in colours_of_kinds(max(1, count), theme).tolist()]


def ring_colour(theme: Theme) -> str:
    """Return the colour around the points."""
    return mixed(theme.text, theme.panel, 0.8)


def _channels(packed: NDArray[np.uint32]) -> NDArray[np.float32]:
    parts = np.stack([packed >> 16 & 255, packed >> 8 & 255, packed & 255], axis=-1)
    return parts.astype(np.float32)


def _image(channels: NDArray[Any], rows: int, columns: int) -> QImage:
    whole = (channels + 0.5).astype(np.uint32)
    packed = np.uint32(0xFF000000) | whole[:, 0] << 16 | whole[:, 1] << 8 | whole[:, 2]
    return _from_packed(packed.astype(np.uint32).reshape(rows, columns))


def _from_packed(packed: NDArray[np.uint32]) -> QImage:
    rows, columns = packed.shape
    made = np.ascontiguousarray(packed)
    return QImage(made.data, columns, rows, columns * 4, QImage.Format.Format_ARGB32_Premultiplied).copy()


def _premultiplied(colour: str, alpha: int) -> int:
    packed = int(colour[1:], 16)
    return sum((packed >> shift & 255) * alpha // 255 << shift for shift in (16, 8, 0))
