"""The view of readings along a scale, such as lags or the bins of a histogram: a line for each other index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QVBoxLayout, QWidget

from lab.widgets.charts.chart import Chart, Line
from lab.widgets.charts.lines import Style
from lab.widgets.core.controls import Button
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import DASHES, themes
from lab.widgets.figures.view import ExportButton
from lab.widgets.maps.colours import Numbers
from lab.widgets.readings.axes import axis_name
from lab.widgets.readings.axis_choice import ChoosingView

SCALES = ("lag", "bin", "layer", "token")
"""Axes that lines can run along; the first one that a reading has is used."""
WIDE = 100
"""Ratio of the largest to the smallest value from which the axis is logarithmic by default."""
NAMED = 16
"""The largest number of named lines: those that end farthest from zero."""
STRONG = 4
"""Number of lines up to which they are drawn wide."""
BOUND = "bound"
"""The name of a line that is not a measurement but an upper bound."""

Array = NDArray[np.float64]


class LinesView(ChoosingView):
    """A line for each index of one axis along another axis, with a third axis as a choice."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.chart = Chart()
        layout = QVBoxLayout(self.body)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.chart)
        self.log = Button(tr("log y"), hint=tr("Equal distances on the axis are equal factors"))
        self.log.setCheckable(True)
        self.log.clicked.connect(self._choose_log)
        self.add_option(self.log)
        self.add_option(ExportButton(self.chart))
        self._tokens: tuple[str, ...] = ()
        self._by_itself = True  # whether the values decide if the axis is logarithmic
        self._drawn: tuple[Numbers, tuple[str, ...], str] | None = None
        themes.changed.connect(self._redraw)

    def show_slice(self, values: Numbers, axes: tuple[str, ...], unit: str, full_values: Numbers, caption: str) -> None:
        """Draw values of one or two axes."""
        del full_values
        self.chart.caption = caption
        self._drawn = (values, axes, unit)
        if self._by_itself:
            self.log.setChecked(spans_decades(values))
        self._redraw()

    def choose_as(self, other: Self) -> None:
        """Show the slice and the scale that are selected in another view."""
        self._by_itself = other._by_itself
        with QSignalBlocker(self.log):
            self.log.setChecked(other.log.isChecked())
        super().choose_as(other)

    def _choose_log(self) -> None:
        self._by_itself = False
        self._redraw()
        self.picked.emit()

    def _redraw(self) -> None:
        if self._drawn is None:
            return
        values, axes, unit = self._drawn
        along = next(axis for axis in SCALES if axis in axes)
        rest = next((axis for axis in axes if axis != along), "")
        values = np.moveaxis(values, axes.index(along), -1).reshape(-1, values.shape[axes.index(along)])
        x = self._scale(along, values.shape[-1])
        names = self.names_of(rest, len(values)) if rest else [""]
        name = axis_name(along)
        is_counted = along != "bin"
        self.chart.set_axes(name.replace(":", ",") if is_counted else name, unit, y_log=self.log.isChecked())
        if along == "token" and not self.axis_labels.get(along):
            self._tokens = self.labels_of(along, len(x))
            self.chart.set_position_format(self._show_followed)
        stepped = [(x, row) if is_counted else stairs(x, row) for row in values.astype(np.float64)]
        self.chart.set_lines(lines_of(names, stepped))
        self.chart.draw()

    def _scale(self, axis: str, size: int) -> Array:
        """Return the value at each index along an axis."""
        labels = self.axis_labels.get(axis, ())
        if len(labels) == size and all(isinstance(each, int | float) for each in labels):
            return np.array(labels, np.float64)
        return np.arange(size, dtype=np.float64) + (0.0 if axis == "lag" else 1.0)

    def _show_followed(self, index: float) -> str:
        number = min(max(round(index) - 1, 0), len(self._tokens) - 1)
        label = self._tokens[number]
        return tr("token {number} “{token}”", number=number + 1, token=label)


def spans_decades(values: Numbers) -> bool:
    """Return True if values suit a logarithmic axis: all above zero, and far apart."""
    known = values[np.isfinite(values)]
    return bool(known.size and known.min() > 0 and known.max() > WIDE * known.min())


def lines_of(names: Sequence[str], points: Sequence[tuple[Array, Array]], selected: int | None = None) -> list[Line]:
    """Return the lines of a chart, each with its own colour or dashes; bounds are dashed.

    Args:
        names: The name of each line.
        points: The x and y of each line, [N] each, x ascending.
        selected: The number of a line that is named in any case.
    """
    colours = themes.now.runs
    made: list[Line] = []
    named = set(by_weight([y for _, y in points], selected)[:NAMED])
    for number, (name, (x, y)) in enumerate(zip(names, points, strict=True)):
        is_bound = name == BOUND
        colour = themes.now.dim if is_bound else colours[number % len(colours)]
        dashes = 1 if is_bound else number // len(colours) % len(DASHES)
        y = np.where(np.isfinite(y), y, np.nan)
        is_strong = len(names) <= STRONG and not is_bound
        style: Style = "main" if is_strong else "thin"
        shown = name if number in named else ""
        made.append(Line(f"{number} {name}", shown, colour, x, y, style, dashes, long_name=name))
    return made


def by_weight(rows: Sequence[Array], selected: int | None = None) -> list[int]:
    """Return the numbers of lines by descending priority of their names.

    Args:
        rows: The y of each line.
        selected: The number of the line that comes first; None if those that end farthest from zero do.
    """
    ends = [float(abs(row[-1])) if len(row) and np.isfinite(row[-1]) else -1.0 for row in rows]
    return sorted(range(len(rows)), key=lambda number: (number != selected, -ends[number]))


def stairs(centres: Array, heights: Array) -> tuple[Array, Array]:
    """Return the outline of a histogram.

    Args:
        centres: Middles of the bins, ascending, [N].
        heights: Height of each bin, [N].

    Returns:
        x and y of its corners, [2N] each.
    """
    half = np.diff(centres) / 2 if len(centres) > 1 else np.array([0.5])
    edges = np.concatenate(([centres[0] - half[0]], centres[:-1] + half[: len(centres) - 1], [centres[-1] + half[-1]]))
    return np.repeat(edges, 2)[1:-1], np.repeat(heights, 2)
