"""A map or bars on paper: one array with labels, drawn with numpy and matplotlib and without the rest of the lab."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.base.charts.colours import SIGNED
from lab.widgets.figures.style import DIM, HAIR, SIZE, SMALL, entitle, plain


@dataclass(frozen=True)
class MapFigure:
    """Values over two axes as colours.

    Args:
        title: Its title.
        row_name: Name of its rows.
        column_name: Name of its columns.
        unit: Unit of the values.
        rows: R labels, from top to bottom.
        columns: C labels, from left to right.
        low: Value of the first colour.
        high: Value of the last.
        signed: Whether the colours diverge at zero.
        root: Whether the colours follow the square root of the values.
        square: Whether cells are square.
        values: (R, C); NaN for empty cells.
        log: Whether the colours follow the logarithm of the values.
        path: Points that a line joins: column and row, which may lie between cells, and a label or "".
    """

    title: str
    row_name: str
    column_name: str
    unit: str
    rows: Sequence[str]
    columns: Sequence[str]
    low: float
    high: float
    signed: bool
    root: bool
    square: bool
    values: NDArray[np.floating[Any]]
    log: bool = False
    path: Sequence[tuple[float, float, str]] = ()

    def draw(self) -> Any:
        """Return the figure as a matplotlib.figure.Figure, whose savefig writes it."""
        from matplotlib.colors import FuncNorm, LinearSegmentedColormap, LogNorm, Normalize
        from matplotlib.figure import Figure

        rows, columns = self.values.shape
        wide = 7.2 if not self.square else min(7.2, 2.2 + 4.2 * columns / rows)
        figure = Figure(figsize=(wide, min(5.4, 1.8 + 0.3 * rows) if not self.square else 5.0), layout="constrained")
        axes = figure.add_subplot()
        on_paper = [f"#{colour}" for colour in SIGNED["light"].split()]
        colours = LinearSegmentedColormap.from_list("signed", on_paper) if self.signed else "viridis"
        norm = FuncNorm((root_of, square_of), self.low, self.high) if self.root else Normalize(self.low, self.high)
        norm = LogNorm(self.low, self.high) if self.log else norm
        image = axes.imshow(self.values, cmap=colours, norm=norm, aspect="equal" if self.square else "auto",
                            interpolation="nearest")  # fmt: skip
        self._draw_path(axes)
        entitle(axes, self.title)
        axes.spines[:].set_visible(False)
        axes.tick_params(length=0, labelcolor=DIM)
        figure.draw_without_rendering()  # this sets the size of the map
        inch = axes.get_window_extent().transformed(figure.dpi_scale_trans.inverted())
        mark(axes.yaxis, self.rows, inch.height, upright=False)
        mark(axes.xaxis, self.columns, inch.width, upright=True)
        axes.set_ylabel(plain(self.row_name), fontsize=SIZE, color=DIM)
        axes.set_xlabel(plain(self.column_name), fontsize=SIZE, color=DIM)
        bar = figure.colorbar(image, ax=axes, pad=0.02, aspect=30)
        bar.outline.set_visible(False)
        bar.ax.tick_params(labelsize=SIZE, labelcolor=DIM, length=2, color=DIM)
        bar.set_label(plain(self.unit), fontsize=SIZE, color=DIM)
        return figure

    def _draw_path(self, axes: Any) -> None:
        if not self.path:
            return
        columns, rows, _ = zip(*self.path, strict=True)
        axes.plot(columns, rows, color="white", linewidth=3, solid_capstyle="round")
        axes.plot(columns, rows, color="black", linewidth=1.2, marker="o", markersize=3)
        for column, row, label in self.path:
            if label:
                axes.annotate(plain(label), (column, row), xytext=(4, 4), textcoords="offset points", fontsize=SMALL)


@dataclass(frozen=True)
class BarsFigure:
    """Values over one axis as bars.

    Args:
        title: Its title.
        name: Name of the axis.
        unit: Unit of the values.
        labels: N labels.
        values: (N,); NaN for no bar.
    """

    title: str
    name: str
    unit: str
    labels: Sequence[str]
    values: NDArray[np.floating[Any]]

    def draw(self) -> Any:
        """Return the figure as a matplotlib.figure.Figure, whose savefig writes it."""
        from matplotlib.figure import Figure

        figure = Figure(figsize=(7.2, 3.6), layout="constrained")
        axes = figure.add_subplot()
        axes.bar(np.arange(len(self.values)), np.where(np.isfinite(self.values), self.values, np.nan), 0.75,
                 color="#0b6bcb")  # fmt: skip
        entitle(axes, self.title)
        axes.set_xlim(-0.6, len(self.values) - 0.4)
        axes.axhline(0, color=DIM, linewidth=0.8)
        axes.spines[:].set_visible(False)
        axes.grid(axis="y", color=HAIR, linewidth=0.7)
        axes.set_axisbelow(True)
        axes.tick_params(length=0, labelcolor=DIM, labelsize=SIZE)
        mark(axes.xaxis, self.labels, 6.5, upright=True)
        axes.set_xlabel(plain(self.name), fontsize=SIZE, color=DIM)
        axes.set_ylabel(plain(self.unit), fontsize=SIZE, color=DIM)
        return figure


def mark(axis: Any, labels: Sequence[str], inches: float, *, upright: bool) -> None:
    """Label the cells along an axis; if not all labels fit, some cells get their numbers.

    Args:
        axis: An axis of matplotlib.
        labels: One label for each cell.
        inches: Length of the axis.
        upright: Whether labels of more than two signs are rotated.
    """
    count = len(labels)
    room = max(1, int(inches * 72 / (1.3 * SMALL)))
    if count <= room:
        indices, texts = list(range(count)), [label if len(label) <= 20 else label[:19] + "…" for label in labels]
    else:
        stride = next(
            factor * 10**ten for ten in range(9) for factor in (1, 2, 5) if factor * 10**ten * room >= 2 * count
        )
        counts = labels[0].isdecimal() and labels[-1].isdecimal()  # numbers of the cells
        first = int(labels[0]) if counts else 1
        indices = list(range(-first % stride, count, stride))
        texts = [str(first + index) for index in indices]
    axis.set_ticks(indices, [plain(text) for text in texts], family="monospace", fontsize=SMALL)
    longest = max(map(len, texts))
    if upright and longest > 2 and len(indices) * longest * 0.62 * SMALL > inches * 72:
        axis.set_tick_params(rotation=90)
    elif upright:  # on one line, like text
        axis.set_tick_params(pad=SMALL + 2)
        for label in axis.get_ticklabels():
            label.set_verticalalignment("baseline")


def root_of(values: Any) -> Any:
    """Return square roots with the sign of the values."""
    return np.sign(values) * np.sqrt(np.abs(values))


def square_of(values: Any) -> Any:
    """Return squares with the sign of the values."""
    return np.sign(values) * np.square(values)
