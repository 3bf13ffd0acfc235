"""A map whose cells are measured one by one: each is a button, and shows how far its measurement is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import Enum, auto
from functools import partial

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QWidget

from lab.widgets.core.theme import Theme
from lab.widgets.figures.export import Export
from lab.widgets.maps.layout import Needs
from lab.widgets.maps.map import MapView

APART = 4.0
"""Pixels between the first column and the others, where it is of another kind."""


def signed(value: float, decimals: int) -> str:
    """Return a number with its sign, a real minus: "+0.125", "−3.100"."""
    return f"{value:+.{decimals}f}".replace("-", "−")


def compact(value: float) -> str:
    """Return a number with its sign in four characters: "+.13", "−3.1", "+125"."""
    if abs(value) < 0.995:
        return signed(value, 2).replace("0.", ".", 1)
    return signed(value, 1 if abs(value) < 9.95 else 0)


FORMS = (partial(signed, decimals=3), partial(signed, decimals=2), compact)
"""The numbers in the cells, from the most exact on."""


class Mark(Enum):
    """The marks of cells without a number."""

    NONE = auto()
    """Nothing: there is nothing to measure, or the cell has its number."""
    OPEN = auto()
    """A frame: it can be measured."""
    WAITING = auto()
    """Three dots: it is measured after others."""
    RUNNING = auto()
    """A frame in the accent and three dots: it is being measured."""
    FAILED = auto()
    """A cross: it cannot be measured."""
    CANCELLED = auto()
    """A dash: it was cancelled before it was measured."""


class PartMap(MapView):
    """Changes of a number, one for each part of something, with its sign in its cell and in colours about zero."""

    activated = Signal(int, int)
    """(row, column) of the cell that the user clicked, or pressed Return or Space on."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._marks: Sequence[Sequence[Mark]] = ()
        self._notes: Sequence[Sequence[str]] = ()
        self._first_apart = False
        self._fitted: tuple[object, list[list[str]]] | None = None
        self.set_root(True)

    def set_cells(self, marks: Sequence[Sequence[Mark]], notes: Sequence[Sequence[str]], *, first_apart: bool) -> None:
        """Set what the cells show beside their numbers; called after `set_map` with as many rows and columns.

        Args:
            marks: R rows of C marks.
            notes: R rows of C sentences: what is known of each cell.
            first_apart: Whether the first column is of another kind than the others.
        """
        self._marks, self._notes, self._first_apart = marks, notes, first_apart
        self._fitted = None
        row, column = self.selection
        self.setAccessibleDescription(notes[row][column] if row >= 0 and column >= 0 else "")
        self.update()

    def text_at(self, row: int, column: int) -> str:
        """Return what is known of a cell."""
        return self._notes[row][column] if self._notes else super().text_at(row, column)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select the cell under the mouse and activate it."""
        super().mousePressEvent(event)
        cell = self.cell_at(event.position())
        if cell is not None and event.button() == Qt.MouseButton.LeftButton:
            self.activated.emit(*cell)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Activate the selected cell with Return or Space, or select another one."""
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) or event.isAutoRepeat():
            super().keyPressEvent(event)
        elif min(self.selection) >= 0:
            self.activated.emit(*self.selection)

    def export(self, title: str) -> Export | None:
        """Return the map without selection, under a title; None where no cell has a number."""
        if not np.isfinite(self._values).any():
            return None
        return super().export(title)

    def _empty_copy(self) -> PartMap:
        made = PartMap()
        made._marks, made._notes, made._first_apart = self._marks, self._notes, self._first_apart
        return made

    # What is drawn

    def _paint(self, painter: QPainter) -> None:
        if not self._values.size:
            return
        self._texts = self._fitting_texts(), False
        super()._paint(painter)

    def _draw_cells(self, painter: QPainter, cells: QRectF, theme: Theme) -> None:
        """Draw gaps between the cells, so that they stand as buttons, and the mark of each."""
        rows, columns = self._values.shape
        painter.setPen(QPen(QColor(theme.panel), 2))
        for row in range(rows + 1):
            y = cells.top() + row * cells.height() / rows
            painter.drawLine(QPointF(cells.left(), y), QPointF(cells.right(), y))
        for column in range(columns + 1):
            x = cells.left() + column * cells.width() / columns
            painter.setPen(QPen(QColor(theme.panel), APART if self._first_apart and column == 1 else 2))
            painter.drawLine(QPointF(x, cells.top()), QPointF(x, cells.bottom()))
        for row, marks in enumerate(self._marks):
            for column, mark in enumerate(marks):
                if mark is not Mark.NONE:
                    draw_mark(painter, self._inside(row, column), mark, theme)

    def _inside(self, row: int, column: int) -> QRectF:
        """Return the rectangle of a cell inside the gaps."""
        rect = self.rect_of(row, column).adjusted(2, 2, -2, -2)
        apart = APART / 2 - 1 if self._first_apart else 0.0
        return rect.adjusted(apart if column == 1 else 0.0, 0, -apart if column == 0 else 0.0, 0)

    def _needs(self, height: float, width: float) -> Needs:
        """Leave the colour bar out as long as there is no number."""
        needs = super()._needs(height, width)
        return needs if np.isfinite(self._values).any() else replace(needs, scale_label=0.0)

    def _outlines(self, row: int, column: int, cells: QRectF, theme: Theme) -> list[tuple[QRectF, str, float]]:
        """Outline the selected cell alone."""
        found = [(self._inside(row, column), theme.text, 2.0)] if row >= 0 and column >= 0 else []
        return [*found, *([(cells.adjusted(-3, -3, 3, 3), theme.accent, 1.0)] if self.hasFocus() else [])]

    def _fitting_texts(self) -> list[list[str]]:
        """Return the numbers of the cells in the first of FORMS for which all of them have room."""
        wide = self._frame().cells.width() / self._values.shape[1] - (APART / 2 + 1 if self._first_apart else 2) - 1
        if self._fitted is None or self._fitted[0] != wide:
            self._fitted = wide, []
            for form in FORMS:
                texts = [["" if value != value else form(value) for value in row] for row in self._values.tolist()]
                longest = max((text for row in texts for text in row), key=len)
                if self._token_metrics.horizontalAdvance(longest) <= wide:
                    self._fitted = wide, texts
                    break
        return self._fitted[1]


def draw_mark(painter: QPainter, cell: QRectF, mark: Mark, theme: Theme) -> None:
    """Draw the mark of a cell without a number.

    Args:
        painter: Of the map.
        cell: Where the cell is.
        mark: What it shows.
        theme: Its colours.
    """
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(theme.accent if mark is Mark.RUNNING else theme.field), 1))
    painter.drawRoundedRect(cell.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
    middle, half = cell.center(), max(2.0, min(5.0, cell.width() / 4, cell.height() / 4))
    colour = QColor({Mark.RUNNING: theme.accent, Mark.FAILED: theme.bad}.get(mark, theme.dim))
    painter.setPen(QPen(colour, 1.6, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    across, down = QPointF(half, 0), QPointF(0, half)
    match mark:
        case Mark.FAILED:
            painter.drawLine(middle - across - down, middle + across + down)
            painter.drawLine(middle - across + down, middle + across - down)
        case Mark.CANCELLED:
            painter.drawLine(middle - across, middle + across)
        case Mark.WAITING | Mark.RUNNING:
            painter.setBrush(colour)
            for at in (-1, 0, 1):
                painter.drawEllipse(middle + across * at, 1, 1)
    painter.restore()
