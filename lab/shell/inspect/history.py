"""Readings over the training: the few numbers that a card shows, as lines over the steps of the recorded moments."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtWidgets import QVBoxLayout, QWidget

from lab.api import Reading
from lab.widgets.charts.chart import Chart, Flag
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import themes
from lab.widgets.figures.view import ExportButton
from lab.widgets.readings.base import ReadingView
from lab.widgets.readings.lines import lines_of, spans_decades
from lab.workbench.access.inspection import Inspection
from lab.workbench.analysis.moments import kind_of

FEWEST = 2
"""Moments that make a line."""


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

    def show_history(self, view: ReadingView, looks: Sequence[Inspection], now: Inspection) -> None:
        """Shows the numbers that the choices of a view leave, at all moments.

        Args:
            view: It shows the readings of one of them.
            looks: The recorded moments, in order.
            now: What the view shows; it is marked.
        """
        self._shown = (view, looks, now)
        self._draw()

    def forget(self) -> None:
        """Shows nothing, and keeps nothing."""
        self._shown = None

    def _draw(self) -> None:
        reading = self._shown[0].shown if self._shown is not None else None
        if self._shown is None or reading is None:
            return
        view, looks, now = self._shown
        steps, values, names = [], [], list[str]()
        for look in with_now(looks, now):
            found = view.numbers_of(like(reading, look) or reading)
            if found is not None and like(reading, look) is not None:
                names, numbers = found
                steps.append(float(look.step))
                values.append(numbers)
        rows = np.array(values, np.float64).T
        x = np.array(steps)
        self.chart.caption = view.where
        self.chart.set_axes(tr("step"), reading.units or "", x_log=True, y_log=spans_decades(rows))
        self.chart.set_lines(lines_of(names, [(x, row) for row in rows]))
        self.chart.set_flags([Flag(float(now.step), tr("step {n}", n=f"{now.step:,}"))])
        self.chart.draw()


def with_now(looks: Sequence[Inspection], now: Inspection) -> list[Inspection]:
    """The recorded moments, and what is seen now where it came after them."""
    return [*looks, now] if looks and now.step > looks[-1].step else list(looks)


def like(reading: Reading, look: Inspection) -> Reading | None:
    """The same reading at another moment; None where it was not recorded there."""
    kind, shape = kind_of(reading), np.shape(reading.values)
    same = (one for one in look.readings if kind_of(one) == kind and np.shape(one.values) == shape)
    return next(same, None)


def has_history(view: ReadingView, looks: Sequence[Inspection]) -> bool:
    """Whether what a view shows can be told over the training: few numbers, recorded at more than one moment."""
    reading = view.shown
    if reading is None or view.numbers_of(reading) is None:
        return False
    return sum(like(reading, look) is not None for look in looks) >= FEWEST
