"""The dialog in which a run is measured: started, drawn, read, and cancelled."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QStackedWidget, QTextEdit, QWidget

from lab.base.problems import BadInput, LabError
from lab.base.units import duration
from lab.host import Plugins
from lab.runs import RunFolder
from lab.shell.measurements.kinds import KINDS, Kind, Other, Reading
from lab.shell.runtime.background import Background
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.registry import RunRegistry
from lab.widgets.charts.chart import Chart
from lab.widgets.core.controls import MenuButton
from lab.widgets.core.i18n import localized, number_text, tr
from lab.widgets.core.overlay import WorkOverlay
from lab.widgets.core.splitter import Splitter
from lab.widgets.figures.view import ExportButton
from lab.widgets.lists.passage_list import Passage, PassageList
from lab.widgets.maps.layout import NameLabel
from lab.widgets.maps.plane import PathPoint, PlaneView
from lab.workbench.analysis.measurements import Measurer

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.training.measurements.planes import LossPlane

SIZE = 860, 640
KEY = "measurement"
"""The key of the job in the background."""
LABELLED = 6
"""Most points of a path that are labelled."""
CONTENTS = ("chart", "plane", "passages")


class MeasurementDialog(WorkOverlay):
    """Measures a checkpoint of the selected run. Closed meanwhile, it cancels the measurement.

    Args:
        window: The window over which it opens.
        registry: The runs.
        plugins: The plugins.
        background: Runs the measurement.
    """

    def __init__(self, window: QWidget, registry: RunRegistry, plugins: Plugins, background: Background) -> None:
        title, menu = tr("Measure the run"), tr("What to measure")
        choices = [(kind.key, kind.title) for kind in KINDS]
        super().__init__(window, title, (menu, choices), background, KEY, SIZE)
        self._registry, self._plugins = registry, plugins
        self.kind: Kind = KINDS[0]
        self.run: RunModel | None = None
        self._readings: list[Reading] = []
        self._reported: list[Any] = []  # a thread appends to it
        self._started = 0.0
        self._cancel = False  # set by the button, read by the thread
        self.steps = MenuButton(tr("checkpoint"), [("", tr("last checkpoint"))], self._forget)
        self.others = MenuButton(tr("other run"), [("", tr("no other run"))], self._forget)
        self.chart, self.plane = Chart(), PlaneView()
        self.export = {"chart": ExportButton(self.chart), "plane": ExportButton(self.plane)}
        self.by_position = Chart()
        self.passages = PassageList(tr("The hardest tokens and passages"), lines=1)
        self.passages.clicked.connect(self._read)
        self.passages.activated.connect(self._read)
        self.passage = QPlainTextEdit()
        self.passage.setReadOnly(True)
        self.passage.setAccessibleName(tr("The passage"))
        self._contents = QStackedWidget()
        for content in (self.chart, self.plane, self._make_passages()):
            self._contents.addWidget(content)
        self.set_content(self._contents)
        self.cancel.setToolTip(tr("End it; what was measured so far is shown"))
        for place, control in enumerate((*self.export.values(), self.others, self.steps)):
            self.head.insertWidget(1 + place, control)

    def _make_passages(self) -> QWidget:
        """Return the chart by position above the list and what it reads."""
        below = Splitter(Qt.Orientation.Horizontal)
        below.addWidget(self.passages)
        below.addWidget(self.passage)
        below.setSizes([500, 500])
        both = Splitter(Qt.Orientation.Vertical)
        both.addWidget(self.by_position)
        both.addWidget(below)
        both.setSizes([450, 550])
        return both

    def open(self) -> None:
        """Open it for the selected run."""
        if self.isHidden():
            self._take_run()
            self.select(self.kind.key)
        self.show_over(self.start_button)

    def _take_run(self) -> None:
        """Offer the checkpoints of the selected run, and the other runs."""
        self.run = run = self._registry.selected
        folder = None if run is None else run.source.folder
        steps = [] if folder is None else folder.checkpoint_steps()
        self.title.setText(tr("Measure the run") if run is None else tr("Measure {run}", run=run.name))
        self.steps.set_choices(
            [("", tr("last checkpoint")), *((str(step), tr("step {step}", step=number_text(step))) for step in steps)]
        )
        others = [other for other in self._registry.runs if other is not run and other.source.folder is not None]
        fallback = [] if others else [("", tr("no other run"))]
        self.others.set_choices([*fallback, *((other.key, other.name) for other in others)])

    def select(self, key: str) -> None:
        """Select what to measure."""
        self.kind = next(kind for kind in KINDS if kind.key == key)
        self.menu.show_value(key)
        self.explanation.setText(self.kind.explanation)
        self._contents.setCurrentIndex(CONTENTS.index(self.kind.content))
        self.others.setVisible(self.kind.needs_other)
        for content, button in self.export.items():
            button.setVisible(content == self.kind.content)
        self._forget()

    def _forget(self, _value: str = "") -> None:
        """Drop what was measured, as something else is to be measured."""
        super().stop()
        self._reported, self.found = [], None
        self.text.setText(tr("It measures a copy of the checkpoint, and changes nothing."))
        self.draw()
        self.show_buttons()

    def start(self) -> None:
        """Start the measurement."""
        self._reported, self.found, self._cancel = [], None, False
        self._started = time.monotonic()
        try:
            folder, step = self._checkpoint(self.run, self.steps.value)
            other = self._other() if self.kind.needs_other else None
        except LabError as error:
            self.fail(error.problem)
            return
        self.run_work(tr("Measuring the run"), partial(self._measure, self.kind, folder, step, other, self._reported))

    def _other(self) -> Other:
        key = self.others.value
        other = next((run for run in self._registry.runs if run.key == key), None)
        if other is None:
            raise BadInput(tr("there is no other run"), remedy=tr("Train another one with the same model and text"))
        return self._checkpoint(other, "")

    def _checkpoint(self, run: RunModel | None, step: str) -> Other:
        """Return the folder and the step of a checkpoint.

        Raises:
            BadInput: There is none.
        """
        folder = None if run is None else run.source.folder
        steps = [] if folder is None else folder.checkpoint_steps()
        if folder is None or not steps:
            remedy = tr("Wait for its end, or store one with Save checkpoint")
            raise BadInput(tr("the run has no checkpoint yet"), remedy=remedy)
        return folder, int(step) if step and int(step) in steps else steps[-1]

    def _measure(
        self, kind: Kind, folder: RunFolder, step: int, other: Other | None, reported: list[Any], job: Job
    ) -> Any:
        """Measure; in a thread."""
        measurer = Measurer(folder, step, self._plugins, self.note, lambda: job.cancelled or self._cancel)
        return kind.work(measurer, other, reported.append)

    def stop(self) -> None:
        """End the measurement; what was measured so far is shown."""
        self._cancel = True
        self.cancel.setEnabled(False)

    def sentence(self) -> str:
        """Return what the result says."""
        end = tr("Cancelled; this is what was measured until then.") if self._cancel else ""
        return " ".join(filter(None, (end, self.kind.sentence(self.found))))

    def progress_label(self, share: float) -> str:
        """Return how much of the measurement is done, and when it will be."""
        passed = time.monotonic() - self._started
        left = ""
        if share > 0.02 and passed > 1:
            left = tr("{time} left", time=localized(duration(passed * (1 - share) / share)))
        text = tr("Measuring a copy of the checkpoint: {percent} %", percent=round(100 * share))
        return " · ".join(filter(None, (text, left)))

    def show_buttons(self) -> None:
        """Show the buttons for what can be done now."""
        super().show_buttons()
        self.cancel.setEnabled(True)
        self.start_button.setText(tr("Start") if self.found is None else tr("Measure again"))

    # ------------------------------------------------------------------------------------------------------- drawing

    def draw(self) -> None:
        """Draw what was reported so far, or the result."""
        reported = list(self._reported)
        if self.kind.content == "plane":
            self._draw_plane(self.kind.plane(reported, self.found))
            return
        chart = self.chart if self.kind.content == "chart" else self.by_position
        x, y, x_log, y_log = self.kind.axes
        chart.set_axes(x, y, x_log=x_log, y_log=y_log)
        chart.set_lines(self.kind.lines(reported, self.found))
        chart.draw()
        if self.kind.content == "passages" and (self.found is None or not self.works):
            self._show_readings([] if self.found is None else self.kind.readings(self.found))

    def _draw_plane(self, plane: LossPlane | None) -> None:
        if plane is None:
            self.plane.set_path(())
            self.plane.set_map(np.zeros((0, 0), np.float32), (), (), row_name="", column_name="")
            return
        values = np.array(plane.losses, np.float32)[::-1]  # the second coordinate grows upwards
        names = [_labels(axis) for axis in (plane.y[::-1], plane.x)]
        known = values[np.isfinite(values)]
        levels = (float(known.min()), float(known.max())) if known.size and known.max() > known.min() else None
        self.plane.set_map(
            values, *names, row_name=tr("second direction"), column_name=tr("first direction"), unit=tr("loss"),
            levels=levels, signed=False,
        )  # fmt: skip
        self.plane.set_path(path_on(plane))

    def _show_readings(self, readings: list[Reading]) -> None:
        self._readings = readings
        self.passages.set_rows([Passage(one.text[max(0, one.start - 30) :][:200], one.figures) for one in readings])
        self.passage.setPlainText("")
        if readings:
            self._read(self.passages.model().index(0, 0))

    def _read(self, index: QModelIndex) -> None:
        """Show a passage, and mark its token."""
        reading = self._readings[index.row()]
        self.passages.setCurrentIndex(index)
        self.passage.setPlainText(reading.text)
        marks = []
        if reading.length:
            mark = QTextEdit.ExtraSelection()
            cursor = QTextCursor(self.passage.document())
            cursor.setPosition(reading.start)
            cursor.setPosition(reading.start + reading.length, QTextCursor.MoveMode.KeepAnchor)
            style = QTextCharFormat()
            style.setBackground(self.palette().highlight())
            style.setForeground(self.palette().highlightedText())
            mark.cursor, mark.format = cursor, style
            marks.append(mark)
            self.passage.setTextCursor(QTextCursor(self.passage.document()))
        self.passage.setExtraSelections(marks)


def _labels(axis: Sequence[float]) -> tuple[NameLabel, ...]:
    """Return the coordinates along an axis as labels, with as many decimals as tell them apart."""
    span = max(axis) - min(axis)
    decimals = min(6, max(0, 2 - math.floor(math.log10(span)))) if span > 0 else 2
    return tuple(NameLabel(number_text(value, f".{decimals}f")) for value in axis)


def path_on(plane: LossPlane) -> list[PathPoint]:
    """Return the points of a plane in columns and rows of its map, of which the first and last are labelled."""
    width, height = len(plane.x), len(plane.y)
    count = len(plane.points)
    every = max(1, -(-count // LABELLED))
    found = []
    for index, point in enumerate(plane.points):
        column = (point.x - plane.x[0]) / (plane.x[-1] - plane.x[0]) * (width - 1)
        row = (plane.y[-1] - point.y) / (plane.y[-1] - plane.y[0]) * (height - 1)
        found.append((column, row, point.label if index % every == 0 or index == count - 1 else ""))
    return found
