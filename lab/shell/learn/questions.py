"""The questions of a lesson: answered in words, with the lesson's answer on request."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from lab.lessons.answers import LONGEST_ANSWER, LessonAnswers
from lab.lessons.lesson import DEPTHS, Depth, Lesson
from lab.widgets.core.controls import Button, label
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import px

SAVED = 600
"""Milliseconds after the last key until an answer is stored."""


class Questions(QWidget):
    """The questions of a lesson.

    Attributes:
        fields: The fields of the answers, by the number of the question from 1.
        answers: The answers of the lesson, by the same numbers.
    """

    answered = Signal(int, str)
    """The number of a question, from 1, and its answer."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.fields: dict[int, QPlainTextEdit] = {}
        self.answers: dict[int, QLabel] = {}
        self._toggles: dict[int, Button] = {}
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._content: QWidget | None = None
        self._changed: set[int] = set()
        self._saving = QTimer(self, singleShot=True, interval=SAVED)
        self._saving.timeout.connect(self.store)

    def show_lesson(self, lesson: Lesson, depth: Depth, given: LessonAnswers) -> None:
        """Show the questions of a lesson up to a depth, with the answers that were given."""
        self.store()
        if self._content is not None:
            self._content.deleteLater()
        self._content = QWidget()
        rows = QVBoxLayout(self._content)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(14)
        self.fields, self.answers, self._toggles = {}, {}, {}
        for number, question in enumerate(lesson.questions, 1):
            if DEPTHS.index(question.depth) > DEPTHS.index(depth):
                continue
            text = label(question.text, "strong")
            text.setWordWrap(True)
            field = QPlainTextEdit(given.answers.get(str(number), ""))
            field.setPlaceholderText(tr("Your answer"))
            field.setAccessibleName(question.text)
            field.setTabChangesFocus(True)
            field.setFixedHeight(px(64))
            field.textChanged.connect(partial(self._note, number))
            answer = label(question.answer)
            answer.setWordWrap(True)
            answer.hide()
            show = Button(tr("Show the answer"), role="quiet")
            show.clicked.connect(partial(_toggle, answer, show))
            row = QHBoxLayout()
            row.addWidget(show)
            row.addStretch(1)
            each = QVBoxLayout()
            each.setSpacing(4)
            each.addWidget(text)
            each.addWidget(field)
            each.addLayout(row)
            each.addWidget(answer)
            rows.addLayout(each)
            self.fields[number], self.answers[number], self._toggles[number] = field, answer, show
        self._rows.addWidget(self._content)

    def reveal(self, number: int) -> None:
        """Show the lesson's answer to a question, from 1."""
        if self.answers[number].isHidden():
            _toggle(self.answers[number], self._toggles[number])

    def store(self) -> None:
        """Report the answers that were changed."""
        self._saving.stop()
        changed, self._changed = self._changed, set()
        for number in sorted(changed):
            if number in self.fields:
                self.answered.emit(number, self.fields[number].toPlainText()[:LONGEST_ANSWER])

    def _note(self, number: int) -> None:
        self._changed.add(number)
        self._saving.start()


def _toggle(answer: QWidget, button: Button) -> None:
    answer.setVisible(answer.isHidden())
    button.setText(tr("Show the answer") if answer.isHidden() else tr("Hide the answer"))
