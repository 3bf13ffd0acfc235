"""The token viewer: one text under several tokenizers side by side, and two cases that every class meets."""

from __future__ import annotations

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
from lab.shell.session.corpus import DraftCorpus
from lab.text.tokenizers.views import cut
from lab.training.resolution import resolve
from lab.widgets.core.controls import Button, follow_in_tab_order, label, tab_stops
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import token_font
from lab.widgets.tokens.boundaries import CutToken
from lab.widgets.tokens.column import TokenColumn

if TYPE_CHECKING:
    from lab.base.jobs import Job

OWN = "own"
"""The tokenizer of the draft, among the choices."""
PREFERRED = ("bpe", "word", "unigram", "byte", "character")
"""What stands beside it at first, as far as there is room."""
COLUMNS = 4
BEGINNING = 400
"""Characters of the corpus that the field begins with."""
LONGEST = 10_000
"""Characters that are cut."""
AFTER_TYPING = 150
"""Milliseconds without a key after which the text is cut."""
LINES = 3
"""Of the field."""


class TokensTab(QWidget):
    """The token viewer.

    Args:
        corpus: What tokenizers are fitted to.
        plugins: Where they are found.
        background: Fits and cuts.
    """

    def __init__(self, corpus: DraftCorpus, plugins: Plugins, background: Background) -> None:
        super().__init__()
        self._corpus, self._plugins, self._background = corpus, plugins, background
        self._fits = Fits("")
        self._stale = True  # whether the columns wait for somebody to look
        self._own: Choice | None = None  # the draft's tokenizer that was cut with
        self._given = ""  # the beginning of the corpus that stands in the field
        self._case: Case | None = None
        self.columns: list[TokenColumn] = []
        self.field = QPlainTextEdit()
        self.field.setAccessibleName(tr("Text to cut"))
        self.field.setPlaceholderText(tr("Type or paste a text"))
        self.field.setFont(token_font())
        self.field.setTabChangesFocus(True)
        self.field.setFixedHeight(LINES * QFontMetrics(token_font()).lineSpacing() + 22)  # with borders and padding
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
        self.beginning = Button(tr("beginning of the corpus"), hint=tr("Cut how the corpus begins"))
        self.beginning.clicked.connect(self._take_beginning)
        self.letters = Button(tr("how many r in strawberry"), hint=tr("Which tokens hold an r?"))
        self.letters.clicked.connect(self._take_letters)
        self.colon = Button(tr("space before a colon"), hint=tr("What a blank before a colon does to the tokens"))
        self.colon.clicked.connect(self._take_colon)
        self.ids = Button(tr("ids"), hint=tr("The number of each token below it"))
        self.ids.setCheckable(True)
        self.ids.toggled.connect(self._show_ids)
        self.add = Button(tr("Add a tokenizer"), hint=tr("One more column, up to four"), icon_name="add")
        self.add.clicked.connect(self._add_one)
        row = QHBoxLayout()
        row.setSpacing(4)
        row.addWidget(label(tr("Text"), "strong"))
        row.addSpacing(4)
        for button in (self.beginning, self.letters, self.colon):
            row.addWidget(button)
        row.addStretch()
        row.addWidget(self.ids)
        row.addWidget(self.add)
        return row

    # --------------------------------------------------------------------------------------------------------- columns

    def showEvent(self, event: QShowEvent) -> None:
        """Cuts when somebody looks: the corpus may have been read before there was this tab."""
        super().showEvent(event)
        self._offer()
        self._take_corpus()
        if self._stale:
            self._cut_all()

    def _offer(self) -> None:
        """Offers the tokenizers that there are now; plugins of third parties come late."""
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
        title = tr("{tokenizer} of the draft", tokenizer=own.title) if own is not None else tr("The draft's")
        if isinstance(self._corpus.source, Examples):
            title = tr("Symbols of the source")
        found = [(OWN, title), *((name, card.title) for name, card in cards.items())]
        return found, [name for name, card in cards.items() if "vocabulary_size" in card.config.model_fields]

    def _add(self, name: str) -> TokenColumn:
        column = TokenColumn(*self._choices(), name)
        column.view.show_ids(self.ids.isChecked())
        column.changed.connect(self._column_asked)
        column.removed.connect(self._remove)
        self._row.addWidget(column, 1)
        follow_in_tab_order(tab_stops(self.columns[-1])[-1] if self.columns else self.field, column)
        self.columns.append(column)
        self._count_columns()
        return column

    def _add_one(self) -> None:
        shown = {column.value for column in self.columns}
        names = [name for name, _ in self._choices()[0]]
        name = next((name for name in (OWN, *PREFERRED, *names) if name in names and name not in shown), OWN)
        self._cut(self._add(name))

    def _remove(self) -> None:
        column = self.sender()
        assert isinstance(column, TokenColumn)
        self.columns.remove(column)
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
        self._look_again()

    def _take_corpus(self) -> None:
        """Of another corpus tokenizers are fitted anew, and its beginning takes the place of the other's."""
        if self._corpus.beginning is not self._fits.text:
            self._fits, self._stale = Fits(self._corpus.beginning), True
            if self.field.toPlainText() == self._given:
                self._put(self._beginning(), None)

    def _draft_changed(self) -> None:
        if self._own != self._corpus.draft.recipe.tokenizer:
            self._look_again()

    def _look_again(self) -> None:
        self._stale = True
        if self.isVisible():
            self._offer()
            self._later.start()

    def _beginning(self) -> str:
        words = self._corpus.beginning[: BEGINNING + 1]
        cut = max(words.rfind(" "), words.rfind("\n"))
        return words if len(words) <= BEGINNING else words[: cut if cut > BEGINNING // 2 else BEGINNING]

    def _put(self, words: str, case: Case | None) -> None:
        with QSignalBlocker(self.field):
            self.field.setPlainText(words)
        self._case = case
        self._given = words if case is None else self._given
        self._sentence.setText("" if case is None else case.sentence())
        self._sentence.setVisible(case is not None)
        self._cut_all()

    def _take_beginning(self) -> None:
        self._put(self._beginning(), None)

    def _take_letters(self) -> None:
        self._put(LETTERS.text, LETTERS)

    def _take_colon(self) -> None:
        self._put(COLON.text, COLON)

    def _typed(self) -> None:
        self._case = None
        self._sentence.hide()
        self._later.start()

    # --------------------------------------------------------------------------------------------------------- cutting

    def _column_asked(self) -> None:
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
            reads = tr("The text is cut as soon as the corpus is read.")
            column.show_message(
                reads if self._corpus.reads else tr("Without a corpus there is nothing to fit a tokenizer to.")
            )
            return
        try:
            wanted = self._wanted(column)
        except LabError as error:
            column.show_message(error.problem.line(), wrong=True)
            return
        if not self._fits.has(wanted):
            column.show_message(tr("{tokenizer} is being fitted to the corpus…", tokenizer=wanted.title))
        cutting = _Cutting(self._fits, wanted, self.field.toPlainText()[:LONGEST], self._case)
        title = tr("Cutting text with {tokenizer}", tokenizer=wanted.title)
        shown, refused = partial(self._show, column), partial(self._refuse, column)
        self._background.run(title, cutting.work, shown, refused, replaces=f"cut {id(column)}")

    def _wanted(self, column: TokenColumn) -> Wanted:
        source = self._corpus.source
        if column.value == OWN and isinstance(source, Examples):  # it is never cut otherwise
            return Wanted("symbols", tr("Symbols"), partial(_symbols, source.symbols))
        if column.value == OWN:
            tokenizer = self._corpus.draft.card("tokenizer")
        else:
            size = column.vocabulary_size
            settings = {} if size is None else {"vocabulary_size": size}
            tokenizer = resolve(self._plugins, "tokenizers", Choice(name=column.value, **settings), "tokenizer")
        key = json.dumps([tokenizer.card.name, tokenizer.config.stored()], sort_keys=True)
        return Wanted(key, tokenizer.card.title, tokenizer.make)

    def _show(self, column: TokenColumn, done: Cut) -> None:
        if column in self.columns:
            column.show_tokens(done.tokens, done.size, done.vocabulary, done.told, done.marked)

    def _refuse(self, column: TokenColumn, problem: Problem) -> None:
        if column in self.columns:
            column.show_message(problem.line(), wrong=True)


@dataclass(frozen=True)
class Wanted:
    """A tokenizer that a column asks for.

    Args:
        key: One for each that differs.
        title: What it is called.
        make: Fits it to a text.
    """

    key: str
    title: str
    make: Callable[[str], Tokenizer]


class Fits:
    """Tokenizers fitted to one text, each once however many ask.

    Args:
        text: The text.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._made: dict[str, Tokenizer] = {}
        self._locks: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()

    def has(self, wanted: Wanted) -> bool:
        """Whether it is fitted already."""
        return wanted.key in self._made

    def of(self, wanted: Wanted) -> Tokenizer:
        """The fitted tokenizer; in a thread.

        Raises:
            LabError: It cannot be fitted to the text.
        """
        with self._lock:
            lock = self._locks.setdefault(wanted.key, threading.Lock())
        with lock:
            if wanted.key not in self._made:
                self._made[wanted.key] = wanted.make(self.text)
            return self._made[wanted.key]


def _symbols(symbols: tuple[str, ...], _: str) -> Tokenizer:
    from lab.text.tokenizers.symbols import SymbolTokenizer

    return SymbolTokenizer(symbols)


@dataclass(frozen=True)
class Cut:
    """A text cut by one tokenizer, with what its column says.

    Args:
        tokens: In order.
        size: Bytes of the text.
        vocabulary: Symbols of the tokenizer.
        told: What is to be seen.
        marked: Places of the tokens that it is about.
    """

    tokens: list[CutToken]
    size: int
    vocabulary: int
    told: str
    marked: frozenset[int]


class _Cutting:
    """One text on its way through one tokenizer."""

    def __init__(self, fits: Fits, wanted: Wanted, words: str, case: Case | None) -> None:
        self._fits, self._wanted, self._words, self._case = fits, wanted, words, case

    def work(self, job: Job) -> Cut:
        """Fits where that was not done, and cuts."""
        tokenizer = self._fits.of(self._wanted)
        if job.cancelled:
            return Cut([], 0, 0, "", frozenset())
        pieces = cut(self._words, tokenizer)
        sizes = tokenizer.sizes()
        tokens = [CutToken(piece.token, piece.label, int(sizes[piece.token])) for piece in pieces]
        told, marked = ("", frozenset[int]()) if self._case is None else self._case.look(self._words, pieces)
        return Cut(tokens, len(self._words.encode()), tokenizer.vocabulary_size, told, marked)
