"""Colours of kinds, such as experts: one colour for each kind, and their legend."""

from __future__ import annotations

import colorsys
from functools import cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from lab.widgets.core.fonts import Font, Metrics
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import Theme, contrast, px, themes
from lab.widgets.maps.colours import Numbers, ground_and_ink

LIGHTNESS = {"dark": (0.6, 0.76, 0.46), "light": (0.4, 0.27, 0.5)}
"""Lightness of neighbours among many kinds, by theme, to distinguish similar hues."""
TURN = 0.381966
"""Share of the circle of hues between two of many kinds: the golden angle, so that neighbours are far apart."""
SEEN = 3.0
"""The smallest contrast of a bar to the card (WCAG 2.2)."""
CHIP = 20
"""The smallest width of a colour in the legend in pixels."""


@cache
def colours_of_kinds(count: int, theme: Theme) -> NDArray[np.uint32]:
    """Return (count,) 0xAARRGGBB: the colours of runs, which the colour-blind can distinguish, if they suffice."""
    if count <= len(theme.runs):
        return np.array([0xFF000000 | int(colour[1:], 16) for colour in theme.runs[:count]], np.uint32)
    return np.array([0xFF000000 | _one_of_many(number, theme) for number in range(count)], np.uint32)


def _one_of_many(number: int, theme: Theme) -> int:
    """Return 0xRRGGBB with enough contrast to the card."""
    lightness = LIGHTNESS[theme.scheme][number % 3]
    while True:
        channels = (round(255 * channel) for channel in colorsys.hls_to_rgb(number * TURN % 1, lightness, 0.6))
        name = "#{:02x}{:02x}{:02x}".format(*channels)
        if contrast(name, theme.panel) >= SEEN:
            return int(name[1:], 16)
        lightness += 0.02 if theme.scheme == "dark" else -0.02


class Kinds:
    """The map from kinds to colours, as a Scale is for amounts.

    Args:
        count: The number of kinds.
    """

    def __init__(self, count: int) -> None:
        self.count = count

    def colours(self, values: Numbers, theme: Theme) -> NDArray[np.uint32]:
        """Return 0xAARRGGBB of each index of a kind, 0 where it is NaN."""
        known = np.isfinite(values)
        table = colours_of_kinds(self.count, theme)
        return np.where(known, table[np.where(known, values, 0).astype(int)], 0).astype(np.uint32)


class Legend(QWidget):
    """The colours of kinds in one line, as many as fit, each with its number, counted from 1."""

    _font, _metrics = Font("note"), Metrics("note")

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._count, self._name = 0, ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def set_kinds(self, count: int, name: str) -> None:
        """Show the colours of other kinds.

        Args:
            count: The number of kinds.
            name: The name of a kind.
        """
        self._count, self._name = count, name
        self.setAccessibleName(tr("Colours of {name} 1 to {count}", name=name, count=count))
        self.update()

    def sizeHint(self) -> QSize:
        """Return the size of one line."""
        return QSize(px(CHIP), px(CHIP))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the name and the colours."""
        if not self._count:
            return
        with QPainter(self) as painter:
            painter.setFont(self._font)
            painter.setPen(QColor(themes.now.dim))
            named = self._metrics.horizontalAdvance(self._name) + 6
            painter.drawText(QRectF(0, 0, named, self.height()), Qt.AlignmentFlag.AlignVCenter, self._name)
            wide = max(px(CHIP), self._metrics.horizontalAdvance(str(self._count)) + 8)
            room = max(1, int((self.width() - named + 2) // (wide + 2)))
            shown = self._count if self._count <= room else max(1, room - 1)
            middle = Qt.AlignmentFlag.AlignCenter
            for number, packed in enumerate(colours_of_kinds(self._count, themes.now)[:shown].tolist()):
                ground, ink = ground_and_ink(packed)
                chip = QRectF(named + number * (wide + 2), 2, wide, self.height() - 4)
                painter.fillRect(chip, ground)
                painter.setPen(ink)
                painter.drawText(chip, middle, str(number + 1))
            if shown < self._count:
                painter.setPen(QColor(themes.now.dim))
                painter.drawText(QRectF(named + shown * (wide + 2), 0, wide, self.height()), middle, "…")
