"""Lines over steps, with their names and last values at the right end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from lab.base.charts.layout import spread
from lab.widgets.core.i18n import localized
from lab.widgets.core.theme import px, themes
from lab.widgets.explorables.surface import Surface

DOTS = 64
"""Most points of a line that are drawn as dots, too."""


@dataclass(frozen=True)
class Line:
    """A line.

    Args:
        name: Its name.
        values: Its values, from the first step on.
        colour: The colour in the theme: "accent", "text" or "dim".
        wide: Its width in pixels.
    """

    name: str
    values: Sequence[float] | NDArray[np.float64]
    colour: str = "text"
    wide: float = 1.0


class Lines(Surface):
    """Lines over steps on a scale from −most to most, or from 0 if nothing is below.

    Args:
        name: Its name for screen readers.
        height: Its least height in pixels.
        fewest: The fewest steps that the width is for.
    """

    def __init__(self, name: str, height: int = 220, fewest: int = 2) -> None:
        super().__init__(name, height)
        self._fewest = fewest
        self._lines: Sequence[Line] = ()
        self._low, self._high = -1.0, 1.0
        self._step: tuple[int, str] | None = None

    def show_lines(self, lines: Sequence[Line], most: float, step: tuple[int, str] | None = None) -> None:
        """Show other lines.

        Args:
            lines: The lines.
            most: The least value at the upper end of the scale.
            step: A step that is marked across, and its name; None for none.
        """
        self._lines, self._step = lines, step
        least = min([0.0, *(float(np.min(one.values)) for one in lines if len(one.values))])
        self._high = max([most, -least, *(float(np.max(one.values)) for one in lines if len(one.values))])
        self._low = -self._high if least < 0 else 0.0
        ends = (f"{one.name} " + ", ".join(f"{value:.2f}" for value in one.values[-12:]) for one in lines)
        self.show_state("; ".join(ends))

    def draw(self, painter: QPainter, area: QRectF) -> None:
        """Paint the scale, the lines, and their names at the ends."""
        theme = themes.now
        inner = area.adjusted(px(38), 8, -px(90), -8 - self.metrics_small.height())
        span = (self._high - self._low) or 1.0

        def height(value: float) -> float:
            return inner.bottom() - (value - self._low) / span * inner.height()

        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.setFont(self.font_small)
        for value in sorted({self._low, 0.0, self._high}):
            painter.setPen(QPen(QColor(theme.line), 1))
            painter.drawLine(QPointF(inner.left(), height(value)), QPointF(inner.right(), height(value)))
            painter.setPen(QColor(theme.dim))
            box = QRectF(0, height(value) - 10, inner.left() - 6, 20)
            painter.drawText(box, right, localized(f"{value:.2g}"))
        drawn = [one for one in self._lines if len(one.values)]
        pitch = inner.width() / (max([self._fewest, *(len(one.values) for one in drawn)]) - 1)
        self._draw_steps(painter, inner, pitch, max((len(one.values) for one in drawn), default=1) - 1)
        ends = [height(float(one.values[-1])) for one in drawn]
        places = spread(ends, self.metrics_small.height(), area.top() + 8, area.bottom() - 8) if ends else []
        for one, place in zip(drawn, places, strict=True):
            colour = QColor(getattr(theme, one.colour))
            points = [QPointF(inner.x() + at * pitch, height(float(value))) for at, value in enumerate(one.values)]
            painter.setPen(QPen(colour, one.wide + (1.5 if self.is_marked(one.name) else 0)))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPolyline(QPolygonF(points))
            if len(points) <= DOTS:
                painter.setBrush(colour)
                for point in points:
                    painter.drawEllipse(point, 2.5, 2.5)
            painter.setPen(colour)
            left = QPointF(points[-1].x() + 8, place + self.metrics_small.height() / 2 - 4)
            self.draw_name_at(painter, left, f"{one.name} " + localized(f"{one.values[-1]:.3f}"))

    def _draw_steps(self, painter: QPainter, inner: QRectF, pitch: float, last: int) -> None:
        """Write the first and the last step below the scale, and mark a step across."""
        theme, line = themes.now, self.metrics_small.height()
        painter.setPen(QColor(theme.dim))
        for step in (0, last) if last else ():
            below = QRectF(inner.x() + step * pitch - 30, inner.bottom() + 4, 60, line)
            painter.drawText(below, Qt.AlignmentFlag.AlignCenter, str(step))
        if self._step is not None:
            x = inner.x() + self._step[0] * pitch
            painter.setPen(QPen(QColor(theme.text), 1, Qt.PenStyle.DashLine))
            painter.drawLine(QPointF(x, inner.top()), QPointF(x, inner.bottom()))
            if 20 < x - inner.x() < last * pitch - 20:
                below = QRectF(x - 30, inner.bottom() + 4, 60, line)
                self.draw_name(painter, below, self._step[1], Qt.AlignmentFlag.AlignCenter)
