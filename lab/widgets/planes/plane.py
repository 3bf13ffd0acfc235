"""The plane of two numbers: a surface over it, and points that can be dragged, added and removed where they may be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QImage, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from lab.base.charts.ticks import format_ticks, ticks
from lab.widgets.core.fonts import Font, Metrics
from lab.widgets.core.i18n import localized, tr
from lab.widgets.core.theme import INSIDE, Theme, px, themes
from lab.widgets.figures.export import Export
from lab.widgets.figures.map import MapFigure
from lab.widgets.figures.points import PointsFigure
from lab.widgets.figures.view import FigureView
from lab.widgets.maps.colours import Numbers, figure, scale_of
from lab.widgets.maps.layout import GAP, draw_upright
from lab.widgets.maps.map import SLIDE
from lab.widgets.maps.margins import draw_note
from lab.widgets.planes.colours import (
    class_colours,
    image_of_borders,
    image_of_classes,
    image_of_numbers,
    ring_colour,
)

DOT, SELECTED_DOT = 3.5, 6.0
"""Radius of a point, and of the selected one, in pixels."""
REACH = 9.0
"""The largest distance in pixels at which the mouse hits a point."""
NUDGE = 0.02
"""Share of the plane by which an arrow key moves a point."""
STEPS = {
    Qt.Key.Key_Left: (-NUDGE, 0.0), Qt.Key.Key_Right: (NUDGE, 0.0), Qt.Key.Key_Up: (0.0, NUDGE),
    Qt.Key.Key_Down: (0.0, -NUDGE),
}  # fmt: skip


@dataclass(frozen=True)
class Extent:
    """The rectangle of the plane that is shown: left and right x, bottom and top y."""

    left: float = -1.0
    right: float = 1.0
    bottom: float = -1.0
    top: float = 1.0

    @classmethod
    def of_centres(cls, x: Sequence[float], y: Sequence[float]) -> Extent:
        """Return the rectangle of cells with these centres: x from left to right, y from top to bottom."""
        wide = (x[-1] - x[0]) / max(1, len(x) - 1) / 2 or 0.5
        high = (y[0] - y[-1]) / max(1, len(y) - 1) / 2 or 0.5
        return cls(x[0] - wide, x[-1] + wide, y[-1] - high, y[0] + high)


class PlaneMap(FigureView):
    """A surface over a plane with points; where it is editable, the mouse drags, adds and removes them.

    A click on a point selects it. If it is editable, dragging moves a point, a click beside the points adds one, and
    the right button or Delete removes one; the arrow keys with Shift move the selected point, Insert adds one in the
    middle.
    """

    selected = Signal(int)
    """The index of the point that the user selected."""
    moved = Signal(int, float, float)
    """Index, x and y of a point that is dragged."""
    added = Signal(float, float)
    """x and y of a point to add."""
    removed = Signal(int)
    """The index of a point to remove."""
    _font, _metrics = Font("note"), Metrics("note")

    def __init__(self, parent: QWidget | None = None, *, editable: bool = False) -> None:
        super().__init__(parent)
        self.editable = editable
        self.extent = Extent()
        self.selection = -1
        self.names = ("x", "y")
        self._values: Numbers | None = None  # (K, R, C)
        self._are_classes = True
        self._regions: Numbers | None = None
        self._class_names: tuple[str, ...] = ()
        self._points: Numbers = np.zeros((0, 2), np.float32)
        self._targets: Numbers = np.zeros(0, np.float32)
        self._image: tuple[str, QImage] | None = None
        self._lines: tuple[str, QImage] | None = None
        self._dragged: int | None = None
        self._hovered: int | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(160, 120)
        self.setAccessibleName(tr("Plane"))

    # Contents

    def set_surface(self, values: Numbers, extent: Extent, classes: tuple[str, ...]) -> None:
        """Show another surface.

        Args:
            values: (K, R, C) probabilities or scores of K classes; or (1, R, C) numbers, if there are no classes.
            extent: The rectangle that the rows, from top to bottom, and columns fill.
            classes: The name of each class; () for numbers.
        """
        self._values, self.extent, self._class_names = values, extent, classes
        self._are_classes = bool(classes) and len(values) > 1
        self._image = None
        self.note_change()
        self.update()

    def set_regions(self, regions: Numbers | None) -> None:
        """Show the borders of regions (R, C) over the surface; None for none."""
        self._regions, self._lines = regions, None
        self.update()

    def set_points(self, points: Numbers, targets: Numbers) -> None:
        """Show other points.

        Args:
            points: (N, 2).
            targets: (N,) their classes or numbers.
        """
        self._points, self._targets = points, targets
        if self.selection >= len(points):
            self.selection = -1
        self._hovered = None
        self.update()

    def select(self, number: int) -> None:
        """Select a point without a signal; −1 for none."""
        self.selection = number
        self.update()

    def text_at(self, number: int) -> str:
        """Return the text of a point: its coordinates and its class or number."""
        x, y = self._points[number].tolist()
        return f"{figure(x)}, {figure(y)} · {self._target_text(number)}"

    def _target_text(self, number: int) -> str:
        target = float(self._targets[number])
        if self._class_names and 0 <= target < len(self._class_names):
            return self._class_names[int(target)]
        return figure(target)

    def export(self, title: str) -> Export | None:
        """Return an export of the plane with a title: its points, or of a surface without points its values."""
        if self._values is None and not len(self._points):
            return None
        copy = PlaneMap()
        copy.names = self.names
        if self._values is not None:
            copy.set_surface(self._values, self.extent, self._class_names)
        copy.extent = self.extent
        copy.set_points(self._points, self._targets)
        copy.set_regions(self._regions)
        copy.resize(self.size().expandedTo(SLIDE))
        drawn: MapFigure | PointsFigure
        if len(self._points) and self._class_names:
            labels = [self._target_text(number) for number in range(len(self._points))]
            drawn = PointsFigure(title, *self.names, "", labels, self._points, classes=self._class_names)
        else:
            values = np.zeros((1, 1), np.float32) if self._values is None else self._values[-1]
            scale = scale_of(values)
            rows, columns = ([""] * size for size in values.shape)
            drawn = MapFigure(title, self.names[1], self.names[0], "", rows, columns, scale.low, scale.high,
                              scale.signed, root=False, square=False, values=values)  # fmt: skip
        return Export(drawn, copy.size(), copy._paint, INSIDE)

    # Positions

    def position_of(self, x: float, y: float) -> QPointF:
        """Return the position of a point of the plane in pixels of the widget."""
        room, extent = self._room(), self.extent
        across = (x - extent.left) / (extent.right - extent.left)
        up = (y - extent.bottom) / (extent.top - extent.bottom)
        return QPointF(room.left() + across * room.width(), room.bottom() - up * room.height())

    def point_at(self, position: QPointF) -> tuple[float, float]:
        """Return the point of the plane at a position in pixels, inside the rectangle."""
        room, extent = self._room(), self.extent
        across = min(max((position.x() - room.left()) / room.width(), 0.0), 1.0)
        up = min(max((room.bottom() - position.y()) / room.height(), 0.0), 1.0)
        return (
            extent.left + across * (extent.right - extent.left),
            extent.bottom + up * (extent.top - extent.bottom),
        )

    def _near(self, at: QPointF) -> int | None:
        if not len(self._points):
            return None
        room, extent = self._room(), self.extent
        size = np.array([room.width() / (extent.right - extent.left), room.height() / (extent.top - extent.bottom)])
        x, y = self.point_at(at)
        distances = np.abs((self._points - np.array([x, y])) * size).sum(axis=1)
        nearest = int(np.nanargmin(distances)) if np.isfinite(distances).any() else 0
        return nearest if distances[nearest] <= REACH and room.contains(at) else None

    # Input

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select or grab the point under the mouse; beside the points add one, with the right button remove one."""
        near = self._near(event.position())
        if event.button() == Qt.MouseButton.RightButton and self.editable and near is not None:
            self.removed.emit(near)
            return
        if event.button() != Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
            return
        if near is not None:
            self._dragged = near if self.editable else None
            self.select(near)
            self.selected.emit(near)
        elif self.editable and self._room().contains(event.position()):
            self.added.emit(*self.point_at(event.position()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag a point, or show the text of the one under the mouse."""
        if self._dragged is not None and event.buttons() & Qt.MouseButton.LeftButton:
            self.moved.emit(self._dragged, *self.point_at(event.position()))
            return
        near = self._near(event.position())
        if near != self._hovered:
            self._hovered = near
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go of the point."""
        self._dragged = None
        super().mouseReleaseEvent(event)

    def contextMenuEvent(self, event: object) -> None:
        """Open the menu of exports, unless the right button removes points here."""
        if not self.editable:
            super().contextMenuEvent(event)  # type: ignore[arg-type]

    def leaveEvent(self, event: QEvent) -> None:
        """Hide the note."""
        super().leaveEvent(event)
        self._hovered = None
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Select the previous or next point; with Shift move it; Insert adds one, Delete removes one."""
        key, shift = Qt.Key(event.key()), bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        extent = self.extent
        if self.editable and key == Qt.Key.Key_Insert:
            self.added.emit((extent.left + extent.right) / 2, (extent.bottom + extent.top) / 2)
        elif self.editable and key == Qt.Key.Key_Delete and self.selection >= 0:
            self.removed.emit(self.selection)
        elif self.editable and shift and key in STEPS and self.selection >= 0:
            (x, y), (across, up) = self._points[self.selection].tolist(), STEPS[key]
            x += across * (extent.right - extent.left)
            y += up * (extent.top - extent.bottom)
            self.moved.emit(self.selection, x, y)
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right) and len(self._points):
            step = 1 if key == Qt.Key.Key_Right else -1
            self.select(min(max(self.selection + step, 0), len(self._points) - 1))
            self.setAccessibleDescription(self.text_at(self.selection))
            self.selected.emit(self.selection)
        else:
            super().keyPressEvent(event)

    # Painting

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint surface, borders, points and axes."""
        with QPainter(self) as painter:
            self._paint(painter)

    def _paint(self, painter: QPainter) -> None:
        theme, room = themes.now, self._room()
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        if self._values is not None:
            if self._image is None or self._image[0] != theme.name:
                make = image_of_classes if self._are_classes else image_of_numbers
                drawn = self._values if self._are_classes else self._values[0]
                self._image = theme.name, make(drawn, theme)
            painter.drawImage(room, self._image[1])
        if self._regions is not None:
            if self._lines is None or self._lines[0] != theme.name:
                self._lines = theme.name, image_of_borders(self._regions, theme)
            painter.drawImage(room, self._lines[1])
        self._draw_axes(painter, room, theme)
        painter.setClipRect(room)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._draw_points(painter, theme)
        painter.setClipping(False)
        if self._hovered is not None and self._hovered < len(self._points):
            around = QRectF(-7, -7, 14, 14).translated(self.position_of(*self._points[self._hovered].tolist()))
            draw_note(painter, around, self.text_at(self._hovered), theme, self._metrics)

    def _draw_points(self, painter: QPainter, theme: Theme) -> None:
        colours = self._colours_of_points(theme)
        ring = QPen(QColor(ring_colour(theme)), 1)
        for number, (x, y) in enumerate(self._points.tolist()):
            if x != x or y != y:
                continue
            is_selected = number == self.selection
            painter.setPen(QPen(QColor(theme.text), 2) if is_selected else ring)
            painter.setBrush(QColor(colours[number]))
            size = SELECTED_DOT if is_selected else DOT
            painter.drawEllipse(self.position_of(x, y), size, size)

    def _colours_of_points(self, theme: Theme) -> list[int]:
        if self._class_names:
            table = class_colours(len(self._class_names), theme)
            return [table[int(target) % len(table)] for target in self._targets.tolist()]
        values = self._targets if self._values is None else self._values[0]
        packed = scale_of(values).colours(self._targets.astype(np.float32), theme)
        return [int(one) & 0xFFFFFF for one in packed.tolist()]

    def _draw_axes(self, painter: QPainter, room: QRectF, theme: Theme) -> None:
        extent = self.extent
        painter.setFont(self._font)
        painter.setPen(QColor(theme.line))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(room)
        painter.setPen(QColor(theme.dim))
        line = self._metrics.height()
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        across = ticks(extent.left, extent.right, most=max(2, int(room.width() / px(80))))
        up = ticks(extent.bottom, extent.top, most=max(2, int(room.height() / px(48))))
        for value, text in zip(across, [localized(text) for text in format_ticks(across)], strict=True):
            x = self.position_of(value, extent.bottom).x()
            painter.drawText(QRectF(x - px(40), room.bottom() + GAP, px(80), line), Qt.AlignmentFlag.AlignCenter, text)
        for value, text in zip(up, [localized(text) for text in format_ticks(up)], strict=True):
            y = self.position_of(extent.left, value).y()
            painter.drawText(QRectF(0, y - line / 2, room.left() - GAP, line), right, text)
        name = QRectF(room.left(), room.bottom() + GAP + line, room.width(), line)
        painter.drawText(name, Qt.AlignmentFlag.AlignCenter, self.names[0])
        draw_upright(painter, QPointF(line / 2, room.center().y()), room.height(), self.names[1], self._metrics)

    def _room(self) -> QRectF:
        line = self._metrics.height()
        left = line + self._metrics.horizontalAdvance("−0.00") + 2 * GAP
        return QRectF(left, 8, max(1.0, self.width() - left - 8), max(1.0, self.height() - 16 - 2 * line))
