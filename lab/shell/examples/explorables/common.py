"""What explorables share: a knob with its name and value, a surface that is painted, and bars."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QHBoxLayout, QWidget

from lab.widgets.core.controls import Slider, label
from lab.widgets.core.fonts import Font, Metrics, follow_type
from lab.widgets.core.theme import mixed, px, themes
from lab.worked.expressions.values import Array

STEPS = 1000
"""Positions of a knob."""


class Knob(QWidget):
    """A number that is set by a slider, with its name and value.

    Args:
        name: Its name.
        low: Its least value.
        high: Its greatest value.
        value: Its first value.
        form: Writes the value.
        whole: Whether it takes whole numbers only.
    """

    changed = Signal(float)
    """Its new value."""

    def __init__(
        self,
        name: str,
        low: float,
        high: float,
        value: float,
        form: Callable[[float], str] = "{:.2f}".format,
        *,
        whole: bool = False,
    ) -> None:
        super().__init__()
        self._low, self._high, self._form = low, high, form
        self._count = round(high - low) if whole else STEPS
        self.slider = Slider()
        self.slider.setRange(0, self._count)
        self.slider.setPageStep(max(1, self._count // 20))
        self.slider.setSingleStep(max(1, self._count // 100))
        self.slider.setAccessibleName(name)
        self.slider.valueChanged.connect(self._moved)
        self._shown = label("", "")
        self._shown.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        follow_type(self._shown, lambda each: each.setMinimumWidth(px(64)))
        title = label(name, "")
        follow_type(title, lambda each: each.setMinimumWidth(px(110)))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(title)
        row.addWidget(self.slider, 1)
        row.addWidget(self._shown)
        self.set_value(value)
        self._show()

    @property
    def value(self) -> float:
        """Its value."""
        return self._low + (self._high - self._low) * self.slider.value() / self._count

    def set_value(self, value: float) -> None:
        """Set its value; the nearest position of the slider is taken."""
        self.slider.setValue(round((value - self._low) / (self._high - self._low) * self._count))

    def _moved(self, _: int) -> None:
        self._show()
        self.changed.emit(self.value)

    def _show(self) -> None:
        self._shown.setText(self._form(self.value))


class Surface(QWidget):
    """A widget that is painted in the colours of the theme.

    Args:
        name: Its name for screen readers.
        height: Its least height in pixels.
    """

    font_text, font_small, font_strong = Font(), Font("note"), Font("note", strong=True)
    metrics_small = Metrics("note")

    def __init__(self, name: str, height: int = 220) -> None:
        super().__init__()
        self._height = height
        self.setAccessibleName(name)
        follow_type(self, lambda each: each.setMinimumHeight(px(height)))
        themes.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """Return a size for layouts that do not set one."""
        return QSize(px(360), px(self._height))

    def show_state(self, description: str) -> None:
        """Paint it again, and say what it shows."""
        self.setAccessibleDescription(description)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint it."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.draw(painter, QRectF(self.rect()))
        if self.hasFocus():
            painter.setPen(QPen(QColor(themes.now.accent), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.end()

    def draw(self, painter: QPainter, area: QRectF) -> None:
        """Paint into an area."""
        raise NotImplementedError


class Bars(Surface):
    """Upright bars with names below and numbers above them.

    Args:
        name: Its name for screen readers.
        height: Its least height in pixels.
    """

    def __init__(self, name: str, height: int = 220) -> None:
        super().__init__(name, height)
        self._names: Sequence[str] = ()
        self._values: Array = np.zeros(0)
        self._inside: Sequence[bool] = ()
        self._most = 1.0
        self._form: Callable[[float], str] = "{:.3f}".format

    def show_bars(
        self,
        names: Sequence[str],
        values: Array,
        *,
        inside: Sequence[bool] | None = None,
        most: float = 1.0,
        form: Callable[[float], str] = "{:.3f}".format,
    ) -> None:
        """Show other bars.

        Args:
            names: The name of each.
            values: Their lengths, from 0 to `most`.
            inside: Which are drawn in the accent; the others are dimmed. None means all.
            most: The length of a bar as high as the drawing.
            form: Writes a length.
        """
        self._names, self._values, self._most, self._form = names, values, most, form
        self._inside = [True] * len(names) if inside is None else inside
        self.show_state(", ".join(f"{name} {form(value)}" for name, value in zip(names, values, strict=True)))

    def draw(self, painter: QPainter, area: QRectF) -> None:
        """Paint the bars."""
        theme = themes.now
        line = self.metrics_small.height()
        inner = area.adjusted(4, line + 6, -4, -line - 6)
        if not len(self._names):
            return
        pitch = inner.width() / len(self._names)
        wide = min(pitch * 0.7, px(64))
        painter.setPen(QPen(QColor(theme.line), 1))
        painter.drawLine(inner.bottomLeft(), inner.bottomRight())
        painter.setFont(self.font_small)
        middle = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter
        for at, (name, value, is_inside) in enumerate(zip(self._names, self._values, self._inside, strict=True)):
            x = inner.x() + pitch * (at + 0.5)
            high = inner.height() * min(1.0, float(value) / self._most)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.accent if is_inside else mixed(theme.dim, theme.panel, 0.35)))
            painter.drawRoundedRect(QRectF(x - wide / 2, inner.bottom() - high, wide, high), 2, 2)
            painter.setPen(QColor(theme.text if is_inside else theme.dim))
            number = QRectF(x - pitch / 2, inner.bottom() - high - line - 2, pitch, line)
            painter.drawText(number, middle, self._form(float(value)))
            below = self.metrics_small.elidedText(name, Qt.TextElideMode.ElideRight, pitch - 2)
            painter.drawText(QRectF(x - pitch / 2, inner.bottom() + 4, pitch, line), middle, below)


class Plane(Surface):
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
        self.vectors: dict[str, Array] = {}
        self.colours: dict[str, str] = {}
        self.movable: list[str] = []
        self.selected = ""
        self._grabbed = ""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def to_pixels(self, vector: Array) -> QPointF:
        """Return where a vector ends, in pixels."""
        scale = min(self.width(), self.height()) / 2 / self.reach
        return QPointF(self.width() / 2 + vector[0] * scale, self.height() / 2 - vector[1] * scale)

    def to_vector(self, position: QPointF) -> Array:
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
            painter.drawText(tip + QPointF(10, -8), name)

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

    def _move(self, name: str, vector: Array) -> None:
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
