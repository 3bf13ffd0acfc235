"""Parallel coordinates: each run is a line through the axes of its settings and its loss; a drag on an axis selects."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QPolygonF

from lab.shell.compare.many.coordinates import Coordinate, selected
from lab.widgets.core.fonts import Font, Metrics
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import INSIDE, Theme, mixed, px, themes
from lab.widgets.figures.chart import Axis, ChartFigure, FigureLine
from lab.widgets.figures.export import Export
from lab.widgets.figures.view import FigureView
from lab.widgets.maps.colours import Scale
from lab.widgets.maps.map import SLIDE

REACH = 14.0
"""The largest distance in pixels at which the mouse takes an axis."""
LEAST = 0.02
"""A shorter drag, as a share of an axis, is a click, which clears its range."""
BRUSH = 10.0
"""Pixels of the width of a range."""
SIDE = 48
"""Pixels left and right of the axes."""
STEP = 0.05
"""Share of an axis by which a key moves the upper end of a range."""
PAUSE = 40
"""Milliseconds between two changes that a drag reports."""


class ParallelCoordinates(FigureView):
    """Runs as lines through axes; the last axis colours them.

    Attributes:
        ranges: The selected ranges, from 0 to 1, by the path of an axis.
    """

    brushed = Signal()
    """The ranges changed; while one is dragged, emitted every PAUSE milliseconds at most."""
    _font = Font("note")
    _metrics = Metrics("note")

    def __init__(self) -> None:
        super().__init__()
        self.ranges: dict[str, tuple[float, float]] = {}
        self._coordinates: list[Coordinate] = []
        self._names: list[str] = []
        self._drag: tuple[Coordinate, float] | None = None
        self._focused = 0
        self._lines: QPixmap | None = None  # the lines as they were painted last; None after runs or ranges changed
        self._lines_of: tuple[object, ...] = ()  # the size, resolution and theme of these
        self._dragged = QTimer(self, singleShot=True, interval=PAUSE)
        self._dragged.timeout.connect(self.brushed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(160, 120)
        self.setAccessibleName(tr("Runs as lines through parallel axes"))
        self.setToolTip(tr("Drag along an axis to select runs; click on it to clear that range."))

    def show_runs(self, coordinates: Sequence[Coordinate], names: Sequence[str]) -> None:
        """Show runs; ranges of axes that are still there stay.

        Args:
            coordinates: The axes; the last one is the loss.
            names: The names of the runs.
        """
        self._coordinates, self._names = list(coordinates), list(names)
        paths = {each.path for each in coordinates}
        self.ranges = {path: ends for path, ends in self.ranges.items() if path in paths}
        self._focused = min(self._focused, max(0, len(self._coordinates) - 1))
        self._repaint_lines()
        self.note_change()

    @property
    def selected(self) -> NDArray[np.bool_]:
        """Whether each run lies in all ranges, (N,)."""
        return selected(self._coordinates, self.ranges)

    def clear(self) -> None:
        """Select all runs."""
        if self.ranges:
            self.ranges = {}
            self._note_brushed()

    def export(self, title: str) -> Export | None:
        """Return an export of the lines with a title; None if there are none."""
        if not self._coordinates or not self._names:
            return None
        scale, colours = self._colours()
        del scale
        inside, lines = self.selected, []
        positions = np.array([each.positions for each in self._coordinates])  # (axes, runs)
        for number, name in enumerate(self._names):
            points = np.column_stack([np.arange(len(positions)), positions[:, number]])
            colour = QColor(colours[number] & 0xFFFFFF).name() if inside[number] else "#d0d0d0"
            lines.append(FigureLine(name, "", colour, 1.2 if inside[number] else 0.6, (), points))
        titles = [(float(at), self._caption(each)) for at, each in enumerate(self._coordinates)]
        across = Axis("", -0.2, len(titles) - 0.8, False, titles)
        up = Axis(tr("share of the range of each axis"), -0.02, 1.02, False, [(0.0, "0"), (0.5, "0.5"), (1.0, "1")])
        lines.sort(key=lambda line: line.width)
        size = self.size().expandedTo(SLIDE)
        return Export(ChartFigure(title, across, up, lines), size, partial(self._paint_in, size), INSIDE)

    def _caption(self, each: Coordinate) -> str:
        ends = [label for _, label in each.ticks]
        return each.title if not ends else f"{each.title}\n{ends[0]} – {ends[-1]}" if len(ends) > 1 else each.title

    # Input

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a range on the axis under the mouse."""
        each = self._axis_at(event.position())
        if each is not None and event.button() == Qt.MouseButton.LeftButton:
            self._focused = self._coordinates.index(each)
            self._drag = each, self._share(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Extend the range."""
        if self._drag is not None:
            each, start = self._drag
            now = self._share(event.position())
            if abs(now - start) >= LEAST:
                self._set_range(each.path, min(start, now), max(start, now), soon=True)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End the range; a click clears it."""
        if self._drag is not None:
            each, start = self._drag
            self._drag = None
            is_click = abs(self._share(event.position()) - start) < LEAST
            if (is_click and self.ranges.pop(each.path, None) is not None) or self._dragged.isActive():
                self._note_brushed()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Select with keys: left and right pick an axis, up and down move the upper end, Escape clears all ranges."""
        key = Qt.Key(event.key())
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Right) and self._coordinates:
            step = 1 if key == Qt.Key.Key_Right else -1
            self._focused = min(max(self._focused + step, 0), len(self._coordinates) - 1)
            self.setAccessibleDescription(self._coordinates[self._focused].title)
            self.update()
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down) and self._coordinates:
            path = self._coordinates[self._focused].path
            low, high = self.ranges.get(path, (0.0, 1.0))
            high = min(1.0, max(low, high + (STEP if key == Qt.Key.Key_Up else -STEP)))
            self._set_range(path, low, high)
        elif key == Qt.Key.Key_Escape and self.ranges:
            self.clear()
        else:
            super().keyPressEvent(event)

    def _set_range(self, path: str, low: float, high: float, *, soon: bool = False) -> None:
        """Select a range of an axis; report it at once, or soon together with what follows."""
        self.ranges[path] = max(0.0, low), min(1.0, high)
        if not soon:
            self._note_brushed()
            return
        self._repaint_lines()
        if not self._dragged.isActive():
            self._dragged.start()

    def _note_brushed(self) -> None:
        self._dragged.stop()
        self._repaint_lines()
        self.brushed.emit()

    def _repaint_lines(self) -> None:
        self._lines = None
        self.update()

    def _axis_at(self, at: QPointF) -> Coordinate | None:
        room = self._room(self.size())
        distances = [(abs(self._x(number, room) - at.x()), number) for number in range(len(self._coordinates))]
        distance, number = min(distances, default=(REACH + 1, 0))
        return self._coordinates[number] if distance <= px(REACH) else None

    def _share(self, at: QPointF) -> float:
        room = self._room(self.size())
        return min(1.0, max(0.0, (room.bottom() - at.y()) / room.height()))

    # Painting

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the lines, as they were painted last unless something changed, and the axes."""
        if not self._coordinates:
            return
        ratio, theme = self.devicePixelRatioF(), themes.now
        state = (self.size(), ratio, theme.name, self._metrics.height())
        if self._lines is None or self._lines_of != state:
            self._lines, self._lines_of = QPixmap(self.size() * ratio), state
            self._lines.setDevicePixelRatio(ratio)
            self._lines.fill(Qt.GlobalColor.transparent)
            with QPainter(self._lines) as painter:
                self._draw_lines(self.size(), painter)
        with QPainter(self) as painter:
            painter.drawPixmap(0, 0, self._lines)
            self._draw_axes(self.size(), painter)

    def _paint_in(self, size: QSize, painter: QPainter) -> None:
        self._draw_lines(size, painter)
        self._draw_axes(size, painter)

    def _draw_lines(self, size: QSize, painter: QPainter) -> None:
        theme, room = themes.now, self._room(size)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        positions = np.array([each.positions for each in self._coordinates])
        across = [self._x(number, room) for number in range(len(positions))]
        down = room.bottom() - positions * room.height()  # (axes, runs)
        inside, (_, colours) = self.selected, self._colours()
        dimmed = QColor(mixed(theme.dim, theme.panel, 0.25))
        for number in np.argsort(inside, kind="stable").tolist():  # the selected ones on top
            colour = QColor(colours[number] & 0xFFFFFF) if inside[number] else dimmed
            painter.setPen(QPen(colour, 1.0))  # Qt strokes a wider pen much more slowly
            pairs = zip(across, down[:, number].tolist(), strict=True)
            painter.drawPolyline(QPolygonF([QPointF(x, y) for x, y in pairs if y == y]))

    def _draw_axes(self, size: QSize, painter: QPainter) -> None:
        theme, room = themes.now, self._room(size)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for number, each in enumerate(self._coordinates):
            focused = self.hasFocus() and number == self._focused
            self._draw_axis(painter, each, self._x(number, room), room, theme, focused=focused)

    def _draw_axis(
        self, painter: QPainter, each: Coordinate, x: float, room: QRectF, theme: Theme, *, focused: bool
    ) -> None:
        painter.setPen(QPen(QColor(theme.accent if focused else theme.dim), 2 if focused else 1))
        painter.drawLine(QPointF(x, room.top()), QPointF(x, room.bottom()))
        if each.path in self.ranges:
            low, high = self.ranges[each.path]
            painter.setPen(QPen(QColor(theme.accent), 1))
            fill = QColor(theme.accent)
            fill.setAlphaF(0.25)
            painter.setBrush(fill)
            top = room.bottom() - high * room.height()
            painter.drawRect(QRectF(x - BRUSH / 2, top, BRUSH, (high - low) * room.height()))
            painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setFont(self._font)
        line, width = self._metrics.height(), room.width() / max(1, len(self._coordinates) - 1)
        painter.setPen(QColor(theme.text))
        title = self._metrics.elidedText(each.title, Qt.TextElideMode.ElideRight, int(width) - 4)
        left = min(
            max(x - width / 2, 2.0), max(2.0, room.right() + px(SIDE) - width - 2)
        )  # inside the view at both ends
        side = {0: Qt.AlignmentFlag.AlignLeft, len(self._coordinates) - 1: Qt.AlignmentFlag.AlignRight}
        aligned = side.get(self._coordinates.index(each), Qt.AlignmentFlag.AlignHCenter)
        painter.drawText(QRectF(left, 0, width, line), aligned | Qt.AlignmentFlag.AlignVCenter, title)
        painter.setPen(QColor(theme.dim))
        for share, label in each.ticks:
            y = room.bottom() - share * room.height()
            text = self._metrics.elidedText(label, Qt.TextElideMode.ElideRight, int(width) - 12)
            painter.drawLine(QPointF(x - 3, y), QPointF(x + 3, y))
            is_last = each is self._coordinates[-1] and len(self._coordinates) > 1
            box = (
                QRectF(x - width - 6, y - line / 2, width, line)
                if is_last
                else QRectF(x + 6, y - line / 2, width, line)
            )
            towards = Qt.AlignmentFlag.AlignRight if is_last else Qt.AlignmentFlag.AlignLeft
            painter.drawText(box, towards | Qt.AlignmentFlag.AlignVCenter, text)

    def _colours(self) -> tuple[Scale, list[int]]:
        """Return the colour of each run by the position on the last axis."""
        scale = Scale(0.0, 1.0)
        last = np.nan_to_num(self._coordinates[-1].positions, nan=1.0).astype(np.float32)
        found: list[int] = scale.colours(last, themes.now).tolist()
        return scale, found

    def _x(self, number: int, room: QRectF) -> float:
        return room.left() + room.width() * (number / max(1, len(self._coordinates) - 1))

    def _room(self, size: QSize) -> QRectF:
        line = self._metrics.height()
        side = px(SIDE)
        return QRectF(side, line + 8, max(1.0, size.width() - 2 * side), max(1.0, size.height() - 2 * line - 12))
