"""Points in a plane: the tokens of a text at coordinates of a model, connected and coloured in their order."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from lab.base.charts.ticks import format_ticks, ticks
from lab.widgets.core.fonts import Font, Metrics
from lab.widgets.core.i18n import localized, tr
from lab.widgets.core.theme import INSIDE, Theme, mixed, px, themes
from lab.widgets.figures.export import Export
from lab.widgets.figures.points import PointsFigure
from lab.widgets.figures.view import FigureView
from lab.widgets.maps.colours import Numbers, Scale, figure, picture
from lab.widgets.maps.layout import GAP, NameLabel, draw_upright, name_of
from lab.widgets.maps.map import SLIDE
from lab.widgets.maps.margins import draw_note

DOT, SELECTED_DOT = 3.0, 5.5
"""Radius of a point, and of the selected one, in pixels."""
REACH = 12.0
"""The largest distance in pixels at which the mouse hits a point."""
BAR, LAST = 10.0, 32.0
"""Widths in pixels: of the colour bar, and of the numbers of the first and the last token next to it."""


class Points(FigureView):
    """A view of points in a plane, one for each token; a click or the arrow keys select one."""

    selected = Signal(int)
    """The index of the point that the user selected."""
    _token_font, _font = Font("note", tokens=True), Font("note")
    _token_metrics, _metrics = Metrics("note", tokens=True), Metrics("note")

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.scale = Scale(0.0, 1.0)
        self.selection = -1
        self._points: Numbers = np.zeros((0, 2), np.float32)
        self._labels: Sequence[str] = ()
        self._names = ("", "")
        self._hovered: int | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(120, 96)
        self.setAccessibleName(tr("Points"))

    def set_points(self, points: Numbers, labels: Sequence[str], x_name: str, y_name: str) -> None:
        """Show other points; the selected one stays selected if it still exists.

        Args:
            points: (N, 2) x and y; points that are not finite are not drawn.
            labels: N tokens, in the order of the text.
            x_name: Name of the horizontal axis.
            y_name: Name of the vertical axis.
        """
        self._points, self._labels, self._names = points, labels, (x_name, y_name)
        self.scale = Scale(0.0, float(max(1, len(points) - 1)))
        self.selection = min(self.selection, len(points) - 1)
        self._hovered = None
        self.setAccessibleName(tr("Points: {y} over {x}", x=x_name, y=y_name))
        self.update()

    def select(self, number: int) -> None:
        """Select a point without emitting a signal; −1 for none."""
        self.selection = number
        self.update()

    def text_at(self, number: int) -> str:
        """Return the text of a point: its token and its coordinates."""
        x, y = self._points[number].tolist()
        name = name_of(tr("token"), self._labels, number)
        return f"{name} · {figure(x)}, {figure(y)}"

    def position_of(self, number: int) -> QPointF:
        """Return the position of a point, in pixels of the widget."""
        room, (low, high) = self._room(), self._ends()
        share = (self._points[number] - low) / (high - low)
        return QPointF(room.left() + float(share[0]) * room.width(), room.bottom() - float(share[1]) * room.height())

    def export(self, title: str) -> Export | None:
        """Return an export of the points with a title; None if there are none."""
        if not self._known():
            return None
        copy = Points()
        copy.set_points(self._points, self._labels, *self._names)
        copy.resize(self.size().expandedTo(SLIDE))
        order = tr("position in the text")
        figure = PointsFigure(title, *self._names, order, list(map(str, self._labels)), self._points)
        return Export(figure, copy.size(), copy._paint, INSIDE)

    # Input

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show the text of the point under the mouse."""
        self._hover(self._near(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        """Hide the note."""
        super().leaveEvent(event)
        self._hover(None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select the point under the mouse."""
        near = self._near(event.position())
        if near is not None and event.button() == Qt.MouseButton.LeftButton:
            self.select(near)
            self.selected.emit(near)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Select the previous or next token, and show its text."""
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if step is None or not len(self._points):
            super().keyPressEvent(event)
            return
        number = min(max(self.selection + step, 0), len(self._points) - 1)
        self.select(number)
        self._hover(number)
        self.setAccessibleDescription(self.text_at(number))
        self.selected.emit(number)

    def _hover(self, number: int | None) -> None:
        if number != self._hovered:
            self._hovered = number
            self.update()

    def _near(self, at: QPointF) -> int | None:
        distances = [((self.position_of(number) - at).manhattanLength(), number) for number in self._known()]
        distance, number = min(distances, default=(REACH + 1, 0))
        return number if distance <= REACH else None

    # Painting

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint points, their path, axes and the colour bar."""
        with QPainter(self) as painter:
            self._paint(painter)

    def _paint(self, painter: QPainter) -> None:
        known = self._known()
        if not known:
            return
        theme, room = themes.now, self._room()
        self._draw_axes(painter, room, theme)
        self._draw_bar(painter, room, theme)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        positions = {number: self.position_of(number) for number in known}
        self._draw_path(painter, positions, theme)
        colours = self.scale.colours(np.arange(len(self._points), dtype=np.float32), theme).tolist()
        for number, position in positions.items():
            is_selected = number == self.selection
            painter.setPen(QPen(QColor(theme.text), 2) if is_selected else QPen(QColor(theme.panel), 1))
            painter.setBrush(QColor(colours[number] & 0xFFFFFF))
            painter.drawEllipse(position, SELECTED_DOT if is_selected else DOT, SELECTED_DOT if is_selected else DOT)
        self._draw_labels(painter, positions, room, theme)
        if self._hovered in positions:
            around = QRectF(-6, -6, 12, 12).translated(positions[self._hovered])
            draw_note(painter, around, self.text_at(self._hovered), theme, self._token_metrics)

    def _draw_path(self, painter: QPainter, positions: dict[int, QPointF], theme: Theme) -> None:
        """Connect the points in their order."""
        painter.setPen(QPen(QColor(mixed(theme.dim, theme.panel, 0.45)), 1))
        painter.drawPolyline(QPolygonF(list(positions.values())))

    def _draw_labels(self, painter: QPainter, positions: dict[int, QPointF], room: QRectF, theme: Theme) -> None:
        """Label the selected point, and others where there is space."""
        painter.setFont(self._token_font)
        line = self._token_metrics.height()
        taken = [QRectF(-3, -3, 6, 6).translated(position) for position in positions.values()]
        for number in sorted(positions, key=lambda number: (number != self.selection, number)):
            label, position = self._labels[number], positions[number]
            box = QRectF(
                position.x() + 5, position.y() - line - 2, self._token_metrics.horizontalAdvance(label) + 2, line
            )
            free = room.contains(box) and not any(box.intersects(other) for other in taken)
            if free or (number == self.selection and box.right() <= self.width()):
                painter.setPen(QColor(theme.text if number == self.selection else theme.dim))
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, label)
                taken.append(box)

    def _draw_axes(self, painter: QPainter, room: QRectF, theme: Theme) -> None:
        low, high = self._ends()
        painter.setFont(self._font)
        line = self._metrics.height()
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        across = ticks(float(low[0]), float(high[0]), most=max(2, int(room.width() / px(80))))
        down = ticks(float(low[1]), float(high[1]), most=max(2, int(room.height() / px(48))))
        for value, text in zip(across, [localized(text) for text in format_ticks(across)], strict=True):
            x = round(room.left() + (value - low[0]) / (high[0] - low[0]) * room.width()) + 0.5
            painter.setPen(QColor(theme.line))
            painter.drawLine(QPointF(x, room.top()), QPointF(x, room.bottom()))
            painter.setPen(QColor(theme.dim))
            painter.drawText(QRectF(x - px(40), room.bottom() + GAP, px(80), line), Qt.AlignmentFlag.AlignCenter, text)
        for value, text in zip(down, [localized(text) for text in format_ticks(down)], strict=True):
            y = round(room.bottom() - (value - low[1]) / (high[1] - low[1]) * room.height()) + 0.5
            painter.setPen(QColor(theme.line))
            painter.drawLine(QPointF(room.left(), y), QPointF(room.right(), y))
            painter.setPen(QColor(theme.dim))
            painter.drawText(QRectF(0, y - line / 2, room.left() - GAP, line), right, text)
        name = QRectF(room.left(), room.bottom() + GAP + line, room.width(), line)
        painter.drawText(name, Qt.AlignmentFlag.AlignCenter, self._names[0])
        draw_upright(painter, QPointF(line / 2, room.center().y()), room.height(), self._names[1], self._metrics)

    def _draw_bar(self, painter: QPainter, room: QRectF, theme: Theme) -> None:
        """Draw the colour bar along the text."""
        bar = QRectF(room.right() + 3 * GAP, room.top(), BAR, room.height())
        ramp = np.linspace(0, 1, 64, dtype=np.float32)[:, None]
        painter.drawImage(bar, picture(ramp, Scale(0.0, 1.0), theme))
        painter.setPen(QColor(theme.dim))
        painter.setFont(self._font)
        line, flags = self._metrics.height(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        for top, number in ((bar.top() - line / 4, 1), (bar.bottom() - line * 3 / 4, len(self._points))):
            painter.drawText(QRectF(bar.right() + GAP, top, px(LAST), line), flags, str(number))
        painter.drawText(
            QRectF(bar.left() - px(30), bar.bottom() + GAP, px(80), line), Qt.AlignmentFlag.AlignCenter, tr("token")
        )

    def _known(self) -> list[int]:
        """Return the indices of the points with finite coordinates."""
        return np.flatnonzero(np.isfinite(self._points).all(axis=1)).tolist()

    def _ends(self) -> tuple[Numbers, Numbers]:
        """Return the least and the greatest visible values."""
        points = self._points[self._known()]
        low, high = points.min(axis=0).astype(float), points.max(axis=0).astype(float)
        margin = np.where(high > low, 0.06 * (high - low), np.maximum(np.abs(high), 1.0))
        return low - margin, high + margin

    def _room(self) -> QRectF:
        line = self._metrics.height()
        left = line + self._metrics.horizontalAdvance("−0.00") + 2 * GAP
        return QRectF(
            left, 8, max(1.0, self.width() - left - BAR - px(LAST) - 5 * GAP), max(1.0, self.height() - 16 - 2 * line)
        )


def axis_text(name: str, labels: Sequence[str], number: int) -> str:
    """Return the name of an axis that is one index of another: "component 1 · 42 %"."""
    return (
        f"{name} {number + 1} · {labels[number]}"
        if isinstance(labels[number], NameLabel)
        else f"{name} {labels[number]}"
    )
