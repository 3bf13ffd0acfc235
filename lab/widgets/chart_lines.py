"""The lines of a chart as pyqtgraph's curves: reused, given what can be seen, painted straight into the chart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QWidget

from lab.widgets.chart_frame import Array, Frame, places
from lab.widgets.theme import DASHES, mixed, themes

Style = Literal["main", "thin", "faint"]
LAYERS: tuple[Style, ...] = ("faint", "thin", "main")
"""What is painted first, and so lies below."""
FINE = 400
"""Up to so many points in sight, a thin line is smoothed and a main line may show its points."""
ROOM = 12
"""Pixels from one point to the next, where points are shown."""


@dataclass(frozen=True)
class Line:
    """One curve.

    Args:
        key: What makes it the same line from one update to the next ("run 3/validation").
        name: Stands at its right end; "" for a line that nobody needs to name.
        colour: "#rrggbb".
        x: Ascending values, [N], float64.
        y: Values, [N], float64; NaN makes a gap.
        style: "main" is 2 pixels wide with points, "thin" 1 pixel, "faint" 1 pixel at a quarter of the colour.
        dashes: Which of lab.widgets.theme.DASHES tells it from others of its colour.
        told: What it is called where it stands alone, as in a table ("Small · training loss"); "" for its name.
    """

    key: str
    name: str
    colour: str
    x: Array
    y: Array
    style: Style = "thin"
    dashes: int = 0
    told: str = ""


class Curve:
    """What a chart keeps of one line: the places of its values, and the curve that paints them."""

    def __init__(self) -> None:
        import pyqtgraph  # late: a fifth of the time in which the window opens; the warm-up has it ready

        # Without a scene: pyqtgraph's curve holds the path and paints it, the chart alone says when.
        self._item = pyqtgraph.PlotCurveItem()
        self._points: list[QPointF] = []
        self._shown: tuple[Frame, int] | None = None
        self._taken: tuple[Array, Array, bool, bool] | None = None
        self.thinned = False

    def take(self, line: Line, x_log: bool, y_log: bool) -> None:
        """Takes over the values of a line; arrays that it has already are not looked at again."""
        self.line = line
        taken, self._taken = self._taken, (line.x, line.y, x_log, y_log)
        if taken and taken[0] is line.x and taken[1] is line.y and taken[2:] == (x_log, y_log):
            return
        self._shown = None
        first = int(np.searchsorted(line.x, 0, side="right")) if x_log else 0
        self.x = np.log10(line.x[first:]) if x_log else line.x
        self.y = places(line.y[first:], y_log)
        low, high = (float(self.y.min()), float(self.y.max())) if len(self.y) else (np.nan, np.nan)
        self.whole = low == low  # no gap: a NaN would be the smallest
        at = range(len(self.y)) if self.whole else np.flatnonzero(np.isfinite(self.y)).tolist()
        self.empty = not len(at)
        if not self.empty:
            self.last = at[-1]
            self.low, self.high = (low, high) if self.whole else (float(np.nanmin(self.y)), float(np.nanmax(self.y)))
            self.start, self.end = float(self.x[at[0]]), float(self.x[at[-1]])
        self.values = line.y[first:]

    def value_at(self, place: float, rim: float) -> tuple[float, float] | None:
        """The value nearest to a place on the x axis and its place on the y axis.

        Args:
            place: On the x axis.
            rim: How far beyond the line's ends it still has a value.
        """
        if self.empty or not self.start - rim <= place <= self.end + rim:
            return None
        right = int(np.searchsorted(self.x, place))
        left = right - 1
        while right < len(self.y) and not np.isfinite(self.y[right]):
            right += 1
        while left >= 0 and not np.isfinite(self.y[left]):
            left -= 1
        near = min(
            (index for index in (left, right) if 0 <= index < len(self.y)), key=lambda index: abs(self.x[index] - place)
        )
        return float(self.values[near]), float(self.y[near])

    @property
    def rim(self) -> float:
        """The usual distance between two points."""
        return (self.end - self.start) / max(1, self.last)

    def dress(self) -> None:
        """Takes pen and colour from the style and the theme."""
        style, colour = self.line.style, self.line.colour
        self.ink = QColor(mixed(colour, themes.now.panel, 0.25) if style == "faint" else colour)
        self._pen = QPen(self.ink, 2 if style == "main" else 1)
        self._pen.setJoinStyle(Qt.PenJoinStyle.BevelJoin)
        dashes = DASHES[self.line.dashes % len(DASHES)]
        if dashes:
            self._pen.setDashPattern([length / self._pen.width() for length in dashes])  # Qt counts in pen widths
        self._item.setPen(self._pen)
        # Painted as segments, a wide smooth line costs a third; dashes must run on from one segment to the next.
        self._item.setSegmentedLineMode("on" if style == "main" and not dashes else "off")

    def arrange(self, frame: Frame, columns: int) -> None:
        """Gives the curve what can be seen of the line.

        Args:
            frame: What is in sight.
            columns: How many columns of pixels the plot has on the screen.
        """
        if self._shown == (frame, columns):
            return
        self._shown = (frame, columns)
        x, y, self.thinned = seen(self.x, self.y, frame, columns)
        few, main = len(x) <= FINE, self.line.style == "main"
        self._points = _dots(x, y, main and few) if (main and few) or not self.whole or len(x) == 1 else []
        # A long line is not smoothed: it would cost most of the drawing, and nobody would see it.
        smooth = few and self.line.style in ("main", "thin")
        connect = "all" if self.whole else "finite"
        self._item.setData(x=x, y=y, connect=connect, skipFiniteCheck=self.whole, antialias=smooth)

    def paint(self, painter: QPainter, widget: QWidget | None) -> None:
        """Paints the line, and its points where it shows them."""
        self._item.paint(painter, None, widget)
        if self._points:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            size = 6 if self.line.style == "main" else 4
            painter.setPen(QPen(self.ink, size, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            painter.drawPoints(self._points)


def _dots(x: Array, y: Array, main: bool) -> list[QPointF]:
    """The points to be seen: those between gaps, of which there is no line, and on a main line those with room."""
    there = np.isfinite(y)
    before, after = np.roll(there, 1), np.roll(there, -1)
    before[:1] = after[-1:] = False
    alone = ~before & ~after
    if main and len(x) > 1:
        way = np.diff(x)
        alone |= np.concatenate((way[:1], way)) >= ROOM
    there &= alone
    return [QPointF(a, b) for a, b in zip(x[there].tolist(), y[there].tolist(), strict=True)]


def seen(x: Array, y: Array, frame: Frame, columns: int) -> tuple[Array, Array, bool]:
    """What of a line is to be painted, in pixels, and whether it is fewer points than there are.

    Of more than four points in a column of pixels the first, the smallest, the largest and the last remain, which
    paints the same pixels (M4: Jugel et al., 2014). It is done here because pyqtgraph's own decimation takes points for
    evenly spaced, which on a logarithmic axis makes the first twenty steps one, and because there a NaN hides its
    neighbours.

    Args:
        x: Places on the x axis, ascending, [N].
        y: Places on the y axis, [N], NaN at gaps.
        frame: What is in sight.
        columns: Columns of pixels.
    """
    first = max(0, int(np.searchsorted(x, frame.x0)) - 1)
    last = int(np.searchsorted(x, frame.x1, side="right")) + 1
    x, y = x[first:last], y[first:last]
    thinned = len(x) > 4 * columns
    if thinned:
        edges = np.linspace(frame.x_at(frame.left - 2), frame.x_at(frame.right + 2), columns + 1)[1:-1]
        within = _extremes(x[1:-1], y[1:-1], edges)  # the points at the ends lie beyond what is in sight
        x, y = (np.concatenate((given[:1], few, given[-1:])) for given, few in zip((x, y), within, strict=True))
    across, down = frame.across(x), frame.down(y)
    _cut(across, down, 0, 1, frame.left - 2)
    _cut(across, down, -1, -2, frame.right + 2)
    np.clip(across, -1e6, 1e6, out=across)
    np.clip(down, -1e6, 1e6, out=down)
    return across, down, thinned


def _extremes(x: Array, y: Array, edges: Array) -> tuple[Array, Array]:
    """The first, the smallest, the largest and the last point between two edges each."""
    starts = np.searchsorted(x, edges)
    starts = np.unique(np.concatenate(([0], starts[starts < len(x)])))
    ends = np.append(starts[1:], len(x)) - 1
    x4, y4 = np.empty((len(starts), 4)), np.empty((len(starts), 4))
    x4[:, 0], x4[:, 3] = x[starts], x[ends]
    x4[:, 1] = x4[:, 2] = (x4[:, 0] + x4[:, 3]) / 2
    y4[:, 0], y4[:, 3] = y[starts], y[ends]
    y4[:, 1], y4[:, 2] = np.fmin.reduceat(y, starts), np.fmax.reduceat(y, starts)
    return x4.ravel(), y4.ravel()


def _cut(x: Array, y: Array, outer: int, inner: int, edge: float) -> None:
    """Moves an end point that lies beyond an edge along its line to that edge; far pixels are more than Qt can take."""
    if len(x) < 2 or not min(x[outer], x[inner]) < edge < max(x[outer], x[inner]):
        return
    if (x[outer] < edge) == (outer == 0):
        y[outer] += (edge - x[outer]) / (x[inner] - x[outer]) * (y[inner] - y[outer])
        x[outer] = edge
