"""Small charts, one for each group of runs, with one scale for all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from lab.shell.compare.many.run_figures import Curve
from lab.shell.session.scales import axis_kind, axis_name
from lab.shell.session.setting_labels import setting_title
from lab.studies.statistics.groups import Group
from lab.widgets.charts.chart import Chart
from lab.widgets.charts.lines import Line
from lab.widgets.core.controls import label
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import themes

MOST_CHARTS, MOST_LINES, COLUMNS = 9, 24, 3


class SmallMultiples(QWidget):
    """The validation losses of the runs of each group, over their steps."""

    def __init__(self) -> None:
        super().__init__()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self.charts: list[Chart] = []
        self.drawn: list[Chart] = []  # those that show a group
        self._titles = []
        self._cells: list[QWidget] = []
        self._rest = label("", "dim")
        self._rest.setWordWrap(True)
        for number in range(MOST_CHARTS):
            cell, chart, title = QWidget(), Chart(), label("", "note")
            column = QVBoxLayout(cell)
            column.setContentsMargins(0, 0, 0, 0)
            column.setSpacing(2)
            column.addWidget(title)
            column.addWidget(chart, 1)
            self._grid.addWidget(cell, number // COLUMNS, number % COLUMNS)
            self.charts.append(chart)
            self._titles.append(title)
            self._cells.append(cell)
        self._grid.addWidget(self._rest, MOST_CHARTS // COLUMNS, 0, 1, COLUMNS)

    def show_groups(self, groups: Sequence[Group], by: str, curves: Mapping[str, Curve]) -> None:
        """Draw groups of runs.

        Args:
            groups: The groups.
            by: The field by which they are grouped; "" for one group.
            curves: Steps and validation losses of each run, by its key.
        """
        drawn = [_lines_of(group, curves) for group in groups[:MOST_CHARTS]]
        values = np.concatenate([np.empty(0), *(line.y for lines in drawn for line in lines)])
        values = values[np.isfinite(values)]
        for number, (cell, title, chart) in enumerate(zip(self._cells, self._titles, self.charts, strict=True)):
            cell.setVisible(number < len(drawn))
            if number >= len(drawn):
                continue
            value = groups[number].value
            chart.caption = tr("{setting}: {value}", setting=setting_title(by), value=value) if by else tr("all runs")
            title.setText(chart.caption)
            chart.set_axes(axis_name("steps"), tr("validation loss"), x_kind=axis_kind("steps"))
            chart.set_lines(drawn[number])
            if len(values):
                chart.include_values(float(values.min()), float(values.max()))
            chart.draw()
        self.drawn = self.charts[: len(drawn)]
        rest = len(groups) - len(drawn)
        self._rest.setText(tr("{n} more groups are not drawn.", n=rest) if rest > 0 else "")
        self._rest.setVisible(rest > 0)


def _lines_of(group: Group, curves: Mapping[str, Curve]) -> list[Line]:
    colours, found = themes.now.runs, list[Line]()
    for number, run in enumerate(group.runs[:MOST_LINES]):
        if run.key in curves:
            steps, values = curves[run.key]
            colour = colours[number % len(colours)]
            found.append(Line(run.key, "", colour, steps, values, style="thin", long_name=run.name))
    return found
