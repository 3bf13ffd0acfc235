"""The page of the check: a panel over the window with the findings, which runs when it is opened."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QApplication, QFileDialog, QHBoxLayout, QVBoxLayout, QWidget

from lab.base.files.writing import write_file
from lab.base.last_folder import last_folder, remember_folder
from lab.base.notices import notify
from lab.base.problems import Problem
from lab.shell.doctor.display import display_facts
from lab.shell.doctor.model import CheckState, DoctorModel
from lab.shell.doctor.rows import ResultRows
from lab.shell.runtime.background import Background
from lab.widgets.core.card import VerticalScroll
from lab.widgets.core.controls import Button, label, set_role
from lab.widgets.core.i18n import tr, tr_n
from lab.widgets.core.messages import message_text
from lab.widgets.core.overlay import Overlay
from lab.widgets.core.theme import BETWEEN, INSIDE, px, themes
from lab.workbench.doctor import Answer, Result, Subject, examine, report_json, report_text

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.host import Plugins

KEY = "check of the machine"
"""The key of the job; a new check replaces the one that runs."""
WIDTH, MARGIN = 860, 32
"""The largest width at a size of the type of 100 percent, and the free margins of the window, in pixels."""


class DoctorPage(Overlay):
    """The page of the check. Closing it cancels what still runs.

    Args:
        window: The window over which it opens.
        background: Runs the check and writes reports in threads.
        plugins: The plugins of this start.
    """

    _found = Signal(int, object)

    def __init__(self, window: QWidget, background: Background, plugins: Plugins) -> None:
        super().__init__(window, tr("Check of this machine"))
        self._background, self._plugins = background, plugins
        self.model = DoctorModel()
        self._shown: list[Result] = []  # from top to bottom
        self._status = label("", "dim")
        self.again = Button(tr("Check again"), hint=tr("Run all checks again"), role="")
        self.again.clicked.connect(self.begin)
        self.cancel = Button(tr("Cancel"), hint=tr("End the check; what was found stays"), role="")
        self.cancel.clicked.connect(self._cancel)
        self.copy = Button(tr("Copy report"), hint=tr("Copy a report without names and paths"), role="")
        self.copy.clicked.connect(self._copy)
        self.save = Button(tr("Save a report…"), hint=tr("Save a report without names and paths"), role="")
        self.save.clicked.connect(self._save)
        close = Button(hint=tr("Close (Esc)"), icon_name="close")
        close.clicked.connect(self.shut)
        titles = QVBoxLayout()  # one above the other: beside the buttons there is no room for both in German
        titles.setSpacing(2)
        titles.addWidget(label(tr("Check of this machine"), "title"))
        titles.addWidget(self._status)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addLayout(titles, 1)
        for button in (self.cancel, self.again, self.copy, self.save, close):
            head.addWidget(button)
        content = QWidget()
        self._rows = QVBoxLayout(content)
        self._rows.setContentsMargins(BETWEEN, BETWEEN, BETWEEN, BETWEEN)
        self._rows.setSpacing(BETWEEN)
        self._rows.addStretch(1)
        self._scroll = VerticalScroll(content)
        self._scroll.setProperty("role", "view")  # it has the focus while the arrow keys scroll it
        self._scroll.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._scroll.setAccessibleName(tr("Findings"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(INSIDE, 8, 8, INSIDE)
        layout.setSpacing(BETWEEN)
        layout.addLayout(head)
        layout.addWidget(self._scroll, 1)
        self._found.connect(self._take, Qt.ConnectionType.QueuedConnection)
        themes.changed.connect(self._draw_again)

    # --------------------------------------------------------------------------------------------------------- control

    def open(self) -> None:
        """Open the page, and run the check unless it runs."""
        self.show_over(self._scroll)
        if self.model.state is not CheckState.RUNNING:
            self.begin()

    def shut(self) -> None:
        """Cancel the check, and hide the page."""
        self._cancel()
        super().shut()

    def place(self) -> None:
        """Place it in the centre, as high as the window allows."""
        width = min(px(WIDTH), self._window.width() - 2 * MARGIN)
        height = self._window.height() - 2 * MARGIN
        self.setGeometry((self._window.width() - width) // 2, MARGIN, width, height)

    def begin(self) -> None:
        """Run all checks in the background."""
        number = self.model.begin()
        self._clear()
        work = partial(self._examine, number, Answer(display_facts()))
        done = partial(self._end, number)
        self._background.run(tr("Checking this machine"), work, done, partial(self._fail, number), replaces=KEY)
        self._refresh()

    def _examine(self, number: int, display: Answer, job: Job) -> None:
        """Run the checks, and send each result to the main thread; in a thread."""
        subject = Subject(self._plugins, lambda: display, lambda: job.cancelled)
        for result in examine(subject, started=partial(self._found.emit, number)):
            self._found.emit(number, result)

    def _take(self, number: int, found: Result | str) -> None:
        if not self.model.take(number, found):
            return
        if isinstance(found, Result):
            self._add(found)
        self._refresh()

    def _end(self, number: int, _result: None) -> None:
        self.model.end(number)
        self._refresh()

    def _fail(self, number: int, problem: Problem) -> None:
        """End a check that failed as a whole, and report why."""
        self._end(number, None)
        notify("error", problem)

    def _cancel(self) -> None:
        self._background.cancel(KEY)
        self.model.cancel()
        self._refresh()

    # --------------------------------------------------------------------------------------------------------- display

    def _refresh(self) -> None:
        """Show the state, and the buttons that can be used in it."""
        model = self.model
        running = model.state is CheckState.RUNNING
        if running:
            status = tr("checking: {title} …", title=message_text(model.running)) if model.running else tr("checking …")
        elif model.state is CheckState.CANCELLED:
            status = tr("cancelled")
        elif model.wrong:
            status = tr_n("1 thing is wrong", "{n} things are wrong", model.wrong)
        else:
            status = tr("nothing is wrong")
        self._status.setText(status)
        set_role(self._status, "bad" if model.wrong and not running else "dim")
        self.cancel.setVisible(running)
        self.again.setVisible(not running)
        for button in (self.copy, self.save):
            button.setEnabled(bool(model.results) and not running)

    def _draw_again(self) -> None:
        """Draw the findings in the colours of the theme."""
        if self.model.results:
            self._clear()
            for result in self.model.results:
                self._add(result)

    def _add(self, result: Result) -> None:
        """Add the findings of a check: the worst are at the top."""
        made = ResultRows(result)
        position = sum(other.level.rank >= result.level.rank for other in self._shown)
        self._shown.insert(position, result)
        self._rows.insertWidget(position, made)
        made.show()  # at once, and not with the next event

    def _clear(self) -> None:
        self._shown.clear()
        while self._rows.count() > 1:
            item = self._rows.takeAt(0)
            widget = None if item is None else item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()

    # ---------------------------------------------------------------------------------------------------------- report

    def _copy(self) -> None:
        QApplication.clipboard().setText(report_text(self.model.results))
        notify("info", tr("The report was copied."))

    def _save(self) -> None:
        """Ask for a file, and write the report to it in the background."""
        start = str(last_folder() / "lm-lab-report.txt")
        kinds = ";;".join((tr("Text (*.txt)"), tr("JSON (*.json)")))
        name, _ = QFileDialog.getSaveFileName(self.window(), tr("Save a report"), start, kinds)
        if name:
            file = Path(name)
            remember_folder(file.parent)
            make = report_json if file.suffix.lower() == ".json" else report_text
            work = partial(_write, file, make(self.model.results))
            self._background.run(tr("Saving {file}", file=file.name), work, self._saved)

    def _saved(self, file: Path) -> None:
        notify("info", tr("Saved {file} in {folder}", file=file.name, folder=file.parent))


def _write(file: Path, content: str, job: Job) -> Path:
    """Write a report; in a thread."""
    del job
    write_file(file, content)
    return file
