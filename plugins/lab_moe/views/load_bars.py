"""The load of experts as coloured bars next to the even share; experts that are switched off are hollow."""

from __future__ import annotations

from collections.abc import Collection
from typing import Self

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import Theme, themes
from lab.widgets.maps.bars import Bars
from lab.widgets.maps.categories import colours_of_kinds
from lab.widgets.maps.colours import Numbers, figure
from lab.widgets.maps.layout import GAP, draw_upright
from lab_moe.statistics import dead

THINNEST = 3
"""Least pixels from one bar to the next at which each has its own colour and marks."""
LEAST = 56
"""Least height of the bars."""
HEADROOM = 1.3
"""Even shares that the axis covers at least."""
DASHES = 18
"""Pixels of the dashed line in front of its label."""
STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}


class LoadBars(Bars):
    """The share of all assignments of each expert; a click on a bar, or the space bar, emits `clicked`."""

    clicked = Signal(int)
    """The expert whose bar was clicked; only if `switches`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.switches = False
        """True if a click on a bar has an effect."""
        self.off: Collection[int] = ()
        """Experts that are switched off."""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumHeight(LEAST)

    def set_load(self, load: Numbers, most: float) -> None:
        """Show the load of other experts.

        Args:
            load: (E,) shares; NaN where nothing is known.
            most: The least upper end of the axis, as at other steps.
        """
        even = 1 / max(1, len(load))
        self.set_bars(
            load, [str(number) for number in range(1, len(load) + 1)], name=tr("expert"),
            unit=tr("share of assignments"), levels=(0.0, max(most, min(1.0, HEADROOM * even))),
        )  # fmt: skip

    @property
    def count(self) -> int:
        """The number of experts."""
        return len(self._values)

    def set_off(self, off: Collection[int]) -> None:
        """Show which experts are switched off."""
        self.off = off
        self.update()

    def copy_from(self, other: Self) -> None:
        """Show what another widget shows."""
        super().copy_from(other)
        self.off = other.off

    def text_at(self, number: int) -> str:
        """Return the load of an expert, whether it is dead, and what a click does."""
        parts = [super().text_at(number)]
        if dead(self._values.astype(np.float64))[number]:
            parts.append(tr("dead: it takes no token"))
        if self.switches:
            parts.append(tr("click: back on") if number in self.off else tr("click: loss without it"))
        return " · ".join(parts)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Emit `clicked` for the bar under the mouse."""
        number = self.number_at(event.position())
        if self.switches and number is not None and event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit(number)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move from bar to bar with the arrow keys; space and Return click the current one."""
        step, last = STEPS.get(Qt.Key(event.key())), len(self._values) - 1
        if step is not None and last >= 0:
            self.hover(0 if self._hovered is None else min(max(self._hovered + step, 0), last))
        elif event.key() in (Qt.Key.Key_Space, Qt.Key.Key_Return) and self._hovered is not None and self.switches:
            self.clicked.emit(self._hovered)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the bars, and a frame while they have the focus."""
        super().paintEvent(event)
        if self.hasFocus():
            with QPainter(self) as painter:
                painter.setPen(QPen(QColor(themes.now.accent), 1))
                painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

    def _room(self) -> QRectF:
        """Return the rectangle of the bars, under the line with the even share."""
        room = super()._room()
        room.setTop(self._metrics.height() + 3)
        return room

    def _draw_bars(self, painter: QPainter, room: QRectF, theme: Theme) -> None:
        count = len(self._values)
        pitch = room.width() / count
        marks: list[tuple[str, QRectF]] = []
        if pitch < THINNEST:
            super()._draw_bars(painter, room, theme)
        else:
            colours, no_load = colours_of_kinds(count, theme).tolist(), dead(self._values.astype(np.float64))
            for number, value in enumerate(self._values.tolist()):
                box = self._bar_of(number, value, room, pitch)
                if number in self.off:
                    painter.setPen(QPen(QColor(theme.dim), 1, Qt.PenStyle.DashLine))
                    painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5))
                    marks.append((tr("off"), box))
                elif no_load[number]:
                    marks.append((tr("dead"), box))
                elif value == value:
                    painter.fillRect(box, QColor(colours[number]))
        self._draw_even(painter, room, theme)
        painter.setFont(self._font)
        painter.setPen(QColor(theme.text))
        for text, bar in marks:
            self._mark(painter, text, bar, pitch, room, theme)

    def _bar_of(self, number: int, value: float, room: QRectF, pitch: float) -> QRectF:
        wide = min(pitch * 0.75, 48.0)
        top = self._height_of(value if value == value else 0.0, room)
        left = room.left() + (number + 0.5) * pitch - wide / 2
        return QRectF(left, top, wide, max(1.0, room.bottom() - top))

    def _mark(self, painter: QPainter, text: str, bar: QRectF, pitch: float, room: QRectF, theme: Theme) -> None:
        """Write a label above a bar, upright if it does not fit across; it covers the line of the even share."""
        wide, line = self._metrics.horizontalAdvance(text), self._metrics.height()
        if wide + 4 <= pitch:
            below = min(bar.top(), room.bottom() - 2)
            box = QRectF(bar.center().x() - wide / 2 - 1, max(room.top(), below - line), wide + 2, line)
            painter.fillRect(box, QColor(theme.panel))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
        elif pitch >= line - 4:
            middle = QPointF(bar.center().x(), max(room.top() + wide / 2, bar.top() - wide / 2 - 4))
            ground = QRectF(middle.x() - line / 2 + 2, middle.y() - wide / 2 - 1, line - 4, wide + 2)
            painter.fillRect(ground, QColor(theme.panel))
            draw_upright(painter, middle, wide + 4, text, self._metrics)
        else:
            box = QRectF(bar.center().x() - 8, room.bottom() - line, 16, line)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, "†")

    def _draw_even(self, painter: QPainter, room: QRectF, theme: Theme) -> None:
        """Draw the even share as a dashed line, and its value above all bars, where nothing else is drawn."""
        even = 1 / len(self._values)
        text = tr("even {share}", share=figure(even))
        wide, line = self._metrics.horizontalAdvance(text) + 2, self._metrics.height()
        box = QRectF(self.width() - 1 - wide, 0, wide, line)
        painter.setFont(self._font)
        painter.setPen(QPen(QColor(theme.text), 1, Qt.PenStyle.DashLine))
        for left, right, height in (
            (room.left(), room.right(), self._height_of(even, room)),
            (box.left() - DASHES - GAP, box.left() - GAP, line / 2),
        ):
            y = round(height) + 0.5
            painter.drawLine(QPointF(left, y), QPointF(right, y))
        painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)
