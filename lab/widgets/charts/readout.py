"""The readout of a chart: a small box next to the pointer with the value of each line, the nearest first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from lab.base.charts.numbers import format_value
from lab.widgets.core.i18n import localized, tr
from lab.widgets.core.theme import interface_font, mixed, px, themes

ROW = 18
"""Pixels from one line of the box to the next."""
MOST = 10
"""The largest number of lines that the box lists."""
AWAY = 14
"""Pixels between the pointer and the box."""
RIM = 10
"""Pixels between the box's frame and its text."""


@dataclass(frozen=True)
class Value:
    """The value of a line at the crosshair.

    Args:
        name: The name of the line.
        colour: "#rrggbb".
        value: The value.
        note: A text before it, such as the position on another axis.
    """

    name: str
    colour: str
    value: float
    note: str = ""


def box_rect(pointer: QPointF, width: float, height: float, room: QRectF) -> QRectF:
    """Return the rectangle of a box inside an area; it does not cover the pointer unless the area is too small."""
    left, top = pointer.x() + AWAY, pointer.y() - height - AWAY
    if left + width > room.right():
        left = pointer.x() - AWAY - width
    covers = left < room.left()  # neither side is wide enough: above or below, then
    left = max(left, room.left())
    if covers:
        left = min(max(pointer.x() - width / 2, room.left()), room.right() - width)
        top = pointer.y() + AWAY if pointer.y() - AWAY - height < room.top() else pointer.y() - AWAY - height
    top = min(max(top, room.top()), max(room.top(), room.bottom() - height))
    return QRectF(left, top, width, height)


def paint_readout(
    painter: QPainter, pointer: QPointF, head: str, values: Sequence[Value], notes: Sequence[str], room: QRectF
) -> None:
    """Paint the box.

    Args:
        painter: The painter of the chart.
        pointer: The position of the mouse.
        head: The position on the x axis as text.
        values: The values of the lines, the nearest first.
        notes: The labels of flags at this position.
        room: The area for the box.
    """
    theme = themes.now
    font, strong = interface_font("note"), interface_font("note")
    strong.setWeight(QFont.Weight.DemiBold)
    metrics, strong_metrics = QFontMetricsF(font), QFontMetricsF(strong)
    rows = [(value.name, value.note, localized(format_value(value.value, 4)), value.colour) for value in values[:MOST]]
    below = list(notes)
    if len(values) > MOST:
        below.append(tr("and {count} more", count=len(values) - MOST))
    names = max((metrics.horizontalAdvance(name) for name, *_ in rows), default=0)
    marks = max((metrics.horizontalAdvance(note) + 16 for _, note, *_ in rows if note), default=0)
    numbers = max((strong_metrics.horizontalAdvance(number) for _, _, number, _ in rows), default=0)
    widest = max(metrics.horizontalAdvance(text) for text in (head, *below))
    width = min(max(16 + names + 16 + marks + numbers, widest) + 2 * RIM, room.width())
    height = 2 * RIM - 4 + px(ROW) * (1 + len(rows) + len(below))
    box = box_rect(pointer, width, height, room)

    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(QColor(mixed(theme.field, theme.card, 0.6)), 1))
    painter.setBrush(QColor(theme.card))
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
    line = QRectF(box.left() + RIM, box.top() + RIM - 2, width - 2 * RIM, px(ROW))
    across = Qt.AlignmentFlag.AlignVCenter
    painter.setFont(font)
    painter.setPen(QColor(theme.dim))
    painter.drawText(line, across, metrics.elidedText(head, Qt.TextElideMode.ElideRight, line.width()))
    for name, note, number, colour in rows:
        line.translate(0, px(ROW))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colour))
        painter.drawEllipse(QPointF(line.left() + 4, line.center().y()), 4, 4)
        painter.setPen(QColor(theme.text))
        painter.setFont(font)
        room_for_name = (
            line.width() - 16 - 12 - marks - (numbers if marks else strong_metrics.horizontalAdvance(number))
        )
        shown = metrics.elidedText(name, Qt.TextElideMode.ElideRight, room_for_name)
        painter.drawText(line.adjusted(16, 0, 0, 0), across, shown)
        painter.setPen(QColor(theme.dim))
        painter.drawText(line.adjusted(0, 0, -numbers - 16, 0), across | Qt.AlignmentFlag.AlignRight, note)
        painter.setPen(QColor(theme.text))
        painter.setFont(strong)
        painter.drawText(line, across | Qt.AlignmentFlag.AlignRight, number)
    painter.setFont(font)
    painter.setPen(QColor(theme.dim))
    for text in below:
        line.translate(0, px(ROW))
        painter.drawText(line, across, metrics.elidedText(text, Qt.TextElideMode.ElideRight, line.width()))
    painter.setBrush(Qt.BrushStyle.NoBrush)
