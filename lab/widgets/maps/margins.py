"""The parts around and over the cells of a map: a bar for each row, texts, and the note at a cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import Theme, interface_font, px, token_font
from lab.widgets.maps.colours import Numbers, figure, ground_and_ink

FIGURE = 36
"""Pixels at the end of a row's bar for its value."""


@dataclass(frozen=True)
class RowBars:
    """A number for each row of a map, drawn as a bar next to it.

    Args:
        values: (R,) from 0 upwards.
        name: Their name.
        ideal: The value of a dashed line; None for none.
    """

    values: Numbers
    name: str
    ideal: float | None = None


def draw_row_bars(
    painter: QPainter, room: QRectF, bars: RowBars, selected: int, theme: Theme, metrics: QFontMetricsF
) -> None:
    """Draw the bars at the height of their rows.

    Args:
        painter: The painter of the map.
        room: Their rectangle; if it is empty, nothing is drawn.
        bars: The bars.
        selected: The row whose value is emphasised; −1 for none.
        theme: The theme.
        metrics: The metrics of the font of notes.
    """
    if room.isEmpty():
        return
    pitch, line = room.height() / len(bars.values), metrics.height()
    known = np.nan_to_num(bars.values, nan=0.0, posinf=0.0, neginf=0.0).clip(0)
    most = max(float(known.max()), bars.ideal or 0.0) or 1.0
    scale = (room.width() - px(FIGURE)) / most
    thick = max(1.0, min(pitch * 0.7, 22.0))
    decimals = 2 if most < 10 else 0
    painter.setFont(interface_font("note"))
    below = QRectF(room.left(), room.bottom() + 4, room.width(), line)
    if bars.ideal is not None:
        x = round(room.left() + bars.ideal * scale) + 0.5
        painter.setPen(QPen(QColor(theme.text), 1, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(x, room.top()), QPointF(x, room.bottom()))
        painter.setPen(QColor(theme.dim))
        texts = tr("even {share}", share=figure(bars.ideal))
        painter.drawText(below, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, texts)
        below.translate(0, line)
    for row, value in enumerate(known):
        middle = room.top() + (row + 0.5) * pitch
        painter.fillRect(QRectF(room.left(), middle - thick / 2, max(1.0, value * scale), thick), QColor(theme.runs[0]))
        if pitch >= line:
            texts = f"{value:.{decimals}f}"
            wide = metrics.horizontalAdvance(texts) + 4
            rect = QRectF(room.left() + value * scale + 2, middle - line / 2, wide, line)
            painter.fillRect(rect, QColor(theme.panel))
            painter.setPen(QColor(theme.text if row == selected else theme.dim))
            painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, texts)
    painter.setPen(QColor(theme.dim))
    name = metrics.elidedText(bars.name, Qt.TextElideMode.ElideRight, room.width())
    painter.drawText(below, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, name)


def draw_cell_texts(
    painter: QPainter,
    cells: QRectF,
    texts: Sequence[Sequence[str]],
    all_or_none: bool,
    colours: NDArray[np.uint32],
    theme: Theme,
    metrics: QFontMetricsF,
) -> None:
    """Write texts into the cells of a map that have space for them; long ones are elided.

    Args:
        painter: The painter of the map, with the font of tokens set.
        cells: The rectangle of the cells.
        texts: The texts of each row, one for each column.
        all_or_none: Whether no text is written if not all fit.
        colours: (R, C) colours of the cells, from lab.base.charts.maps.Scale.
        theme: The theme.
        metrics: The metrics of the font of tokens.
    """
    rows, columns = colours.shape
    high, wide = cells.height() / rows, cells.width() / columns
    least = metrics.horizontalAdvance("0")
    if high < metrics.height() - 2 or wide < least:
        return
    longest = max((text for row_texts in texts for text in row_texts), key=len, default="") if all_or_none else ""
    if metrics.horizontalAdvance(longest) + 4 > wide:
        return
    dim = QColor(theme.dim)
    for row, (row_texts, packed) in enumerate(zip(texts, colours.tolist(), strict=True)):
        for column, text in enumerate(row_texts):
            width = metrics.horizontalAdvance(text)
            if width > wide:
                text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, wide - 2) if wide > 3 * least else ""
            if text:
                painter.setPen(ground_and_ink(packed[column])[1] if packed[column] else dim)
                rect = QRectF(cells.left() + column * wide, cells.top() + row * high, wide, high)
                painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)


def draw_note(painter: QPainter, cell: QRectF, texts: str, theme: Theme, metrics: QFontMetricsF) -> None:
    """Outline a cell and draw a note next to it, inside the widget.

    Args:
        painter: The painter of the widget.
        cell: The rectangle of the cell.
        texts: The text of the note.
        theme: The theme.
        metrics: The metrics of the font of tokens.
    """
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(QColor(theme.panel), 3))
    painter.drawRect(cell)
    painter.setPen(QPen(QColor(theme.text), 1))
    painter.drawRect(cell)
    room = painter.window()
    box = QRectF(0, 0, metrics.horizontalAdvance(texts) + 16, metrics.height() + 8)
    box.moveBottomLeft(cell.topRight() + QPointF(6, -6))
    box.moveLeft(max(0.0, min(box.left(), room.width() - box.width() - 1)))
    if box.top() < 0:
        box.moveTop(min(cell.bottom() + 6, room.height() - box.height() - 1))
    painter.setPen(QPen(QColor(theme.field), 1))
    painter.setBrush(QColor(theme.card))
    painter.drawRoundedRect(box, 4, 4)
    painter.setPen(QColor(theme.text))
    painter.setFont(token_font("note"))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, texts)
