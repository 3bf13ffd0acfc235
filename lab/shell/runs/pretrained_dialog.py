"""The dialog that opens a pretrained model: it shows the model in a folder, then imports it, with progress."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFileDialog, QGridLayout, QHBoxLayout, QProgressBar, QVBoxLayout, QWidget

from lab.base.jobs import Cancelled
from lab.base.last_folder import last_folder, remember_folder
from lab.base.notices import notify
from lab.base.problems import LabError, Problem
from lab.base.units import short
from lab.host import Plugins
from lab.runs import RunFolder
from lab.shell.session.session import Session
from lab.widgets.core.controls import Button, label
from lab.widgets.core.i18n import localized, number_text, tr, tr_n
from lab.widgets.core.messages import problem_line
from lab.widgets.core.overlay import Overlay
from lab.widgets.core.theme import STEP

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.workbench.exchange.pretrained import Found

WIDTH = 460
POLL = 100
"""Milliseconds between two updates of the progress."""


class PretrainedDialog(Overlay):
    """A dialog that opens a folder in the format of Hugging Face as a run.

    Args:
        window: The window over which it opens.
        session: The session, which lists the imported run.

    Attributes:
        facts: The labels of the facts about the model, by the name of the fact.
    """

    def __init__(self, window: QWidget, session: Session) -> None:
        super().__init__(window, tr("Open a pretrained model"))
        self._session = session
        self._folder = Path()
        self._import: _Import | None = None
        self._inspected: Path | None = None
        self._name = label("", "title")
        self._state = label("", "dim")
        self._refused = label("", "bad")
        for each in (self._name, self._state, self._refused):
            each.setWordWrap(True)
        self._grid = QWidget()
        rows = QGridLayout(self._grid)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setHorizontalSpacing(4 * STEP)
        rows.setVerticalSpacing(STEP)
        rows.setColumnStretch(1, 1)
        self.facts = {name: label("", "strong") for name in _names()}
        for row, (name, value) in enumerate(self.facts.items()):
            rows.addWidget(label(name, "dim"), row, 0)
            rows.addWidget(value, row, 1)
        self._progress = QProgressBar()
        self._progress.setRange(0, 1000)
        self._progress.setTextVisible(False)
        self._progress.setAccessibleName(tr("Progress of the import"))
        self.other = Button(tr("Another folder…"), hint=tr("Select another folder of a pretrained model"), role="")
        self.other.clicked.connect(self.ask)
        self.cancel = Button(tr("Cancel"), role="")
        self.cancel.clicked.connect(self.shut)
        self.agree = Button(tr("Open as a run"), role="primary")
        self.agree.clicked.connect(self._start_import)
        buttons = QHBoxLayout()
        buttons.setSpacing(2 * STEP)
        buttons.addWidget(self.other)
        buttons.addStretch(1)
        buttons.addWidget(self.cancel)
        buttons.addWidget(self.agree)
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(5 * STEP, 4 * STEP, 5 * STEP, 4 * STEP)
        self._rows.setSpacing(2 * STEP)
        for widget in (self._name, self._grid, self._state, self._progress, self._refused):
            self._rows.addWidget(widget)
        self._rows.addSpacing(STEP)
        self._rows.addLayout(buttons)
        self._polling = QTimer(self)
        self._polling.setInterval(POLL)
        self._polling.timeout.connect(self._show_progress)

    def ask(self) -> None:
        """Ask for a folder, and show the model in it."""
        title = tr("Select the folder of a pretrained model")
        folder = QFileDialog.getExistingDirectory(self._window, title, str(last_folder()))
        if folder:
            remember_folder(Path(folder).parent)
            self.inspect(Path(folder))

    def inspect(self, folder: Path) -> None:
        """Show the model in a folder, without importing it."""
        self._stop()
        self._folder = self._inspected = folder
        self._name.setText(folder.name)
        self._show(state=tr("Reading its files…"))
        title, work = tr("Reading {name}", name=folder.name), partial(_find, folder, self._session.plugins)
        done, failed = partial(self._show_found, folder), partial(self._show_unreadable, folder)
        self._session.background.run(title, work, done, failed, replaces="inspect pretrained")
        self.show_over(self.cancel)

    def shut(self) -> None:
        """Stop the inspection or import, and close the dialog."""
        self._stop()
        super().shut()

    def place(self) -> None:
        """Place it in the upper middle of the window."""
        width = min(WIDTH, self._window.width() - 40)
        height = self._rows.totalHeightForWidth(width)
        self.setGeometry((self._window.width() - width) // 2, (self._window.height() - height) // 3, width, height)

    def _show_found(self, folder: Path, found: Found) -> None:
        if folder is not self._inspected:
            return
        facts = found.facts()
        self._name.setText(facts["name"])
        values = (
            facts["title"],
            tr("{n} of width {width}", n=facts["layers"], width=number_text(facts["width"])),
            localized(short(facts["parameters"])),
            tr_n("1 symbol", "{n} symbols", facts["symbols"]),
            tr_n("1 token", "{n} tokens", facts["context_length"]),
            tr("{size}B", size=localized(short(facts["bytes"]))),
        )
        for value, text in zip(self.facts.values(), values, strict=True):
            value.setText(text)
        note = tr("It becomes a run at step 0: you can generate text with it, inspect it, and train it further.")
        self._show(facts=True, state=note)
        self.agree.setFocus()

    def _show_unreadable(self, folder: Path, problem: Problem) -> None:
        if folder is self._inspected:
            self._show(refused=problem_line(problem))

    def _start_import(self) -> None:
        job = self._import = _Import(self._folder, self._session.plugins)
        self._inspected = None
        self._show(facts=True, state=tr("Reading…"), works=True)
        title = tr("Opening {name}", name=self._name.text())
        done, failed = partial(self._list_run, job), partial(self._show_failed, job)
        self._session.background.run(title, job.work, done, failed)
        self._polling.start()
        self.cancel.setFocus()

    def _list_run(self, job: _Import, run_folder: RunFolder) -> None:
        if job is self._import:
            self.shut()
        try:
            run = self._session.registry.open(run_folder.path)
        except LabError as error:
            notify("error", error.problem)
            return
        notify("info", tr("{run} was added to the list of runs", run=run.name))

    def _show_failed(self, job: _Import, problem: Problem) -> None:
        if job is self._import:
            self._polling.stop()
            self._show(refused=problem_line(problem))
        elif problem.what != Cancelled().problem.what:
            notify("error", problem)

    def _show_progress(self) -> None:
        if self._import is not None:
            share, doing = self._import.progress
            self._progress.setValue(round(1000 * share))
            self._state.setText(doing)

    def _stop(self) -> None:
        self._polling.stop()
        self._inspected = None
        if self._import is not None:
            self._import.stopped = True
            self._import = None

    def _show(self, *, facts: bool = False, state: str = "", works: bool = False, refused: str = "") -> None:
        """Show only these parts."""
        self._grid.setVisible(facts)
        self._state.setText(state)
        self._state.setVisible(bool(state))
        self._progress.setVisible(works)
        self._progress.setValue(0)
        self._refused.setText(refused)
        self._refused.setVisible(bool(refused))
        self.agree.setEnabled(facts and not works)
        self.other.setEnabled(not works)
        self.place()


def _find(folder: Path, plugins: Plugins, job: Job) -> Found:
    """Find the model in a folder; in a thread."""
    from lab.workbench.exchange.pretrained import find_pretrained

    del job
    return find_pretrained(folder, plugins)


class _Import:
    """An import in progress: its thread stores the progress, the main thread reads it and can stop the import.

    Args:
        folder: The folder of the model.
        plugins: The plugins that provide formats.
    """

    def __init__(self, folder: Path, plugins: Plugins) -> None:
        self._folder, self._plugins = folder, plugins
        self.stopped = False
        self.progress = (0.0, "")

    def work(self, job: Job) -> RunFolder:
        """Import the model; in a thread."""
        from lab.workbench.exchange.pretrained import import_pretrained

        return import_pretrained(
            self._folder, self._plugins, progress=self._set_progress, cancelled=lambda: self.stopped or job.cancelled
        )

    def _set_progress(self, share: float, doing: str) -> None:
        self.progress = share, doing


def _names() -> tuple[str, ...]:
    return (
        tr("Kind"), tr("Layers"), tr("Parameters"), tr("Vocabulary"), tr("Context length"), tr("Weights"),
    )  # fmt: skip
