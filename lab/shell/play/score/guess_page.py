"""The page Guess of Play: the next letter of a text, guessed by the user and by a run."""

from __future__ import annotations

import math
import secrets
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from lab.base.problems import Problem
from lab.shell.runtime.background import Background
from lab.shell.session.model_provider import ModelProvider, model_name
from lab.shell.session.runs.registry import RunRegistry
from lab.widgets.core.card import Card
from lab.widgets.core.controls import Button, label
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.glyphs import glyphs
from lab.widgets.core.i18n import number_text, tr, tr_n
from lab.widgets.core.messages import problem_line
from lab.widgets.core.theme import BETWEEN, px, themes, token_font
from lab.widgets.lists.number_table import NumberTable
from lab.workbench.scoring.guessing import GuessingGame, Passage, passage_of

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.shell.session.runs.model import RunModel

JOB = "passage to guess"
"""The key of the work."""
LARGE = 22
"""Pixels of the type of the text that is guessed."""
SHOWN_BEFORE = 400
"""Most characters of the known text that are shown."""


class GuessPage(QWidget):
    """The page Guess.

    Args:
        registry: The runs.
        model_provider: Provides the selected model.
        background: Runs work in threads.

    Attributes:
        game: The game; None before there is one.
    """

    def __init__(self, registry: RunRegistry, model_provider: ModelProvider, background: Background) -> None:
        super().__init__()
        self._registry, self._model_provider, self._background = registry, model_provider, background
        self.game: GuessingGame | None = None
        self._run: RunModel | None = None
        self._ready = self._works = False
        self.card = Card(tr("Guess the next letter"))
        self.new_button = Button(tr("New passage"), hint=tr("Draw another place of the validation text"))
        self.new_button.clicked.connect(self.start)
        self.card.add_control(self.new_button)
        self.text = label("")
        self.text.setTextFormat(Qt.TextFormat.PlainText)
        self.text.setWordWrap(True)
        self.text.setAlignment(Qt.AlignmentFlag.AlignTop)
        follow_type(self.text, _enlarge)
        self.field = QLineEdit()
        self.field.setFont(token_font())
        self.field.setAccessibleName(tr("Your guess"))
        self.field.setFixedWidth(px(180))
        self.field.textEdited.connect(self._typed)
        self.field.returnPressed.connect(self._entered)
        self.reveal_button = Button(tr("Reveal"), hint=tr("Show it; it counts as guessed last"), role="")
        self.reveal_button.clicked.connect(self._reveal)
        self._wrong, self._outcome, self._how = label("", "dim"), label(""), label("", "note")
        for each in (self._wrong, self._outcome, self._how):
            each.setWordWrap(True)
        self.table = NumberTable(tr("Entropies from the guesses"))
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.field)
        row.addWidget(self.reveal_button)
        row.addWidget(self._wrong, 1)
        content = QWidget()
        rows = QVBoxLayout(content)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(8)
        rows.addWidget(self.text)
        rows.addLayout(row)
        rows.addWidget(self._outcome)
        rows.addWidget(self.table)
        rows.addWidget(self._how)
        rows.addStretch(1)
        self.card.set_content(content)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, BETWEEN, 0)
        layout.addWidget(self.card)
        registry.selection_changed.connect(self._other_run)
        themes.changed.connect(self._show_table)
        self._show_offer()

    def begin(self) -> None:
        """Start using models, once the lab is ready."""
        self._ready = True
        self._show_offer()

    def close_down(self) -> None:
        """Stop all work of this page."""
        self._background.cancel(JOB)
        self._works = False

    def start(self) -> None:
        """Draw a passage of the selected run, and start a game on it."""
        if not self._ready:
            return
        access, run = self._model_provider.current("play")
        seed = secrets.randbelow(2**31)

        def work(job: Job) -> Passage:
            return passage_of(access, seed, cancelled=lambda: job.cancelled)

        self._works = True
        self.card.show_empty(tr("A passage is being read …"))
        taken = partial(self._take, run)
        self._background.run(tr("Choosing a passage"), work, taken, self._fail, replaces=JOB)

    def _take(self, run: RunModel | None, passage: Passage) -> None:
        self._works = False
        self._run, self.game = run, GuessingGame(passage)
        self.card.set_title(tr("Guess the next letter"), model_name(run, passage.step))
        self.card.show_content()
        self._outcome.setText("")
        self._show()
        self.field.setFocus()

    def _fail(self, problem: Problem) -> None:
        self._works = False
        self.game = None
        self.card.show_empty(problem_line(problem))

    def _other_run(self) -> None:
        """Offer a game against another run, unless one is going on."""
        if self.game is None and not self._works:
            self._show_offer()

    def _show_offer(self) -> None:
        self.new_button.setEnabled(self._ready)
        if self.game is None:
            what = tr(
                "Shannon's game of 1951: you and the selected run guess the next symbol of its validation text "
                "until it is right. How often each guess is right bounds the entropy, yours and that of the run."
            )
            self.card.show_empty(what, tr("Start") if self._ready else "", self.start)

    # --------------------------------------------------------------------------------------------------------- guessing

    def _typed(self, text: str) -> None:
        """Guess a letter as soon as it is typed, where every symbol is one."""
        if self.game is not None and self.game.passage.is_of_letters and len(text) == 1:
            self._guess(text)

    def _entered(self) -> None:
        """Guess what the field holds; empty, it stands for the end of a line."""
        self._guess(self.field.text() or "\n")

    def _guess(self, symbol: str) -> None:
        game = self.game
        if game is None or game.is_over:
            return
        self.field.clear()
        if game.guess(symbol):
            self._show_outcome()
        self._show()

    def _reveal(self) -> None:
        if self.game is not None and not self.game.is_over:
            self.game.reveal()
            self._show_outcome()
            self._show()
            self.field.setFocus()

    def _show_outcome(self) -> None:
        """Say how many guesses the last symbol took."""
        game = self.game
        assert game is not None
        at = len(game.ranks) - 1
        own, its = game.ranks[at], game.passage.ranks[at]
        shown = glyphs(game.passage.symbols[at])
        of_run = tr_n("the run 1 guess", "the run {n} guesses", its)
        if own >= game.passage.vocabulary_size:
            self._outcome.setText(tr("{symbol}: revealed · {run}", symbol=shown, run=of_run))
        else:
            you = tr_n("you 1 guess", "you {n} guesses", own)
            self._outcome.setText(f"{shown}: {you} · {of_run}")

    def _show(self) -> None:
        game = self.game
        if game is None:
            return
        known = game.text
        start = "…" if len(known) > SHOWN_BEFORE else ""
        self.text.setText(f"{start}{known[-SHOWN_BEFORE:]}{'' if game.is_over else '▁'}")
        for widget in (self.field, self.reveal_button):
            widget.setEnabled(not game.is_over)
        hint = tr("a letter") if game.passage.is_of_letters else tr("a token, then Enter")
        self.field.setPlaceholderText(hint)
        wrong = " ".join(glyphs(one) for one in game.wrong)
        self._wrong.setText(
            tr("not {symbols}", symbols=wrong) if wrong else tr("Enter alone guesses the end of a line")
        )
        if game.is_over:
            self._wrong.setText(tr("The passage is over."))
        self._show_table()

    def _show_table(self) -> None:
        game = self.game
        if game is None:
            return
        count = len(game.ranks)
        heads = [tr("guesser"), tr("at once"), tr("lower bound"), tr("upper bound"), tr("surprisal")]
        rows = []
        names = (tr("you"), model_name(self._run, game.passage.step))
        for name, right, bounds, exact in zip(names, game.at_once(), game.bounds(), (math.nan, game.bits), strict=True):
            share = number_text(100 * right / count, ".0f") + " %" if count else ""
            rows.append([name, share, *(_bits(one) for one in (*bounds, exact))])
        self.table.show_rows(heads, rows)
        self.table.setFixedHeight(self.table.height_of_rows(2) + px(8))
        self._how.setText(
            tr("Bits per symbol after {n} of {all}. With few symbols the upper bound is too small.",
               n=number_text(count), all=number_text(len(game.passage.symbols)))
        )  # fmt: skip

    @property
    def cards(self) -> list[Card]:
        """The cards of this page."""
        return [self.card]


def _enlarge(text: QWidget) -> None:
    """Give a text type that is legible from afar."""
    text.setFont(token_font())
    text.setStyleSheet(f"font-size: {px(LARGE)}px")


def _bits(value: float) -> str:
    return "" if math.isnan(value) else number_text(value, ".2f")
