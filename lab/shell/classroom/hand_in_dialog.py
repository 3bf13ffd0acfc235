"""The dialog that hands in a run: under which name, and where."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QWidget

from lab.base.last_folder import last_folder, remember_folder
from lab.base.notices import notify
from lab.runs import RunFolder
from lab.runs.bundle_file import LONGEST_STUDENT
from lab.shell.classroom.job_dialog import JobDialog
from lab.shell.runtime.background import Background
from lab.widgets.core.controls import Button, label
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import STEP
from lab.workbench.classroom.hand_in import hand_in

if TYPE_CHECKING:
    from lab.base.jobs import Job

WIDTH = 480


class HandInDialog(JobDialog):
    """A dialog that asks for a name and a destination. It keeps them while the window is open, and stores neither.

    Args:
        window: The window over which it opens.
        background: Writes and sends in a thread.

    Attributes:
        name: The field for the name.
        to: The field for the destination.
        agree: The button that hands in.
    """

    def __init__(self, window: QWidget, background: Background) -> None:
        super().__init__(window, tr("Hand in a run"), background)
        self._run: RunFolder | None = None
        self._title = label("", "title")
        note = tr("Your name is stored in the file that is handed in, and nowhere else. Nobody's file is overwritten.")
        self._note = label(note, "dim")
        for each in (self._title, self._note):
            each.setWordWrap(True)
        self.name, self.to = QLineEdit(), QLineEdit()
        self.name.setMaxLength(LONGEST_STUDENT)
        self.name.setAccessibleName(tr("Your name"))
        self.to.setAccessibleName(tr("Folder or address"))
        self.to.setPlaceholderText(tr("A folder, or the address that is shown"))
        for field in (self.name, self.to):
            field.textChanged.connect(self._refresh)
            field.returnPressed.connect(self._hand_in)
        self.choose = Button(tr("Folder…"), hint=tr("Select the folder or stick"), role="")
        self.choose.clicked.connect(self._choose)
        cancel = Button(tr("Cancel"), role="")
        cancel.clicked.connect(self.shut)
        self.agree = Button(tr("Hand in"), role="primary")
        self.agree.clicked.connect(self._hand_in)
        where = QHBoxLayout()
        where.setSpacing(2 * STEP)
        where.addWidget(self.to, 1)
        where.addWidget(self.choose)
        buttons = QHBoxLayout()
        buttons.setSpacing(2 * STEP)
        buttons.addStretch(1)
        buttons.addWidget(cancel)
        buttons.addWidget(self.agree)
        for widget in (self._title, self._note, label(tr("Your name"), "dim"), self.name):
            self._rows.addWidget(widget)
        self._rows.addWidget(label(tr("Hand in to"), "dim"))
        self._rows.addLayout(where)
        self._rows.addWidget(self._refused)
        self._rows.addSpacing(STEP)
        self._rows.addLayout(buttons)

    def ask(self, name: str, run: RunFolder) -> None:
        """Ask under which name, and where a run is handed in."""
        self._run = run
        self._title.setText(tr("Hand in {run}", run=name))
        self._show("")
        self.show_over(self.name if not self.name.text() else self.to if not self.to.text() else self.agree)

    def place(self) -> None:
        """Place it in the upper middle of the window."""
        self._place_above(WIDTH, self._rows.totalHeightForWidth)

    def _refresh(self) -> None:
        self.agree.setEnabled(bool(self.name.text().strip() and self.to.text().strip()))

    def _choose(self) -> None:
        title = tr("Select the folder into which the run is handed in")
        folder = QFileDialog.getExistingDirectory(self._window, title, str(last_folder()))
        if folder:
            remember_folder(Path(folder))
            self.to.setText(folder)

    def _hand_in(self) -> None:
        if self._run is None or not self.agree.isEnabled():
            return
        self.agree.setEnabled(False)
        work = partial(_hand_in, self._run, self.name.text(), self.to.text().strip())
        self._work(tr("Handing in the run"), work, self._taken)

    def _taken(self, name: str, is_open: bool) -> None:
        notify("info", tr("Handed in as {file}", file=name))
        if is_open:
            self.shut()

    def _show(self, refused: str) -> None:
        self._refresh()
        super()._show(refused)


def _hand_in(run: RunFolder, name: str, to: str, job: Job) -> str:
    """Hand in a run; in a thread."""
    return hand_in(run, name, to, cancelled=lambda: job.cancelled)
