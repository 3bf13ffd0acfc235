"""Two texts beside each other, with where they part and how likely each is."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from lab.shell.play.text.shown import shown
from lab.shell.play.text.token_table import total_sentence
from lab.widgets.core.controls import Button, label
from lab.widgets.core.i18n import tr, tr_n
from lab.widgets.tokens.text import TokenText
from lab.workbench.access.generation import Piece


class TextComparison(QWidget):
    """Two texts beside each other."""

    closed = Signal()
    """The user wants to see one text again."""

    def __init__(self) -> None:
        super().__init__()
        self._where = label("", "note")
        self._where.setWordWrap(True)
        close = Button(tr("Close the comparison"))
        close.clicked.connect(self.closed)
        head = QHBoxLayout()
        head.addWidget(self._where, 1)
        head.addWidget(close)
        self.texts = (TokenText(), TokenText())
        self.sentences = (label("", "note"), label("", "note"))
        columns = QHBoxLayout()
        columns.setSpacing(12)
        for text, sentence in zip(self.texts, self.sentences, strict=True):
            sentence.setWordWrap(True)
            column = QVBoxLayout()
            column.setSpacing(4)
            column.addWidget(sentence)
            column.addWidget(text, 1)
            columns.addLayout(column, 1)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.addLayout(head)
        rows.addLayout(columns, 1)

    def compare(self, texts: Sequence[tuple[str, Sequence[Piece]]]) -> None:
        """Show two texts.

        Args:
            texts: (prompt, pieces) of each.
        """
        for (prompt, pieces), text, sentence in zip(texts, self.texts, self.sentences, strict=True):
            text.clear(prompt)
            text.add(list(map(shown, pieces)))
            text.verticalScrollBar().setValue(0)
            sentence.setText(total_sentence(pieces))
        (first, one), (second, other) = texts
        common = 0
        if first == second:
            pairs = zip(one, other, strict=False)
            common = next((at for at, (a, b) in enumerate(pairs) if a.text != b.text), min(len(one), len(other)))
        if first != second:
            where = tr("Their prompts differ.")
        elif common:
            where = tr_n("1 common token at the start", "{n} common tokens at the start", common)
        else:
            where = tr("They differ from the first token on.")
        self._where.setText(where)

    def show_quantity(self, name: str) -> None:
        """Colour both texts by another quantity."""
        for text in self.texts:
            text.show_quantity(name)
