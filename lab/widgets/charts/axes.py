"""The axes of a chart: names, ticks, grid lines, and the space they need."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from lab.base.charts.ticks import MOST, Kind, format_position, format_ticks, ticks, value_ticks
from lab.base.charts.transform import Frame, axis_position
from lab.widgets.core.i18n import localized, tr
from lab.widgets.core.theme import INSIDE, LINE, interface_font, mixed, px, themes

HEAD, FOOT = 28, 24
"""Pixels above the plot for the name of the y axis, and below it for ticks and name of the x axis."""
LEAST = 28
"""The smallest number of pixels left of the plot."""


@dataclass(frozen=True)
class Axes:
    """The names and scales of the axes of a chart.

    Args:
        x: Name of the x axis, with its unit; without one for seconds, which are shown as clock time.
        y: Name of the y axis, with its unit.
        x_log: Whether the x axis is logarithmic.
        y_log: Whether the y axis is logarithmic.
        x_kind: The kind of the values of the x axis, which determines their format.
    """

    x: str = ""
    y: str = ""
    x_log: bool = False
    y_log: bool = False
    x_kind: Kind = "number"

    def x_name(self) -> str:
        """Return the name of the x axis that is painted next to its ticks."""
        return tr("{name} (min:s)", name=self.x) if self.x_kind == "seconds" else self.x

    def position_text(self, value: float) -> str:
        """Return a value of the x axis with its unit: "step 1,240", "0.95 M tokens", "1:02"."""
        text = localized(format_position(value, self.x_kind))
        if self.x_kind == "seconds":
            return text
        return f"{text} {self.x}" if self.x_kind == "tokens" else f"{self.x} {text}"


class AxesPaint:
    """The painter of ticks, grid lines and names of the axes of one chart."""

    def __init__(self) -> None:
        self._x: list[tuple[float, str]] = []
        self._y: list[tuple[float, str]] = []
        self.apply_theme()

    def apply_theme(self) -> None:
        """Update fonts and colours from the theme."""
        theme = themes.now
        self._font = interface_font("note")
        self._metrics = QFontMetricsF(self._font)
        self._dim, self._line = QColor(theme.dim), QColor(theme.line)
        self._hair = QColor(mixed(theme.line, theme.panel, 0.55))

    def arrange_y(self, axes: Axes, low: float, high: float, height: float) -> float:
        """Place the ticks of the y axis, and return the pixels they need at the left."""
        most = max(2, min(MOST, int(height / px(26))))
        values = value_ticks(low, high, log=axes.y_log, most=most)
        placed = self._positioned(
            values, [localized(text) for text in format_ticks(values, log=axes.y_log)], axes.y_log
        )
        self._y = _apart(placed, px(LINE) * (high - low) / max(1.0, height))
        widest = max((self._metrics.horizontalAdvance(text) for _, text in self._y), default=0)
        return max(px(LEAST), 4 * math.ceil((widest + 14) / 4))

    def arrange_x(self, axes: Axes, low: float, high: float, width: float) -> None:
        """Place the ticks of the x axis, fewer if their labels are long."""
        most = max(2, min(MOST, int(width / px(48))))
        while True:
            values = ticks(low, high, log=axes.x_log, kind=axes.x_kind, most=most)
            self._x = self._positioned(
                values, [localized(text) for text in format_ticks(values, log=axes.x_log, kind=axes.x_kind)], axes.x_log
            )
            needed = sum(self._metrics.horizontalAdvance(text) + 14 for _, text in self._x)
            if most <= 2 or needed <= width:
                return
            most -= 1

    def _positioned(self, values: list[float], text: list[str], log: bool) -> list[tuple[float, str]]:
        at = [axis_position(value, log) for value in values]
        return [(where, text) for where, text in zip(at, text, strict=True) if where is not None]

    def paint_under(self, painter: QPainter, frame: Frame) -> None:
        """Paint the grid lines at the ticks of the y axis, below all lines."""
        painter.setPen(QPen(self._hair, 1))
        lines = [QLineF(frame.left, y, frame.right, y) for y in (round(frame.down(at)) + 0.5 for at, _ in self._y)]
        painter.drawLines([line for line in lines if frame.top <= line.y1() <= frame.bottom])

    def paint(self, painter: QPainter, frame: Frame, axes: Axes, width: float) -> None:
        """Paint axis, ticks, tick labels and the names of the axes.

        Args:
            painter: The painter of the chart.
            frame: The visible range.
            axes: The axes.
            width: Width of the chart in pixels.
        """
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(QPen(self._line, 1))
        base = round(frame.bottom)
        painter.drawLine(round(frame.left), base, round(frame.right), base)
        shown = [(frame.across(at), text) for at, text in self._x]
        shown = [(x, text) for x, text in shown if frame.left - 1 <= x <= frame.right + 1]
        for x, _ in shown:
            painter.drawLine(round(x), base, round(x), base + 4)
        painter.setFont(self._font)
        painter.setPen(self._dim)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        for at, text in self._y:
            y = frame.down(at)
            if frame.top - 1 <= y <= frame.bottom + 1:
                painter.drawText(QRectF(0, y - px(8), frame.left - 8, px(16)), right, text)
        row = QRectF(0, frame.bottom + 5, width, px(FOOT) - 6)
        name = self._metrics.elidedText(axes.x_name(), Qt.TextElideMode.ElideRight, width / 2)
        free = width - 8 - self._metrics.horizontalAdvance(name) - 10
        for x, text in shown:
            half = self._metrics.horizontalAdvance(text) / 2
            if x + half <= free:
                painter.drawText(QRectF(x - half, row.top(), 2 * half + 1, row.height()), left, text)
        painter.drawText(row.adjusted(0, 0, -8, 0), right, name)

    def paint_head(self, painter: QPainter, axes: Axes, note: str, width: float) -> None:
        """Paint the name of the y axis above it, followed by a note.

        Args:
            painter: The painter of the chart.
            axes: The axes.
            note: A note about the lines; "" for none.
            width: The free width in pixels.
        """
        text = f"{axes.y}  ·  {note}" if note else axes.y
        painter.setFont(self._font)
        painter.setPen(self._dim)
        shown = self._metrics.elidedText(text, Qt.TextElideMode.ElideRight, width - 12)
        painter.drawText(QRectF(INSIDE, 0, width - INSIDE, px(20)), Qt.AlignmentFlag.AlignVCenter, shown)


def _apart(placed: list[tuple[float, str]], least: float) -> list[tuple[float, str]]:
    """Return the ticks that are at least this far from the one before, so that no label is painted over another."""
    found: list[tuple[float, str]] = []
    for at, text in placed:
        if not found or at - found[-1][0] >= least:
            found.append((at, text))
    return found
