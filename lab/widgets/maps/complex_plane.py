"""The complex plane: the eigenvalues by which one token multiplies a state, and the unit circle."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from lab.base.charts.ticks import format_position
from lab.widgets.core.i18n import localized, number_text, tr
from lab.widgets.core.theme import INSIDE, Theme, mixed, themes
from lab.widgets.figures.export import Export
from lab.widgets.figures.points import PointsFigure
from lab.widgets.maps.colours import Numbers, figure
from lab.widgets.maps.map import SLIDE
from lab.widgets.maps.margins import draw_note
from lab.widgets.maps.points import REACH, Points

MOST = 4096
"""The largest number of points; of more, evenly spaced ones are left out."""
DOT = 5.0
"""Diameter of a point in pixels; more than FEW points are smaller."""
FEW = 200
SCALE = 1.08
"""The smallest visible range, in multiples of the unit circle."""


class Plane(Points):
    """Eigenvalues as points, and the unit circle: inside it a state fades, on it it stays, outside it grows."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.left_out = 0

    def set_values(self, values: Numbers) -> None:
        """Show other numbers.

        Args:
            values: (N, 2) real and imaginary parts.
        """
        known = values[np.isfinite(values).all(axis=1)]
        drawn = known if len(known) <= MOST else known[np.linspace(0, len(known) - 1, MOST).astype(int)]
        self.left_out = len(known) - len(drawn)
        self.set_points(drawn, (), tr("real part"), tr("imaginary part"))
        self.setAccessibleName(tr("Eigenvalues in the complex plane"))

    def text_at(self, number: int) -> str:
        """Return an eigenvalue, its size, and its half-life in tokens."""
        real, imaginary = self._points[number].tolist()
        size = math.hypot(real, imaginary)
        sign = "−" if imaginary < 0 else "+"
        text = tr("{real} {sign} {imaginary} i · size {size}", real=figure(real), sign=sign,
                    imaginary=figure(abs(imaginary)), size=figure(size))  # fmt: skip
        if not 0 < size < 1:
            return text
        tokens = localized(format_position(math.log(2) / -math.log(size)))
        return tr("{value} · half-life {tokens} tokens", value=text, tokens=tokens)

    def export(self, title: str) -> Export | None:
        """Return an export of the points with a title; None if there are none."""
        if not len(self._points):
            return None
        copy = Plane()
        copy.set_values(self._points)
        copy.resize(self.size().expandedTo(SLIDE))
        labels = [""] * len(self._points)
        paper = PointsFigure(title, *self._names, "", labels, self._points, circle=True)
        return Export(paper, copy.size(), copy._paint, INSIDE)

    def _near(self, at: QPointF) -> int | None:
        if not len(self._points):
            return None
        room, (low, high) = self._room(), self._ends()
        share = (self._points - low) / (high - low)
        x, y = room.left() + share[:, 0] * room.width(), room.bottom() - share[:, 1] * room.height()
        distances = np.abs(x - at.x()) + np.abs(y - at.y())
        number = int(distances.argmin())
        return number if distances[number] <= REACH else None

    def _paint(self, painter: QPainter) -> None:
        if not len(self._points):
            return
        theme, room, (low, high) = themes.now, self._room(), self._ends()
        self._draw_axes(painter, room, theme)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._draw_circle(painter, room, theme)
        share = (self._points - low) / (high - low)
        x, y = room.left() + share[:, 0] * room.width(), room.bottom() - share[:, 1] * room.height()
        colour, few = QColor(theme.runs[0]), len(x) <= FEW
        colour.setAlphaF(1.0 if few else 0.5)
        painter.setPen(
            QPen(
                colour,
                DOT if few else max(2.0, DOT * math.sqrt(FEW / len(x))),
                Qt.PenStyle.SolidLine,
                Qt.PenCapStyle.RoundCap,
            )
        )
        painter.setClipRect(room)
        painter.drawPoints(QPolygonF([QPointF(*pair) for pair in zip(x.tolist(), y.tolist(), strict=True)]))
        painter.setClipping(False)
        for number, pen in ((self.selection, 2.0), (self._hovered, 1.0)):
            if number is not None and 0 <= number < len(self._points):
                painter.setPen(QPen(QColor(theme.text), pen))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawEllipse(self.position_of(number), DOT, DOT)
        if self.left_out:
            count = len(self._points)
            note = tr("{shown} of {all} are drawn", shown=number_text(count), all=number_text(count + self.left_out))
            painter.setPen(QColor(theme.dim))
            painter.setFont(self._font)
            left = QRectF(INSIDE, 0, self.width() - INSIDE, room.top())
            painter.drawText(left, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, note)
        if self._hovered is not None and self._hovered < len(self._points):
            around = QRectF(-6, -6, 12, 12).translated(self.position_of(self._hovered))
            draw_note(painter, around, self.text_at(self._hovered), theme, self._metrics)

    def _draw_circle(self, painter: QPainter, room: QRectF, theme: Theme) -> None:
        low, high = self._ends()
        each = room.width() / float(high[0] - low[0])
        middle = QPointF(room.left() - float(low[0]) * each, room.bottom() + float(low[1]) * each)
        painter.setPen(QPen(QColor(mixed(theme.dim, theme.panel, 0.7)), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setClipRect(room)
        painter.drawEllipse(middle, each, each)
        painter.setClipping(False)

    def _ends(self) -> tuple[Numbers, Numbers]:
        """Return the ends of the axes, which include the complete circle."""
        half = SCALE * max(1.0, float(np.abs(self._points).max(initial=0.0))) * np.ones(2)
        return -half, half

    def _room(self) -> QRectF:
        """Return a square area, so that one unit has the same length in both directions."""
        outer = super()._room()
        if self.left_out:
            outer.setTop(outer.top() + self._metrics.height() - 4)
        width = max(1.0, self.width() - outer.left() - INSIDE)
        side = min(width, outer.height())
        return QRectF(outer.left() + (width - side) / 2, outer.top() + (outer.height() - side) / 2, side, side)
