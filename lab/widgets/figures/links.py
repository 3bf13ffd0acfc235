"""Lines between two columns of tokens on paper, drawn with numpy and matplotlib and without the rest of the lab."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.widgets.figures.style import DIM, INK, SIZE, SMALL, entitle, plain

RISING, FALLING = (0.04, 0.42, 0.8), (0.69, 0.36, 0.05)
"""Red, green and blue of weights above and below zero."""
FAINTEST = 0.02
"""Share of the largest weight from which a line is drawn."""


@dataclass(frozen=True)
class LinksFigure:
    """Weights between two columns of tokens.

    Args:
        title: Its title.
        row_name: Name of the left column.
        column_name: Name of the right column.
        unit: Unit of the values.
        rows: R labels, from top to bottom.
        columns: C labels, from top to bottom.
        values: (R, C); NaN where nothing can be read.
    """

    title: str
    row_name: str
    column_name: str
    unit: str
    rows: Sequence[str]
    columns: Sequence[str]
    values: NDArray[np.floating[Any]]

    def draw(self) -> Any:
        """Return the figure as a matplotlib.figure.Figure, whose savefig writes it."""
        from matplotlib.collections import LineCollection
        from matplotlib.figure import Figure

        count = max(len(self.rows), len(self.columns))
        figure = Figure(figsize=(4.8, min(40.0, 1.4 + 0.15 * count)), layout="constrained")
        axes = figure.add_subplot()
        entitle(axes, self.title)
        weights = np.nan_to_num(self.values) / (np.nanmax(np.abs(self.values)) or 1.0)
        rows, columns = np.nonzero(np.abs(weights) >= FAINTEST)
        strengths = weights[rows, columns]
        colours = [(*(RISING if share > 0 else FALLING), abs(share)) for share in strengths.tolist()]
        ends = [((0.0, float(row)), (1.0, float(column))) for row, column in zip(rows, columns, strict=True)]
        axes.add_collection(LineCollection(ends, colors=colours, linewidths=1.0))
        for x, labels, side in ((-0.02, self.rows, "right"), (1.02, self.columns, "left")):
            for index, label in enumerate(labels):
                axes.text(x, index, plain(label[:20]), ha=side, va="center", fontsize=SMALL, color=INK,
                          family="monospace")  # fmt: skip
        for x, name, side in ((-0.02, self.row_name, "right"), (1.02, self.column_name, "left")):
            axes.text(x, -1.2, plain(name.partition(":")[0]), ha=side, va="center", fontsize=SIZE, color=DIM)
        axes.set(xlim=(-0.35, 1.35), ylim=(count - 0.5, -1.8))
        axes.set_axis_off()
        return figure
