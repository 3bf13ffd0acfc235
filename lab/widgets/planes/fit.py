"""A curve through measured points, with a residual for each: what a regression predicts over one input."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from lab.base.charts.ticks import format_ticks, ticks
from lab.widgets.core.fonts import Font, Metrics
from lab.widgets.core.i18n import localized, tr
from lab.widgets.core.theme import INSIDE, mixed, px, themes
from lab.widgets.figures.export import Export
from lab.widgets.figures.points import PointsFigure
from lab.widgets.figures.view import FigureView
from lab.widgets.maps.colours import Numbers
from lab.widgets.maps.layout import GAP, draw_upright
from lab.widgets.maps.map import SLIDE

DOT = 2.5
"""Radius of a point in pixels."""
ROOM = 0.06
"""Share of the extent that is free around the points."""


class FitPlot(FigureView):
    """Points (x, measured), the line (x, prediction), and the residuals between them."""

    _font, _metrics = Font("note"), Metrics("note")

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._x: Numbers = np.zeros(0)
        self._measured: Numbers = np.zeros(0)
        self._predicted: Numbers = np.zeros(0)
        self._names = ("", "")
        self._has_line = True
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(160, 120)
        self.setAccessibleName(tr("Fit and residuals"))

    def set_fit(
        self, x: Numbers, measured: Numbers, predicted: Numbers, names: tuple[str, str], *, has_line: bool = True
    ) -> None:
        """Show another fit.

        Args:
            x: (N,) ascending.
            measured: (N,).
            predicted: (N,).
            names: Names of the horizontal and the vertical axis.
            has_line: Whether there is a prediction: without one there are only points.
        """
        self._x, self._measured, self._predicted, self._names = x, measured, predicted, names
        self._has_line = has_line
        residuals = measured - predicted
        known = residuals[np.isfinite(residuals)]
        error = float(np.sqrt(np.mean(known**2))) if known.size else float("nan")
        self.setAccessibleDescription(tr("Root mean square of the residuals: {error}", error=f"{error:.3g}"))
        self.update()

    def export(self, title: str) -> Export | None:
        """Return an export of the points, measured and predicted."""
        if not len(self._x):
            return None
        copy = FitPlot()
        copy.set_fit(self._x, self._measured, self._predicted, self._names, has_line=self._has_line)
        copy.resize(self.size().expandedTo(SLIDE))
        names = (tr("measured"), tr("predicted"))
        both = np.concatenate([np.stack([self._x, one], axis=1) for one in (self._measured, self._predicted)])
        labels = [name for name in names for _ in range(len(self._x))]
        return Export(PointsFigure(title, *self._names, "", labels, both, classes=names), copy.size(), copy._paint,
                      INSIDE)  # fmt: skip

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint axes, residuals, line and points."""
        with QPainter(self) as painter:
            self._paint(painter)

    def _paint(self, painter: QPainter) -> None:
        known = np.isfinite(self._x) & np.isfinite(self._measured) & np.isfinite(self._predicted)
        if not known.any():
            return
        x, measured, predicted = (np.asarray(one, float)[known] for one in (self._x, self._measured, self._predicted))
        theme, line = themes.now, self._metrics.height()
        left = line + self._metrics.horizontalAdvance("−0.00") + 2 * GAP
        room = QRectF(left, 8, max(1.0, self.width() - left - 8), max(1.0, self.height() - 16 - 2 * line))
        low_x, high_x = _widened(x)
        low_y, high_y = _widened(np.concatenate([measured, predicted]))

        def at(a: float, b: float) -> QPointF:
            across, up = (a - low_x) / (high_x - low_x), (b - low_y) / (high_y - low_y)
            return QPointF(room.left() + across * room.width(), room.bottom() - up * room.height())

        painter.setFont(self._font)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        across = ticks(low_x, high_x, most=max(2, int(room.width() / px(80))))
        up = ticks(low_y, high_y, most=max(2, int(room.height() / px(48))))
        for value, text in zip(across, format_ticks(across), strict=True):
            place = at(value, low_y)
            painter.setPen(QColor(theme.line))
            painter.drawLine(QPointF(place.x(), room.top()), place)
            painter.setPen(QColor(theme.dim))
            box = QRectF(place.x() - px(40), room.bottom() + GAP, px(80), line)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, localized(text))
        for value, text in zip(up, format_ticks(up), strict=True):
            place = at(low_x, value)
            painter.setPen(QColor(theme.line))
            painter.drawLine(place, QPointF(room.right(), place.y()))
            painter.setPen(QColor(theme.dim))
            painter.drawText(QRectF(0, place.y() - line / 2, room.left() - GAP, line), right, localized(text))
        name = QRectF(room.left(), room.bottom() + GAP + line, room.width(), line)
        painter.drawText(name, Qt.AlignmentFlag.AlignCenter, self._names[0])
        draw_upright(painter, QPointF(line / 2, room.center().y()), room.height(), self._names[1], self._metrics)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._has_line:
            self._draw_line(painter, at, x, measured, predicted)
        painter.setPen(QPen(QColor(theme.panel), 0.5))
        painter.setBrush(QColor(theme.text))
        for a, b in zip(x.tolist(), measured.tolist(), strict=True):
            painter.drawEllipse(at(a, b), DOT, DOT)

    def _draw_line(
        self,
        painter: QPainter,
        at: Callable[[float, float], QPointF],
        x: Numbers,
        measured: Numbers,
        predicted: Numbers,
    ) -> None:
        """Draw the prediction, and a line from each point to it."""
        theme = themes.now
        painter.setPen(QPen(QColor(mixed(theme.bad, theme.panel, 0.6)), 1))
        for a, b, c in zip(x.tolist(), measured.tolist(), predicted.tolist(), strict=True):
            painter.drawLine(at(a, b), at(a, c))
        painter.setPen(QPen(QColor(theme.runs[0]), 2))
        painter.drawPolyline(QPolygonF([at(a, c) for a, c in zip(x.tolist(), predicted.tolist(), strict=True)]))


def _widened(values: Numbers) -> tuple[float, float]:
    low, high = float(values.min()), float(values.max())
    free = ROOM * (high - low) if high > low else 1.0
    return low - free, high + free
