"""A map of a plane, with a path over it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from lab.widgets.core.theme import Theme
from lab.widgets.maps.map import MapView

PathPoint = tuple[float, float, str]
"""Column and row, which may lie between cells, and a label or ""."""
DOT = 3.0
"""Radius of a point in pixels."""


class PlaneView(MapView):
    """A map with points that a line joins in their order."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.path: Sequence[PathPoint] = ()

    def set_path(self, path: Sequence[PathPoint]) -> None:
        """Draw these points and the line through them."""
        self.path = tuple(path)
        self.update()

    def position_of(self, point: PathPoint) -> QPointF:
        """Return where a point is, in pixels of the widget."""
        cells = self._frame().cells
        rows, columns = self._values.shape
        column, row, _ = point
        return QPointF(
            cells.left() + (column + 0.5) / columns * cells.width(),
            cells.top() + (row + 0.5) / rows * cells.height(),
        )

    def _path(self) -> Sequence[PathPoint]:
        return self.path

    def _empty_copy(self) -> MapView:
        copy = PlaneView()
        copy.set_path(self.path)
        return copy

    def _draw_cells(self, painter: QPainter, cells: QRectF, theme: Theme) -> None:
        if not self.path:
            return
        at = [self.position_of(point) for point in self.path]
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for colour, width in ((theme.panel, 4.0), (theme.text, 1.5)):
            painter.setPen(QPen(QColor(colour), width))
            painter.drawPolyline(QPolygonF(at))
        painter.setBrush(QColor(theme.text))
        painter.setPen(QPen(QColor(theme.panel), 1))
        for position in at:
            painter.drawEllipse(position, DOT, DOT)
        painter.setFont(self._font)
        labelled = [(position, point[2]) for position, point in zip(at, self.path, strict=True) if point[2]]
        taken: list[QRectF] = []
        for position, label in labelled[-1:] + labelled[:-1]:  # the last one is where the training is
            room = self._room_of(position, label, cells)
            if not any(room.intersects(other) for other in taken):
                taken.append(room)
                _draw_label(painter, room, label, theme)
        painter.restore()

    def _room_of(self, at: QPointF, label: str, cells: QRectF) -> QRectF:
        """Return the rectangle of a label beside a point, inside the map."""
        line, width = self._metrics.height(), self._metrics.horizontalAdvance(label) + 6
        left = at.x() + 6 if at.x() + 6 + width < cells.right() else at.x() - 6 - width
        top = min(max(cells.top(), at.y() - line), cells.bottom() - line)
        return QRectF(left, top, width, line)


def _draw_label(painter: QPainter, room: QRectF, label: str, theme: Theme) -> None:
    """Write a label on a ground of its own."""
    ground = QColor(theme.panel)
    ground.setAlphaF(0.8)
    painter.fillRect(room, ground)
    painter.setPen(QColor(theme.text))
    painter.drawText(room, Qt.AlignmentFlag.AlignCenter, label)
