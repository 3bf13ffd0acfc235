"""The column of a text under one tokenizer: the tokenizer, the tokens, and their number."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QStackedLayout, QVBoxLayout, QWidget

from lab.widgets.core.card import title_row
from lab.widgets.core.controls import Button, MenuButton, label, set_role
from lab.widgets.core.i18n import number_text, tr, tr_n
from lab.widgets.core.theme import INSIDE
from lab.widgets.tokens.boundaries import CutToken, TokenBoundaries

SIZES = (300, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000)
"""The offered sizes of a vocabulary."""
USUAL = 1_000
LEAST = 220
"""The smallest width of a column in pixels."""
MORE = " ▾"
"""The mark after the text of a choice."""


class TokenColumn(QFrame):
    """One column of a comparison.

    Args:
        choices: (value, label) of the offered tokenizers.
        sized: Values of the tokenizers whose vocabulary may have any size.
        value: The value of the initial one.
        parent: Its parent.
    """

    changed = Signal()
    """The user selected another tokenizer or size."""
    removed = Signal()
    """The user closed the column."""

    def __init__(
        self, choices: Sequence[tuple[str, str]], sized: Collection[str], value: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self.setMinimumWidth(LEAST)
        self._sized = set(sized)
        self._kind = _Heading(tr("tokenizer"), choices, self._on_choice)
        self._kind.change_role("heading")
        self._kind.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._kind.show_value(value)
        self._size = MenuButton(
            tr("size of the vocabulary"), [(str(size), number_text(size)) for size in SIZES], self._on_choice
        )
        self._size.show_value(str(USUAL))
        self.remove = Button(hint=tr("Close this column"), icon_name="close")
        self.remove.clicked.connect(self.removed)
        head = QHBoxLayout()
        head.setContentsMargins(11, 0, 8, 0)  # aligned with the tokens
        head.setSpacing(2)
        head.addWidget(self._kind, 1)
        head.addStretch()
        head.addWidget(self._size)
        head.addWidget(self.remove)
        self.view = TokenBoundaries("")
        self._message = label("", "dim")
        self._message.setWordWrap(True)
        self._message.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._message.setContentsMargins(INSIDE, INSIDE, INSIDE, INSIDE)
        inside = QWidget()
        self._count, self._vocabulary = label("", "strong"), label("", "note")
        self._rates = label("", "note")
        self._observation = label("", "note")
        for text in (self._rates, self._observation):
            text.setWordWrap(True)
        self._observation.hide()
        around = QVBoxLayout()
        around.setContentsMargins(4, 0, 4, 0)
        around.setSpacing(4)
        line = QHBoxLayout()
        line.addWidget(self._count)
        line.addStretch()
        line.addWidget(self._vocabulary)
        around.addLayout(line)
        for widget in (self._rates, self._observation):
            around.addWidget(widget)
        rows = QVBoxLayout(inside)
        rows.setContentsMargins(8, 0, 8, 0)
        rows.setSpacing(4)
        rows.addLayout(around)
        rows.addWidget(self.view, 1)
        self._pages = QStackedLayout()
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 8, 0, 8)
        outer.setSpacing(6)
        outer.addWidget(title_row(head))
        outer.addLayout(self._pages, 1)
        self._pages.addWidget(inside)
        self._pages.addWidget(self._message)
        self._show_size()
        self.show_message("")

    @property
    def value(self) -> str:
        """The selected tokenizer."""
        return self._kind.value

    @property
    def vocabulary_size(self) -> int | None:
        """The selected size of the vocabulary; None if the tokenizer offers no choice."""
        return int(self._size.value) if self.value in self._sized else None

    def offer(self, choices: Sequence[tuple[str, str]], sized: Collection[str]) -> None:
        """Offer other tokenizers."""
        self._sized = set(sized)
        self._kind.set_choices(choices)
        self._show_size()

    def show_message(self, text: str, *, wrong: bool = False) -> None:
        """Show a message instead of the tokens: that they are being computed, or why there are none."""
        set_role(self._message, "bad" if wrong else "dim")
        self._message.setText(text)
        self._pages.setCurrentIndex(1)

    def show_tokens(
        self,
        tokens: Sequence[CutToken],
        size: int,
        vocabulary: int,
        observation: str = "",
        marked: Collection[int] = (),
    ) -> None:
        """Show a text's tokens and their figures.

        Args:
            tokens: The tokens in order.
            size: Size of the text in bytes.
            vocabulary: Number of symbols of the tokenizer.
            observation: A sentence about this text.
            marked: Indices of highlighted tokens.
        """
        self.view.setAccessibleName(tr("Tokens of {tokenizer}", tokenizer=self._kind.full_text))
        self.view.set_tokens(tokens, marked)
        count = len(tokens)
        self._count.setText(tr_n("1 token", "{n} tokens", count))
        self._vocabulary.setText(tr("vocabulary {v}", v=number_text(vocabulary)))
        rates = tr("{a} per byte · {b} bytes per token", a=_figure(count, size), b=_figure(size, count))
        self._rates.setText(rates)
        self._observation.setText(observation)
        self._observation.setVisible(bool(observation))
        self._pages.setCurrentIndex(0)

    def _on_choice(self, _: str) -> None:
        self._show_size()
        self.changed.emit()

    def _show_size(self) -> None:
        self._size.setVisible(self.value in self._sized)


class _Heading(MenuButton):
    """A choice that serves as a heading; in a narrow column its text is elided."""

    @property
    def full_text(self) -> str:
        """The full text of the choice."""
        return self._choices[self.value]

    def show_value(self, value: str) -> None:
        """Show a choice without emitting anything."""
        super().show_value(value)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Update what depends on the width."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        metrics = self.fontMetrics()
        around = self.sizeHint().width() - metrics.horizontalAdvance(self.text()) + metrics.horizontalAdvance(MORE)
        shown = metrics.elidedText(self.full_text, Qt.TextElideMode.ElideRight, self.width() - around)
        self.setMaximumWidth(around + metrics.horizontalAdvance(self.full_text) + 2)  # no wider than the text
        self.setText(f"{shown}{MORE}")
        self.setToolTip(self.full_text if shown != self.full_text else tr("tokenizer"))


def _figure(one: int, other: int) -> str:
    return number_text(one / other, ".2f") if other else "–"
