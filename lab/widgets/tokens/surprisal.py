"""The scale of surprisal, which measures how unexpected a token was: as a number, as a colour and as a legend."""

from __future__ import annotations

import functools
import math

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from lab.widgets.core.fonts import Font, Metrics
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import Theme, control_height, mixed, themes

BITS = 8
"""The end of the scale of surprisal; larger values have the last colour, too."""
STRONGEST = {"dark": 0.55, "light": 0.5}
"""Share of the colour over a panel at the end of the scale, such that text on it is legible."""
LEVELS = 32
"""The number of colours of the scale."""


def surprisal(probability: float) -> float:
    """Return −log₂ p in bits, at most 100."""
    return max(0.0, -math.log2(max(probability, 2.0**-100)))


def surprisal_colour(bits: float) -> str:
    """Return the background of a token with this surprisal, on a panel of the theme; a negative one has another colour.

    Differences of surprisals may be negative.
    """
    return _scale(themes.now, int(bits < 0))[round(LEVELS * min(abs(bits), BITS) / BITS)]


@functools.cache
def _scale(theme: Theme, colour: int) -> list[str]:
    levels = range(LEVELS + 1)
    return [mixed(theme.runs[colour], theme.panel, STRONGEST[theme.scheme] * level / LEVELS) for level in levels]


class SurprisalLegend(QWidget):
    """The scale of surprisal, 0 to 8 bits."""

    _font, _metrics = Font("note"), Metrics("note")

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Surprisal, 0 to {bits} bits", bits=BITS))
        self.setToolTip(tr("Surprisal, −log₂ p: how unexpected a token was to the model"))
        self._ends = (tr("surprisal 0"), tr("{bits} bits", bits=BITS))
        themes.changed.connect(self.update)
        themes.changed.connect(self.updateGeometry)

    @property
    def _widths(self) -> list[int]:
        return [int(self._metrics.horizontalAdvance(end)) + 2 for end in self._ends]

    def sizeHint(self) -> QSize:
        """Return the size of both ends and the scale between them."""
        return QSize(sum(self._widths) + 12 + 96, control_height(24))

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the colours of the scale with a tick every two bits."""
        painter, (first, last) = QPainter(self), self._widths
        scale = QRect(first + 6, self.height() // 2 - 6, self.width() - first - last - 12, 9)
        painter.setFont(self._font)
        painter.setPen(QColor(themes.now.dim))
        middle = Qt.AlignmentFlag.AlignVCenter
        painter.drawText(self.rect(), middle | Qt.AlignmentFlag.AlignLeft, self._ends[0])
        painter.drawText(self.rect(), middle | Qt.AlignmentFlag.AlignRight, self._ends[1])
        colours = QLinearGradient(scale.topLeft(), scale.topRight())
        for bits in range(BITS + 1):
            colours.setColorAt(bits / BITS, QColor(surprisal_colour(bits)))
        painter.fillRect(scale, colours)
        painter.drawRect(scale)
        for bits in range(0, BITS + 1, 2):
            x = scale.left() + round(scale.width() * bits / BITS)
            painter.drawLine(x, scale.bottom() + 1, x, scale.bottom() + 5)
        painter.end()
