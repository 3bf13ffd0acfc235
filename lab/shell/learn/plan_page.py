"""The plan of a term: lessons in sessions, what each needs of this machine, handouts, and a demonstration."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFileDialog,
    QHBoxLayout,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from lab.base.files.writing import named_by_user, write_file
from lab.base.last_folder import last_folder, remember_folder
from lab.base.notices import notify
from lab.base.problems import LabError, Problem
from lab.lessons.collection import find_lessons
from lab.lessons.lesson import Lesson
from lab.shell.learn.handouts import write_handouts
from lab.widgets.core.card import Card
from lab.widgets.core.controls import Button, CheckBox, MenuButton, label, plain_tip
from lab.widgets.core.i18n import about_duration, language, number_text, tr, tr_n
from lab.widgets.core.messages import problem_line
from lab.workbench.lessons.planning import SESSION, Need, Planned, all_needs, by_section, plan_csv, planned

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.shell.session.session import Session

FIND, WRITE = "plan of lessons", "handouts"
"""The keys of the jobs."""
LENGTHS = (45, 60, 75, 90, 120, 180)
"""The minutes of a session that are offered."""


class PlanPage(QWidget):
    """The lessons as a table; those that are checked are planned and handed out.

    Args:
        session: The session.
        parent: Its parent.

    Attributes:
        table: The table.
        plan: The checked lessons in their sessions.
        boxes: The boxes of the lessons in the first column, by their names.
    """

    demonstration_requested = Signal(str)
    """The name of a lesson that is to be played by itself."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._lessons: Sequence[Lesson] = ()
        self._needs: dict[str, Need] = {}
        self._left_out: set[str] = set()
        self.plan: list[Planned] = []
        self.boxes: dict[str, CheckBox] = {}
        lengths = [(str(minutes), tr("{n} minutes", n=minutes)) for minutes in LENGTHS]
        self.minutes = MenuButton(tr("Session"), lengths, self._replan, prefix=tr("session "))
        self.minutes.show_value(str(SESSION))
        orders = [("track", tr("tracks")), ("section", tr("sections of lectures"))]
        self.order = MenuButton(tr("Order"), orders, self._replan, prefix=tr("by "))
        self.export = Button(tr("Save as CSV…"), role="")
        self.export.clicked.connect(self._export)
        formats = [("html", "HTML"), ("pdf", "PDF")]
        self.format = MenuButton(tr("Format of handouts"), formats, self._ignore_pick)
        self.answers = CheckBox(tr("with answers"))
        self.answers.setToolTip(tr("With result, answers and the note for the teacher"))
        self.hand_out = Button(tr("Handouts…"), hint=tr("Write a page for each checked lesson into a folder"), role="")
        self.hand_out.clicked.connect(self._hand_out)
        self.play = Button(tr("Demonstrate"), hint=tr("Play the selected lesson by itself"), role="")
        self.play.clicked.connect(self._play)
        self._about, self._problem = label("", "note"), label("", "bad")
        for text in (self._about, self._problem):
            text.setWordWrap(True)
        self._problem.hide()
        self.table = QTableWidget()
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.verticalHeader().hide()
        self.table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.table.setAccessibleName(tr("Plan of a term"))
        self.table.itemSelectionChanged.connect(self._enable)
        head = QHBoxLayout()
        head.setSpacing(8)
        for button in (self.minutes, self.order):
            head.addWidget(button)
        head.addStretch(1)
        for widget in (self.export, self.format, self.answers, self.hand_out, self.play):
            head.addWidget(widget)
        content = QWidget()
        rows = QVBoxLayout(content)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(8)
        rows.addLayout(head)
        rows.addWidget(self._about)
        rows.addWidget(self.table, 1)
        rows.addWidget(self._problem)
        self.card = Card(tr("Plan of a term"))
        self.card.set_content(content)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self.card)
        self._enable()

    def showEvent(self, event: QShowEvent) -> None:
        """Find the lessons, and what they need."""
        super().showEvent(event)
        self.read()

    def read(self) -> None:
        """Read the lessons in a thread, and then what each needs of this machine."""
        work = partial(_find, self._session, language.code)
        self._session.background.run(tr("Reading the lessons"), work, self._take, self._refuse, replaces=FIND)

    def _take(self, lessons: Sequence[Lesson]) -> None:
        self._problem.hide()
        self._lessons = lessons
        self._needs = {one.name: self._needs.get(one.name, Need(one.training_count)) for one in lessons}
        self._replan()
        if self._session.warm_up.ready:
            work = partial(_needs, lessons, self._session)
            title = tr("Finding what the lessons need")
            self._session.background.run(title, work, self._take_needs, self._refuse, replaces=FIND)

    def _take_needs(self, needs: dict[str, Need]) -> None:
        self._needs |= needs
        self._replan()

    def _refuse(self, problem: Problem) -> None:
        self._problem.setText(problem_line(problem))
        self._problem.show()

    def _ignore_pick(self, _: str) -> None:
        """Nothing follows from another format before handouts are written."""

    @property
    def checked(self) -> list[Lesson]:
        """The lessons that are checked, in order."""
        lessons = by_section(self._lessons) if self.order.value == "section" else list(self._lessons)
        return [one for one in lessons if one.name not in self._left_out]

    def _replan(self, _: str = "") -> None:
        self.plan = planned(self.checked, self._needs, int(self.minutes.value))
        self._show()

    def _show(self) -> None:
        heads = [tr("Lesson"), tr("Session"), tr("Lectures"), tr("Minutes"), tr("Trainings"), tr("Time here"),
                 tr("Memory"), tr("Result")]  # fmt: skip
        selected = self._selected()
        lessons = by_section(self._lessons) if self.order.value == "section" else list(self._lessons)
        self.table.blockSignals(True)
        self.table.setColumnCount(len(heads))
        self.table.setHorizontalHeaderLabels(heads)
        self.table.setRowCount(len(lessons))
        for row, lesson in enumerate(lessons):
            need = self._needs[lesson.name]
            texts = [lesson.title, "", ", ".join(lesson.lectures),
                     str(lesson.minutes), str(need.trainings), _time(need), _memory(need),
                     tr("there") if need.has_result else tr("to be trained")]  # fmt: skip
            for column, text in enumerate(texts):
                item = QTableWidgetItem(text if column else "")
                item.setData(Qt.ItemDataRole.UserRole, lesson.name)
                if need.problem is not None:
                    item.setToolTip(problem_line(need.problem))
                self.table.setItem(row, column, item)
            self.table.setCellWidget(row, 0, self._box(lesson))
            if lesson.name == selected:
                self.table.selectRow(row)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.table.blockSignals(False)
        self._show_sessions()

    def _show_sessions(self) -> None:
        """Show the session of each lesson that is checked, and what all of them take."""
        sessions = {one.lesson.name: str(one.session) for one in self.plan}
        for row in range(self.table.rowCount()):
            item = self.table.item(row, 1)
            if item is not None:
                item.setText(sessions.get(str(item.data(Qt.ItemDataRole.UserRole)), ""))
        count = tr_n("1 lesson", "{n} lessons", len(self.plan))
        total = sum(one.lesson.minutes for one in self.plan)
        last = self.plan[-1].session if self.plan else 0
        in_all = tr("{n} minutes", n=total)
        self._about.setText(" · ".join([count, in_all, tr_n("1 session", "{n} sessions", last)]))
        self._enable()

    def _selected(self) -> str:
        item = self.table.item(self.table.currentRow(), 0) if self.table.selectedItems() else None
        return "" if item is None else str(item.data(Qt.ItemDataRole.UserRole))

    def _box(self, lesson: Lesson) -> CheckBox:
        """Return the box of a lesson in the table."""
        box = self.boxes[lesson.name] = CheckBox(lesson.title.replace("&", "&&"))
        box.setToolTip(plain_tip(lesson.summary))
        box.setChecked(lesson.name not in self._left_out)
        box.toggled.connect(partial(self._check, lesson.name))
        return box

    def _check(self, name: str, checked: bool) -> None:
        """Plan a lesson, or leave it out."""
        if checked:
            self._left_out.discard(name)
        else:
            self._left_out.add(name)
        self.plan = planned(self.checked, self._needs, int(self.minutes.value))
        self._show_sessions()

    def _enable(self) -> None:
        for button in (self.export, self.hand_out):
            button.setEnabled(bool(self.plan))
        self.play.setEnabled(bool(self._selected()))

    def _play(self) -> None:
        self.demonstration_requested.emit(self._selected())

    def _export(self) -> None:
        start = str(last_folder() / "lessons.csv")
        name, _ = QFileDialog.getSaveFileName(self, tr("Save as CSV"), start, tr("Table (*.csv)"))
        if name:
            remember_folder(Path(name).parent)
            self.save_csv(Path(name))

    def save_csv(self, file: Path) -> None:
        """Write the plan to a file."""
        try:
            with named_by_user():
                write_file(file, plan_csv(self.plan), recorded=True)
        except LabError as error:
            notify("error", error.problem)

    def _hand_out(self) -> None:
        folder = QFileDialog.getExistingDirectory(self, tr("Select a folder for the handouts"), str(last_folder()))
        if folder:
            remember_folder(Path(folder))
            self.write_handouts(Path(folder))

    def write_handouts(self, folder: Path) -> None:
        """Write the handouts of the checked lessons into a folder, in a thread."""
        lessons = [one.lesson for one in self.plan]
        work = partial(_write, lessons, folder, f".{self.format.value}", self.answers.isChecked())
        self._session.background.run(tr("Writing handouts"), work, self._report, self._refuse, replaces=WRITE)

    def _report(self, written: Sequence[Path]) -> None:
        self._problem.hide()
        notify("info", tr_n("1 handout was written", "{n} handouts were written", len(written)))


def _time(need: Need) -> str:
    if need.problem is not None:
        return tr("cannot be trained here")
    return "" if need.seconds is None else tr("seconds") if need.seconds < 1 else about_duration(need.seconds)


def _memory(need: Need) -> str:
    if need.memory_bytes is None:
        return ""
    return tr("{n} MB", n=number_text(max(1, round(need.memory_bytes / 1e6))))


def _find(session: Session, code: str, job: Job) -> list[Lesson]:
    del job
    return [one.lesson for one in find_lessons(session.plugins.cards("lessons"), code) if one.lesson is not None]


def _needs(lessons: Sequence[Lesson], session: Session, job: Job) -> dict[str, Need]:
    return all_needs(lessons, session.workbench, lambda: job.cancelled)


def _write(lessons: Sequence[Lesson], folder: Path, ending: str, answers: bool, job: Job) -> list[Path]:
    return write_handouts(lessons, folder, ending, answers=answers, cancelled=lambda: job.cancelled)
