"""Rows of vectors as points in a plane, with a shape and a colour for each class."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPen, QPolygonF, QTransform

from lab.api import Vectors
from lab.widgets.core.i18n import number_text, tr
from lab.widgets.core.theme import INSIDE, themes
from lab.widgets.figures.export import Export
from lab.widgets.figures.points import PointsFigure
from lab.widgets.figures.view import FigureView
from lab.widgets.maps.map import SLIDE

POINTS = 2000
"""Most rows that are drawn as points."""
RADIUS = 3.0
"""Half the size of a point in pixels."""
PLUS = ((-0.4, -1), (0.4, -1), (0.4, -0.4), (1, -0.4), (1, 0.4), (0.4, 0.4), (0.4, 1), (-0.4, 1), (-0.4, 0.4),
        (-1, 0.4), (-1, -0.4), (-0.4, -0.4))  # fmt: skip
"""The corners of a plus sign."""
SHAPES = (
    (),
    ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
    ((0, -1.1), (1.1, 0.9), (-1.1, 0.9)),
    ((0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)),
    ((0, 1.1), (1.1, -0.9), (-1.1, -0.9)),
    PLUS,
    tuple(((x - y) * 0.8, (x + y) * 0.8) for x, y in PLUS),
)
"""The corners of the shapes of classes, in units of RADIUS; the first one is a circle. There are fewer than colours, so
that classes of one colour differ in their shape."""


class PointCloud(FigureView):
    """The rows of vectors as points in a plane, in the shapes and colours of their classes."""

    def __init__(self) -> None:
        super().__init__()
        self.setMinimumSize(200, 160)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._rows: Vectors | None = None

    def show_vectors(self, rows: Vectors) -> None:
        """Show rows of two features with classes, or of one feature with one number."""
        self._rows = rows
        x, y = _names(rows)
        self.setAccessibleName(tr("Points: {y} over {x}", x=x, y=y))
        self.note_change()
        self.update()

    def export(self, title: str) -> Export | None:
        """Return an export of the points with a title; None if there are none."""
        rows = self._rows
        if rows is None or not len(rows.inputs):
            return None
        copy = PointCloud()
        copy.show_vectors(rows)
        copy.resize(self.size().expandedTo(SLIDE))
        values, numbers = _points(rows)
        labels = [rows.classes[number] if rows.classes else "" for number in numbers.tolist()]
        figure = PointsFigure(title, *_names(rows), tr("row"), labels, values, classes=list(rows.classes))
        return Export(figure, copy.size(), copy._paint, INSIDE)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the points, the names of both axes, the classes, and the focus."""
        with QPainter(self) as painter:
            self._paint(painter)
            if self.hasFocus():
                painter.setPen(QPen(QColor(themes.now.accent), 1))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)

    def _paint(self, painter: QPainter) -> None:
        rows = self._rows
        if rows is None or not len(rows.inputs):
            return
        values, numbers = _points(rows)
        low, high = values.min(axis=0), values.max(axis=0)
        shares = (values - low) / np.maximum(high - low, 1e-12)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        line = painter.fontMetrics().height()
        room = QRectF(8, 2 * line, self.width() - 16, self.height() - 4 * line)
        for (x, y), number in zip(shares.tolist(), numbers.tolist(), strict=True):
            _draw_point(painter, QPointF(room.left() + x * room.width(), room.bottom() - y * room.height()), number)
        self._draw_texts(painter, rows, (low.tolist(), high.tolist()), line)

    def _draw_texts(self, painter: QPainter, rows: Vectors, ends: tuple[list[float], list[float]], line: int) -> None:
        """Draw the classes with their shapes at the top, and the ranges of both axes at the bottom."""
        left = 8.0
        for number, name in enumerate(rows.classes):
            _draw_point(painter, QPointF(left + RADIUS, line - painter.fontMetrics().xHeight() / 2), number)
            left += 4 * RADIUS
            painter.setPen(QColor(class_colour(number)))
            painter.drawText(QPointF(left, line), name)
            left += painter.fontMetrics().horizontalAdvance(name) + 16
        painter.setPen(QColor(themes.now.dim))
        shown = [
            tr("{name}: {low} to {high}", name=name, low=number_text(low, ".3g"), high=number_text(high, ".3g"))
            for name, low, high in zip(_names(rows), *ends, strict=True)
        ]
        text = tr("across {x} · up {y}", x=shown[0], y=shown[1])
        painter.drawText(QPointF(8, self.height() - line / 2), text)


def class_colour(number: int) -> str:
    """Return the colour of a class; colours repeat after the last one."""
    colours = themes.now.runs
    return colours[number % len(colours)]


@cache
def class_shape(number: int) -> QPainterPath:
    """Return the shape of a class around the origin; shapes repeat after the last one."""
    corners, shape = SHAPES[number % len(SHAPES)], QPainterPath()
    if corners:
        shape.addPolygon(QPolygonF([QPointF(x, y) for x, y in corners]))
        shape.closeSubpath()
    else:
        shape.addEllipse(QPointF(0, 0), 1, 1)
    return QTransform.fromScale(RADIUS, RADIUS).map(shape)


def _draw_point(painter: QPainter, at: QPointF, number: int) -> None:
    painter.fillPath(class_shape(number).translated(at), QColor(class_colour(number)))


def _names(rows: Vectors) -> tuple[str, str]:
    names = [*(rows.features or ["1", "2"]), *(() if rows.classes else rows.outputs or [tr("target")])]
    return names[0], names[1]


def _points(rows: Vectors) -> tuple[NDArray[np.floating], NDArray[np.integer]]:
    """Return x and y (N, 2) of the drawn rows, and their classes (N,); 0 without classes."""
    if rows.classes:
        return rows.inputs[:POINTS], rows.targets[:POINTS]
    values = np.concatenate([rows.inputs[:POINTS], rows.targets[:POINTS]], axis=1)
    return values, np.zeros(len(values), np.int64)
