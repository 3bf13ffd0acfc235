"""The statistics of the draft's corpus, counted part by part off the main thread and shown as they come."""

from __future__ import annotations

import math
from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QProgressBar, QScrollArea, QStackedLayout, QWidget

from lab.api import ENTROPY_RATE, Examples, LongText, Text
from lab.base.problems import LabError, Problem
from lab.recipes import Choice
from lab.shell.background import Background
from lab.shell.corpus_at_hand import AFTER_EDIT, CorpusAtHand
from lab.shell.statistics_card import PartsCard
from lab.shell.statistics_cards import DuplicatesCard, OverlapCard, RepeatsCard, SizeCard
from lab.shell.statistics_charts import CompressedCard, EntropyCard, GramsCard, ZipfCard
from lab.shell.statistics_counting import PARTS, SPLIT, TOKENIZED, Counting, doing_words
from lab.shell.statistics_source import SourcePage
from lab.widgets.controls import Button, label
from lab.widgets.theme import BETWEEN
from lab.widgets.words import text

LOOK = 60
"""Milliseconds between two looks at what was counted; one part is shown at each."""
UPPER, LOWER = 290, 290
"""Pixels of the rows of cards, at least."""


class StatisticsTab(QWidget):
    """The corpus page.

    Args:
        corpus: What is counted.
        background: Counts.

    Attributes:
        found: Parts of the page that were counted, by name; a Problem for one that could not be.
    """

    def __init__(self, corpus: CorpusAtHand, background: Background) -> None:
        super().__init__()
        self._corpus, self._background = corpus, background
        self._source: Text | LongText | None = None  # what `found` is of, with the next two
        self._tokenizer: Choice | None = None
        self._share = 0.0
        self.found: dict[str, Any] = {}
        self._counting: Counting | None = None
        self._stopped = self._ended = False
        self._make_controls()
        self.lengths = SizeCard()
        self.zipf, self.grams, self.entropy = ZipfCard(), GramsCard(), EntropyCard()
        self.compressed, self.repeats = CompressedCard(), RepeatsCard()
        self.duplicates, self.overlap = DuplicatesCard(), OverlapCard()
        for control in (self.warning, self._doing, self._progress, self.cancel, self.go_on, self.copy):
            self.lengths.add_control(control)
        self.source = SourcePage(background)
        self._pages = QStackedLayout(self)
        self._pages.setContentsMargins(0, 0, 0, 0)
        self._pages.addWidget(self._make_page())
        self._pages.addWidget(self.source)
        self._looking = QTimer(self)
        self._looking.setInterval(LOOK)
        self._looking.timeout.connect(self._look)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(AFTER_EDIT)
        self._later.timeout.connect(self._follow)
        corpus.changed.connect(self._follow)
        corpus.draft.changed.connect(self._later.start)
        self._show_state()

    @property
    def cards(self) -> tuple[PartsCard, ...]:
        """All cards of the page, as they are read."""
        return (
            self.lengths, self.zipf, self.grams, self.entropy, self.compressed, self.repeats, self.duplicates,
            self.overlap,
        )  # fmt: skip

    def _make_controls(self) -> None:
        self.warning = label(text("Warning: validation stands in training"), "warn")
        self.warning.setToolTip(text("See the last card of this page"))
        self._doing = label("", "note")
        self._progress = QProgressBar()
        self._progress.setRange(0, 1000)
        self._progress.setFixedWidth(160)
        self._progress.setTextVisible(False)
        self._progress.setAccessibleName(text("How much of the statistics is counted"))
        self.cancel = Button(text("Cancel"), hint=text("Count no further"))
        self.cancel.clicked.connect(self._stop)
        self.go_on = Button(text("Count the rest"), hint=text("Count what was cancelled"))
        self.go_on.clicked.connect(self._count)
        self.copy = Button(text("Copy figures"), hint=text("All figures of this page as text"))
        self.copy.clicked.connect(self._copy)

    def _make_page(self) -> QScrollArea:
        inside = QWidget()
        grid = QGridLayout(inside)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setSpacing(BETWEEN)
        grid.addWidget(self.lengths, 0, 0, 1, 3)
        for column, card in enumerate((self.zipf, self.grams, self.entropy)):
            grid.addWidget(card, 1, column)
            grid.setColumnStretch(column, 1)
            grid.setColumnMinimumWidth(column, 300)
        for column, lower in enumerate((self.compressed, self.repeats, self.duplicates)):
            grid.addWidget(lower, 2, column)
        grid.addWidget(self.overlap, 3, 0, 1, 3)
        for row, least in ((1, UPPER), (2, LOWER)):
            grid.setRowMinimumHeight(row, least)
            grid.setRowStretch(row, least)
        area = QScrollArea()
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setWidget(inside)
        return area

    # -------------------------------------------------------------------------------------------------------- counting

    def showEvent(self, event: QShowEvent) -> None:
        """Counts when somebody looks."""
        super().showEvent(event)
        self._follow()

    def _follow(self) -> None:
        """Counts what is not counted yet of the corpus as the draft has it, where somebody looks."""
        if not self.isVisible():
            return
        self._later.stop()
        source = self._corpus.source
        if isinstance(source, Examples):
            self._show_source(source)
            return
        self._pages.setCurrentIndex(0)
        recipe = self._corpus.draft.recipe
        share = 1 - recipe.training.validation_share
        stale = set(PARTS) if source is not self._source else set()
        stale |= TOKENIZED if recipe.tokenizer != self._tokenizer else set()
        stale |= SPLIT if share != self._share else set()
        self._source, self._tokenizer, self._share = source, recipe.tokenizer, share
        if stale:
            self._drop(stale)
        if source is None:
            self._say_nothing_is_there()
        elif stale or (self._missing() and self._counting is None and not self._stopped):
            self._count()

    def _show_source(self, source: Examples) -> None:
        self._source = None
        self._drop(set(PARTS))
        self.source.show_source(self._corpus.draft.card("corpus").card, source)
        self._pages.setCurrentIndex(1)

    def _drop(self, names: set[str]) -> None:
        """Forgets parts; what is still counted of them is let go."""
        self._let_go()
        self.found = {name: value for name, value in self.found.items() if name not in names}
        self._stopped = False
        self._show_all()
        self._show_state()

    def _missing(self) -> list[str]:
        return [name for name in PARTS if name not in self.found]

    def _say_nothing_is_there(self) -> None:
        if self._corpus.reads:
            words = text("This appears as soon as the corpus is read.")
        else:
            words = text("Without a corpus there is nothing to count.")
        for card in self.cards:
            card.take({}, words)

    def _count(self) -> None:
        """Counts all that is missing."""
        if self._source is None:
            return
        self._let_go()
        try:
            tokenizer = self._corpus.draft.card("tokenizer")
        except LabError as error:
            self._refuse(error.problem)
            return
        self.lengths.about = text("tokenizer: {tokenizer}", tokenizer=tokenizer.card.title)
        rate = self._source.floors.get(ENTROPY_RATE)
        self.entropy.set_floor(None if rate is None else rate / math.log(2))
        self._stopped = self._ended = False
        self._counting = Counting(self._source, tokenizer, self._share, self._missing())
        title = text("Counting the corpus")
        self._background.run(title, self._counting.work, self._end, self._refuse, replaces="statistics")
        self._looking.start()
        self._show_all()
        self._show_state()

    def _stop(self) -> None:
        """Counts no further; what is there stays."""
        self._let_go()
        self._stopped = True
        self._show_all()
        self._show_state()

    def _let_go(self) -> None:
        """Takes nothing more of what is counted now."""
        if self._counting is not None:
            self._counting.stopped = True
        self._counting = None
        self._looking.stop()

    def _end(self, counting: Counting) -> None:
        self._ended = self._ended or counting is self._counting

    def _refuse(self, problem: Problem) -> None:
        self._let_go()
        self.found.update(dict.fromkeys(self._missing(), problem))
        self._show_all()
        self._show_state()

    def _look(self) -> None:
        """Shows how far it is, and one part more: all at once would hold the window."""
        counting = self._counting
        if counting is None:
            return
        if counting.found:
            name, value = counting.found.popleft()
            self.found[name] = value
            for card in self.cards:
                if name in card.wants:
                    card.take(self.found, self._waiting)
        elif self._ended:
            self._let_go()
        self._show_state()

    # --------------------------------------------------------------------------------------------------------- showing

    @property
    def _waiting(self) -> str:
        """What a card says that has nothing yet."""
        return text("Not counted, since that was cancelled.") if self._stopped else text("It is being counted.")

    def _show_all(self) -> None:
        for card in self.cards:
            card.take(self.found, self._waiting)

    def _show_state(self) -> None:
        counting = self._counting
        for widget in (self._doing, self._progress, self.cancel):
            widget.setVisible(counting is not None)
        if counting is not None:
            self._doing.setText(doing_words(counting.doing))
            self._progress.setValue(int(1000 * counting.done))
        self.warning.setVisible(bool(getattr(self.found.get("overlap"), "warning", "")))
        self.go_on.setVisible(counting is None and self._stopped and bool(self._missing()))
        self.copy.setVisible(counting is None)
        self.copy.setEnabled(bool(self.found))

    def _copy(self) -> None:
        """Puts the figures of all cards into the clipboard."""
        told = [self._corpus.name, *(card.told for card in self.cards)]
        QGuiApplication.clipboard().setText("\n\n".join(filter(None, told)) + "\n")
