"""Bars: one number for each index of an axis, as a bar up or down from zero."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Self

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from lab.base.charts.ticks import round_values
from lab.widgets.core.fonts import Font, Metrics
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import INSIDE, Theme, px, themes
from lab.widgets.figures.export import Export
from lab.widgets.figures.map import BarsFigure
from lab.widgets.figures.view import FigureView
from lab.widgets.maps.colours import Numbers, figure, shrunk
from lab.widgets.maps.layout import GAP, LABEL, draw_upright, fitting, name_of
from lab.widgets.maps.map import SLIDE
from lab.widgets.maps.margins import draw_note

NAMED = 150
"""Height in pixels from which the axes are named."""


class Bars(FigureView):
    """A view of one number for each index of an axis, as bars from zero."""

    _token_font, _font = Font("note", tokens=True), Font("note")
    _token_metrics, _metrics = Metrics("note", tokens=True), Metrics("note")

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._values: Numbers = np.zeros(0, np.float32)
        self._labels: Sequence[str] = ()
        self._name = self._unit = ""
        self._format_bar: Callable[[float], str] = figure
        self._low, self._high = 0.0, 1.0
        self._hovered: int | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(96, 80)

    def set_bars(
        self,
        values: Numbers,
        labels: Sequence[str],
        *,
        name: str,
        unit: str = "",
        levels: tuple[float, float] | None = None,
        format_bar: Callable[[float], str] = figure,
    ) -> None:
        """Show other numbers.

        Args:
            values: (N,); values that are not finite have no bar.
            labels: N labels.
            name: Name of the axis.
            unit: Unit of the numbers.
            levels: Least and greatest value that the axis includes; None for those of the values.
            format_bar: Formats a number at its bar.
        """
        self._values = np.where(np.isfinite(values), values, np.nan).astype(np.float32)
        self._labels, self._name, self._unit, self._format_bar = labels, name, unit, format_bar
        known = np.append(np.nan_to_num(self._values), (0, *(levels or ())))
        self._low, self._high = float(known.min()), float(known.max())
        if self._low == self._high:
            self._high = 1.0
        self._hovered = None
        self.setAccessibleName(tr("Bars: one for each {name}", name=name))
        self.update()

    def copy_from(self, other: Self) -> None:
        """Show the contents of another view, without a hovered bar."""
        levels = (other._low, other._high)
        self.set_bars(other._values, other._labels, name=other._name, unit=other._unit, levels=levels)

    def text_at(self, number: int) -> str:
        """Return the text of a bar: its label and its value."""
        value = float(self._values[number])
        format_bar = self._format_bar(value) if not np.isnan(value) else tr("nothing here")
        return f"{name_of(self._name, self._labels, number)} · {format_bar} {self._unit}".rstrip()

    def rect_of(self, number: int) -> QRectF:
        """Return the column of a bar, in pixels of the widget."""
        room = self._room()
        pitch = room.width() / max(1, len(self._values))
        return QRectF(room.left() + number * pitch, room.top(), pitch, room.height())

    def number_at(self, at: QPointF) -> int | None:
        """Return the index of the bar at a point; None if there is none."""
        room = self._room()
        share = (at.x() - room.left()) / room.width()
        return int(share * len(self._values)) if room.contains(at) and 0 <= share < 1 else None

    def hover(self, number: int | None) -> None:
        """Show the text of a bar; None for none."""
        self._hovered = number
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show the text of the bar under the mouse."""
        self.hover(self.number_at(event.position()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Show the text of the previous or next bar."""
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if step is None or not len(self._values):
            super().keyPressEvent(event)
            return
        at = -1 if self._hovered is None else self._hovered
        number = min(max(at + step, 0), len(self._values) - 1)
        self.hover(number)
        self.setAccessibleDescription(self.text_at(number))

    def leaveEvent(self, event: QEvent) -> None:
        """Hide the note."""
        super().leaveEvent(event)
        self.hover(None)

    def export(self, title: str) -> Export | None:
        """Return an export of the bars with a title; None if there are none."""
        if not len(self._values):
            return None
        copy = type(self)()
        copy.copy_from(self)
        copy.resize(self.size().expandedTo(SLIDE))
        figure = BarsFigure(title, self._name, self._unit, list(self._labels), self._values)
        return Export(figure, copy.size(), copy._paint, INSIDE)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint bars, axes and the note."""
        with QPainter(self) as painter:
            self._paint(painter)
            if self.hasFocus():
                painter.setPen(QPen(QColor(themes.now.accent), 1))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)

    def _paint(self, painter: QPainter) -> None:
        if not len(self._values):
            return
        theme, room = themes.now, self._room()
        self._draw_ticks(painter, room, theme)
        self._draw_bars(painter, room, theme)
        self._draw_labels(painter, room, theme)
        if self._hovered is not None:
            draw_note(painter, self.rect_of(self._hovered), self.text_at(self._hovered), theme, self._token_metrics)

    def _draw_bars(self, painter: QPainter, room: QRectF, theme: Theme) -> None:
        shown = shrunk(self._values[None], 1, int(room.width()))[0]
        pitch = room.width() / len(shown)
        wide = min(pitch * 0.75 if pitch >= 4 else pitch, 48.0)
        zero, colour = self._height_of(0.0, room), QColor(theme.runs[0])
        for number, value in enumerate(shown.tolist()):
            if value == value:
                end = self._height_of(value, room)
                left = room.left() + (number + 0.5) * pitch - wide / 2
                painter.fillRect(QRectF(left, min(zero, end), wide, max(1.0, abs(zero - end))), colour)

    def _draw_ticks(self, painter: QPainter, room: QRectF, theme: Theme) -> None:
        painter.setFont(self._font)
        line = self._metrics.height()
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for value in self._ticks():
            y = round(self._height_of(value, room)) + 0.5
            painter.setPen(QColor(theme.field if abs(value) < 1e-12 else theme.line))
            painter.drawLine(QPointF(room.left(), y), QPointF(room.right(), y))
            painter.setPen(QColor(theme.dim))
            painter.drawText(QRectF(0, y - line / 2, room.left() - GAP, line), right, figure(value))
        if self._unit and self.height() >= NAMED:
            draw_upright(painter, QPointF(line / 2, room.center().y()), room.height(), self._unit, self._metrics)

    def _draw_labels(self, painter: QPainter, room: QRectF, theme: Theme) -> None:
        painter.setFont(self._token_font)
        painter.setPen(QColor(theme.dim))
        line = self._token_metrics.height()
        for number, middle in fitting(self._labels, room.width() / len(self._labels), self._extent):
            format_bar = self._token_metrics.elidedText(self._labels[number], Qt.TextElideMode.ElideRight, px(LABEL))
            rect = QRectF(room.left() + middle - px(LABEL), room.bottom() + GAP, 2 * px(LABEL), line)
            painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, format_bar)
        if self.height() >= NAMED:
            painter.setFont(self._font)
            rect = QRectF(room.left(), room.bottom() + GAP + line, room.width(), self._metrics.height())
            painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, self._name)

    def _extent(self, label: str) -> float:
        return min(self._token_metrics.horizontalAdvance(label), px(LABEL)) + 2 * GAP

    def _ticks(self) -> list[float]:
        return round_values(self._low, self._high, max(3, min(6, self.height() // 60)))

    def _room(self) -> QRectF:
        line, named = self._metrics.height(), self.height() >= NAMED
        left = max(self._metrics.horizontalAdvance(figure(value)) for value in self._ticks()) + 2 * GAP
        left += line if self._unit and named else 0
        top, below = line / 2 + 1, GAP + self._token_metrics.height() + (line if named else 0) + 2
        return QRectF(left, top, max(1.0, self.width() - left - 1), max(1.0, self.height() - top - below))

    def _height_of(self, value: float, room: QRectF) -> float:
        return room.bottom() - (value - self._low) / (self._high - self._low) * room.height()
