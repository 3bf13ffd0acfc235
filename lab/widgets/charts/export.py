"""The export of a chart: everything that is visible, in colours for paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QSize, QSizeF
from PySide6.QtGui import QPainter

from lab.base.charts.ticks import format_ticks, power, ticks, value_ticks
from lab.base.charts.transform import Frame
from lab.widgets.charts.annotations import Flag, Floor
from lab.widgets.charts.axes import Axes
from lab.widgets.charts.lines import LAYERS, Line
from lab.widgets.charts.scene import ChartScene
from lab.widgets.core.theme import DASHES, LIGHT, contrast, mixed, themes
from lab.widgets.figures.chart import Axis, ChartFigure, FigureLine
from lab.widgets.figures.export import Export

LEAST = QSize(720, 400)
"""The smallest size of a chart on a slide in pixels, before doubling: small charts of the window are enlarged."""
PAPER = "#ffffff"
WIDTHS = {"main": 1.7, "thin": 0.9, "faint": 0.6}
"""Widths of the lines on paper in points, by style."""
FAINT = 0.3
"""Share of the colour of a faint line over the paper."""


@dataclass(frozen=True)
class ChartSnapshot:
    """The current contents of a chart.

    Args:
        axes: Its axes.
        lines: Its complete lines.
        floors: Its floors.
        flags: Its flags.
        visible: The visible range.
        size: Size of the chart in pixels.
    """

    axes: Axes
    lines: Sequence[Line]
    floors: Sequence[Floor]
    flags: Sequence[Flag]
    visible: Frame
    size: QSize

    def export(self, title: str) -> Export:
        """Return the export with a title; it includes every visible point, regardless of the number of pixels."""
        lines = self._lines()
        size = self.size.expandedTo(LEAST)

        def paint(painter: QPainter) -> None:
            chart_scene = ChartScene()
            chart_scene.take(self.axes, lines, self.floors, self.flags)
            chart_scene.refresh_values()
            chart_scene.arrange(self.visible, QSizeF(size), painter.device().devicePixelRatio())
            chart_scene.paint(painter, None, size.width())

        return Export(self._figure(title, lines), size, paint)

    def _lines(self) -> list[Line]:
        """Return the visible part of each line with one more point at each end, so that it reaches the edge."""
        ends = [power(end) if self.axes.x_log else end for end in (self.visible.x0, self.visible.x1)]
        found = []
        for line in self.lines:
            first = max(0, int(np.searchsorted(line.x, ends[0])) - 1)
            last = int(np.searchsorted(line.x, ends[1], side="right")) + 1
            found.append(replace(line, x=line.x[first:last], y=line.y[first:last]))
        return [line for line in found if len(line.x)]

    def _figure(self, title: str, lines: list[Line]) -> ChartFigure:
        axes, visible = self.axes, self.visible
        x_ticks = ticks(visible.x0, visible.x1, log=axes.x_log, kind=axes.x_kind)
        position_text = format_ticks(x_ticks, log=axes.x_log, kind=axes.x_kind)
        y_ticks = value_ticks(visible.y0, visible.y1, log=axes.y_log)
        x = _axis(axes.x_name(), visible.x0, visible.x1, axes.x_log, x_ticks, position_text)
        y = _axis(axes.y, visible.y0, visible.y1, axes.y_log, y_ticks, format_ticks(y_ticks, log=axes.y_log))
        return ChartFigure(
            title=title,
            x=x,
            y=y,
            lines=_on_paper(sorted(lines, key=lambda line: LAYERS.index(line.style))),
            floors=[(floor.name, floor.value) for floor in self.floors if 0 <= y.positions(floor.value) <= 1],
            flags=[(float(flag.x), flag.label) for flag in self.flags if 0 <= x.positions(flag.x) <= 1],
        )


def _axis(name: str, low: float, high: float, log: bool, values: list[float], text: list[str]) -> Axis:
    ends = (power(low), power(high)) if log else (low, high)
    return Axis(name, *ends, log=log, ticks=list(zip(values, text, strict=True)))


def _on_paper(lines: list[Line]) -> list[FigureLine]:
    """Return the lines in colours for paper, each with a unique name."""
    found: dict[str, FigureLine] = {}
    for line in lines:
        name = complete = line.long_name or line.name or line.key
        number = 1
        while name in found:
            number += 1
            name = f"{complete} ({number})"
        ink = inked(line.colour)
        ink = mixed(ink, PAPER, FAINT) if line.style == "faint" else ink
        dashes = tuple(0.6 * length for length in DASHES[line.dashes % len(DASHES)])
        found[name] = FigureLine(name, line.name, ink, WIDTHS[line.style], dashes, np.column_stack((line.x, line.y)))
    return list(found.values())


def inked(colour: str) -> str:
    """Return a colour of the current theme for paper: colours of runs from the light theme, others darkened."""
    if colour in themes.now.runs:
        return LIGHT.runs[themes.now.runs.index(colour)]
    tries = (mixed(colour, LIGHT.text, share / 10) for share in range(10, 0, -1))
    return next((tried for tried in tries if contrast(tried, PAPER) >= 3), LIGHT.text)
