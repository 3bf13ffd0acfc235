"""The answers of a class: who predicted what, how predictions spread over the measured result, answers side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
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
from lab.lessons.collection import Found, find_lessons
from lab.lessons.comparisons import Values
from lab.lessons.lesson import Lesson
from lab.lessons.predictions import answer_of, distribution, positions, quantiles, shown
from lab.lessons.results import read_cached, read_recorded
from lab.lessons.table import Entry, Row, entries, read_folder, table_csv
from lab.shell.learn.curve_pad import CurvePad
from lab.widgets.core.card import Card
from lab.widgets.core.controls import Button, ElidedButton, MenuButton, label, plain_tip
from lab.widgets.core.i18n import language, localized, tr, tr_n
from lab.widgets.core.messages import problem_line
from lab.widgets.core.theme import px

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.shell.session.session import Session

READ = "answers of a class"
BARS = 24
"""Characters of the longest bar of a distribution."""


class ClassPage(QWidget):
    """The table of a folder of answers.

    Args:
        session: The session.
        parent: Its parent.

    Attributes:
        table: The table.
        pad: The drawn predictions over the measured curve.
        spread: How often each option was picked, or numbers in order, as text.
    """

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._folder: Path | None = None
        self._rows: Sequence[Row] = ()
        self._lessons: dict[str, Lesson] = {}
        self.choose = ElidedButton(role="")
        self.choose.set_full_text(tr("Select a folder…"), hint=tr("Select the folder into which a class hands in"))
        self.choose.clicked.connect(self._choose)
        self.which = MenuButton(tr("Lesson"), [("", tr("no lesson"))], self._pick, prefix=tr("lesson "))
        self.again = Button(tr("Read again"), role="")
        self.again.clicked.connect(self.read)
        self.export = Button(tr("Save as CSV…"), role="")
        self.export.clicked.connect(self._export)
        self._count, self.spread, self._damaged = label("", "note"), label(""), label("", "bad")
        for text in (self._count, self.spread, self._damaged):
            text.setWordWrap(True)
        self.table = QTableWidget()
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.verticalHeader().hide()
        self.table.setWordWrap(True)
        self.table.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.table.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideRight)
        self.table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.table.setAccessibleName(tr("Answers of a class"))
        self.pad = CurvePad()
        self.pad.setFixedHeight(px(280))
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.choose, 1)
        for button in (self.which, self.again, self.export):
            head.addWidget(button)
        content = QWidget()
        rows = QVBoxLayout(content)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(8)
        rows.addLayout(head)
        for widget in (self._count, self.pad, self.spread):
            rows.addWidget(widget)
        rows.addWidget(self.table, 1)
        rows.addWidget(self._damaged)
        self.card = Card(tr("Answers of a class"))
        self.card.set_content(content)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self.card)
        self._show()

    def read(self) -> None:
        """Read the folder in a thread."""
        if self._folder is not None:
            work = partial(_read, self._folder, self._session, language.code)
            title = tr("Reading the answers of a class")
            self._session.background.run(title, work, self._take, self._refuse, replaces=READ)

    def open_folder(self, folder: Path) -> None:
        """Read a folder of answers."""
        self._folder = folder
        self.choose.set_full_text(str(folder), hint=tr("Select the folder into which a class hands in"))
        self.read()

    def _choose(self) -> None:
        folder = QFileDialog.getExistingDirectory(self, tr("Select the folder of the class"), str(last_folder()))
        if folder:
            remember_folder(Path(folder))
            self.open_folder(Path(folder))

    def _take(self, found: tuple[Sequence[Row], list[Found]]) -> None:
        self._rows, lessons = found
        named = {one.name: one.lesson for one in lessons if one.lesson is not None}
        used = Counter(name for row in self._rows if row.answers for name in row.answers.lessons if name in named)
        self._lessons = {name: named[name] for name, _ in used.most_common()}
        choices = [(name, lesson.title) for name, lesson in self._lessons.items()]
        self.which.set_choices(choices or [("", tr("no lesson"))])
        self._show()

    def _refuse(self, problem: Problem) -> None:
        self._rows, self._lessons = (), {}
        self._show()
        self._damaged.setText(problem_line(problem))
        self._damaged.show()

    def _pick(self, name: str) -> None:
        del name
        self._show()

    def _show(self) -> None:
        """Show the answers to the lesson that is picked."""
        lesson = self._lessons.get(self.which.value)
        damaged = [row for row in self._rows if row.problem is not None]
        self._damaged.setVisible(bool(damaged))
        self._damaged.setText("\n".join(problem_line(row.problem) for row in damaged if row.problem is not None))
        for widget in (self.table, self.pad, self.spread):
            widget.setVisible(lesson is not None)
        self.export.setEnabled(lesson is not None)
        self.again.setEnabled(self._folder is not None)
        self.which.setEnabled(lesson is not None)
        sound = len(self._rows) - len(damaged)
        count = tr_n("1 file of answers", "{n} files of answers", sound)
        bad = tr_n("1 cannot be read", "{n} cannot be read", len(damaged))
        parts = [count, bad] if damaged else [count]
        if self._folder is None:
            parts = [tr("Learners hand in to a folder with the button “Hand in…” of the page Lessons.")]
        if lesson is None:
            self._count.setText(" · ".join(parts))
            return
        values = _measured(lesson)
        found = entries(self._rows, lesson, values)
        self._count.setText(" · ".join([*parts, *_outcome(found)]))
        self._show_spread(lesson, found, values)
        self._show_table(lesson, found)

    def _show_spread(self, lesson: Lesson, found: Sequence[Entry], values: Values | None) -> None:
        prediction = lesson.prediction
        predicted = [one.predicted for one in found if one.predicted is not None]
        self.pad.setVisible(prediction.kind == "curve")
        self.spread.setVisible(prediction.kind != "curve")
        if prediction.kind == "curve":
            keys = positions(lesson, values)
            self.pad.set_axes(keys, prediction.x, prediction.y, prediction.low, prediction.high, log=prediction.log)
            self.pad.show_drawn({}, is_open=False)
            measured = {} if values is None else values.get(prediction.of, {})
            curve = measured if isinstance(measured, Mapping) else {}
            self.pad.show_measured(curve, quantiles(predicted, keys))
        elif prediction.kind == "pick":
            counts = distribution(lesson, predicted)
            most = max([1, *counts.values()])
            right = None if values is None else shown(lesson, answer_of(lesson, values))
            lines = []
            for option in prediction.options:
                bar = "█" * round(BARS * counts[option.key] / most)
                mark = " ✓" if right == option.label else ""
                lines.append(f"{bar} {counts[option.key]}  {option.label}{mark}")
            self.spread.setText("\n".join(lines))
        else:
            numbers = sorted(one for one in predicted if isinstance(one, float))
            listed = ", ".join(localized(f"{one:g}") for one in numbers)
            answer = "" if values is None else localized(shown(lesson, answer_of(lesson, values)))
            self.spread.setText(tr("Predicted: {numbers}. Measured: {answer}.", numbers=listed, answer=answer))

    def _show_table(self, lesson: Lesson, found: Sequence[Entry]) -> None:
        is_curve = lesson.prediction.kind == "curve"
        heads = [tr("Name"), tr("Prediction"), tr("Right"), *(question.text for question in lesson.questions)]
        self.table.setColumnCount(len(heads))
        for column, head in enumerate(heads):
            item = QTableWidgetItem(head)
            item.setToolTip(plain_tip(head))
            self.table.setHorizontalHeaderItem(column, item)
        self.table.setRowCount(len(found))
        for row, one in enumerate(found):
            right = one.score.right if one.score is not None else None
            sign = {True: "✓", False: "✗", None: ""}[right]
            distance = one.score.distance if one.score is not None else None
            predicted = localized(shown(lesson, one.predicted))
            if is_curve and distance is not None:
                predicted = tr("{distance} away on average", distance=localized(f"{distance:.2g}"))
            answers = [one.given.answers.get(str(number), "") for number in range(1, len(lesson.questions) + 1)]
            for column, text in enumerate([one.student, predicted, sign, *answers]):
                item = QTableWidgetItem(text)
                item.setTextAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
                self.table.setItem(row, column, item)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        for column in range(3):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
        self.table.resizeRowsToContents()

    def _export(self) -> None:
        lesson = self._lessons.get(self.which.value)
        if lesson is None:
            return
        start = str(last_folder() / f"{lesson.name}.csv")
        name, _ = QFileDialog.getSaveFileName(self, tr("Save as CSV"), start, tr("Table (*.csv)"))
        if name:
            remember_folder(Path(name).parent)
            self.save_csv(lesson, Path(name))

    def save_csv(self, lesson: Lesson, file: Path) -> None:
        """Write the table of a lesson to a file."""
        try:
            with named_by_user():
                write_file(file, table_csv(self._rows, lesson, _measured(lesson)), recorded=True)
        except LabError as error:
            notify("error", error.problem)


def _measured(lesson: Lesson) -> Values | None:
    known = read_cached(lesson).first or read_recorded(lesson).first
    return None if known is None else known.values


def _outcome(found: Sequence[Entry]) -> list[str]:
    decided = [one.score.right for one in found if one.score is not None and one.score.right is not None]
    return [tr("{right} of {total} predicted right", right=sum(decided), total=len(decided))] if decided else []


def _read(folder: Path, session: Session, code: str, job: Job) -> tuple[Sequence[Row], list[Found]]:
    return read_folder(folder, lambda: job.cancelled), find_lessons(session.plugins.cards("lessons"), code)
