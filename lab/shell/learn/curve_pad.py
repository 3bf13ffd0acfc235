"""Axes on which a curve is drawn with the mouse or the keys, and over which the measured one is laid."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from lab.widgets.core.fonts import Font
from lab.widgets.core.i18n import localized, tr
from lab.widgets.core.theme import mixed, px, themes

LEFT, RIGHT, TOP, BOTTOM = 64, 20, 14, 44
"""Margins around the axes in pixels."""
TICKS = 5
STEP = 0.02
"""Share of the vertical axis that a key moves a point by."""
Band = Mapping[str, tuple[float, float, float]]
"""Lower quartile, median and upper quartile by position."""


class CurvePad(QWidget):
    """Axes with a position for each key. Dragging draws; Left and Right select a position, Up and Down move its point.

    Attributes:
        drawn: The drawn curve by key; a key without a point is missing.
    """

    changed = Signal()
    """A point was drawn."""
    _note = Font("note")

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.drawn: dict[str, float] = {}
        self._keys: Sequence[str] = ()
        self._measured: Mapping[str, float] = {}
        self._band: Band = {}
        self._low, self._high, self._log = 0.0, 1.0, False
        self._labels = ("", "")
        self._selected, self._is_open = 0, True
        self._last: QPointF | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(False)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMinimumHeight(220)
        self.setAccessibleName(tr("Axes to draw on"))
        self.setAccessibleDescription(tr("Left and Right select a position, Up and Down move its point"))
        themes.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """Return a wide preferred size."""
        return QSize(560, 260)

    def set_axes(self, keys: Sequence[str], x: str, y: str, low: float, high: float, *, log: bool = False) -> None:
        """Set the positions, the names of the axes, and the vertical range."""
        self._keys, self._labels = keys, (x, y)
        self._low, self._high, self._log = low, high, log
        self._selected = 0
        self.drawn = {}
        self._measured, self._band = {}, {}
        self.update()

    def show_drawn(self, curve: Mapping[str, float], *, is_open: bool) -> None:
        """Show a drawn curve; one that is not open can no longer be changed."""
        self.drawn = {key: curve[key] for key in self._keys if key in curve}
        self._is_open = is_open
        self.setCursor(Qt.CursorShape.CrossCursor if is_open else Qt.CursorShape.ArrowCursor)
        self.update()

    def show_measured(self, curve: Mapping[str, float], band: Band | None = None) -> None:
        """Lay the measured curve over it, and the spread of several drawn ones; beyond the range the axis grows."""
        self._measured, self._band = curve, band or {}
        finite = [value for value in curve.values() if math.isfinite(value)]
        if finite:
            self._low, self._high = min(self._low, *finite), max(self._high, *finite)
        self.update()

    @property
    def is_complete(self) -> bool:
        """True once every position has a point."""
        return bool(self._keys) and len(self.drawn) == len(self._keys)

    # ------------------------------------------------------------------------------------------------------- drawing

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin to draw."""
        if self._is_open and event.button() == Qt.MouseButton.LeftButton:
            self._last = event.position()
            self._draw_to(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Draw."""
        if self._is_open and event.buttons() & Qt.MouseButton.LeftButton:
            self._draw_to(event.position())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End a stroke."""
        del event
        self._last = None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Select a position, or move its point."""
        moves = {Qt.Key.Key_Left.value: -1, Qt.Key.Key_Right.value: 1}
        shifts = {Qt.Key.Key_Up.value: STEP, Qt.Key.Key_Down.value: -STEP}
        if event.key() in moves and self._keys:
            self._selected = min(max(self._selected + moves[event.key()], 0), len(self._keys) - 1)
            self.update()
        elif event.key() in shifts and self._keys and self._is_open:
            key = self._keys[self._selected]
            share = self._share(self.drawn[key]) if key in self.drawn else 0.5 - shifts[event.key()]
            self.drawn[key] = self._value(min(max(share + shifts[event.key()], 0.0), 1.0))
            self.update()
            self.changed.emit()
        else:
            super().keyPressEvent(event)

    def _draw_to(self, point: QPointF) -> None:
        """Set the points of all positions between the last place of the pointer and this one."""
        before = self._last or point
        self._last = point
        area = self._area()
        reach = area.width() / max(1, len(self._keys)) / 2
        first, last = sorted((before.x(), point.x()))
        for index, key in enumerate(self._keys):
            x = self._x(index)
            if not (first <= x <= last or abs(x - point.x()) <= min(reach, 24)):
                continue
            span = point.x() - before.x()
            share = min(max((x - before.x()) / span, 0.0), 1.0) if span else 1.0
            y = before.y() + share * (point.y() - before.y())
            self.drawn[key] = self._value(min(max((area.bottom() - y) / area.height(), 0.0), 1.0))
            self._selected = index
        self.update()
        self.changed.emit()

    # -------------------------------------------------------------------------------------------------------- painting

    def _area(self) -> QRectF:
        return QRectF(px(LEFT), px(TOP), self.width() - px(LEFT) - px(RIGHT), self.height() - px(TOP) - px(BOTTOM))

    def _x(self, index: int) -> float:
        area = self._area()
        return area.left() + (index + 0.5) * area.width() / max(1, len(self._keys))

    def _share(self, value: float) -> float:
        low, high = (math.log(self._low), math.log(self._high)) if self._log else (self._low, self._high)
        number = math.log(value) if self._log and value > 0 else value
        return (number - low) / (high - low)

    def _value(self, share: float) -> float:
        if self._log:
            return math.exp(math.log(self._low) + share * (math.log(self._high) - math.log(self._low)))
        return self._low + share * (self._high - self._low)

    def _point(self, index: int, value: float) -> QPointF:
        area = self._area()
        return QPointF(self._x(index), area.bottom() - min(max(self._share(value), 0.0), 1.0) * area.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint axes, the spread, and both curves."""
        del event
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._note)
        self._paint_axes(painter)
        if self._band:
            self._paint_band(painter)
        self._paint_curve(painter, self.drawn, themes.now.accent, Qt.PenStyle.DashLine)
        self._paint_curve(painter, self._measured, themes.now.text, Qt.PenStyle.SolidLine)
        self._paint_legend(painter)
        if not self.drawn and not self._measured and not self._band:
            painter.setPen(QColor(themes.now.dim))
            painter.drawText(self._area(), Qt.AlignmentFlag.AlignCenter, tr("Draw the curve here with the mouse"))

    def _paint_axes(self, painter: QPainter) -> None:
        area, metrics = self._area(), QFontMetricsF(self._note)
        for number in range(TICKS):
            value = self._value(number / (TICKS - 1))
            y = area.bottom() - number / (TICKS - 1) * area.height()
            painter.setPen(QColor(themes.now.line))
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            painter.setPen(QColor(themes.now.dim))
            text = localized(f"{value:.3g}")
            painter.drawText(
                QPointF(area.left() - metrics.horizontalAdvance(text) - 6, y + metrics.ascent() / 2 - 1), text
            )
        for index, key in enumerate(self._keys):
            if len(self._keys) > 14 and index % (len(self._keys) // 10):
                continue
            text = localized(key)
            x = self._x(index)
            painter.setPen(QColor(themes.now.text if index == self._selected and self.hasFocus() else themes.now.dim))
            painter.drawText(
                QPointF(x - metrics.horizontalAdvance(text) / 2, area.bottom() + metrics.height() + 2), text
            )
        painter.setPen(QColor(themes.now.dim))
        below = QRectF(area.left(), area.bottom() + metrics.height() + 6, area.width(), metrics.height() + 4)
        painter.drawText(below, Qt.AlignmentFlag.AlignHCenter, self._labels[0])
        painter.save()
        painter.translate(metrics.height(), area.center().y())
        painter.rotate(-90)
        painter.drawText(QPointF(-metrics.horizontalAdvance(self._labels[1]) / 2, 0), self._labels[1])
        painter.restore()
        if self.hasFocus():
            painter.setPen(QColor(themes.now.accent))
            painter.drawRect(area)

    def _paint_band(self, painter: QPainter) -> None:
        indexed = [(index, self._band[key]) for index, key in enumerate(self._keys) if key in self._band]
        upper = [self._point(index, high) for index, (_, _, high) in indexed]
        lower = [self._point(index, low) for index, (low, _, _) in indexed]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(mixed(themes.now.accent, themes.now.panel, 0.25)))
        painter.drawPolygon(QPolygonF([*upper, *reversed(lower)]))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        middle = {key: self._band[key][1] for key in self._keys if key in self._band}
        self._paint_curve(painter, middle, themes.now.accent, Qt.PenStyle.DashLine)

    def _paint_curve(self, painter: QPainter, curve: Mapping[str, float], colour: str, style: Qt.PenStyle) -> None:
        points = [
            self._point(index, curve[key])
            for index, key in enumerate(self._keys)
            if key in curve and math.isfinite(curve[key])
        ]
        painter.setPen(QPen(QColor(colour), 2 * themes.thickness, style))
        painter.drawPolyline(QPolygonF(points))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colour))
        for point in points:
            painter.drawEllipse(point, 3.5, 3.5)
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def _paint_legend(self, painter: QPainter) -> None:
        if not self._measured:
            return
        metrics, area = QFontMetricsF(self._note), self._area()
        drawn = tr("predictions: median and middle half") if self._band else tr("predicted")
        entries = [(drawn, themes.now.accent), (tr("measured"), themes.now.text)]
        x = area.right() - sum(metrics.horizontalAdvance(text) + 34 for text, _ in entries)
        for text, colour in entries:
            y = area.top() + metrics.ascent()
            painter.setPen(
                QPen(QColor(colour), 2, Qt.PenStyle.DashLine if colour == themes.now.accent else Qt.PenStyle.SolidLine)
            )
            painter.drawLine(QPointF(x, y - metrics.ascent() / 2 + 2), QPointF(x + 20, y - metrics.ascent() / 2 + 2))
            painter.setPen(QColor(themes.now.text))
            painter.drawText(QPointF(x + 24, y), text)
            x += metrics.horizontalAdvance(text) + 34
