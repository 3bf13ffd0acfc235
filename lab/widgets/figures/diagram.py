"""The drawing of a model on paper: boxes and lines, drawn with matplotlib and without the rest of the lab."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lab.widgets.figures.style import DIM, HAIR, INK, SIZE, SMALL, entitle, plain

DOTS = 96
"""Pixels of the drawing per inch of paper."""
STRIPES = {"embedding": "#895a6d", "tokens": "#0b6bcb", "channels": "#2c9f7f", "output": "#895a6d", "table": "#b0860d"}
"""Colours of the kinds that have one."""
LETTER = 0.56
"""Width of a letter in parts of its height."""


@dataclass(frozen=True)
class DrawnPart:
    """A part of the model.

    Args:
        name: Its name, with the number of copies.
        note: What stands after the name.
        figure: What stands at its right end.
        kind: What it does.
        depth: Number of parts around it.
        shape: The shape of its output.
        parameters: Trained parameters of all copies.
        flops: Operations of a training step per token; None if unknown.
        area: Left edge, upper edge, width and height in pixels.
        title: Height of its title in pixels.
    """

    name: str
    note: str
    figure: str
    kind: str
    depth: int
    shape: str
    parameters: int
    flops: float | None
    area: tuple[float, float, float, float]
    title: float


@dataclass(frozen=True)
class DiagramFigure:
    """A drawing of a model.

    Args:
        title: Its title.
        width: Its width in pixels.
        height: Its height.
        parts: The visible parts, each before those in it.
        lines: Corners of the lines of the data flow.
        sums: Centres of the circles where residual branches are added.
    """

    title: str
    width: float
    height: float
    parts: Sequence[DrawnPart]
    lines: Sequence[Sequence[tuple[float, float]]]
    sums: Sequence[tuple[float, float]]

    def draw(self) -> Any:
        """Return the figure as a matplotlib.figure.Figure, whose savefig writes it."""
        from matplotlib.figure import Figure
        from matplotlib.patches import Circle, FancyBboxPatch, Rectangle

        figure = Figure(figsize=(self.width / DOTS + 0.3, self.height / DOTS + 0.6), layout="constrained")
        axes = figure.add_subplot()
        entitle(axes, self.title)
        for part in self.parts:
            x, y, width, height = part.area
            frame = FancyBboxPatch((x, y), width, height, boxstyle="round,pad=0,rounding_size=5",
                                   facecolor="white" if part.depth % 2 else "#f7f8fa", edgecolor=HAIR)  # fmt: skip
            axes.add_patch(frame)
            if part.kind in STRIPES:
                axes.add_patch(Rectangle((x, y + 4), 3, part.title - 8, color=STRIPES[part.kind]))
            line = y + part.title / 2
            wide = LETTER * SMALL * DOTS / 72
            room = width - 20 - wide * len(part.figure)
            axes.text(x + 8, line, plain(shortened(part.name, room / wide)), va="center", fontsize=SMALL, color=INK)
            left = room - wide * (len(part.name) + 2)
            axes.text(x + 8 + wide * (len(part.name) + 2), line, plain(shortened(part.note, left / wide)),
                      va="center", fontsize=SMALL, color=DIM)  # fmt: skip
            axes.text(x + width - 8, line, part.figure, va="center", ha="right", fontsize=SMALL, color=INK)
        for points in self.lines:
            axes.plot(*zip(*points, strict=True), color=DIM, linewidth=0.9, zorder=3)
        for x, y in self.sums:
            axes.add_patch(Circle((x, y), 7, facecolor="white", edgecolor=DIM, zorder=4))
            axes.text(x, y, "+", ha="center", va="center", fontsize=SIZE, color=INK, zorder=5)
        axes.set(xlim=(-2, self.width + 2), ylim=(self.height + 2, -2), aspect="equal")
        axes.set_axis_off()
        return figure


def shortened(text: str, letters: float) -> str:
    """Return a text with at most some letters, or "" where hardly any fit."""
    if len(text) <= letters:
        return text
    return f"{text[: max(0, int(letters) - 1)].rstrip()}…" if letters >= 4 else ""
