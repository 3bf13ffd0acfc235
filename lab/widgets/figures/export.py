"""The export of one view: its numbers as a figure on paper, and its picture for a slide."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QMargins, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter

from lab.widgets.core.theme import INSIDE, interface_font, themes
from lab.widgets.figures.chart import ChartFigure
from lab.widgets.figures.diagram import DiagramFigure
from lab.widgets.figures.links import LinksFigure
from lab.widgets.figures.map import BarsFigure, MapFigure
from lab.widgets.figures.points import PointsFigure

SCALE = 2
"""Pixels of the picture per pixel of the window."""
HEAD = 40
"""Pixels of the window for the title."""


@dataclass(frozen=True)
class Export:
    """The export of one view in its current state.

    Args:
        figure: All visible contents, with the title.
        size: Size of the painted area in pixels of the window.
        paint: Paints the view in the current theme, without effects of the mouse.
        margin: Pixels of the window at its left and right; charts have their own margins.
    """

    figure: ChartFigure | MapFigure | BarsFigure | PointsFigure | LinksFigure | DiagramFigure
    size: QSize
    paint: Callable[[QPainter], object]
    margin: int = 0

    def slide(self) -> QImage:
        """Return the view below its title, opaque, with SCALE pixels per pixel of the window."""
        size = self.size.grownBy(QMargins(self.margin, HEAD, self.margin, INSIDE))
        image = QImage(size * SCALE, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(SCALE)
        image.fill(QColor(themes.now.panel))
        with QPainter(image) as painter:
            font = interface_font("title")
            painter.setFont(font)
            painter.setPen(QColor(themes.now.text))
            row = QRectF(INSIDE, 4, size.width() - 2 * INSIDE, HEAD - 8)
            shown = QFontMetricsF(font).elidedText(self.figure.title, Qt.TextElideMode.ElideRight, row.width())
            painter.drawText(row, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, shown)
            painter.translate(self.margin, HEAD)
            self.paint(painter)
        return image
