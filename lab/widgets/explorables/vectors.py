"""A plane with vectors from its middle, which are dragged or moved by keys."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPen, QPolygonF

from lab.widgets.core.theme import themes
from lab.widgets.explorables.surface import Surface


class VectorPlane(Surface):
    """A plane with vectors from its middle; those that may be moved follow the mouse or the arrow keys.

    Tab goes on to the next widget; the space bar selects the next vector.

    Args:
        name: Its name for screen readers.
        reach: The coordinate at the nearest edge.
    """

    moved = Signal(str)
    """The name of a vector that was moved."""

    def __init__(self, name: str, reach: float = 2.5) -> None:
        super().__init__(name, 260)
        self.reach = reach
        self.vectors: dict[str, NDArray[np.float64]] = {}
        self.colours: dict[str, str] = {}
        self.movable: list[str] = []
        self.selected = ""
        self._grabbed = ""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def to_pixels(self, vector: NDArray[np.float64]) -> QPointF:
        """Return where a vector ends, in pixels."""
        scale = min(self.width(), self.height()) / 2 / self.reach
        return QPointF(self.width() / 2 + vector[0] * scale, self.height() / 2 - vector[1] * scale)

    def to_vector(self, position: QPointF) -> NDArray[np.float64]:
        """Return the vector that ends at a position in pixels, cut to the plane."""
        scale = min(self.width(), self.height()) / 2 / self.reach
        x, y = (position.x() - self.width() / 2) / scale, (self.height() / 2 - position.y()) / scale
        return np.asarray(np.clip(np.array([x, y]), -self.reach, self.reach))

    def draw(self, painter: QPainter, area: QRectF) -> None:
        """Paint axes and vectors."""
        theme = themes.now
        painter.setPen(QPen(QColor(theme.line), 1))
        middle = area.center()
        painter.drawLine(QPointF(area.left(), middle.y()), QPointF(area.right(), middle.y()))
        painter.drawLine(QPointF(middle.x(), area.top()), QPointF(middle.x(), area.bottom()))
        for name, vector in self.vectors.items():
            colour = QColor(self.colours.get(name, theme.text))
            tip = self.to_pixels(vector)
            painter.setPen(QPen(colour, 2))
            painter.drawLine(middle, tip)
            self._draw_head(painter, middle, tip, colour)
            if name in self.movable:
                painter.setBrush(QColor(theme.card))
                painter.setPen(QPen(colour, 3 if name == self.selected and self.hasFocus() else 1.5))
                painter.drawEllipse(tip, 6, 6)
            painter.setFont(self.font_strong)
            painter.setPen(colour)
            self.draw_name_at(painter, tip + QPointF(10, -8), name)

    @staticmethod
    def _draw_head(painter: QPainter, start: QPointF, tip: QPointF, colour: QColor) -> None:
        along = tip - start
        length = (along.x() ** 2 + along.y() ** 2) ** 0.5
        if length < 8:
            return
        along /= length
        across = QPointF(-along.y(), along.x())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawPolygon(QPolygonF([tip, tip - along * 9 + across * 4, tip - along * 9 - across * 4]))

    def _move(self, name: str, vector: NDArray[np.float64]) -> None:
        self.vectors[name] = vector
        self.moved.emit(name)
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Grab the vector whose end is near."""
        super().mousePressEvent(event)
        ends = {name: self.to_pixels(self.vectors[name]) - event.position() for name in self.movable}
        near = {name: gap.x() ** 2 + gap.y() ** 2 for name, gap in ends.items()}
        name = min(near, key=lambda each: near[each], default="")
        if name and near[name] < 18**2:
            self._grabbed = self.selected = name
            self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Move the grabbed vector."""
        if self._grabbed:
            self._move(self._grabbed, self.to_vector(event.position()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let it go."""
        super().mouseReleaseEvent(event)
        self._grabbed = ""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the selected vector by arrow keys; the space bar selects the next."""
        steps = {
            Qt.Key.Key_Left: (-0.1, 0.0),
            Qt.Key.Key_Right: (0.1, 0.0),
            Qt.Key.Key_Up: (0.0, 0.1),
            Qt.Key.Key_Down: (0.0, -0.1),
        }
        step = steps.get(Qt.Key(event.key()))
        if event.key() == Qt.Key.Key_Space and self.movable:
            at = self.movable.index(self.selected) if self.selected in self.movable else -1
            self.selected = self.movable[(at + 1) % len(self.movable)]
            self.update()
        elif step is not None and self.selected:
            self._move(self.selected, np.clip(self.vectors[self.selected] + step, -self.reach, self.reach))
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Select the first vector if none is."""
        super().focusInEvent(event)
        if not self.selected and self.movable:
            self.selected = self.movable[0]
        self.update()
