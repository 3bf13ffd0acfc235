"""The dialog that hands in a run: under which name, and where."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from lab.base.last_folder import last_folder, remember_folder
from lab.base.notices import notify
from lab.base.problems import Problem
from lab.runs import RunFolder
from lab.runs.bundle_file import LONGEST_STUDENT
from lab.shell.runtime.background import Background
from lab.widgets.core.controls import Button, label
from lab.widgets.core.i18n import tr
from lab.widgets.core.messages import problem_line
from lab.widgets.core.overlay import Overlay
from lab.widgets.core.theme import STEP
from lab.workbench.classroom.hand_in import hand_in

if TYPE_CHECKING:
    from lab.base.jobs import Job

WIDTH = 480


class HandInDialog(Overlay):
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
        super().__init__(window, tr("Hand in a run"))
        self._background = background
        self._run: RunFolder | None = None
        self._number = 0
        self._title = label("", "title")
        note = tr("Your name is stored in the file that is handed in, and nowhere else. Nobody's file is overwritten.")
        self._note = label(note, "dim")
        self._refused = label("", "bad")
        for each in (self._title, self._note, self._refused):
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
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(5 * STEP, 4 * STEP, 5 * STEP, 4 * STEP)
        self._rows.setSpacing(2 * STEP)
        for widget in (self._title, self._note, label(tr("Your name"), "dim"), self.name):
            self._rows.addWidget(widget)
        self._rows.addWidget(label(tr("Hand in to"), "dim"))
        self._rows.addLayout(where)
        self._rows.addWidget(self._refused)
        self._rows.addSpacing(STEP)
        self._rows.addLayout(buttons)

    def ask(self, name: str, run: RunFolder) -> None:
        """Ask under which name, and where a run is handed in."""
        self._number += 1
        self._run = run
        self._title.setText(tr("Hand in {run}", run=name))
        self._show("")
        self.show_over(self.name if not self.name.text() else self.to if not self.to.text() else self.agree)

    def place(self) -> None:
        """Place it in the upper middle of the window."""
        width = min(WIDTH, self._window.width() - 40)
        height = self._rows.totalHeightForWidth(width)
        self.setGeometry((self._window.width() - width) // 2, (self._window.height() - height) // 3, width, height)

    def shut(self) -> None:
        """Close the dialog; what is being handed in continues, and is reported by a notice."""
        self._number += 1
        super().shut()

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
        done, failed = partial(self._taken, self._number), partial(self._failed, self._number)
        self._background.run(tr("Handing in the run"), work, done, failed)

    def _taken(self, number: int, name: str) -> None:
        notify("info", tr("Handed in as {file}", file=name))
        if number == self._number:
            self.shut()

    def _failed(self, number: int, problem: Problem) -> None:
        if number == self._number:
            self._show(problem_line(problem))
        else:
            notify("error", problem)

    def _show(self, refused: str) -> None:
        self._refused.setText(refused)
        self._refused.setVisible(bool(refused))
        self._refresh()
        self.place()


def _hand_in(run: RunFolder, name: str, to: str, job: Job) -> str:
    """Hand in a run; in a thread."""
    return hand_in(run, name, to, cancelled=lambda: job.cancelled)
