"""A pad on which a small picture is drawn with the mouse or the keys."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import themes

Pixels: TypeAlias = NDArray[np.uint8]

STEPS = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Up: (0, -1), Qt.Key.Key_Down: (0, 1)}
"""By key, how far it moves the pencil, to the right and down."""


class DrawingPad(QWidget):
    """A picture of few pixels, drawn large: the left button draws, the right one erases.

    With the keys: arrows move the pencil, Space draws with it, Shift and arrows draw a line, Delete clears the picture.

    Args:
        parent: Its parent.

    Attributes:
        colour: What is drawn, (C,) bytes.
        background: What is erased to, (C,) bytes.
        radius: Half of the width of a stroke in pixels of the picture.
    """

    drawn = Signal()
    """The user changed the picture."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.colour, self.background = np.array([255], np.uint8), np.array([0], np.uint8)
        self.radius = 1.0
        self._pixels: Pixels = np.zeros((28, 28, 1), np.uint8)
        self._last: tuple[float, float] | None = None  # where a stroke has come, x and y in pixels of the picture
        self._pencil = (14.0, 14.0)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(120, 120)
        self.setCursor(Qt.CursorShape.CrossCursor)
        self.setAccessibleName(tr("Drawing pad"))
        self.setAccessibleDescription(
            tr("Arrows move the pencil, Space draws, Shift and arrows draw a line, Delete clears.")
        )

    @property
    def pixels(self) -> Pixels:
        """The picture, (H, W, C)."""
        return self._pixels.copy()

    def set_pixels(self, pixels: Pixels) -> None:
        """Show another picture, (H, W, C) with 1 channel for grey or 3 for red, green, blue, without a signal."""
        if pixels.shape != self._pixels.shape:
            self._pencil = (pixels.shape[1] / 2, pixels.shape[0] / 2)
        self._pixels, self._last = np.array(pixels, np.uint8), None
        self.update()

    def clear(self) -> None:
        """Erase the picture."""
        self._pixels[:] = self.background
        self.update()
        self.drawn.emit()

    def line(self, start: tuple[float, float], end: tuple[float, float], colour: Pixels) -> None:
        """Draw a line with round ends.

        Args:
            start: Its x and y in pixels of the picture, from the upper left corner.
            end: The same of its end.
            colour: (C,).
        """
        height, width, _ = self._pixels.shape
        y, x = np.mgrid[:height, :width] + 0.5
        across, down = end[0] - start[0], end[1] - start[1]
        length = across**2 + down**2
        along = np.clip(((x - start[0]) * across + (y - start[1]) * down) / length, 0, 1) if length else 0.0
        distance = np.hypot(x - start[0] - along * across, y - start[1] - along * down)
        covered = np.clip(self.radius + 0.5 - distance, 0, 1)[..., None]
        self._pixels = np.asarray(np.round(self._pixels * (1 - covered) + colour * covered), np.uint8)
        self.update()
        self.drawn.emit()

    # Input

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a stroke."""
        self._last = self._at(event.position())
        self._stroke(event, self._last)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Draw on."""
        if self._last is not None:
            self._stroke(event, self._at(event.position()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End the stroke."""
        super().mouseReleaseEvent(event)
        self._last = None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the pencil, draw with it, or clear the picture."""
        key, height, width = Qt.Key(event.key()), *self._pixels.shape[:2]
        if key in STEPS:
            before, (right, down) = self._pencil, STEPS[key]
            self._pencil = (
                min(max(before[0] + right, 0.5), width - 0.5),
                min(max(before[1] + down, 0.5), height - 0.5),
            )
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self.line(before, self._pencil, self.colour)
            self.update()
        elif key == Qt.Key.Key_Space:
            self.line(self._pencil, self._pencil, self.colour)
        elif key == Qt.Key.Key_Delete:
            self.clear()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the pencil."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Hide the pencil."""
        super().focusOutEvent(event)
        self.update()

    def _stroke(self, event: QMouseEvent, to: tuple[float, float]) -> None:
        buttons = event.buttons()
        if self._last is not None and buttons & (Qt.MouseButton.LeftButton | Qt.MouseButton.RightButton):
            colour = self.colour if buttons & Qt.MouseButton.LeftButton else self.background
            self.line(self._last, to, colour)
            self._last = self._pencil = to

    def _at(self, position: QPointF) -> tuple[float, float]:
        """Return x and y in pixels of the picture of a position in the widget."""
        room = self.picture_rect()
        height, width, _ = self._pixels.shape
        return (
            (position.x() - room.left()) / room.width() * width,
            (position.y() - room.top()) / room.height() * height,
        )

    # Painting

    def picture_rect(self) -> QRectF:
        """Return the rectangle of the picture, as large as the widget allows, in its middle."""
        height, width, _ = self._pixels.shape
        scale = max(0.1, min((self.width() - 4) / width, (self.height() - 4) / height))
        wide, high = scale * width, scale * height
        return QRectF((self.width() - wide) / 2, (self.height() - high) / 2, wide, high)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the picture, its frame, and the pencil while the keys draw."""
        height, width, _ = self._pixels.shape
        colours = np.broadcast_to(self._pixels, (height, width, 3))
        image = QImage(colours.tobytes(), width, height, 3 * width, QImage.Format.Format_RGB888)
        room, theme = self.picture_rect(), themes.now
        with QPainter(self) as painter:
            painter.drawImage(room, image)
            painter.setPen(QPen(QColor(theme.accent if self.hasFocus() else theme.line), 2))
            painter.drawRect(room)
            if self.hasFocus():
                scale = room.width() / width
                middle = QPointF(room.left() + self._pencil[0] * scale, room.top() + self._pencil[1] * scale)
                painter.setPen(QPen(QColor(theme.accent), 1))
                painter.drawEllipse(middle, max(3.0, self.radius * scale), max(3.0, self.radius * scale))
