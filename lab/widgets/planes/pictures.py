"""Small pictures in a grid: the weights of units on images, or what units hand on over a plane."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QEvent, QRectF, Qt
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from lab.widgets.core.fonts import Font, Metrics
from lab.widgets.core.i18n import tr, tr_n
from lab.widgets.core.theme import INSIDE, px, themes
from lab.widgets.figures.export import Export
from lab.widgets.figures.map import MapFigure
from lab.widgets.figures.view import FigureView
from lab.widgets.maps.colours import Numbers, Scale, figure, pictures, scale_of
from lab.widgets.maps.map import SLIDE

SPACE = 4
"""Pixels between two pictures."""
MOST = 160
"""Largest side of a picture in pixels."""
LEAST = 12
"""Smallest side of a picture in pixels."""
NAMED = 40
"""Side in pixels from which the number of a picture is written in it, if there are several."""


class Pictures(FigureView):
    """Pictures (N, R, C) on one scale, as large as the widget allows; one is selected by a click or the arrow keys."""

    _font, _metrics = Font("note"), Metrics("note")

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.selection = 0
        self._values: Numbers = np.zeros((0, 1, 1), np.float32)
        self._labels: tuple[str, ...] = ()
        self._unit = ""
        self._scale = Scale(0.0, 1.0)
        self._images: tuple[str, list[object]] | None = None
        self._hovered = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setMinimumSize(120, 96)
        self.setAccessibleName(tr("Pictures"))

    def set_pictures(
        self, values: Numbers, labels: tuple[str, ...], unit: str = "", levels: tuple[float, float] | None = None
    ) -> None:
        """Show other pictures.

        Args:
            values: (N, R, C).
            labels: The name of each.
            unit: The unit of the values.
            levels: Values of the first and last colour; None for those of the values.
        """
        self._values, self._labels, self._unit = values, labels, unit
        self._scale = scale_of(values, levels=levels)
        self._images = None
        self.selection = max(0, min(self.selection, len(values) - 1))
        self.setAccessibleName(tr_n("1 picture", "{n} pictures", len(values)))
        self.note_change()
        self.update()

    def text_at(self, number: int) -> str:
        """Return the text of a picture: its name, and its least and greatest value."""
        values = self._values[number]
        finite = values[np.isfinite(values)]
        low, high = (float(finite.min()), float(finite.max())) if finite.size else (math.nan, math.nan)
        return tr("{name}: {low} to {high}", name=self._labels[number], low=figure(low), high=figure(high))

    def export(self, title: str) -> Export | None:
        """Return an export of the pictures; its table holds the selected one."""
        if not len(self._values):
            return None
        copy = Pictures()
        copy.set_pictures(self._values, self._labels, self._unit)
        copy.selection = self.selection
        copy.resize(self.size().expandedTo(SLIDE))
        values = self._values[self.selection]
        rows, columns = ([str(number + 1) for number in range(size)] for size in values.shape)
        titled = " · ".join(filter(None, (title, self._labels[self.selection])))
        scale = self._scale
        drawn = MapFigure(titled, "y", "x", self._unit, rows, columns, scale.low, scale.high, scale.signed,
                          root=False, square=True, values=values)  # fmt: skip
        return Export(drawn, copy.size(), copy._paint, INSIDE)

    def rect_of(self, number: int) -> QRectF:
        """Return the rectangle of a picture."""
        columns, side, shape = self._grid()
        row, column = divmod(number, columns)
        wide, high = side * shape, side
        return QRectF(column * (wide + SPACE), row * (high + SPACE), wide, high)

    def _grid(self) -> tuple[int, float, float]:
        """Return columns, height of a picture, and its width by its height."""
        count = max(1, len(self._values))
        shape = self._values.shape[2] / max(1, self._values.shape[1])
        best = (1, float(LEAST))
        room = self.height() - self._metrics.height() - SPACE
        for columns in range(1, count + 1):
            rows = math.ceil(count / columns)
            side = min((self.width() / columns - SPACE) / shape, room / rows - SPACE, px(MOST))
            if side > best[1]:
                best = (columns, side)
        return best[0], best[1], shape

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select the picture under the mouse."""
        for number in range(len(self._values)):
            if self.rect_of(number).contains(event.position()):
                self._select(number)
                return

    def leaveEvent(self, event: QEvent) -> None:
        """Show the selected picture again."""
        super().leaveEvent(event)
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Select a neighbour."""
        keys, columns = Qt.Key, self._grid()[0]
        steps = {keys.Key_Left: -1, keys.Key_Right: 1, keys.Key_Up: -columns, keys.Key_Down: columns}
        step = steps.get(keys(event.key()))
        if step is not None and 0 <= self.selection + step < len(self._values):
            self._select(self.selection + step)
        else:
            super().keyPressEvent(event)

    def _select(self, number: int) -> None:
        self.selection = number
        self.setAccessibleDescription(self.text_at(number))
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the pictures, and the text of the selected one."""
        with QPainter(self) as painter:
            self._paint(painter)

    def _paint(self, painter: QPainter) -> None:
        if not len(self._values):
            return
        theme = themes.now
        if self._images is None or self._images[0] != theme.name:
            values = np.ascontiguousarray(self._values, np.float32)
            self._images = theme.name, list(pictures(values, self._scale, theme))
        painter.setFont(self._font)
        side = self._grid()[1]
        for number, image in enumerate(self._images[1]):
            rect = self.rect_of(number)
            painter.drawImage(rect, image)  # type: ignore[call-overload]
            is_selected = number == self.selection
            painter.setPen(QPen(QColor(theme.text if is_selected else theme.line), 2 if is_selected else 1))
            painter.drawRect(rect)
            if side >= px(NAMED) and len(self._values) > 1:
                painter.setPen(QColor(theme.dim))
                inside = rect.adjusted(4, 2, -4, -2)
                painter.drawText(inside, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft, str(number + 1))
        line = self._metrics.height()
        painter.setPen(QColor(theme.dim))
        below = QRectF(0, self.height() - line, self.width(), line)
        painter.drawText(below, Qt.AlignmentFlag.AlignLeft, self.text_at(self.selection))
