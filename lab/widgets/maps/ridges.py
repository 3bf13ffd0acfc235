"""Ridges: distributions one behind the other, such as histograms of one layer over time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from lab.base.charts.ticks import round_values
from lab.widgets.core.fonts import Font, Metrics
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import INSIDE, Theme, mixed, px, themes
from lab.widgets.figures.export import Export
from lab.widgets.figures.map import MapFigure
from lab.widgets.figures.view import FigureView
from lab.widgets.maps.colours import figure
from lab.widgets.maps.layout import GAP, LABEL, NameLabel, draw_upright, fitting
from lab.widgets.maps.map import SLIDE

OVERLAP = 3.0
"""Height of the highest ridge in distances of two ridges."""
WIDE = 4.0
"""A ridge that is so many times wider than most is cut, such as that of gains around 1 among weights around 0."""
FINE = 121
"""Points of the common axis of an exported table."""


@dataclass(frozen=True)
class Ridge:
    """One distribution.

    Args:
        label: Its label on the axis of ridges.
        bound: The upper end of the last bin; the first one starts at −bound.
        counts: (N,) numbers in each bin.
    """

    label: str
    bound: float
    counts: NDArray[np.float64]

    def density(self) -> NDArray[np.float64]:
        """Return the share of all numbers in each bin per unit of the axis, (N,); zeros if there are no numbers."""
        total, width = float(self.counts.sum()), 2 * self.bound / len(self.counts)
        return self.counts / (total * width) if total and width else np.zeros(len(self.counts))

    def centres(self) -> NDArray[np.float64]:
        """Return the middle of each bin, (N,)."""
        edges = np.linspace(-self.bound, self.bound, len(self.counts) + 1)
        return (edges[1:] + edges[:-1]) / 2


class Ridges(FigureView):
    """A view of distributions as ridges, the first one at the back; each is as wide as its numbers are.

    Heights are densities on one scale, so that all ridges have the same area.
    """

    _token_font, _font = Font("note", tokens=True), Font("note")
    _token_metrics, _metrics = Metrics("note", tokens=True), Metrics("note")

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._ridges: Sequence[Ridge] = ()
        self._name = self._row_name = ""
        self._hovered: tuple[int, float] | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(120, 80)
        self.setAccessibleName(tr("Ridges"))
        themes.changed.connect(self.update)

    def set_ridges(self, ridges: Sequence[Ridge], *, name: str, row_name: str) -> None:
        """Show other distributions.

        Args:
            ridges: The distributions, the first one at the back.
            name: Name of the axis of their numbers.
            row_name: Name of what differs between them ("step", "layer").
        """
        self._ridges, self._name, self._row_name, self._hovered = ridges, name, row_name, None
        self.setAccessibleName(tr("Ridges: distributions of {name}, one for each {row}", name=name, row=row_name))
        self.note_change()
        self.update()

    def text_at(self, number: int, x: float) -> str:
        """Return the text of a ridge at a position of the axis: its label, the position, the share near it."""
        ridge = self._ridges[number]
        if not ridge.bound or abs(x) > ridge.bound:
            share = 0.0
        else:
            index = min(int((x + ridge.bound) / (2 * ridge.bound) * len(ridge.counts)), len(ridge.counts) - 1)
            share = float(ridge.counts[index] / max(ridge.counts.sum(), 1))
        near = tr("{share} % near {x}", share=figure(100 * share), x=figure(x))
        return f"{self._row_name} {ridge.label} · {near}"

    def export(self, title: str) -> Export | None:
        """Return an export of the densities as a map with a title; None if there are none."""
        if not self._ridges:
            return None
        copy = Ridges()
        copy.set_ridges(self._ridges, name=self._name, row_name=self._row_name)
        copy.resize(self.size().expandedTo(SLIDE))
        axis = np.linspace(-self._bound, self._bound, FINE)
        values = np.stack([np.interp(axis, one.centres(), one.density(), 0, 0) for one in self._ridges])
        rows, columns = [one.label for one in self._ridges], [figure(float(x)) for x in axis]
        drawn = MapFigure(
            title, self._row_name, self._name, tr("density"), rows, columns, 0.0, float(values.max()) or 1.0,
            False, False, False, values,
        )  # fmt: skip
        return Export(drawn, copy.size(), copy._paint, INSIDE)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show the text of the ridge whose base is next below the mouse."""
        room, at = self._room(), event.position()
        found = None
        if self._ridges and room.adjusted(0, 0, 0, 4).contains(at):
            bases = [self._base(number, room) for number in range(len(self._ridges))]
            below = [number for number, base in enumerate(bases) if base >= at.y() - 1]
            number = below[0] if below else len(bases) - 1
            found = number, (at.x() - room.left()) / room.width() * 2 * self._bound - self._bound
        if found != self._hovered:
            self._hovered = found
            self.update()

    def leaveEvent(self, event: QEvent) -> None:
        """Hide the text."""
        super().leaveEvent(event)
        self._hovered = None
        self.update()

    @property
    def _bound(self) -> float:
        """The upper end of the axis: that of the widest ridge, but at most WIDE times the median of all."""
        bounds = [ridge.bound for ridge in self._ridges if ridge.bound]
        return min(max(bounds), WIDE * float(np.median(bounds))) if bounds else 1.0

    def _room(self) -> QRectF:
        widest = max((self._token_metrics.horizontalAdvance(one.label) for one in self._ridges), default=0.0)
        line = self._metrics.height()
        left = line + 2 * GAP + min(widest, px(LABEL))
        below = GAP + 2 * line
        return QRectF(left, line, max(1.0, self.width() - left - GAP), max(1.0, self.height() - line - below))

    def _base(self, number: int, room: QRectF) -> float:
        """Return the height of the base line of a ridge, in pixels of the widget."""
        count = len(self._ridges)
        top = room.top() + (room.height() * OVERLAP / (count + OVERLAP) if count > 1 else room.height())
        return room.bottom() if count == 1 else top + (room.bottom() - top) * number / (count - 1)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the ridges, their axes and the text at the mouse."""
        with QPainter(self) as painter:
            self._paint(painter)
            if self.hasFocus():
                painter.setPen(QPen(QColor(themes.now.accent), 1))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)

    def _paint(self, painter: QPainter) -> None:
        if not self._ridges:
            return
        theme, room = themes.now, self._room()
        self._draw_axis(painter, room, theme)
        self._draw_labels(painter, room, theme)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.save()
        painter.setClipRect(room.adjusted(-1, -1, 1, 2))
        densities = [ridge.density() for ridge in self._ridges]
        most = max(float(density.max()) for density in densities) or 1.0
        high = self._base(0, room) - room.top()
        for number, (ridge, density) in enumerate(zip(self._ridges, densities, strict=True)):
            share = number / max(1, len(self._ridges) - 1)
            outline = QColor(mixed(theme.runs[0], theme.text, 0.9 - 0.3 * share))
            fill = QColor(mixed(theme.runs[0], theme.panel, 0.25 + 0.35 * share))
            self._draw_ridge(painter, room, self._base(number, room), ridge, density * (high / most), outline, fill)
        painter.restore()
        if self._hovered is not None:
            painter.setFont(self._font)
            painter.setPen(QColor(theme.text))
            text = self._metrics.elidedText(self.text_at(*self._hovered), Qt.TextElideMode.ElideRight, self.width())
            painter.drawText(
                QRectF(0, 0, self.width() - GAP, self._metrics.height()), Qt.AlignmentFlag.AlignRight, text
            )

    def _draw_ridge(
        self,
        painter: QPainter,
        room: QRectF,
        base: float,
        ridge: Ridge,
        heights: NDArray[np.float64],
        outline: QColor,
        fill: QColor,
    ) -> None:
        scale = room.width() / (2 * self._bound)
        xs = room.left() + (ridge.centres() + self._bound) * scale
        points = [QPointF(x, base - height) for x, height in zip(xs.tolist(), heights.tolist(), strict=True)]
        if not points or not ridge.bound:
            return
        edges = [QPointF(points[0].x(), base), *points, QPointF(points[-1].x(), base)]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(fill)
        painter.drawPolygon(QPolygonF(edges))
        painter.setPen(QPen(outline, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(QPolygonF(points))

    def _draw_axis(self, painter: QPainter, room: QRectF, theme: Theme) -> None:
        painter.setFont(self._font)
        line = self._metrics.height()
        for value in round_values(-self._bound, self._bound, max(2, min(7, int(room.width() / px(90))))):
            x = round(room.left() + (value + self._bound) / (2 * self._bound) * room.width()) + 0.5
            painter.setPen(QColor(theme.line))
            painter.drawLine(QPointF(x, room.top()), QPointF(x, room.bottom()))
            painter.setPen(QColor(theme.dim))
            rect = QRectF(x - px(40), room.bottom() + GAP / 2, px(80), line)
            painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, figure(value))
        rect = QRectF(room.left(), room.bottom() + GAP / 2 + line, room.width(), line)
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, self._name)

    def _draw_labels(self, painter: QPainter, room: QRectF, theme: Theme) -> None:
        line = self._token_metrics.height()
        painter.setFont(self._token_font)
        painter.setPen(QColor(theme.dim))
        labels = tuple(NameLabel(ridge.label) for ridge in self._ridges)
        first = self._base(0, room)
        pitch = (room.bottom() - first) / max(1, len(labels) - 1) or line
        flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for number, _ in fitting(labels, pitch, lambda _: line):
            y = self._base(number, room)
            rect = QRectF(room.left() - GAP - px(LABEL), y - line / 2, px(LABEL), line)
            text = self._token_metrics.elidedText(labels[number], Qt.TextElideMode.ElideRight, px(LABEL))
            painter.drawText(rect, flags, text)
        painter.setFont(self._font)
        draw_upright(painter, QPointF(line / 2, room.center().y()), room.height(), self._row_name, self._metrics)
