"""The annotations of a chart: names and last values in the right margin, floors, and flags at the top."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from lab.base.charts.flags import flag_labels
from lab.base.charts.layout import spread
from lab.base.charts.transform import Frame, axis_position
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import contrast, interface_font, mixed, px, themes

ROW = 17
"""Pixels from one label in the margin to the next."""
TICK = 10
"""Pixels of the margin in which a label is connected to its line."""
LAYERS = 3
"""Number of rows for the labels of flags."""
SHARE = 0.4
"""The largest share of the chart's width for the margin."""


@dataclass(frozen=True)
class Floor:
    """A line that a class of models cannot pass.

    Args:
        name: The label in the right margin.
        value: Its value on the y axis.
        explanation: Its meaning, the tool tip of the line.
    """

    name: str
    value: float
    explanation: str = ""


@dataclass(frozen=True)
class Flag:
    """An event.

    Args:
        x: Its value on the x axis.
        label: The text at the top of its vertical line.
    """

    x: float
    label: str


@dataclass(frozen=True)
class Label:
    """A name and a value in the right margin.

    Args:
        name: The name of a line or floor.
        value: The value as text.
        colour: "#rrggbb" of the line.
        at: Position on the y axis.
        end: Position on the x axis at which the line ends; None for a floor.
        explanation: Its meaning.
    """

    name: str
    value: str
    colour: str
    at: float
    end: float | None = None
    explanation: str = ""


def legible(colour: str) -> str:
    """Return the colour closest to this one that has a contrast of 4.5 to 1 on the chart's background."""
    theme = themes.now
    tries = (mixed(colour, theme.text, share / 10) for share in range(10, -1, -1))
    return next((tried for tried in tries if contrast(tried, theme.panel) >= 4.5), theme.text)


class Annotations:
    """The painter of the labels and flags of one chart."""

    def __init__(self) -> None:
        self.labels: list[Label] = []
        self.left_out: list[Label] = []
        """The labels for which there is no space; the last row counts them."""
        self._value_width = 0.0
        self.apply_theme()

    def apply_theme(self) -> None:
        """Update fonts and colours from the theme."""
        self._font = interface_font("note")
        self._strong = interface_font("note")
        self._strong.setWeight(QFont.Weight.DemiBold)
        self._metrics, self._strong_metrics = QFontMetricsF(self._font), QFontMetricsF(self._strong)
        self._inks: dict[str, QColor] = {}
        self._pens: dict[tuple[str, float], QPen] = {}

    def margin(self, labels: Sequence[Label], width: float, height: float) -> float:
        """Store the labels that fit, and return the pixels of margin they need.

        Args:
            labels: The labels, the most important ones first.
            width: Width of the chart.
            height: Height of the plot.
        """
        fitting = max(1, int(height / px(ROW)))
        if len(labels) > fitting > 1:
            fitting -= 1  # the last row counts the others
        self.labels, self.left_out = list(labels[:fitting]), list(labels[fitting:])
        if not self.labels:
            return 12
        self._value_width = max(self._strong_metrics.horizontalAdvance(label.value) for label in self.labels)
        names = max(self._metrics.horizontalAdvance(label.name) for label in self.labels)
        needed = TICK + 4 + names + 8 + self._value_width + 8
        return 4 * math.ceil(min(needed, max(SHARE * width, 60)) / 4)

    def _ink(self, colour: str) -> QColor:
        if colour not in self._inks:
            self._inks[colour] = QColor(legible(colour))
        return self._inks[colour]

    def _pen(self, colour: str, share: float, *dashes: float) -> QPen:
        """Return a cached pen of one pixel in a share of a colour over the background."""
        pen = self._pens.get((colour, share))
        if pen is None:
            pen = self._pens[colour, share] = QPen(QColor(mixed(colour, themes.now.panel, share)), 1)
            if dashes:
                pen.setDashPattern(dashes)
        return pen

    def paint_margin(self, painter: QPainter, frame: Frame, width: float) -> None:
        """Paint names and values at the right of the plot, each connected to the end of its line."""
        wanted, middles = self._rows(frame)
        left = frame.right + TICK + 4
        right = width - 8
        room = right - self._value_width - 8 - left
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for label, y, middle in zip(self.labels, wanted, middles, strict=True):
            floor = label.end is None
            ink = self._ink(themes.now.dim if floor else label.colour)
            if frame.y0 <= label.at <= frame.y1:
                self._join(painter, frame, label, y, middle)
            row = QRectF(left, middle - px(ROW) / 2, right - left, px(ROW))
            painter.setPen(ink)
            painter.setFont(self._font)
            name = self._metrics.elidedText(label.name, Qt.TextElideMode.ElideRight, room)
            painter.drawText(row, Qt.AlignmentFlag.AlignVCenter, name)
            painter.setFont(self._font if floor else self._strong)
            painter.drawText(row, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, label.value)
        if self.left_out:
            painter.setPen(self._ink(themes.now.dim))
            painter.setFont(self._font)
            row = QRectF(left, frame.bottom - px(ROW) / 2, right - left, px(ROW))
            painter.drawText(row, Qt.AlignmentFlag.AlignVCenter, self.more)

    @property
    def more(self) -> str:
        """The number of labels that are left out, as text; "" for none."""
        return tr("+{n} more", n=len(self.left_out)) if self.left_out else ""

    def _rows(self, frame: Frame) -> tuple[list[float], list[float]]:
        """Return the wanted pixel of each label, and the middle of its row."""
        wanted = [min(max(frame.down(label.at), frame.top), frame.bottom) for label in self.labels]
        bottom = frame.bottom + px(ROW) / (-2 if self.left_out else 2)
        return wanted, spread(wanted, px(ROW), frame.top - px(ROW) / 2, bottom)

    def explanation_at(self, frame: Frame, x: float, y: float) -> str:
        """Return the explanation of the label or floor at a pixel of the chart; "" if there is none."""
        if self.left_out and x > frame.right and abs(y - frame.bottom) <= px(ROW) / 2:
            return "\n".join(f"{label.name} {label.value}" for label in self.left_out)
        wanted, middles = self._rows(frame)
        rows = middles if x > frame.right else wanted
        near = [
            (abs(at - y), label.explanation) for at, label in zip(rows, self.labels, strict=True) if label.end is None
        ]
        distance, text = min(near, default=(px(ROW), ""))
        return text if distance <= (px(ROW) / 2 if x > frame.right else 4) else ""

    def _join(self, painter: QPainter, frame: Frame, label: Label, y: float, middle: float) -> None:
        colour = themes.now.dim if label.end is None else label.colour
        painter.setPen(self._pen(colour, 0.6))
        path = [QPointF(frame.right + 2, y), QPointF(frame.right + 4, y), QPointF(frame.right + TICK, middle)]
        painter.drawPolyline(path)
        start = frame.right if label.end is None else frame.across(label.end) + 5
        if frame.left <= start < frame.right - 4:
            painter.setPen(self._pen(colour, 0.45, 1, 3))
            painter.drawLine(QPointF(start, round(y) + 0.5), QPointF(frame.right, round(y) + 0.5))

    def paint_floors(self, painter: QPainter, frame: Frame) -> None:
        """Paint the dotted lines of the visible floors."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(self._pen(themes.now.dim, 0.8, 1, 3))
        for label in self.labels:
            if label.end is None:
                y = round(frame.down(label.at))
                painter.drawLine(round(frame.left), y, round(frame.right), y)

    def paint_flags(self, painter: QPainter, frame: Frame, flags: Sequence[Flag], x_log: bool) -> None:
        """Paint vertical dashed lines with labels at the top, which are stacked where they would overlap."""
        pen = self._pen(themes.now.text, 0.55, 4, 3)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setFont(self._font)
        positions = [(axis_position(flag.x, x_log), flag.label) for flag in flags]
        shown = sorted((frame.across(at), text) for at, text in positions if at is not None)
        shown = [(x, text) for x, text in shown if frame.left <= x <= frame.right]
        painter.setPen(pen)
        for x, _ in shown:
            painter.drawLine(round(x), round(frame.top), round(x), round(frame.bottom))
        painter.setPen(QColor(themes.now.text))
        widths = [self._metrics.horizontalAdvance(text) for _, text in shown]
        placed = flag_labels([x for x, _ in shown], widths, frame.left, frame.right, LAYERS)
        for (_, text), label in zip(shown, placed, strict=True):
            if label.row < 0:
                continue  # the readout shows it
            cut = self._metrics.elidedText(text, Qt.TextElideMode.ElideRight, label.width + 0.01)
            row = QRectF(label.left - 2, frame.top + 2 + label.row * px(ROW), label.width + 4, px(ROW))
            painter.fillRect(row, QColor(themes.now.panel))
            painter.drawText(row.adjusted(2, 0, 2, 0), Qt.AlignmentFlag.AlignVCenter, cut)
