"""The page Blind test of Play: a passage is shown, and the user guesses which run, or the corpus, wrote it."""

from __future__ import annotations

import html
import secrets
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from lab.base.notices import notify
from lab.base.problems import Problem
from lab.shell.play.choices import RunChoice
from lab.shell.play.panel import PlayPanel
from lab.shell.play.picker import RunPicker, Runs
from lab.shell.play.working import WorkBar, WorkButton
from lab.shell.runtime.background import Background
from lab.shell.session.model_provider import ModelProvider
from lab.shell.session.runs.registry import RunRegistry
from lab.widgets.core.card import Card
from lab.widgets.core.controls import Button, label
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.i18n import number_text, tr, tr_n
from lab.widgets.core.messages import problem_line
from lab.widgets.core.theme import BETWEEN, px, themes, token_font
from lab.widgets.lists.number_table import NumberTable
from lab.widgets.lists.passage_list import Passage, PassageList
from lab.workbench.lockstep.columns import MOST
from lab.workbench.scoring.blind import Author, BlindRound, blind_round
from lab.workbench.scoring.blind_scores import BlindScore, add_guess, blind_score, forget_score

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.workbench.access.model_access import ModelAccess

JOB = "passage of a blind test"
"""The key of the work."""
POLL = 100
"""Milliseconds between two updates of the progress."""
LINES = 3
"""Lines of each author's passage that are shown after a guess."""
LARGE = 17
"""Pixels of the type of the passage."""


class BlindPage(QWidget):
    """The page Blind test.

    Args:
        registry: The runs.
        model_provider: Provides the selected model.
        background: Runs work in threads.
        panel: The settings of strategy and filters, by which the runs write.

    Attributes:
        round: The passage on show; None before the first.
        choices: The runs that may have written it.
    """

    def __init__(
        self, registry: RunRegistry, model_provider: ModelProvider, background: Background, panel: PlayPanel
    ) -> None:
        super().__init__()
        self._registry, self._model_provider, self._background = registry, model_provider, background
        self._panel = panel
        self.round: BlindRound | None = None
        self.choices: list[RunChoice] = []
        self._ready = self._works = self._is_picked = False
        self._seed, self._number = secrets.randbelow(2**31), 0
        self._share = 0.0
        self._runs = Runs(registry, background, lambda: model_provider.current("play")[0])
        self._guess_buttons: list[Button] = []
        self._run_buttons: list[Button] = []
        self._make()
        self._poll = QTimer(self)
        self._poll.setInterval(POLL)
        self._poll.timeout.connect(lambda: self._bar.show_share(self._share))
        registry.selection_changed.connect(self._choose_default)
        registry.list_changed.connect(self._drop_gone)
        themes.changed.connect(self._show)
        self._show()

    def _make(self) -> None:
        self.card = Card(tr("Who wrote it?"))
        self.add_button = RunPicker(
            tr("Add a run"), tr("Let another run, or a checkpoint, be among the authors"), self._runs, takes_others=True
        )
        self.add_button.picked.connect(self._add)
        self.forget_button = Button(tr("Reset the score"), hint=tr("Begin to count anew for these runs"))
        self.forget_button.clicked.connect(self._forget)
        for control in (self.add_button, self.forget_button):
            self.card.add_control(control)
        self._authors = QWidget()
        self._authors_row = QHBoxLayout(self._authors)
        self._authors_row.setContentsMargins(0, 0, 0, 0)
        self._authors_row.setSpacing(4)
        self._authors_row.addStretch(1)
        self.new_button = WorkButton(
            tr("New passage"), hint=tr("Let every run write a passage, and show one of them or the corpus' own"),
            cancel_hint=tr("Stop writing the passage"),
        )  # fmt: skip
        self.new_button.clicked.connect(self.toggle)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self._authors, 1)
        head.addWidget(self.new_button)
        self._bar = WorkBar(tr("Progress of the passage"))
        self._problem = label("", "bad")
        self._problem.setWordWrap(True)
        self.text = label("")
        self.text.setTextFormat(Qt.TextFormat.RichText)
        self.text.setWordWrap(True)
        self.text.setAlignment(Qt.AlignmentFlag.AlignTop)
        follow_type(self.text, _enlarge)
        self._guesses = QWidget()
        self._guesses_row = QHBoxLayout(self._guesses)
        self._guesses_row.setContentsMargins(0, 0, 0, 0)
        self._guesses_row.setSpacing(8)
        self._guesses_row.addStretch(1)
        self._outcome = label("", "strong")
        self._outcome.setWordWrap(True)
        self.passages = PassageList(tr("What each wrote"), lines=LINES)
        self.table = NumberTable(tr("Score of the blind test"))
        self._note = label("", "note")
        self._note.setWordWrap(True)
        content = QWidget()
        rows = QVBoxLayout(content)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(10)
        rows.addLayout(head)
        for widget in (self._bar, self._problem, self.text, self._guesses, self._outcome):
            rows.addWidget(widget)
        rows.addWidget(self.passages, 1)
        rows.addStretch()
        rows.addWidget(self.table)
        rows.addWidget(self._note)
        self.card.set_content(content)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, BETWEEN, 0)
        layout.addWidget(self.card)

    def begin(self) -> None:
        """Start using models, once the lab is ready."""
        self._ready = True
        self._choose_default()

    def close_down(self) -> None:
        """Stop all work of this page."""
        self._poll.stop()
        self._background.cancel(JOB)
        self._works = False

    # ------------------------------------------------------------------------------------------------------ the authors

    def _choose_default(self) -> None:
        """Let the selected run, and the others that are shown, be the authors until others are chosen."""
        if not self._ready or self._works or self._is_picked or self.round is not None:
            return
        access, selected = self._model_provider.current("play")
        own = None if selected is not None and access is selected.source else access
        self.choices = [RunChoice(selected, own=own)]
        others = [run for run in self._registry.shown if run is not selected and run.state.value != "queued"]
        self.choices += [RunChoice(run) for run in others[: MOST - 1]] if selected is not None else []
        self._show()

    def _drop_gone(self) -> None:
        """Drop runs that were deleted."""
        known = self._registry.runs
        left = [one for one in self.choices if one.run is None or one.run in known]
        if len(left) != len(self.choices) and not self._works:
            self.choices, self.round = left, None
            if not left:
                self._is_picked = False
                self._choose_default()
            self._show()

    def _add(self, choice: RunChoice) -> None:
        if choice not in self.choices and len(self.choices) < MOST:
            self._change([*self.choices, choice])

    def _remove(self, choice: RunChoice) -> None:
        if len(self.choices) > 1:
            self._change([one for one in self.choices if one != choice])

    def _change(self, choices: list[RunChoice]) -> None:
        """Let other runs be the authors; a passage on show is not theirs."""
        self.choices, self._is_picked, self.round = choices, True, None
        self._show()

    @property
    def _keys(self) -> list[str]:
        return [choice.key for choice in self.choices]

    # ------------------------------------------------------------------------------------------------------ the passage

    def toggle(self) -> None:
        """Show another passage, or stop writing it."""
        if self._works:
            self._background.cancel(JOB)
            self._end()
        else:
            self.start()

    def start(self) -> None:
        """Let every author write, and show one passage."""
        if not self._ready or self._works or not self.choices:
            return
        problem = next(iter(self._panel.problems.values()), None)
        self._problem.setText("" if problem is None else problem_line(problem))
        if problem is not None:
            self._show()
            return
        choices, number, decoding = list(self.choices), self._number, self._panel.options()["decoding"]
        self._works, self._share, self.round = True, 0.0, None

        def work(job: Job) -> BlindRound:
            accesses: list[ModelAccess] = []
            try:
                accesses += [choice.access() for choice in choices]
                authors = [Author(access, one.name) for access, one in zip(accesses, choices, strict=True)]
                return blind_round(
                    authors, number, seed=self._seed, decoding=decoding, progress=self._progress,
                    cancelled=lambda: job.cancelled,
                )  # fmt: skip
            finally:
                for choice, access in zip(choices, accesses, strict=False):
                    choice.forget(access, self._registry.selected)

        self._background.run(tr("Writing a passage"), work, self._take, self._fail, replaces=JOB)
        self._poll.start()
        self._show()

    def _progress(self, share: float) -> None:
        self._share = share

    def _take(self, played: BlindRound) -> None:
        self.round = played
        self._number += 1
        self._end()
        if self._guess_buttons:
            self._guess_buttons[0].setFocus(Qt.FocusReason.OtherFocusReason)

    def _fail(self, problem: Problem) -> None:
        self._problem.setText(problem_line(problem))
        self._number += 1  # the next place may do
        self._end()

    def _end(self) -> None:
        self._works = False
        self._poll.stop()
        self._show()

    def guess(self, author: int) -> None:
        """Guess who wrote the passage.

        Args:
            author: The index of a run; their number for the corpus.
        """
        played = self.round
        if played is None or played.guessed is not None:
            return
        right, keys, choices = played.guess(author), self._keys, played.choices

        def count(_job: Job) -> BlindScore:
            return add_guess(keys, choices, right=right)

        self._background.run(tr("Counting a guess"), count, self._show_score, self._report)
        self._show(score=False)
        self.new_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _report(self, problem: Problem) -> None:
        notify("warning", problem)
        self._show()

    def _forget(self) -> None:
        keys = self._keys

        def forget(_job: Job) -> None:
            forget_score(keys)

        self._background.run(tr("Resetting a score"), forget, lambda _: self._show(), self._report)

    # ------------------------------------------------------------------------------------------------------------- show

    def _show(self, *_: object, score: bool = True) -> None:
        """Show the state of the test."""
        played, works = self.round, self._works
        self.new_button.show_work(works=works)
        self.new_button.setEnabled(self._ready and bool(self.choices))
        self.add_button.setEnabled(self._ready and not works and len(self.choices) < MOST)
        self._bar.setVisible(works)
        self._problem.setVisible(bool(self._problem.text()) and not works)
        self._show_authors()
        self._show_guesses()
        if not self.choices:
            self.card.show_empty(tr("A passage is shown, and you guess which run, or the corpus, wrote it."))
            return
        self.card.show_content()
        if played is None:
            self.text.setText(_dimmed(_explanation()))
        else:
            self.text.setText(_before_passage(played.prompt, played.passage))
        self._show_outcome()
        if score:
            self._show_score(blind_score(self._keys, len(self.choices) + 1))

    def _show_authors(self) -> None:
        for button in self._run_buttons:
            self._authors_row.removeWidget(button)
            button.hide()
            button.deleteLater()
        self._run_buttons = []
        for at, choice in enumerate(self.choices):
            button = Button(choice.name, hint=tr("Remove {run} from the authors", run=choice.name), icon_name="close")
            button.clicked.connect(partial(self._remove, choice))
            button.setEnabled(len(self.choices) > 1 and not self._works)
            self._authors_row.insertWidget(at, button)
            self._run_buttons.append(button)

    def _show_guesses(self) -> None:
        """Offer one button for each possible author, always in the order of the columns."""
        for button in self._guess_buttons:
            self._guesses_row.removeWidget(button)
            button.hide()
            button.deleteLater()
        self._guess_buttons = []
        played = self.round
        self._guesses.setVisible(played is not None)
        if played is None:
            return
        for at, name in enumerate([*played.names, tr("the corpus")]):
            button = Button(name, hint=tr("Guess that {author} wrote the passage", author=name), role="")
            button.clicked.connect(partial(self.guess, at))
            button.setEnabled(played.guessed is None)
            self._guesses_row.insertWidget(at, button)
            self._guess_buttons.append(button)

    def _show_outcome(self) -> None:
        played = self.round
        if played is None or played.author is None:
            self._outcome.setText("")
            self.passages.hide()
            return
        names = [*played.names, tr("the corpus")]
        author = names[played.author]
        if played.guessed == played.author:
            self._outcome.setText(tr("Right: {author} wrote it.", author=author))
        else:
            self._outcome.setText(tr("No: {author} wrote it.", author=author))
        shown = []
        for at, (name, text) in enumerate(zip(names, played.passages, strict=True)):
            figures = tr("{author}, the passage above", author=name) if at == played.author else name
            shown.append(Passage(text, figures))
        self.passages.set_rows(shown)
        self.passages.show()

    def _show_score(self, score: BlindScore) -> None:
        low, high = score.interval
        count = score.guesses
        share = f"{number_text(100 * score.right / count, '.0f')} %" if count else ""
        interval = f"{number_text(100 * low, '.0f')}–{number_text(100 * high, '.0f')} %" if count else ""
        heads = [tr("score of these runs"), tr("right"), tr("guesses"), tr("share"), tr("95 % interval"), tr("chance")]
        names = ", ".join(choice.name for choice in self.choices)
        chance = f"{number_text(100 * score.chance, '.0f')} %"
        row = [names, number_text(score.right), number_text(count), share, interval, chance]
        hints = ["", "", "", "", tr("The exact interval of Clopper and Pearson"), tr("Of somebody who only guesses")]
        self.table.show_rows(heads, [row], hints=hints)
        self.table.setFixedHeight(self.table.height_of_rows(1) + px(8))
        self.forget_button.setEnabled(count > 0)
        if not count:
            sentence = tr("The score is kept in the settings of the lab, for each set of runs.")
        elif score.is_above_chance:
            sentence = tr("Chance lies below the interval: you can tell the authors apart.")
        else:
            sentence = tr_n(
                "After 1 guess, the score does not differ from chance.",
                "After {n} guesses, the score does not differ from chance.", count,
            )  # fmt: skip
        self._note.setText(sentence)

    @property
    def cards(self) -> list[Card]:
        """The cards of this page."""
        return [self.card]


def _explanation() -> str:
    """Return how the test works."""
    return tr(
        "Every run continues a piece of the validation text by as many characters as the corpus has there. "
        "You see one of these passages, drawn with equal chances, and guess who wrote it."
    )


def _dimmed(text: str) -> str:
    """Return a text in a paler colour."""
    return f'<span style="color:{themes.now.dim}">{html.escape(text)}</span>'


def _before_passage(prompt: str, passage: str) -> str:
    """Return a passage after its prompt, which is paler."""
    return f'<p style="white-space:pre-wrap; margin:0">{_dimmed(prompt)}{html.escape(passage)}</p>'


def _enlarge(text: QWidget) -> None:
    """Give the passage type that is easy to read."""
    text.setFont(token_font())
    text.setStyleSheet(f"font-size: {px(LARGE)}px")
