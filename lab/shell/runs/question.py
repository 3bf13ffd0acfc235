"""The dialog for a short question about runs: a number of steps, a checkpoint, tags."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from lab.widgets.core.controls import Button, ChoiceBox, label, refresh_style
from lab.widgets.core.i18n import tr
from lab.widgets.core.overlay import Overlay
from lab.widgets.core.theme import STEP

WIDTH = 400

Answer = Callable[[str], str]
"""A function that uses an answer; it returns a message if the answer cannot be used, else ""."""


class RunQuestion(Overlay):
    """A dialog that asks one question, with a field or a list of choices.

    Args:
        window: The window over which it opens.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window, tr("A question about a run"))
        self._title = label("", "title")
        self._title.setWordWrap(True)
        self._note = label("", "dim")
        self._note.setWordWrap(True)
        self.field = QLineEdit()
        self.field.returnPressed.connect(self._submit)
        self.choice = ChoiceBox()
        self._refused = label("", "bad")
        self._refused.setWordWrap(True)
        self.agree = Button("", role="primary")
        self.agree.clicked.connect(self._submit)
        cancel = Button(tr("Cancel"), role="")
        cancel.clicked.connect(self.shut)
        buttons = QHBoxLayout()
        buttons.setSpacing(2 * STEP)
        buttons.addStretch(1)
        buttons.addWidget(cancel)
        buttons.addWidget(self.agree)
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(5 * STEP, 4 * STEP, 5 * STEP, 4 * STEP)
        self._rows.setSpacing(2 * STEP)
        for widget in (self._title, self._note, self.field, self.choice, self._refused):
            self._rows.addWidget(widget)
        self._rows.addSpacing(STEP)
        self._rows.addLayout(buttons)
        self._answer: Answer | None = None

    def ask(self, title: str, note: str, button: str, answer: Answer, *, default: str = "") -> None:
        """Ask for a text.

        Args:
            title: The question.
            note: Information that helps to answer it.
            button: Label of the button.
            answer: Uses the text.
            default: The initial text of the field.
        """
        self._prepare(title, note, button, answer)
        self.choice.hide()
        self.field.show()
        self.field.setText(default)
        self.field.setAccessibleName(title)
        self.show_over(self.field)
        self.field.selectAll()

    def ask_choice(
        self, title: str, note: str, button: str, answer: Answer, choices: Sequence[tuple[str, str]]
    ) -> None:
        """Ask for one of several choices.

        Args:
            title: The question.
            note: Information that helps to answer it.
            button: Label of the button.
            answer: Uses the selected value.
            choices: (value, label) of each choice; the last one is selected initially.
        """
        self._prepare(title, note, button, answer)
        self.field.hide()
        self.choice.show()
        self.choice.clear()
        for value, text in choices:
            self.choice.addItem(text, value)
        self.choice.setCurrentIndex(len(choices) - 1)
        self.choice.setAccessibleName(title)
        self.show_over(self.choice)

    def show_message(self, title: str, message: str) -> None:
        """Show a message with a button that closes it."""
        self._prepare(title, message, tr("Close"), _accept)
        self.field.hide()
        self.choice.hide()
        self.show_over(self.agree)

    def place(self) -> None:
        """Place it in the upper middle of the window."""
        width = min(WIDTH, self._window.width() - 40)
        height = self._rows.totalHeightForWidth(width)
        self.setGeometry((self._window.width() - width) // 2, (self._window.height() - height) // 3, width, height)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let Return use the selected choice."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not self.choice.isHidden():
            self._submit()
        else:
            super().keyPressEvent(event)

    def _prepare(self, title: str, note: str, button: str, answer: Answer) -> None:
        self._title.setText(title)
        self._note.setText(note)
        self._note.setVisible(bool(note))
        self.agree.setText(button)
        self.agree.setAccessibleName(button)
        self._answer = answer
        self._refuse("")

    def _refuse(self, message: str) -> None:
        self._refused.setText(message)
        self._refused.setVisible(bool(message))
        refresh_style(self.field, "state", "bad" if message else "")

    def _submit(self) -> None:
        if self._answer is None:
            return
        entered = (
            self.field.text().strip()
            if self.choice.isHidden()
            else str(self.choice.currentData(Qt.ItemDataRole.UserRole))
        )
        message = self._answer(entered)
        if message:
            self._refuse(message)
            self.place()
        else:
            self.shut()


def _accept(_: str) -> str:
    return ""
