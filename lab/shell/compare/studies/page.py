"""The page of studies: the text of a study, its runs with their states, and their curves while they train."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import numpy as np
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFileDialog,
    QHBoxLayout,
    QPlainTextEdit,
    QSplitter,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from lab.base import LabError
from lab.base.last_folder import last_folder, remember_folder
from lab.base.problems import Problem
from lab.host import Plugins
from lab.shell.compare.many.multiples import SmallMultiples
from lab.shell.compare.many.run_figures import LOSS_SERIES, Curve
from lab.shell.compare.many.table_model import ArmsModel
from lab.shell.compare.studies.controller import State, StudyController, machine_label, problem_text
from lab.shell.runtime.background import Background
from lab.studies.statistics import RunFigures, grouped
from lab.widgets.core.controls import Button, MenuButton, label
from lab.widgets.core.i18n import tr, tr_n
from lab.widgets.core.messages import problem_line
from lab.widgets.core.theme import px
from lab.widgets.figures.table_head import TableHead
from lab.workbench.studies.results import StudyResults

SPACING, LINE = 8, 26
EVERY = 1000
"""Milliseconds between two looks at the runs while they train."""
AFTER = 600
"""Milliseconds after the last key until the text is checked."""
TRAINING, CHECKING, READING = "carry out the study", "check the study", "read the curves of the study"
ARM = "arm"


class StudiesPage(QWidget):
    """A study that is opened, edited, trained with several runs at once, paused, and continued.

    Args:
        background: Trains and reads in threads.
        plugins: The plugins.
    """

    def __init__(self, background: Background, plugins: Plugins) -> None:
        super().__init__()
        self._background, self.controller = background, StudyController(plugins)
        self._known = MenuButton(tr("Studies of this machine"), [("", tr("studies"))], self._open_known)
        self._open = Button(tr("Open a study…"), hint=tr("Open a study file"), role="")
        self._open.clicked.connect(self._ask_for_file)
        counts = [(str(n), tr_n("1 run at once", "{n} runs at once", n)) for n in range(1, 1 + (os.cpu_count() or 1))]
        self.workers = MenuButton(tr("Runs at once"), counts, lambda _: None)
        self.start = Button(tr("Start"), hint=tr("Train the runs that have not finished"), role="primary")
        self.start.clicked.connect(self._start)
        self.pause = Button(tr("Pause"), hint=tr("Stop and save the runs that train"), role="")
        self.pause.clicked.connect(self._pause)
        first = tr("Let the selected runs train before all others that wait")
        self.first = Button(tr("Train next"), hint=first, role="")
        self.first.clicked.connect(self._put_first)
        self.text = QPlainTextEdit()
        self.text.setAccessibleName(tr("Text of the study"))
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setTabChangesFocus(True)
        self.text.setPlainText(self.controller.text)
        self.text.textChanged.connect(self._note_edit)
        self._model = ArmsModel(self)
        self.view = QTableView()
        self._set_up_view()
        self.multiples = SmallMultiples()
        self._note, self._machine = label(""), label("", "dim")
        self._note.setWordWrap(True)
        self._edited = QTimer(self, singleShot=True, interval=AFTER)
        self._edited.timeout.connect(self._check)
        self._clock = QTimer(self, interval=EVERY)
        self._clock.timeout.connect(self._look)
        self._lay_out()
        self._show_state()

    def _set_up_view(self) -> None:
        view = self.view
        view.setHorizontalHeader(TableHead(view))
        view.setModel(self._model)
        view.setAccessibleName(tr("Runs of the study"))
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        view.setShowGrid(False)
        view.setWordWrap(False)
        view.setTabKeyNavigation(False)
        view.verticalHeader().hide()
        view.verticalHeader().setDefaultSectionSize(px(LINE))

    def _lay_out(self) -> None:
        head, foot, right = QHBoxLayout(), QHBoxLayout(), QSplitter(Qt.Orientation.Vertical)
        for widget in (self._open, self._known):
            head.addWidget(widget)
        head.addStretch(1)
        for widget in (self.first, self.workers, self.pause, self.start):
            head.addWidget(widget)
        right.addWidget(self.view)
        right.addWidget(self.multiples)
        right.setChildrenCollapsible(False)
        right.setSizes([2000, 3000])
        self.view.setMinimumHeight(px(6 * LINE))
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.setChildrenCollapsible(False)
        splitter.addWidget(self.text)
        splitter.addWidget(right)
        splitter.setSizes([2000, 3000])
        foot.addWidget(self._note, 1)
        foot.addWidget(self._machine)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        for layout in (rows, head, foot):
            layout.setSpacing(SPACING)
        rows.addLayout(head)
        rows.addWidget(splitter, 1)
        rows.addLayout(foot)

    def showEvent(self, event: QShowEvent) -> None:
        """List the studies of this machine, and look at the runs."""
        super().showEvent(event)
        self._offer_known()
        self._clock.start()
        if self.controller.results is None:
            self._check()

    def hideEvent(self, event: QHideEvent) -> None:
        """Look at nothing while hidden; what trains goes on."""
        super().hideEvent(event)
        self._clock.stop()

    # -------------------------------------------------------------------------------------------------------- the text

    def _offer_known(self) -> None:
        known = self.controller.known()
        self._known.set_choices([("", tr("studies")), *((str(each.file), each.title) for each in known)])
        self._known.setEnabled(bool(known))

    def _open_known(self, file: str) -> None:
        if file:
            self.open(Path(file))

    def _ask_for_file(self) -> None:
        title, kinds = tr("Select a study file"), tr("Studies (*.toml);;All files (*)")
        file, _ = QFileDialog.getOpenFileName(self.window(), title, str(last_folder()), kinds)
        if file:
            remember_folder(Path(file).parent)
            self.open(Path(file))

    def open(self, file: Path) -> None:
        """Open a study file, and show what is known of its runs."""
        try:
            self.controller.open(file)
        except LabError as error:
            self._note.setText(problem_text(error))
            return
        self.text.setPlainText(self.controller.text)
        self._check()

    def _note_edit(self) -> None:
        self.controller.text = self.text.toPlainText()
        self._edited.start()

    def _check(self) -> None:
        """Show the plan of the text, unless a study trains: that one goes on as it was."""
        self._edited.stop()
        try:
            study = self.controller.study()
        except LabError as error:
            self._note.setText(problem_text(error))
            self.start.setEnabled(False)
            return
        if self.controller.state != State.IDLE:
            self._note.setText(tr("This text is another study; the one that trains goes on as it was."))
            return
        self.start.setEnabled(True)
        work = partial(self.controller.check, study)
        self._background.run(tr("Checking the study"), work, self._take_check, self._fail_check, replaces=CHECKING)

    def _take_check(self, results: StudyResults) -> None:
        if self.controller.state == State.IDLE:
            self.controller.results = results
            self._show_runs()

    def _fail_check(self, problem: Problem) -> None:
        self._note.setText(problem_line(problem))
        self.start.setEnabled(False)

    # --------------------------------------------------------------------------------------------------------- the runs

    def _start(self) -> None:
        try:
            study = self.controller.study()
        except LabError as error:
            self._note.setText(problem_text(error))
            return
        self._background.cancel(CHECKING)
        self.controller.start()
        work = partial(self.controller.carry_out, study, int(self.workers.value or 1))
        self._background.run(study.title, work, self._end, self._fail, replaces=TRAINING)
        self._show_state()

    def _pause(self) -> None:
        self.controller.pause()
        self._show_state()

    def _end(self, results: StudyResults) -> None:
        self.controller.end(results)
        self._offer_known()
        self._show_state()
        self._show_runs()

    def _fail(self, problem: Problem) -> None:
        self.controller.end(None)
        self._show_state()
        self._note.setText(problem_line(problem))

    def _put_first(self) -> None:
        rows = sorted({index.row() for index in self.view.selectionModel().selectedRows()})
        try:
            self.controller.put_first([int(self._model.data(self._model.index(row, 0))) - 1 for row in rows])
        except LabError as error:
            self._note.setText(problem_text(error))

    def _look(self) -> None:
        self._machine.setText(machine_label())
        if self.controller.state != State.IDLE:
            self._show_runs()

    def _show_state(self) -> None:
        idle = self.controller.state == State.IDLE
        self.start.setEnabled(idle)
        self.pause.setEnabled(self.controller.state == State.TRAINING)
        self.workers.setEnabled(idle)
        if self.controller.state == State.PAUSING:
            self._note.setText(tr("Pausing: the runs that train are saved …"))

    def _show_runs(self) -> None:
        picked = {index.row() for index in self.view.selectionModel().selectedRows()}
        titles, rows = self.controller.table()
        self._model.set_rows(titles, rows)
        for column in range(len(titles)):
            width = max(self.view.sizeHintForColumn(column), self.view.horizontalHeader().sectionSizeHint(column))
            self.view.setColumnWidth(column, min(width + px(12), px(260)))
        for row in picked & set(range(len(rows))):
            self.view.selectRow(row)
        if self.controller.state != State.PAUSING:
            self._note.setText(self.controller.summary())
        if self.controller.results is not None:
            work = partial(_curves, self.controller.results)
            self._background.run(tr("Reading the curves"), work, self._take_curves, lambda _: None, replaces=READING)

    def _take_curves(self, found: tuple[list[RunFigures], dict[str, Curve]]) -> None:
        runs, curves = found
        self.multiples.show_groups(grouped(runs, ARM, "loss"), ARM, curves)


def _curves(results: StudyResults, job: object) -> tuple[list[RunFigures], dict[str, Curve]]:
    """Return the runs of a study and their validation losses over their steps, by key; in a thread."""
    del job
    runs, curves = [], dict[str, Curve]()
    for each in results.trials:
        if each.run is None:
            continue
        key = str(each.run.path)
        loss = float("nan") if each.loss is None else each.loss
        name = f"{each.trial.arm}, {each.trial.seed}"
        runs.append(RunFigures(key, name, {ARM: each.trial.arm}, {"loss": loss}, each.trial.seed))
        try:
            steps, values = each.run.metrics().read(LOSS_SERIES)
        except LabError:  # it has no evaluation yet
            continue
        curves[key] = steps.astype(np.float64), values.astype(np.float64)
    return runs, curves
