"""The tab of the statistics of the draft's corpus, which a thread counts part by part."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication, QHideEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QProgressBar, QScrollArea, QStackedLayout, QWidget

from lab.api import ENTROPY_RATE, Examples, LongText, Rows, Text
from lab.base.problems import LabError, Problem
from lab.recipes import Choice
from lab.shell.corpus.statistics.card import PartsCard
from lab.shell.corpus.statistics.count_cards import CompressedCard, EntropyCard, GramsCard, ZipfCard
from lab.shell.corpus.statistics.counting import PARTS, SPLIT, TOKENIZED, Counting, step_label
from lab.shell.corpus.statistics.rows_view import RowsView
from lab.shell.corpus.statistics.source import SourcePage
from lab.shell.corpus.statistics.text_cards import DuplicatesCard, OverlapCard, RepeatsCard, SizeCard
from lab.shell.runtime.background import Background
from lab.shell.session.corpus.draft_corpus import AFTER_EDIT, DraftCorpus
from lab.widgets.core.controls import Button, MenuChoices, follow_in_tab_order, label, tab_stops
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.i18n import tr, tr_registered
from lab.widgets.core.theme import BETWEEN, px

POLL = 60
"""Milliseconds between two checks for counted parts; each check shows one part."""
ROW_HEIGHT = 280
"""Least height of a row of cards in pixels."""
CARDS: tuple[tuple[Callable[[], PartsCard], int, int, int], ...] = (
    (ZipfCard, 1, 0, 1), (GramsCard, 1, 1, 1), (EntropyCard, 1, 2, 1),
    (CompressedCard, 2, 0, 1), (RepeatsCard, 2, 1, 1), (DuplicatesCard, 2, 2, 1),
    (OverlapCard, 3, 0, 3),
)  # fmt: skip
"""Cards that are made when the tab is shown: class, row, column, columns spanned."""


class StatisticsTab(QWidget):
    """The tab of statistics.

    Args:
        corpus: The corpus.
        background: Runs the counting in a thread.
        choices: Gets the menus of the cards, whose choices are stored.

    Attributes:
        found: The counted parts by name, with a Problem for each part that could not be counted; also the title of the
            "tokenizer", and the entropy rate of a source in bits per character.
        cards: The cards made so far, in reading order.
    """

    def __init__(self, corpus: DraftCorpus, background: Background, choices: MenuChoices | None = None) -> None:
        super().__init__()
        self._corpus, self._background = corpus, background
        self._choices = choices or MenuChoices()
        self._source: Text | LongText | None = None  # `found` belongs to this and the next two
        self._tokenizer: Choice | None = None
        self._share = 0.0
        self.found: dict[str, Any] = {}
        self._counting: Counting | None = None
        self._stopped = self._ended = False
        self._make_controls()
        self.cards: list[PartsCard] = [SizeCard()]
        for control in (self.warning, self._doing, self._progress, self.cancel, self.resume, self.copy):
            self.cards[0].add_control(control)
        self.source: SourcePage | None = None
        self.rows_page: RowsView | None = None
        self._pages = QStackedLayout(self)
        self._pages.setContentsMargins(0, 0, 0, 0)
        self._pages.addWidget(self._make_page())
        self._making = QTimer(self)
        self._making.setInterval(0)
        self._making.timeout.connect(self._make_next_card)
        self._polling = QTimer(self)
        self._polling.setInterval(POLL)
        self._polling.timeout.connect(self._poll)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(AFTER_EDIT)
        self._later.timeout.connect(self._update)
        corpus.changed.connect(self._update)
        corpus.draft.changed.connect(self._later.start)
        self._show_state()

    def _make_controls(self) -> None:
        self.warning = label(tr("Warning: the training text contains validation text"), "warn")
        self.warning.setToolTip(tr("See the last card of this page"))
        self._doing = label("", "note")
        self._progress = QProgressBar()
        self._progress.setRange(0, 1000)
        self._progress.setFixedWidth(160)
        self._progress.setTextVisible(False)
        self._progress.setAccessibleName(tr("Progress of counting"))
        self.cancel = Button(tr("Cancel"), hint=tr("Stop counting"))
        self.cancel.clicked.connect(self._stop)
        self.resume = Button(tr("Count the rest"), hint=tr("Count the statistics that are still missing"))
        self.resume.clicked.connect(self._count)
        self.copy = Button(tr("Copy figures"), hint=tr("Copy all figures of this page as text"))
        self.copy.clicked.connect(self._copy)

    def _make_page(self) -> QScrollArea:
        inside = QWidget()
        self._grid = QGridLayout(inside)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(BETWEEN)
        self._grid.addWidget(self.cards[0], 0, 0, 1, 3)
        for column in range(3):
            self._grid.setColumnStretch(column, 1)
            self._grid.setColumnMinimumWidth(column, 300)
        for row in (1, 2):
            self._grid.setRowStretch(row, 1)
        follow_type(inside, _fit_rows)
        area = QScrollArea()
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the focus goes to its content, and it scrolls there
        area.setWidget(inside)
        return area

    def _make_next_card(self) -> None:
        """Make one more card; making all at once would block the window."""
        if len(self.cards) > len(CARDS):
            self._making.stop()
            return
        make, row, column, wide = CARDS[len(self.cards) - 1]
        card = make()
        self._grid.addWidget(card, row, column, 1, wide)
        follow_in_tab_order(self._last_stop, card)
        self.cards.append(card)
        card.take(self.found, self._waiting_text)
        for name, menu in card.menus.items():
            self._choices.add(name, menu)

    @property
    def _last_stop(self) -> QWidget:
        """The last tab stop of the cards made so far."""
        return [stop for card in self.cards for stop in tab_stops(card)][-1]

    # -------------------------------------------------------------------------------------------------------- counting

    def showEvent(self, event: QShowEvent) -> None:
        """Count the missing parts when the tab is shown."""
        super().showEvent(event)
        self._making.start()
        if self._counting is not None:
            self._polling.start()
        self._update()

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop updating the cards; the counting continues."""
        super().hideEvent(event)
        self._making.stop()
        self._polling.stop()

    def _update(self) -> None:
        """Count the missing parts for the corpus of the draft if the tab is visible."""
        if not self.isVisible():
            return
        self._later.stop()
        source = self._corpus.source
        if isinstance(source, Examples):
            self._show_source(source)
            return
        if isinstance(source, Rows):
            self._show_rows(source)
            return
        self._pages.setCurrentIndex(0)
        recipe = self._corpus.draft.recipe
        share = 1 - recipe.training.validation_share
        stale = {*PARTS, ENTROPY_RATE} if source is not self._source else set()
        stale |= TOKENIZED if recipe.tokenizer != self._tokenizer else set()
        stale |= SPLIT if share != self._share else set()
        self._source, self._tokenizer, self._share = source, recipe.tokenizer, share
        if stale:
            self._drop(stale)
        if source is None:
            self._show_all()
        elif stale or (self._missing() and self._counting is None and not self._stopped):
            self._count()

    def _show_source(self, source: Examples) -> None:
        self._source = None
        self._drop({*PARTS, ENTROPY_RATE})
        if self.source is None:
            self.source = SourcePage(self._background)
            self._pages.addWidget(self.source)
            follow_in_tab_order(self._last_stop, self.source)
        self.source.show_source(self._corpus.draft.card("corpus").card, source)
        self._pages.setCurrentWidget(self.source)

    def _show_rows(self, source: Rows) -> None:
        self._source = None
        self._drop({*PARTS, ENTROPY_RATE})
        if self.rows_page is None:
            self.rows_page = RowsView(self._background, self._corpus.draft)
            self._pages.addWidget(self.rows_page)
            follow_in_tab_order(self._last_stop, self.rows_page)
        self.rows_page.show_rows(source)
        self._pages.setCurrentWidget(self.rows_page)

    def _drop(self, names: set[str]) -> None:
        """Drop parts, and stop counting."""
        self._abandon()
        self.found = {name: value for name, value in self.found.items() if name not in names}
        self._stopped = False
        self._show_all()
        self._show_state()

    def _missing(self) -> list[str]:
        return [name for name in PARTS if name not in self.found]

    def _count(self) -> None:
        """Count the missing parts."""
        if self._source is None:
            return
        self._abandon()
        try:
            tokenizer = self._corpus.draft.card("tokenizer")
        except LabError as error:
            self._show_problem(error.problem)
            return
        self.found["tokenizer"] = tr_registered(tokenizer.card.title)
        if ENTROPY_RATE in self._source.floors:
            self.found[ENTROPY_RATE] = self._source.floors[ENTROPY_RATE] / math.log(2)
        self._stopped = self._ended = False
        self._counting = Counting(self._source, tokenizer, self._share, self._missing())
        title = tr("Counting the corpus")
        self._background.run(title, self._counting.work, self._end, self._show_problem, replaces="statistics")
        self._polling.start()
        self._show_all()
        self._show_state()

    def _stop(self) -> None:
        """Stop counting; the parts counted so far stay."""
        self._abandon()
        self._stopped = True
        self._show_all()
        self._show_state()

    def _abandon(self) -> None:
        """Stop the running count, and ignore its further results."""
        if self._counting is not None:
            self._counting.stopped = True
        self._counting = None
        self._polling.stop()

    def _end(self, counting: Counting) -> None:
        self._ended = self._ended or counting is self._counting

    def _show_problem(self, problem: Problem) -> None:
        self._abandon()
        self.found.update(dict.fromkeys(self._missing(), problem))
        self._show_all()
        self._show_state()

    def _poll(self) -> None:
        """Show the progress and one more part; showing all at once would block the window."""
        counting = self._counting
        if counting is None:
            return
        if counting.found:
            name, value = counting.found.popleft()
            self.found[name] = value
            for card in self.cards:
                if name in card.wants:
                    card.take(self.found, self._waiting_text)
        elif self._ended:
            self._abandon()
        self._show_state()

    # --------------------------------------------------------------------------------------------------------- showing

    @property
    def _waiting_text(self) -> str:
        """The message of a card without content."""
        if self._source is None:
            reading = tr("Shown once the corpus has been read.")
            return reading if self._corpus.is_reading else tr("There is no corpus to count.")
        return tr("Not counted: counting was cancelled.") if self._stopped else tr("Not counted yet.")

    def _show_all(self) -> None:
        for card in self.cards:
            card.take(self.found, self._waiting_text)

    def _show_state(self) -> None:
        counting = self._counting
        for widget in (self._doing, self._progress, self.cancel):
            widget.setVisible(counting is not None)
        if counting is not None:
            self._doing.setText(step_label(counting.doing))
            self._progress.setValue(int(1000 * counting.done))
        self.warning.setVisible(bool(getattr(self.found.get("overlap"), "warning", "")))
        self.resume.setVisible(counting is None and self._stopped and bool(self._missing()))
        self.copy.setVisible(counting is None)
        self.copy.setEnabled(bool(self.found.keys() & set(PARTS)))

    def _copy(self) -> None:
        """Copy the figures of all cards to the clipboard."""
        texts = [self._corpus.name, *(card.summary for card in self.cards)]
        QGuiApplication.clipboard().setText("\n\n".join(filter(None, texts)) + "\n")


def _fit_rows(page: QWidget) -> None:
    """Give the rows of cards the least height for the type; the page scrolls where they do not fit."""
    grid = page.layout()
    if isinstance(grid, QGridLayout):
        for row in (1, 2):
            grid.setRowMinimumHeight(row, px(ROW_HEIGHT))
