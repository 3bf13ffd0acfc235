"""The few numbers of a reading, as lines over the steps of the snapshots."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtWidgets import QVBoxLayout, QWidget

from lab.api import Reading
from lab.widgets.charts.chart import Chart, Flag
from lab.widgets.core.i18n import number_text, tr
from lab.widgets.core.theme import themes
from lab.widgets.figures.view import ExportButton
from lab.widgets.readings.base import ReadingView
from lab.widgets.readings.lines import by_weight, lines_of, spans_decades
from lab.workbench.access.inspection import Inspection
from lab.workbench.analysis.snapshots import kind_of

FEWEST = 2
"""Snapshots that make a line."""


class History(QWidget):
    """Lines of what a view shows, over the steps of a training."""

    def __init__(self) -> None:
        super().__init__()
        self.chart = Chart()
        self.export = ExportButton(self.chart)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.chart)
        self._shown: tuple[ReadingView, Sequence[Inspection], Inspection] | None = None
        themes.changed.connect(self._draw)

    def show_history(self, view: ReadingView, snapshots: Sequence[Inspection], now: Inspection) -> None:
        """Show the numbers that the options of a view leave, in all snapshots.

        Args:
            view: It shows the readings of one of them.
            snapshots: The snapshots, in order.
            now: What the view shows; its step is marked.
        """
        self._shown = (view, snapshots, now)
        self._draw()

    def clear(self) -> None:
        """Show nothing, and hold no snapshots."""
        self._shown = None

    def _draw(self) -> None:
        reading = self._shown[0].shown if self._shown is not None else None
        if self._shown is None or reading is None:
            return
        view, snapshots, now = self._shown
        steps, values, names, labels = [], [], list[str](), None
        for inspection in with_now(snapshots, now):
            same = same_reading(reading, inspection)
            found = view.numbers_of(same or reading)
            if found is not None and same is not None:
                names, numbers = found
                if labels not in (None, inspection.labels):  # of another text: a gap, so that no line joins them
                    steps.append(float(inspection.step))
                    values.append(np.full_like(numbers, np.nan, np.float64))
                labels = inspection.labels
                steps.append(float(inspection.step))
                values.append(numbers)
        rows = np.array(values, np.float64).T
        x = np.array(steps)
        self.chart.caption = view.where
        self.chart.set_axes(tr("step"), view.shown_unit, x_log=True, y_log=spans_decades(rows), x_kind="steps")
        selected = view.selected_number()
        lines = lines_of(names, [(x, row) for row in rows], selected)
        self.chart.set_lines([lines[number] for number in by_weight(list(rows), selected)])
        self.chart.set_flags([Flag(float(now.step), tr("step {n}", n=number_text(now.step)))])
        self.chart.draw()


def with_now(snapshots: Sequence[Inspection], now: Inspection) -> list[Inspection]:
    """Return the snapshots, followed by what is shown now if it is of a later step."""
    return [*snapshots, now] if snapshots and now.step > snapshots[-1].step else list(snapshots)


def same_reading(reading: Reading, inspection: Inspection) -> Reading | None:
    """Return the same reading of another inspection; None where it has none."""
    kind, shape = kind_of(reading), np.shape(reading.values)
    same = (one for one in inspection.readings if kind_of(one) == kind and np.shape(one.values) == shape)
    return next(same, None)


def has_history(view: ReadingView, snapshots: Sequence[Inspection]) -> bool:
    """Return True if a view shows few numbers that were recorded at more than one step."""
    reading = view.shown
    if reading is None or view.numbers_of(reading) is None:
        return False
    return sum(same_reading(reading, one) is not None for one in snapshots) >= FEWEST
