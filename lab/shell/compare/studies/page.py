"""The page of studies: the text of a study, its runs with their states, and their curves while they train."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import numpy as np
from PySide6.QtCore import QItemSelection, QItemSelectionModel, Qt, QTimer
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
from lab.base.jobs import Job
from lab.base.last_folder import last_folder, remember_folder
from lab.base.problems import Problem
from lab.shell.compare.many.multiples import SmallMultiples
from lab.shell.compare.many.run_figures import LOSS_SERIES, Curve
from lab.shell.compare.many.table_model import ArmsModel
from lab.shell.compare.studies.rows import machine_label, summary_of, table_of
from lab.shell.runtime.background import Background
from lab.shell.session.studies import Known, State, StudyController
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
CHECKING, READING, LISTING = "check the study", "read the curves of the study", "list the studies"
ARM = "arm"


class StudiesPage(QWidget):
    """A study that is opened, edited, trained with several runs at once, paused, and continued.

    Args:
        background: Reads in threads.
        controller: Trains; it outlives the page.
    """

    def __init__(self, background: Background, controller: StudyController) -> None:
        super().__init__()
        self._background, self.controller = background, controller
        self._keys: list[str] = []  # of the runs in the table, in their order
        self._reads = self._is_stale = False  # whether curves are being read, and were changed meanwhile
        self._is_study = True  # whether the text is one
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
        self._problem = label("", "bad")
        for text in (self._note, self._problem):
            text.setWordWrap(True)
        self._problem.hide()
        self._edited = QTimer(self, singleShot=True, interval=AFTER)
        self._edited.timeout.connect(self._check)
        self._clock = QTimer(self, interval=EVERY)
        self._clock.timeout.connect(self._look)
        self._lay_out()
        controller.changed.connect(self._follow)
        self._follow()

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
        rows.addWidget(self._problem)
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
        work = self.controller.known
        self._background.run(tr("Listing the studies"), work, self._take_known, lambda _: None, replaces=LISTING)

    def _take_known(self, known: list[Known]) -> None:
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
            self._show_problem(problem_line(error.problem))
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
            self._fail_check(error.problem)
            return
        if self.controller.state != State.IDLE:
            self._show_problem(tr("This text is another study; the one that trains goes on as it was."))
            return
        work = partial(self.controller.check, study)
        self._background.run(tr("Checking the study"), work, self._take_check, self._fail_check, replaces=CHECKING)

    def _take_check(self, results: StudyResults) -> None:
        if self.controller.state == State.IDLE:
            self.controller.results, self._is_study = results, True
            self._show_problem("")
            self._show_state()
            self._show_runs()

    def _fail_check(self, problem: Problem) -> None:
        self._is_study = False
        self._show_problem(problem_line(problem))
        self._show_state()

    def _show_problem(self, text: str) -> None:
        self._problem.setText(text)
        self._problem.setVisible(bool(text))

    # --------------------------------------------------------------------------------------------------------- the runs

    def _start(self) -> None:
        try:
            study = self.controller.study()
        except LabError as error:
            self._fail_check(error.problem)
            return
        self._background.cancel(CHECKING)
        self._show_problem("")
        self.controller.train(study, int(self.workers.value or 1))

    def _pause(self) -> None:
        self.controller.pause()

    def _follow(self) -> None:
        """Show what the controller does now, and the runs of its study."""
        self._show_state()
        self._show_runs()
        if self.controller.problem is not None:
            self._show_problem(problem_line(self.controller.problem))
        elif self.controller.state == State.IDLE and self.isVisible():
            self._offer_known()
            if not self._problem.isHidden():  # the text was edited meanwhile
                self._edited.start()

    def _put_first(self) -> None:
        try:
            self.controller.put_first([self._keys[index.row()] for index in self.view.selectionModel().selectedRows()])
        except LabError as error:
            self._show_problem(problem_line(error.problem))

    def _look(self) -> None:
        self._machine.setText(machine_label())
        if self.controller.state != State.IDLE:
            self._show_runs()

    def _show_state(self) -> None:
        idle = self.controller.state == State.IDLE
        self.start.setEnabled(idle and self._is_study)
        self.pause.setEnabled(self.controller.state == State.TRAINING)
        self.workers.setEnabled(idle)
        if self.controller.state == State.PAUSING:
            self._note.setText(tr("Pausing: the runs that train are saved …"))

    def _show_runs(self) -> None:
        results = self.controller.results
        if results is None:
            return
        picked = {self._keys[index.row()] for index in self.view.selectionModel().selectedRows()}
        titles, rows = table_of(results)
        self._model.set_rows(titles, rows)
        self._keys = [each.trial.key for each in results.trials]
        for column in range(len(titles)):
            width = max(self.view.sizeHintForColumn(column), self.view.horizontalHeader().sectionSizeHint(column))
            self.view.setColumnWidth(column, min(width + px(12), px(260)))
        self._select(picked)
        if self.controller.state != State.PAUSING:
            self._note.setText(summary_of(results))
        self._read_curves()

    def _select(self, keys: set[str]) -> None:
        """Select the runs with keys."""
        selection = QItemSelection()
        for row, key in enumerate(self._keys):
            if key in keys:
                at = self._model.index(row, 0)
                selection.select(at, at.siblingAtColumn(self._model.columnCount() - 1))
        self.view.selectionModel().select(selection, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def _read_curves(self) -> None:
        """Read the curves of the runs, or after the reading that goes on."""
        self._is_stale = self._reads
        if self._reads or self.controller.results is None:
            return
        self._reads = True
        work = partial(_curves, self.controller.results)
        self._background.run(tr("Reading the curves"), work, self._take_curves, self._fail_curves, replaces=READING)

    def _take_curves(self, found: tuple[list[RunFigures], dict[str, Curve]]) -> None:
        runs, curves = found
        self._reads = False
        if self._is_stale and self.controller.state == State.IDLE:  # otherwise the clock has them read
            self._read_curves()
        self.multiples.show_groups(grouped(runs, ARM, "loss"), ARM, curves)

    def _fail_curves(self, _problem: Problem) -> None:
        self._reads = False


def _curves(results: StudyResults, job: Job) -> tuple[list[RunFigures], dict[str, Curve]]:
    """Return the runs of a study and their validation losses over their steps, by key; in a thread."""
    runs, curves = [], dict[str, Curve]()
    for each in results.trials:
        if job.cancelled:
            break
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
