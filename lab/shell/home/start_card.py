"""A card of Home that offers a way to start: a picture, a title, a sentence, a button and a duration."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout

from lab.shell.home.pictures import Picture
from lab.widgets.core.controls import Button, label
from lab.widgets.core.theme import INSIDE
from lab.widgets.readings.base import Line

LINES = 34
"""Height of two lines of the sentence in pixels."""


class StartCard(QFrame):
    """A way to start.

    Args:
        title: Its title.
        sentence: What happens.
        action: The label of its button.
        picture: Its picture.
        primary: True for the main action of Home.
    """

    clicked = Signal()
    """The button was pressed."""

    def __init__(self, title: str, sentence: str, action: str, picture: Picture, *, primary: bool = False) -> None:
        super().__init__()
        self.setProperty("role", "card")
        self.setAccessibleName(title)
        self.button = Button(action, hint=sentence, role="primary" if primary else "")
        self.button.setMinimumWidth(120)
        self.button.clicked.connect(self.clicked)
        self._note = Line()
        heading, text = label(title, "title"), label(sentence, "dim")
        heading.setWordWrap(True)  # for large type
        text.setWordWrap(True)
        text.setMinimumHeight(LINES)
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(self.button)
        foot.addWidget(self._note, 1)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(INSIDE, INSIDE, INSIDE, INSIDE)
        rows.setSpacing(8)
        rows.addWidget(picture, 1)
        rows.addWidget(heading)
        rows.addWidget(text)
        rows.addLayout(foot)

    def show_note(self, note: str) -> None:
        """Show a note beside the button, such as the duration."""
        if self._note.full_text != note:
            self._note.set_full_text(note)
