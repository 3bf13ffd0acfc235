"""A chart on paper: lines, floors and events, drawn with numpy and matplotlib and without the rest of the lab."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.base.charts.extremes import extreme_indices
from lab.base.charts.flags import flag_labels
from lab.base.charts.layout import spread
from lab.base.charts.numbers import format_value
from lab.widgets.figures.style import DIM, HAIR, INK, SIZE, SMALL, entitle, plain

DENSE = 20_000
"""Number of points from which a line is drawn through the first, smallest, largest and last of many short parts."""
DOTTED = 60
"""Number of points up to which a wide line shows each of them."""
LABEL_LENGTH = 40
"""The largest number of letters of the label of an event."""


@dataclass(frozen=True)
class Axis:
    """One axis.

    Args:
        name: Its name, with its unit.
        low: Value at its left or lower end.
        high: Value at its right or upper end.
        log: Whether it is logarithmic.
        ticks: (value, label) of each tick.
    """

    name: str
    low: float
    high: float
    log: bool
    ticks: Sequence[tuple[float, str]]

    def positions(self, values: Any) -> NDArray[np.float64]:
        """Return positions along the axis, 0 at its low end and 1 at its high end; NaN for values without one."""
        values = np.asarray(values, float)
        low, high = self.low, self.high
        if self.log:
            values = np.log10(np.where(values > 0, values, np.nan))
            low, high = np.log10(low), np.log10(high)
        positions: NDArray[np.float64] = np.where(np.isfinite(values), (values - low) / (high - low), np.nan)
        return positions


@dataclass(frozen=True)
class FigureLine:
    """One line.

    Args:
        name: Its name.
        label: The label at its right end, before its last value; "" for none.
        colour: "#rrggbb".
        width: Width in points.
        dashes: Points of ink and of gap; () for a solid line.
        points: (N, 2) x and y in ascending order of x; NaN makes a gap.
    """

    name: str
    label: str
    colour: str
    width: float
    dashes: tuple[float, ...]
    points: NDArray[np.float64]

    def drawn(self, x: Axis, y: Axis) -> tuple[NDArray[np.float64], NDArray[np.float64], list[int]]:
        """Return the x and y that are drawn, and the indices of those drawn as dots: points without a line."""
        positions = x.positions(self.points[:, 0]), y.positions(self.points[:, 1])
        valid = np.isfinite(positions[0])
        drawn_indices = np.flatnonzero(valid)[extreme_indices(positions[0][valid], positions[1][valid], DENSE // 4)]
        xs, ys = (
            self.points[drawn_indices, 0],
            np.where(np.isfinite(positions[1][drawn_indices]), self.points[drawn_indices, 1], np.nan),
        )
        alone = np.isfinite(ys)
        if self.width < 1 or len(xs) > DOTTED:
            shown = np.concatenate(([False], alone, [False]))
            alone &= ~shown[:-2] & ~shown[2:]
        return xs, ys, np.flatnonzero(alone).tolist()


@dataclass(frozen=True)
class ChartFigure:
    """A chart.

    Args:
        title: Its title.
        x: The horizontal axis.
        y: The vertical axis.
        lines: Its lines, in the order of painting.
        floors: (name, value) of each floor.
        flags: (x, label) of each event.
    """

    title: str
    x: Axis
    y: Axis
    lines: Sequence[FigureLine]
    floors: Sequence[tuple[str, float]] = ()
    flags: Sequence[tuple[float, str]] = ()

    def draw(self) -> Any:
        """Return the chart as a matplotlib.figure.Figure, whose savefig writes it."""
        from matplotlib.figure import Figure

        named = len(self.floors) + sum(bool(line.label) for line in self.lines)
        figure = Figure(figsize=(7.2, max(4.0, 1.2 + 0.17 * named)), layout="constrained")
        axes = figure.add_subplot()
        entitle(axes, self.title)
        self._draw_axes(axes)
        for line in self.lines:
            xs, ys, dots = line.drawn(self.x, self.y)
            axes.plot(xs, ys, color=line.colour, linewidth=line.width, dashes=scaled(line), solid_joinstyle="bevel",
                      marker="o", markersize=2 + line.width, markevery=dots)  # fmt: skip
        for at, _ in self.flags:
            axes.axvline(at, color=DIM, linewidth=0.8, dashes=(4, 3), zorder=1.5)
        self._draw_labels(figure, axes)
        self._draw_flags(figure, axes)
        return figure

    def _draw_axes(self, axes: Any) -> None:
        for axis, side, along in ((self.x, "x", axes.xaxis), (self.y, "y", axes.yaxis)):
            along.set_label_text(plain(axis.name), fontsize=SIZE, color=DIM)
            if axis.log:
                axes.set(**{f"{side}scale": "log"})
            along.set_ticks([at for at, _ in axis.ticks], [plain(caption) for _, caption in axis.ticks])
            axes.set(**{f"{side}lim": (axis.low, axis.high)})
        axes.minorticks_off()
        axes.tick_params(labelsize=SIZE, colors=DIM, labelcolor=DIM, length=3)
        axes.spines[["top", "right", "left"]].set_visible(False)
        axes.spines["bottom"].set_color(DIM)
        axes.tick_params(axis="y", length=0)
        axes.grid(axis="y", color=HAIR, linewidth=0.7)
        axes.set_axisbelow(True)

    def _draw_flags(self, figure: Any, axes: Any) -> None:
        """Draw labels beside the lines of events, in rows at the top of the plot."""
        points = figure.dpi / 72
        width = axes.bbox.width / points
        captions = [label if len(label) <= LABEL_LENGTH else label[: LABEL_LENGTH - 1] + "…" for _, label in self.flags]
        texts = [axes.annotate(plain(caption), (0, 1), (0, 0), "axes fraction", textcoords="offset points",
                               va="top", fontsize=SMALL, color=INK, in_layout=False,
                               bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.7, "pad": 0.5})
                 for caption in captions]  # fmt: skip
        widths = [text.get_window_extent().width / points for text in texts]
        at = [float(self.x.positions(x)) * width for x, _ in self.flags]
        for text, label in zip(texts, flag_labels(at, widths, 0, width, len(texts), distance=4), strict=True):
            text.xyann = label.left, -2 - 1.4 * SMALL * max(0, label.row)
            text.set_visible(label.row >= 0)

    def _draw_labels(self, figure: Any, axes: Any) -> None:
        """Draw names in the right margin, each next to a sample of its line and close to the line's end."""
        wanted: list[tuple[float, float, str, dict[str, Any]]] = []  # wanted position, end of the line, text
        for line in self.lines:
            x, y = self.x.positions(line.points[:, 0]), self.y.positions(line.points[:, 1])
            seen = np.flatnonzero(np.isfinite(y) & (x >= 0) & (x <= 1))
            if line.label and len(seen):
                last = seen[-1]
                line_style = {"color": line.colour, "linewidth": line.width, "dashes": scaled(line)}
                caption = f"{line.label}  {format_value(line.points[last, 1])}"
                wanted.append((float(y[last]), float(x[last]), caption, line_style))
        dotted = {"color": DIM, "linewidth": 0.9, "dashes": (1, 2.5)}
        for name, value in self.floors:
            axes.axhline(value, **dotted, zorder=1.5)
            wanted.append((float(self.y.positions(value)), 1.0, f"{name}  {format_value(value)}", dotted))
        margin = {"transform": axes.transAxes, "clip_on": False}
        texts = [axes.text(1.075, min(max(at, 0), 1), plain(caption), va="center", fontsize=SIZE, color=INK, **margin)
                 for at, _, caption, _ in wanted]  # fmt: skip
        figure.draw_without_rendering()  # this sets the height of the plot
        row = 1.25 * SIZE / 72 * figure.dpi / axes.bbox.height
        positions = spread([at for at, *_ in wanted], row, -row / 2, 1 + row / 2)
        for text, position, (at, end, _, line_style) in zip(texts, positions, wanted, strict=True):
            text.set_y(position)
            axes.plot([1.025, 1.065], [position, position], **line_style, **margin)
            axes.plot([1.002, 1.02], [min(max(at, 0), 1), position], color=line_style["color"], linewidth=0.5, **margin)
            if end < 0.995 and 0 <= at <= 1:
                axes.plot([end, 1], [at, at], color=line_style["color"], linewidth=0.5, dashes=(1, 4), **margin)


def scaled(line: FigureLine) -> tuple[float, ...]:
    """Return the dashes of a line in matplotlib's unit, the width of the line."""
    return tuple(length / line.width for length in line.dashes) or (1, 0)
