"""The dialogue that opens a pretrained model: what its folder holds, then taking it in, with progress and Cancel."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFileDialog, QGridLayout, QHBoxLayout, QProgressBar, QVBoxLayout, QWidget

from lab.base.jobs import Cancelled
from lab.base.notices import notify
from lab.base.problems import LabError, Problem
from lab.base.units import short
from lab.host import Plugins
from lab.runs import RunFolder
from lab.shell.runtime.export_files import last_folder, remember_folder
from lab.shell.session.session import Session
from lab.widgets.core.controls import Button, label
from lab.widgets.core.i18n import tr
from lab.widgets.core.overlay import Overlay
from lab.widgets.core.theme import STEP

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.workbench.exchange.pretrained import Found

WIDTH = 460
LOOK = 100
"""Milliseconds between two looks at how far it is."""


class PretrainedDialogue(Overlay):
    """Opens a folder of Hugging Face as a run.

    Args:
        window: The window it lies over.
        session: What takes the model in.

    Attributes:
        facts: The labels that say what was found, by what they say.
    """

    def __init__(self, window: QWidget, session: Session) -> None:
        super().__init__(window, tr("Open a pretrained model"))
        self._session = session
        self._folder = Path()
        self._work: _Looking | _Importing | None = None
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
        self._progress.setAccessibleName(tr("How much is read"))
        self.other = Button(tr("Another folder…"), hint=tr("Choose another folder of a pretrained model"), role="")
        self.other.clicked.connect(self.ask)
        self.cancel = Button(tr("Cancel"), role="")
        self.cancel.clicked.connect(self.shut)
        self.agree = Button(tr("Open as a run"), role="primary")
        self.agree.clicked.connect(self._import)
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
        self._looking = QTimer(self)
        self._looking.setInterval(LOOK)
        self._looking.timeout.connect(self._tell_progress)

    def ask(self) -> None:
        """Asks for a folder, and shows what it holds."""
        title = tr("The folder of a pretrained model")
        folder = QFileDialog.getExistingDirectory(self._window, title, str(last_folder()))
        if folder:
            remember_folder(Path(folder).parent)
            self.look_at(Path(folder))

    def look_at(self, folder: Path) -> None:
        """Shows what a folder holds; nothing is taken in yet."""
        self._stop()
        self._folder = folder
        looking = self._work = _Looking(folder, self._session.plugins)
        self._name.setText(folder.name)
        self._show(state=tr("Looking at its files…"))
        done, failed = partial(self._found, looking), partial(self._refuse, looking)
        self._session.background.run(tr("Looking at {name}", name=folder.name), looking.work, done, failed)
        self.show_over(self.cancel)

    def shut(self) -> None:
        """Ends what is under way, and hides it."""
        self._stop()
        super().shut()

    def place(self) -> None:
        """In the middle, a little above."""
        width = min(WIDTH, self._window.width() - 40)
        height = self._rows.totalHeightForWidth(width)
        self.setGeometry((self._window.width() - width) // 2, (self._window.height() - height) // 3, width, height)

    def _found(self, looking: _Looking, found: Found) -> None:
        if looking is not self._work:
            return
        told = found.facts()
        self._name.setText(told["name"])
        values = (
            told["title"],
            tr("{n} of width {width}", n=told["layers"], width=f"{told['width']:,}"),
            short(told["parameters"]),
            tr("{n} symbols", n=f"{told['symbols']:,}"),
            tr("{n} tokens", n=f"{told['context_length']:,}"),
            tr("{size}B", size=short(told["bytes"])),
        )
        for value, words in zip(self.facts.values(), values, strict=True):
            value.setText(words)
        self._show(facts=True, state=tr("It becomes a run at step 0, to write with, look into and train further."))
        self.agree.setFocus()

    def _import(self) -> None:
        importing = self._work = _Importing(self._folder, self._session.plugins)
        self._show(facts=True, state=tr("Reading…"), works=True)
        title = tr("Opening {name}", name=self._name.text())
        done, failed = partial(self._taken_in, importing), partial(self._refuse, importing)
        self._session.background.run(title, importing.work, done, failed)
        self._looking.start()
        self.cancel.setFocus()

    def _taken_in(self, importing: _Importing, run: RunFolder) -> None:
        if importing is self._work:
            self.shut()
        try:
            view = self._session.registry.open(run.path)
        except LabError as error:
            notify("error", error.problem)
            return
        notify("info", tr("Run {run} is in the list now", run=view.name))

    def _refuse(self, work: _Looking | _Importing, problem: Problem) -> None:
        if work is self._work:
            self._looking.stop()
            self._show(refused=problem.line())
        elif problem.what != Cancelled().problem.what and isinstance(work, _Importing):
            notify("error", problem)

    def _tell_progress(self) -> None:
        if isinstance(self._work, _Importing):
            share, doing = self._work.told
            self._progress.setValue(round(1000 * share))
            self._state.setText(doing)

    def _stop(self) -> None:
        self._looking.stop()
        if self._work is not None:
            self._work.stopped = True
            self._work = None

    def _show(self, *, facts: bool = False, state: str = "", works: bool = False, refused: str = "") -> None:
        """Shows these parts alone."""
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


class _Looking:
    """A look at a folder."""

    def __init__(self, folder: Path, plugins: Plugins) -> None:
        self.folder, self._plugins = folder, plugins
        self.stopped = False

    def work(self, job: Job) -> Found:
        """Looks; in a thread of its own."""
        from lab.workbench.exchange.pretrained import find_pretrained

        del job
        return find_pretrained(self.folder, self._plugins)


class _Importing:
    """A model on its way in."""

    def __init__(self, folder: Path, plugins: Plugins) -> None:
        self.folder, self._plugins = folder, plugins
        self.stopped = False
        self.told = (0.0, "")

    def work(self, job: Job) -> RunFolder:
        """Takes it in; in a thread of its own."""
        from lab.workbench.exchange.pretrained import import_pretrained

        return import_pretrained(
            self.folder, self._plugins, progress=self._tell, cancelled=lambda: self.stopped or job.cancelled
        )

    def _tell(self, share: float, doing: str) -> None:
        self.told = share, doing


def _names() -> tuple[str, ...]:
    return (
        tr("Kind"), tr("Layers"), tr("Parameters"), tr("Vocabulary"), tr("Reads up to"), tr("Weights"),
    )  # fmt: skip
