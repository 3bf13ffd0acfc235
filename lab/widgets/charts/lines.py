"""The lines of a chart as pyqtgraph's curves: reused, reduced to the visible points, painted into the chart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QWidget

from lab.base.charts.downsampling import Blocks, visible_points
from lab.base.charts.transform import Array, Frame, axis_positions
from lab.widgets.core.theme import DASHES, mixed, themes

Style = Literal["main", "thin", "faint"]
LAYERS: tuple[Style, ...] = ("faint", "thin", "main")
"""The styles in the order of painting."""
WIDTHS: dict[Style, float] = {"main": 2.0, "thin": 1.0, "faint": 1.0}
"""Widths of lines in pixels, by style; in projector mode and high contrast all but faint ones are wider."""
FINE = 400
"""With at most this many visible points, a thin line is smoothed and a main line may show its points."""
ROOM = 12
"""The smallest distance in pixels between points that are shown."""
SPIKE = 12
"""Vertical pixels between two points from which no gap of a dashed line hides the segment."""


@dataclass(frozen=True)
class Line:
    """One curve.

    Args:
        key: Its identity from one update to the next ("run 3/validation").
        name: The label at its right end; "" for none.
        colour: "#rrggbb".
        x: Ascending values, [N], float64.
        y: Values, [N], float64; NaN makes a gap.
        style: "main" is 2 pixels wide with points, "thin" 1 pixel, "faint" 1 pixel in a paler colour.
        dashes: Index in lab.widgets.core.theme.DASHES, to distinguish lines of one colour.
        long_name: The complete name, as in a table ("Small · training loss"); "" for its name.
        value_text: The text next to its name; "" for its last value.
        stands_in_for: The key of a named line; where that has no value, the readout lists this one, by its long name.
    """

    key: str
    name: str
    colour: str
    x: Array
    y: Array
    style: Style = "thin"
    dashes: int = 0
    long_name: str = ""
    value_text: str = ""
    stands_in_for: str = ""


class Curve:
    """The state of one line in a chart: the positions of its values, and the curve that paints them."""

    def __init__(self) -> None:
        import pyqtgraph  # late: it takes a fifth of the time to open the window; the warm-up imports it

        # Without a scene: pyqtgraph's curve holds the path and paints it; only the chart decides when.
        self._item = pyqtgraph.PlotCurveItem()
        self._points: list[QPointF] = []
        self._shown: tuple[Frame, int, Style, int] | None = None
        self._taken: tuple[Array, Array, bool, bool] | None = None
        self._blocks: Blocks | None = None
        self.reduced = False

    def take(self, line: Line, x_log: bool, y_log: bool) -> None:
        """Set the line; arrays that it already has are not processed again."""
        self.line = line
        taken, self._taken = self._taken, (line.x, line.y, x_log, y_log)
        if taken and taken[0] is line.x and taken[1] is line.y and taken[2:] == (x_log, y_log):
            return
        self._shown = self._blocks = None
        first = int(np.searchsorted(line.x, 0, side="right")) if x_log else 0
        self.x = np.log10(line.x[first:]) if x_log else line.x
        self.y = axis_positions(line.y[first:], y_log)
        low, high = (float(self.y.min()), float(self.y.max())) if len(self.y) else (np.nan, np.nan)
        self.complete = low == low  # no gap: a NaN would be the smallest
        at = range(len(self.y)) if self.complete else np.flatnonzero(np.isfinite(self.y)).tolist()
        self.empty = not len(at)
        if not self.empty:
            self.last = at[-1]
            self.low, self.high = (low, high) if self.complete else (float(np.nanmin(self.y)), float(np.nanmax(self.y)))
            self.start, self.end = float(self.x[at[0]]), float(self.x[at[-1]])
            self.reach = float(line.x[first + self.last])
        self.values = line.y[first:]

    def value_at(self, position: float, rim: float) -> tuple[float, float] | None:
        """Return the value nearest to a position on the x axis, and its position on the y axis.

        Args:
            position: Position on the x axis.
            rim: Distance beyond the line's ends within which it still has a value.
        """
        if self.empty or not self.start - rim <= position <= self.end + rim:
            return None
        right = int(np.searchsorted(self.x, position))
        left = right - 1
        while right < len(self.y) and not np.isfinite(self.y[right]):
            right += 1
        while left >= 0 and not np.isfinite(self.y[left]):
            left -= 1
        near = min(
            (index for index in (left, right) if 0 <= index < len(self.y)),
            key=lambda index: abs(self.x[index] - position),
        )
        return float(self.values[near]), float(self.y[near])

    @property
    def rim(self) -> float:
        """The usual distance between two points."""
        return (self.end - self.start) / max(1, self.last)

    def apply_theme(self, ratio: float) -> None:
        """Update pen and colour from the line's style and the theme.

        Args:
            ratio: Pixels of the screen per pixel.
        """
        style, colour = self.line.style, self.line.colour
        self.ink = QColor(mixed(colour, themes.now.panel, themes.now.faint) if style == "faint" else colour)
        self._pen = QPen(self.ink, WIDTHS[style] * (themes.thickness if style != "faint" else 1.0))
        self._pen.setJoinStyle(Qt.PenJoinStyle.BevelJoin)
        along = self._dashes if self._few else ()  # the dashes of a long line are cut into it
        if along:
            self._pen.setDashPattern([length / self._pen.widthF() for length in along])  # Qt counts in pen widths
        self._item.setPen(self._pen)
        # As one path, a line of many points that is wider than a pixel of the screen would take Qt seconds to paint;
        # dashes must continue from one segment to the next.
        self._item.setSegmentedLineMode("on" if self._pen.widthF() * ratio > 1 and not along else "off")

    def arrange(self, frame: Frame, columns: int) -> None:
        """Give the curve the visible part of the line.

        Args:
            frame: The visible range.
            columns: Number of pixel columns of the plot on the screen.
        """
        wanted = (frame, columns, self.line.style, self.line.dashes)  # a theme changes the dashes of the same values
        if self._shown == wanted:
            return
        if self._shown is not None and self._blocks is None:  # not for a line that grows with every update
            self._blocks = Blocks(self.y, complete=self.complete)
        self._shown = wanted
        x, y, self.reduced = visible_points(self.x, self.y, frame, columns, self._blocks)
        few, main = len(x) <= FINE, self.line.style == "main"
        self._points = _dots(x, y, main and few) if (main and few) or not self.complete or len(x) == 1 else []
        self._few, self._dashes = few, DASHES[self.line.dashes % len(DASHES)]
        # A long line is not smoothed: it would take most of the drawing time without a visible effect.
        smooth = few and self.line.style in ("main", "thin")
        complete = self.complete
        if self._dashes and not few:
            x, y, complete = *in_dashes(x, y, *self._dashes), False
        self._item.setData(
            x=x, y=y, connect="all" if complete else "finite", skipFiniteCheck=complete, antialias=smooth
        )

    def paint(self, painter: QPainter, widget: QWidget | None) -> None:
        """Paint the line, and its points if it shows them."""
        self._item.paint(painter, None, widget)
        if self._points:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            size = (6 if self.line.style == "main" else 4) * themes.thickness
            painter.setPen(QPen(self.ink, size, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            painter.drawPoints(self._points)


def _dots(x: Array, y: Array, main: bool) -> list[QPointF]:
    """Return the points to mark: single points between gaps, and on a main line the points with enough space."""
    marked = np.isfinite(y)
    before, after = np.roll(marked, 1), np.roll(marked, -1)
    before[:1] = after[-1:] = False
    alone = ~before & ~after
    if main and len(x) > 1:
        gaps = np.diff(x)
        alone |= np.concatenate((gaps[:1], gaps)) >= ROOM
    marked &= alone
    return [QPointF(a, b) for a, b in zip(x[marked].tolist(), y[marked].tolist(), strict=True)]


def in_dashes(x: Array, y: Array, ink: float, gap: float) -> tuple[Array, Array]:
    """Return a line cut into dashes of equal width on the x axis; spikes are not cut.

    Args:
        x: Horizontal pixels, ascending, [N].
        y: Vertical pixels, [N], NaN at gaps.
        ink: Width of a dash in pixels.
        gap: Width of a gap in pixels.
    """
    period = ink + gap
    starts = np.arange(np.ceil(x[0] / period), np.floor(x[-1] / period) + 1) * period
    ends = starts - gap
    ends = ends[ends > x[0]]
    cuts = np.concatenate((starts, ends, ends + gap / 2))
    heights = np.concatenate((np.interp(starts, x, y), np.interp(ends, x, y), np.full(len(ends), np.nan)))
    order = np.argsort(cuts, kind="stable")
    at = np.searchsorted(x, cuts[order])
    steep = np.concatenate(([False], np.abs(np.diff(y)) > SPIKE, [False]))
    inked = np.where((np.mod(x, period) <= ink) | steep[1:] | steep[:-1], y, np.nan)
    return np.insert(x, at, cuts[order]), np.insert(inked, at, heights[order])
