"""The path of a text in a plane on paper, drawn with numpy and matplotlib and without the rest of the lab."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.widgets.figures.style import DIM, HAIR, INK, SIZE, SMALL, entitle, plain

NAMED = 40
"""The approximate number of points with a label."""
FEW = 64
"""Number of points of the complex plane up to which they are opaque."""

MARKERS = ("o", "s", "^", "D", "v", "P", "X")
"""The shapes of classes; they repeat before the ten colours do, so that classes of one colour differ in their shape."""


@dataclass(frozen=True)
class PointsFigure:
    """Points in a plane, in the order of a text.

    Args:
        title: Its title.
        x_name: Name of the horizontal axis.
        y_name: Name of the vertical axis.
        order_name: Name of the axis of the points' order.
        labels: N labels of the points.
        points: (N, 2) x and y.
        circle: Whether they are numbers of the complex plane: the unit circle is drawn, and no order.
        classes: Names of the classes, which the labels are, of points without an order; () if they have none, None for
            points of a text.
    """

    title: str
    x_name: str
    y_name: str
    order_name: str
    labels: Sequence[str]
    points: NDArray[np.floating[Any]]
    circle: bool = False
    classes: Sequence[str] | None = None

    def draw(self) -> Any:
        """Return the figure as a matplotlib.figure.Figure, whose savefig writes it."""
        from matplotlib.figure import Figure

        figure = Figure(figsize=(6.4, 5.2), layout="constrained")
        axes = figure.add_subplot()
        entitle(axes, self.title)
        x, y = self.points.T
        drawn = None
        if self.circle:
            around = np.linspace(0, 2 * np.pi, 361)
            axes.plot(np.cos(around), np.sin(around), color=DIM, linewidth=0.8, zorder=1)
            axes.scatter(x, y, s=10, alpha=1.0 if len(x) <= FEW else 0.5, linewidths=0, zorder=2)
            axes.set_aspect("equal")
        elif self.classes is not None:
            self._draw_classes(axes)
        else:
            axes.plot(x, y, color=HAIR, linewidth=0.8, zorder=1)
            drawn = axes.scatter(x, y, c=np.arange(1, len(x) + 1), cmap="viridis", s=14, zorder=2)
        for index in range(0, 0 if drawn is None else len(x), max(1, len(x) // NAMED)):
            axes.annotate(plain(self.labels[index]), (x[index], y[index]), (3, 3), textcoords="offset points",
                          fontsize=SMALL, color=INK, family="monospace")  # fmt: skip
        axes.set_xlabel(plain(self.x_name), fontsize=SIZE, color=DIM)
        axes.set_ylabel(plain(self.y_name), fontsize=SIZE, color=DIM)
        axes.spines[["top", "right"]].set_visible(False)
        axes.spines[["left", "bottom"]].set_color(HAIR)
        axes.tick_params(labelsize=SIZE, labelcolor=DIM, color=DIM)
        if drawn is None:
            return figure
        bar = figure.colorbar(drawn, ax=axes, pad=0.02, aspect=30)
        bar.outline.set_visible(False)
        bar.ax.tick_params(labelsize=SIZE, labelcolor=DIM, length=2, color=DIM)
        bar.set_label(plain(self.order_name), fontsize=SIZE, color=DIM)
        return figure

    def _draw_classes(self, axes: Any) -> None:
        """Draw the points of each class in its shape and colour, with a legend."""
        labels = np.array(self.labels)
        for number, name in enumerate(self.classes or ("",)):
            x, y = self.points[labels == name].T
            axes.scatter(x, y, s=14, c=f"C{number % 10}", marker=MARKERS[number % len(MARKERS)], label=plain(name),
                         linewidths=0, zorder=2)  # fmt: skip
        if self.classes:
            axes.legend(fontsize=SMALL, labelcolor=INK, frameon=False)
