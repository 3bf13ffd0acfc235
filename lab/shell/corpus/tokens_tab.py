"""The token viewer: one text under several tokenizers side by side, and two classroom examples."""

from __future__ import annotations

import itertools
import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, QTimer
from PySide6.QtGui import QFontMetrics, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from lab.api import Examples, Tokenizer
from lab.base.problems import LabError, Problem
from lab.host import Plugins
from lab.recipes import Choice
from lab.shell.corpus.token_cases import COLON, LETTERS, Case
from lab.shell.runtime.background import Background
from lab.shell.session.corpus.draft_corpus import DraftCorpus
from lab.text.tokenizers.views import cut
from lab.training.resolution import resolve
from lab.widgets.core.controls import Button, follow_in_tab_order, label, tab_stops
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.i18n import tr, tr_registered
from lab.widgets.core.messages import problem_line
from lab.widgets.core.theme import token_font
from lab.widgets.tokens.boundaries import CutToken
from lab.widgets.tokens.column import TokenColumn

if TYPE_CHECKING:
    from lab.base.jobs import Job

NUMBERS = itertools.count()
"""The numbers of columns, which tell their jobs apart."""
OWN = "own"
"""The key of the draft's tokenizer among the choices."""
PREFERRED = ("bpe", "word", "unigram", "byte", "character")
"""The initial tokenizers of the other columns, in order of preference."""
COLUMNS = 4
"""Most columns at once."""
START = 400
"""Number of characters from the start of the corpus that are shown first."""
LONGEST = 10_000
"""Most characters of the text that are tokenized."""
AFTER_TYPING = 150
"""Milliseconds without typing after which the text is tokenized."""
LINES = 3
"""Height of the field in lines."""


def _fit_field(field: QPlainTextEdit) -> None:
    """Give the field the height of its lines, with borders and padding."""
    field.setFixedHeight(LINES * QFontMetrics(token_font()).lineSpacing() + 22)


class TokensTab(QWidget):
    """The token viewer.

    Args:
        corpus: The corpus to which tokenizers are fitted.
        plugins: The plugins that provide tokenizers.
        background: Runs fitting and tokenizing in threads.
    """

    def __init__(self, corpus: DraftCorpus, plugins: Plugins, background: Background) -> None:
        super().__init__()
        self._corpus, self._plugins, self._background = corpus, plugins, background
        self._fitted = Fitted("")
        self._stale = True  # the text is tokenized when the tab is next shown
        self._own: Choice | None = None  # the tokenizer of the draft when the text was last tokenized
        self._given = ""  # the start of the corpus, as put into the field
        self._case: Case | None = None
        self.columns: list[TokenColumn] = []
        self._numbers: dict[TokenColumn, int] = {}
        self.field = QPlainTextEdit()
        self.field.setAccessibleName(tr("Text to tokenize"))
        self.field.setPlaceholderText(tr("Type or paste a text"))
        self.field.setFont(token_font())
        self.field.setTabChangesFocus(True)
        follow_type(self.field, _fit_field)
        self.field.textChanged.connect(self._typed)
        self._sentence = label("", "dim")
        self._sentence.setWordWrap(True)
        self._sentence.hide()
        self._row = QHBoxLayout()
        self._row.setSpacing(10)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(8)
        rows.addLayout(self._make_controls())
        rows.addWidget(self.field)
        rows.addWidget(self._sentence)
        rows.addLayout(self._row, 1)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(AFTER_TYPING)
        self._later.timeout.connect(self._cut_all)
        corpus.changed.connect(self._corpus_changed)
        corpus.draft.changed.connect(self._draft_changed)

    def _make_controls(self) -> QHBoxLayout:
        self.start = Button(tr("start of the corpus"), hint=tr("Tokenize the start of the corpus"))
        self.start.clicked.connect(self._show_start)
        self.letters = Button(tr("how many r in strawberry"), hint=tr("Show which tokens contain an r"))
        self.letters.clicked.connect(self._show_letters)
        self.colon = Button(tr("space before a colon"), hint=tr("Show how a space before a colon changes the tokens"))
        self.colon.clicked.connect(self._show_colon)
        self.ids = Button(tr("ids"), hint=tr("Show the number of each token below it"))
        self.ids.setCheckable(True)
        self.ids.toggled.connect(self._show_ids)
        self.add = Button(tr("Add a tokenizer"), hint=tr("Add a column (four at most)"), icon_name="add")
        self.add.clicked.connect(self._add_next)
        row = QHBoxLayout()
        row.setSpacing(4)
        row.addWidget(label(tr("Text"), "strong"))
        row.addSpacing(4)
        for button in (self.start, self.letters, self.colon):
            row.addWidget(button)
        row.addStretch()
        row.addWidget(self.ids)
        row.addWidget(self.add)
        return row

    # --------------------------------------------------------------------------------------------------------- columns

    def showEvent(self, event: QShowEvent) -> None:
        """Tokenize the text, since the corpus may have been read while the tab was hidden."""
        super().showEvent(event)
        self._offer()
        self._take_corpus()
        if self._stale:
            self._cut_all()

    def _offer(self) -> None:
        """Offer the tokenizers loaded so far, since plugins of third parties load late."""
        choices, sized = self._choices()
        for column in self.columns:
            column.offer(choices, sized)
        if not self.columns:
            own = self._corpus.draft.recipe.tokenizer.name
            names = [name for name, _ in choices]
            for name in [OWN, *(name for name in PREFERRED if name in names and name != own)][:COLUMNS]:
                self._add(name)

    def _choices(self) -> tuple[list[tuple[str, str]], list[str]]:
        cards = self._plugins.cards("tokenizers")
        own = cards.get(self._corpus.draft.recipe.tokenizer.name)
        title = (
            tr("{tokenizer} of the configuration", tokenizer=tr_registered(own.title))
            if own is not None
            else tr("Of the configuration")
        )
        if isinstance(self._corpus.source, Examples):
            title = tr("Symbols of the source")
        choices = [(OWN, title), *((name, tr_registered(card.title)) for name, card in cards.items())]
        return choices, [name for name, card in cards.items() if "vocabulary_size" in card.config.model_fields]

    def _add(self, name: str) -> TokenColumn:
        column = TokenColumn(*self._choices(), name)
        column.view.show_ids(self.ids.isChecked())
        column.changed.connect(self._cut_sender)
        column.removed.connect(self._remove)
        self._row.addWidget(column, 1)
        follow_in_tab_order(tab_stops(self.columns[-1])[-1] if self.columns else self.field, column)
        self.columns.append(column)
        self._numbers[column] = next(NUMBERS)
        self._count_columns()
        return column

    def _add_next(self) -> None:
        shown = {column.value for column in self.columns}
        names = [name for name, _ in self._choices()[0]]
        name = next((name for name in (OWN, *PREFERRED, *names) if name in names and name not in shown), OWN)
        self._cut(self._add(name))

    def _remove(self) -> None:
        column = self.sender()
        assert isinstance(column, TokenColumn)
        self.columns.remove(column)
        del self._numbers[column]
        self._row.removeWidget(column)
        column.hide()
        column.deleteLater()
        self._count_columns()

    def _count_columns(self) -> None:
        self.add.setEnabled(len(self.columns) < COLUMNS)
        for column in self.columns:
            column.remove.setVisible(len(self.columns) > 1)

    def _show_ids(self, shown: bool) -> None:
        for column in self.columns:
            column.view.show_ids(shown)

    # -------------------------------------------------------------------------------------------------------- the text

    def _corpus_changed(self) -> None:
        self._take_corpus()
        self._cut_later()

    def _take_corpus(self) -> None:
        """Switch to another corpus; show its start if the field has that of the previous one."""
        if self._corpus.beginning is not self._fitted.text:
            self._fitted, self._stale = Fitted(self._corpus.beginning), True
            if self.field.toPlainText() == self._given:
                self._set_text(self._start_of_corpus(), None)

    def _draft_changed(self) -> None:
        if self._own != self._corpus.draft.recipe.tokenizer:
            self._cut_later()

    def _cut_later(self) -> None:
        self._stale = True
        if self.isVisible():
            self._offer()
            self._later.start()

    def _start_of_corpus(self) -> str:
        text = self._corpus.beginning[: START + 1]
        cut = max(text.rfind(" "), text.rfind("\n"))
        return text if len(text) <= START else text[: cut if cut > START // 2 else START]

    def _set_text(self, text: str, case: Case | None) -> None:
        with QSignalBlocker(self.field):
            self.field.setPlainText(text)
        self._case = case
        self._given = text if case is None else self._given
        self._sentence.setText("" if case is None else case.sentence())
        self._sentence.setVisible(case is not None)
        self._cut_all()

    def _show_start(self) -> None:
        self._set_text(self._start_of_corpus(), None)

    def _show_letters(self) -> None:
        self._set_text(LETTERS.text, LETTERS)

    def _show_colon(self) -> None:
        self._set_text(COLON.text, COLON)

    def _typed(self) -> None:
        self._case = None
        self._sentence.hide()
        self._later.start()

    # --------------------------------------------------------------------------------------------------------- cutting

    def _cut_sender(self) -> None:
        column = self.sender()
        assert isinstance(column, TokenColumn)
        self._cut(column)

    def _cut_all(self) -> None:
        self._later.stop()
        self._stale = not self.isVisible()
        self._own = self._corpus.draft.recipe.tokenizer
        if not self._stale:
            for column in self.columns:
                self._cut(column)

    def _cut(self, column: TokenColumn) -> None:
        if not self._corpus.beginning:
            column.show_message(self._reason_without_text())
            return
        try:
            spec = self._spec_of(column)
        except LabError as error:
            column.show_message(problem_line(error.problem), wrong=True)
            return
        if not self._fitted.has(spec):
            column.show_message(tr("Fitting {tokenizer} to the corpus…", tokenizer=spec.title))
        work = partial(_cut_text, self._fitted, spec, self.field.toPlainText()[:LONGEST], self._case)
        title = tr("Tokenizing text with {tokenizer}", tokenizer=spec.title)
        shown, refused = partial(self._show, column), partial(self._refuse, column)
        self._background.run(title, work, shown, refused, replaces=f"cut {self._numbers[column]}")

    def _reason_without_text(self) -> str:
        """Return why there is no text to tokenize."""
        if self._corpus.is_reading:
            return tr("Shown once the corpus has been read.")
        if self._corpus.lacks_text:
            return tr("This corpus has numbers or images and no text, so there are no tokens.")
        return tr("There is no corpus to fit a tokenizer to.")

    def _spec_of(self, column: TokenColumn) -> TokenizerSpec:
        source = self._corpus.source
        if column.value == OWN and isinstance(source, Examples):  # examples are always made of their own symbols
            return TokenizerSpec("symbols", tr("Symbols"), partial(_symbols, source.symbols))
        if column.value == OWN:
            tokenizer = self._corpus.draft.card("tokenizer")
        else:
            size = column.vocabulary_size
            settings = {} if size is None else {"vocabulary_size": size}
            tokenizer = resolve(self._plugins, "tokenizers", Choice(name=column.value, **settings), "tokenizer")
        key = json.dumps([tokenizer.card.name, tokenizer.config.stored()], sort_keys=True)
        return TokenizerSpec(key, tr_registered(tokenizer.card.title), tokenizer.make)

    def _show(self, column: TokenColumn, done: Cut) -> None:
        if column in self.columns:
            column.show_tokens(done.tokens, done.size, done.vocabulary, done.note, done.marked)

    def _refuse(self, column: TokenColumn, problem: Problem) -> None:
        if column in self.columns:
            column.show_message(problem_line(problem), wrong=True)


@dataclass(frozen=True)
class TokenizerSpec:
    """The specification of a column's tokenizer.

    Args:
        key: Its key, the same for equal tokenizers.
        title: Its title.
        make: Fits it to a text.
    """

    key: str
    title: str
    make: Callable[[str], Tokenizer]


class Fitted:
    """The tokenizers fitted to one text; each is fitted only once, even if several columns request it.

    Args:
        text: The text.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._made: dict[str, Tokenizer] = {}
        self._locks: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()

    def has(self, spec: TokenizerSpec) -> bool:
        """Return True if the tokenizer has been fitted."""
        return spec.key in self._made

    def get(self, spec: TokenizerSpec) -> Tokenizer:
        """Return the fitted tokenizer; called in a thread.

        Raises:
            LabError: The tokenizer cannot be fitted to the text.
        """
        with self._lock:
            lock = self._locks.setdefault(spec.key, threading.Lock())
        with lock:
            if spec.key not in self._made:
                self._made[spec.key] = spec.make(self.text)
            return self._made[spec.key]


def _symbols(symbols: tuple[str, ...], _: str) -> Tokenizer:
    from lab.text.tokenizers.symbols import SymbolTokenizer

    return SymbolTokenizer(symbols)


@dataclass(frozen=True)
class Cut:
    """The tokens of a text under one tokenizer, and the note of its column.

    Args:
        tokens: The tokens in order.
        size: Bytes of the text.
        vocabulary: Number of symbols of the tokenizer.
        note: The note about the tokens; "" for none.
        marked: Indices of the tokens that the note mentions.
    """

    tokens: list[CutToken]
    size: int
    vocabulary: int
    note: str
    marked: frozenset[int]


def _cut_text(fitted: Fitted, spec: TokenizerSpec, text: str, case: Case | None, job: Job) -> Cut:
    """Fit a tokenizer, unless that was done before, and tokenize a text; in a thread."""
    tokenizer = fitted.get(spec)
    if job.cancelled:
        return Cut([], 0, 0, "", frozenset())
    pieces = cut(text, tokenizer)
    sizes = tokenizer.sizes()
    tokens = [CutToken(piece.token, piece.label, int(sizes[piece.token])) for piece in pieces]
    note, marked = ("", frozenset[int]()) if case is None else case.inspect(text, pieces)
    return Cut(tokens, len(text.encode()), tokenizer.vocabulary_size, note, marked)
