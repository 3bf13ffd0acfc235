"""The validation losses of compared runs over their steps, where the page has room for them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from lab.base.charts.averages import Values
from lab.shell.session.comparison.leading import LOSS
from lab.shell.session.runs.loss_unit import convert, is_known, validation_label
from lab.shell.session.runs.model import RunModel
from lab.shell.session.scales import axis_kind, axis_name, validation_lines
from lab.widgets.charts.chart import Chart
from lab.widgets.charts.end_labels import with_positions

NEEDED = 2
"""Evaluations of a run from which on it has a curve."""


class LossChart(Chart):
    """The chart. A line whose losses did not change is not processed again.

    Args:
        parent: Its parent.

    Attributes:
        has_curves: True if a run was evaluated more than once.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.has_curves = False
        self._converted: dict[str, tuple[Values, str, Values]] = {}

    def show_runs(self, runs: Sequence[RunModel], unit: str) -> None:
        """Draw the losses of runs in a unit; those of a run that are not known in it are left out."""
        drawn = [run for run in runs if is_known(run, unit) and LOSS in run.curves.names()]
        self._converted = {run.key: self._in_unit(run, unit) for run in drawn}
        self.has_curves = any(len(self._converted[run.key][0]) >= NEEDED for run in drawn)
        losses = [(run, run.curves.steps(LOSS), self._converted[run.key][2]) for run in drawn]
        lines = [line for run, x, y in losses for line in validation_lines(run, x, y, run.name)]
        self.set_axes(axis_name("steps"), validation_label(unit), x_kind=axis_kind("steps"))
        self.set_lines(with_positions(lines, axis_kind("steps")))
        self.draw()

    def _in_unit(self, run: RunModel, unit: str) -> tuple[Values, str, Values]:
        nats, known = run.curves.values(LOSS), self._converted.get(run.key)
        if known is not None and known[0] is nats and known[1] == unit:
            return known
        return nats, unit, convert(nats, run, unit)
