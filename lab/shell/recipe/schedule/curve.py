"""A curve over the steps of a run, with points to drag if the schedule is drawn by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy

from lab.base.charts.ticks import format_ticks, value_ticks
from lab.base.charts.transform import Frame
from lab.training.schedules.drawing import Points, moved, with_point, without_point
from lab.widgets.core.i18n import localized, number_text, tr, tr_n
from lab.widgets.core.theme import INSIDE, interface_font, themes
from lab.widgets.figures.chart import Axis, ChartFigure, FigureLine
from lab.widgets.figures.export import Export
from lab.widgets.figures.view import FigureView
from lab.widgets.forms.values import number

HEIGHT, DRAWN_HEIGHT, TEXT = 64, 132, 16
"""Heights in pixels: of the drawing, of one with points to drag, and of the line of text below the curve."""
RADIUS, REACH = 4.0, 9.0
"""Pixels: the radius of a point, and how far from it a press still takes it."""
ABOVE = 1.25
"""The highest rate to which a point can be dragged at once, in multiples of the highest one."""
SIDES = 6.0
"""Pixels left and right of the curve, where half of a point stands."""
FINE = 0.01
"""How far a key moves a point, as a share of the training or of its highest factor."""


@dataclass
class _Drag:
    """A point that is being dragged: its index, and the scale at the press, which stays until the release."""

    index: int
    most: float
    moved: bool = False


class LearningRateCurve(FigureView):
    """A curve over the steps of a run, with its largest value and the number of steps in words below it.

    Args:
        caption: The title of the quantity; "" for the learning rate.
        name: Its name within a sentence.
    """

    points_changed = Signal(list)
    """The points of the drawn schedule, after a drag or a key."""

    def __init__(self, caption: str = "", name: str = "") -> None:
        super().__init__()
        self.caption = caption or tr("Learning rate")
        self._name = name or tr("learning rate")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFixedHeight(HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.rates: list[float] = []
        self.points: Points | None = None
        self.step: int | None = None
        """The step of a run that trains along this curve; None without one."""
        self.selected = 0
        """The index of the point that keys move."""
        self._steps, self._peak, self._warmup = 0, 1.0, 0
        self._drag: _Drag | None = None

    def show_rates(
        self, rates: Sequence[float], steps: int, *, points: Points | None = None, peak: float = 1.0, warmup: int = 0
    ) -> None:
        """Show the values of evenly spaced steps, from the first to the last of `steps`.

        Args:
            rates: The values.
            steps: The steps of the run.
            points: The points of a drawn schedule, which can be dragged; None for another one.
            peak: The value at the factor 1.
            warmup: Steps before the first point.
        """
        if self._drag is not None:  # what is dragged is newer
            return
        self.rates, self._steps, self.points, self._peak, self._warmup = list(rates), steps, points, peak, warmup
        self.selected = min(self.selected, len(points or [0]) - 1)
        self.setFixedHeight(HEIGHT if points is None else DRAWN_HEIGHT)
        description = self._describe()
        self.setAccessibleName(description)
        keys = tr(
            "Drag a point; double-click adds one. Arrow keys move it, Page Up and Page Down choose it, Del removes it"
        )
        self.setToolTip("\n".join(filter(None, [description, keys if points is not None else ""])))
        self.setVisible(bool(rates))
        self.note_change()
        self.update()

    def show_step(self, step: int | None) -> None:
        """Mark the step that a run has reached; None marks none."""
        if step != self.step:
            self.step = step
            self.update()

    def export(self, title: str) -> Export | None:
        """Return an export of the curve with a title; None if there is none."""
        if not self.rates:
            return None
        steps = np.array(steps_at(len(self.rates), self._steps)) + 1
        line = FigureLine(self._name, "", themes.now.accent, 1.5, (), np.column_stack([steps, self.rates]))
        x, y = _axis(tr("step"), 1.0, max(2.0, self._steps)), _axis(self._name, 0.0, max(self.rates) or 1.0)
        return Export(ChartFigure(title, x, y, [line]), self.size(), self._paint, INSIDE)

    def _describe(self) -> str:
        if not self.rates:
            return ""
        first, most, last = (
            localized(number(float(f"{rate:.3g}"))) for rate in (self.rates[0], max(self.rates), self.rates[-1])
        )
        steps = tr_n("1 step", "{n} steps", self._steps)
        ends = tr("{first} at first, {last} at last", first=first, last=last)
        return tr("{name} over {steps}: {ends}, {most} at most", name=self.caption, steps=steps, ends=ends, most=most)

    # -------------------------------------------------------------------------------------------------------- painting

    def _frame(self) -> Frame:
        """Return the positions of steps, from 0, and of values."""
        most = max(self.rates) or 1.0
        if self._drag is not None:
            most = self._drag.most
        elif self.points is not None:
            most = ABOVE * max([most, *(factor * self._peak for _, factor in self.points)])
        area = QRectF(SIDES, 4, self.width() - 2 * SIDES, self.height() - TEXT - 8)
        return Frame(0, max(1, self._steps - 1), 0, most, area.left(), area.top() + 2, area.width(), area.height() - 2)

    def _place(self, frame: Frame, point: tuple[float, float]) -> QPointF:
        """Return where a point of a drawn schedule stands; its share is that of the steps after the warm-up."""
        share, factor = point
        last = max(1, self._steps - 1)
        step = self._warmup + share * max(0, last - self._warmup)
        return QPointF(frame.across(step), frame.down(factor * self._peak))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the curve above a line of text, and the focus."""
        del event
        with QPainter(self) as painter:
            self._paint(painter)
            if self.hasFocus():
                painter.setPen(QPen(QColor(themes.now.accent), 1))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)

    def _paint(self, painter: QPainter) -> None:
        if not self.rates:
            return
        theme, frame = themes.now, self._frame()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(theme.line), 1))
        painter.drawLine(QPointF(frame.left, frame.bottom), QPointF(frame.right, frame.bottom))
        steps = steps_at(len(self.rates), self._steps)
        line = [QPointF(frame.across(step), frame.down(rate)) for step, rate in zip(steps, self.rates, strict=True)]
        if self._drag is not None and self.points is not None:
            line = [line[0], *(self._place(frame, point) for point in self.points)] if self._warmup else []
            line = line or [self._place(frame, point) for point in self.points]
        painter.setPen(QPen(QColor(theme.accent), 1.5))
        painter.drawPolyline(QPolygonF(line))
        self._paint_step(painter, frame)
        self._paint_points(painter, frame)
        painter.setPen(QColor(theme.dim))
        painter.setFont(interface_font("note"))
        below = QRectF(SIDES, self.height() - TEXT - 2, self.width() - 2 * SIDES, TEXT)
        painter.drawText(below, Qt.AlignmentFlag.AlignLeft, self._words())
        painter.drawText(below, Qt.AlignmentFlag.AlignRight, tr_n("1 step", "{n} steps", self._steps))

    def _words(self) -> str:
        """Return what stands below the curve: the point that is dragged or chosen, or the highest value."""
        if self.points is not None and (self._drag is not None or self.hasFocus()):
            share, factor = self.points[self.selected]
            last = max(1, self._steps - 1)
            step = round(self._warmup + share * max(0, last - self._warmup)) + 1
            rate = localized(number(float(f"{factor * self._peak:.3g}")))
            return tr("{rate} at step {step}", rate=rate, step=number_text(step))
        most = localized(number(float(f"{max(self.rates):.3g}")))
        if self.caption == tr("Learning rate"):
            return tr("peak {rate}", rate=most)
        least = localized(number(float(f"{min(self.rates):.3g}")))
        return tr("{name} {low} to {high}", name=self._name, low=least, high=most)

    def _paint_step(self, painter: QPainter, frame: Frame) -> None:
        if self.step is None:
            return
        x = float(frame.across(min(self.step, self._steps - 1)))
        painter.setPen(QPen(QColor(themes.now.text), 1, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(x, frame.top), QPointF(x, frame.bottom))
        text, room = tr("now {step}", step=number_text(self.step)), 90.0
        painter.setFont(interface_font("note"))
        left = x + room > frame.right
        box = QRectF(x - room - 4 if left else x + 4, frame.top - 2, room, TEXT)
        painter.drawText(box, Qt.AlignmentFlag.AlignRight if left else Qt.AlignmentFlag.AlignLeft, text)

    def _paint_points(self, painter: QPainter, frame: Frame) -> None:
        theme = themes.now
        for index, point in enumerate(self.points or ()):
            is_selected = index == self.selected and (self.hasFocus() or self._drag is not None)
            painter.setPen(QPen(QColor(theme.accent), 1.5))
            painter.setBrush(QColor(theme.accent if is_selected else theme.card))
            painter.drawEllipse(self._place(frame, point), RADIUS, RADIUS)
        painter.setBrush(Qt.BrushStyle.NoBrush)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show which point the keys move."""
        super().focusInEvent(event)
        self.update()

    # --------------------------------------------------------------------------------------------------------- dragging

    def point_at(self, position: QPointF) -> int | None:
        """Return the index of the point at a position on the widget; None if there is none."""
        if self.points is None:
            return None
        frame = self._frame()
        away = [(self._place(frame, point) - position).manhattanLength() for point in self.points]
        nearest = min(range(len(away)), key=away.__getitem__)
        return nearest if away[nearest] <= REACH else None

    def _value_at(self, position: QPointF) -> tuple[float, float]:
        """Return the share of the training after the warm-up and the factor at a position on the widget."""
        frame, last = self._frame(), max(1, self._steps - 1)
        step = (position.x() - frame.left) / frame.width * last
        share = (step - self._warmup) / max(1, last - self._warmup)
        rate = (frame.bottom - position.y()) / frame.height * frame.y1
        return share, max(0.0, rate / (self._peak or 1.0))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take the point that is pressed."""
        index = self.point_at(event.position()) if event.button() == Qt.MouseButton.LeftButton else None
        if index is None:
            super().mousePressEvent(event)
            return
        most = self._frame().y1
        self.selected, self._drag = index, _Drag(index, most)
        self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the point that was taken."""
        if self._drag is not None and self.points is not None:
            share, factor = self._value_at(event.position())
            self.points = moved(self.points, self._drag.index, share, min(factor, self._drag.most / (self._peak or 1)))
            self._drag.moved = True
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Set the point that was dragged."""
        drag, self._drag = self._drag, None
        if drag is not None and drag.moved and self.points is not None:
            self.points_changed.emit(self.points)
        self.update()
        super().mouseReleaseEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Add a point."""
        self._drag = None
        if self.points is not None and self.point_at(event.position()) is None:
            points, self.selected = with_point(self.points, *self._value_at(event.position()))
            self.points_changed.emit(points)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move, choose, add and remove points."""
        if self.points is None:
            super().keyPressEvent(event)
            return
        share, factor = self.points[self.selected]
        high, last = max(one for _, one in self.points) or 1.0, len(self.points) - 1
        moves = {
            Qt.Key.Key_Left: (-FINE, 0.0),
            Qt.Key.Key_Right: (FINE, 0.0),
            Qt.Key.Key_Up: (0.0, FINE * high),
            Qt.Key.Key_Down: (0.0, -FINE * high),
        }
        key = Qt.Key(event.key())
        if key in moves:
            across, up = moves[key]
            self.points_changed.emit(moved(self.points, self.selected, share + across, factor + up))
        elif key in (Qt.Key.Key_PageDown, Qt.Key.Key_PageUp):
            self.selected = min(max(self.selected + (1 if key == Qt.Key.Key_PageDown else -1), 0), last)
            self.update()
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self._remove()
        elif key == Qt.Key.Key_Insert:
            self._add()
        else:
            super().keyPressEvent(event)

    def _remove(self) -> None:
        assert self.points is not None  # there are points to choose
        points = without_point(self.points, self.selected)
        if points is not self.points:
            self.points_changed.emit(points)

    def _add(self) -> None:
        """Add a point in the middle behind the chosen one, or before the last."""
        assert self.points is not None
        left = min(self.selected, len(self.points) - 2)
        (x0, y0), (x1, y1) = self.points[left : left + 2]
        points, self.selected = with_point(self.points, (x0 + x1) / 2, (y0 + y1) / 2)
        self.points_changed.emit(points)

    def entries(self) -> Sequence[tuple[str, Callable[[], object]]]:
        """Return the entries of its context menu that change the points."""
        if self.points is None:
            return ()
        ends = (0, len(self.points) - 1)
        return [
            (tr("Add a point"), self._add),
            *([] if self.selected in ends else [(tr("Remove the point"), self._remove)]),
        ]


def _axis(name: str, low: float, high: float) -> Axis:
    """Return an axis with its ticks."""
    values = [value for value in value_ticks(low, high) if low <= value <= high]
    labels = [localized(text) for text in format_ticks(values)]
    return Axis(name, low, high, False, list(zip(values, labels, strict=True)))


def steps_at(count: int, steps: int) -> list[int]:
    """Return evenly spaced steps, from 0, with the first and the last one of a run.

    Args:
        count: How many.
        steps: The steps of the run.
    """
    return [round(index * (steps - 1) / max(1, count - 1)) for index in range(count)]
