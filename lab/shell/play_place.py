"""The place Play: a prompt, text streamed token by token, and what the model thinks comes next."""

from __future__ import annotations

import time
from collections import deque
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QSplitter, QStackedLayout, QVBoxLayout, QWidget

from lab.base.problems import Problem
from lab.shell.background import Background
from lab.shell.play_panel import PlayPanel
from lab.shell.run_book import RunBook
from lab.shell.run_view import RunView
from lab.shell.scales import run_colour
from lab.shell.subjects import Subjects
from lab.widgets.card import Card
from lab.widgets.controls import Button, label, refresh_style
from lab.widgets.next_tokens import NextTokens
from lab.widgets.surprisal import SurprisalLegend
from lab.widgets.theme import BETWEEN, themes, token_font
from lab.widgets.token_text import ShownToken, TokenText
from lab.widgets.words import text

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.workbench.generation import Piece
    from lab.workbench.look import Subject

POLL = 33
"""Milliseconds between two looks at what was written."""
REST = 400
"""Milliseconds without typing after which the next tokens of the prompt are asked for."""
AGAIN = 2000
"""Milliseconds after which they are asked for again while the model trains."""
BUTTON = 108
"""Pixels of the button: as wide for Stop as for Generate, so that the prompt stays where it is."""
ROWS = 20
"""Alternatives that are asked for at each place."""


class Writing:
    """One text on its way: a thread writes, the window looks.

    Args:
        subject: Who writes.
        prompt: What it goes on from.
        options: What else Subject.generate takes.
    """

    def __init__(self, subject: Subject, prompt: str, options: dict[str, Any]) -> None:
        self._subject, self._prompt, self._options = subject, prompt, options
        self.pieces: deque[Piece] = deque()
        self.stopped = False

    def work(self, job: Job) -> None:
        """Writes until it is told to stop; in a thread of its own."""
        for piece in self._subject.generate(self._prompt, alternatives=ROWS, **self._options):
            if self.stopped or job.cancelled:
                return
            self.pieces.append(piece)


class PlayPlace(QWidget):
    """The cards of Play.

    Args:
        book: The runs.
        subjects: Who writes.
        background: Brings work off the main thread.
        panel: The settings of the sampler.
    """

    changed = Signal()
    """Writing began or ended."""

    def __init__(self, book: RunBook, subjects: Subjects, background: Background, panel: PlayPanel) -> None:
        super().__init__()

        self._book, self._subjects, self._background, self._panel = book, subjects, background, panel
        self._writing: Writing | None = None
        self._began, self._count = 0.0, 0
        self._tokens: list[ShownToken] = []
        self.ready = False
        self._make_text_card()
        self.next_card = Card(text("Next token"))
        self._next = NextTokens()
        self._next.chosen.connect(self._append)
        self.next_card.set_content(self._next)
        self.next_card.show_empty(text("The likeliest next tokens after the prompt, or at a token that you click."))
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._split.setHandleWidth(BETWEEN)
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(self.text_card)
        self._split.addWidget(self.next_card)
        self._split.setStretchFactor(0, 3)
        self._split.setStretchFactor(1, 1)
        self._split.setSizes([720, 260])
        self.splitters = {"play": self._split}
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._split)
        self._poll = QTimer(self)
        self._poll.setInterval(POLL)
        self._poll.timeout.connect(self._take)
        self._typed = QTimer(self)
        self._typed.setSingleShot(True)
        self._typed.setInterval(REST)
        self._typed.timeout.connect(self.ask_next)
        self._again = QTimer(self)
        self._again.setInterval(AGAIN)
        self._again.timeout.connect(self._ask_again)
        book.chosen.connect(self._other_run)
        book.ended.connect(self._run_ended)
        themes.changed.connect(self._name)

    def _make_text_card(self) -> None:
        self.text_card = Card(text("Text"))
        self.prompt = QPlainTextEdit("The ")
        self.prompt.setFont(token_font())
        self.prompt.setFixedHeight(64)
        self.prompt.setAccessibleName(text("Prompt"))
        self.prompt.setPlaceholderText(text("How the text begins"))
        self.prompt.setTabChangesFocus(True)
        self.prompt.textChanged.connect(self._prompt_edited)
        self._problem = label("", "bad")
        self._problem.setWordWrap(True)
        self._problem.hide()
        self.generate_button = Button(text("Generate"), hint=text("Generate (Ctrl+Enter)"), icon_name="start", role="")
        self.generate_button.setMinimumWidth(BUTTON)
        self.generate_button.clicked.connect(self.toggle)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.prompt, 1)
        row.addWidget(self.generate_button, 0, Qt.AlignmentFlag.AlignTop)
        self.text = TokenText()
        self.text.selected.connect(self._show_alternatives)
        nothing = label(text("The model's text appears here, each token on the colour of its surprisal."), "dim")
        nothing.setWordWrap(True)
        nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._pages = QStackedLayout()
        self._speed = label("", "note")
        self._foot = QWidget()
        self._foot.hide()  # a scale of nothing
        legend = QHBoxLayout(self._foot)
        legend.setContentsMargins(0, 0, 0, 0)
        legend.addWidget(SurprisalLegend())
        legend.addStretch()
        legend.addWidget(self._speed)
        content = QWidget()
        rows = QVBoxLayout(content)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(8)
        rows.addLayout(row)
        rows.addWidget(self._problem)
        rows.addLayout(self._pages, 1)
        rows.addWidget(self._foot)
        self._pages.addWidget(nothing)
        self._pages.addWidget(self.text)
        self.text_card.set_content(content)

    # ---------------------------------------------------------------------------------------------------------- writing

    @property
    def writing(self) -> bool:
        """Whether a text is on its way."""
        return self._writing is not None

    def toggle(self) -> None:
        """Generates, or stops what is being written."""
        if self.writing:
            self.stop()
        else:
            self.generate()

    def generate(self) -> None:
        """Has the model write after the prompt."""
        if not self.ready or self.writing:
            return
        fault = next(iter(self._panel.problems.values()), None)
        self._say(fault)
        if fault is not None:
            return
        prompt = self.prompt.toPlainText()
        subject, _ = self._subjects.now()
        self._writing = Writing(subject, prompt, self._panel.options())
        self._tokens, self._began, self._count = [], time.perf_counter(), 0
        self.text.clear(prompt)
        self._pages.setCurrentWidget(self.text)
        self._foot.show()
        self._name()
        self._poll.start()
        self.generate_button.set_face(text("Stop"), "stop", text("Stop writing; the text stays (Esc)"))
        self._background.run(text("Writing"), self._writing.work, self._ended, self._failed, replaces="writing")
        self.changed.emit()

    def stop(self) -> None:
        """Ends the writing; the text stays."""
        if self._writing is not None:
            self._writing.stopped = True
            self._end()

    def close_down(self) -> None:
        """Ends everything that goes on here."""
        self.stop()
        for timer in (self._poll, self._typed, self._again):
            timer.stop()

    def _take(self) -> None:
        if self._writing is None:
            return
        pieces = self._writing.pieces
        fresh = [pieces.popleft() for _ in range(len(pieces))]
        if not fresh:
            return
        shown = [ShownToken(piece.label, piece.text, piece.probability, piece.alternatives) for piece in fresh]
        self._tokens += shown
        self._count += len(shown)
        self.text.add(shown)
        self._show_alternatives(len(self._tokens) - 1)
        elapsed = time.perf_counter() - self._began
        self._speed.setText(text("{n} tokens · {rate} tokens/s", n=self._count, rate=f"{self._count / elapsed:.0f}"))

    def _ended(self, result: None) -> None:
        del result
        self._end()

    def _failed(self, problem: Problem) -> None:
        self._end()
        self._say(problem)

    def _end(self) -> None:
        self._take()
        self._writing = None
        self._poll.stop()
        self.generate_button.set_face(text("Generate"), "start", text("Generate (Ctrl+Enter)"))
        self.changed.emit()

    # ------------------------------------------------------------------------------------------------------ next tokens

    def begin(self) -> None:
        """Models can be asked from here on."""
        self.ready = True
        self.ask_next()

    def showEvent(self, event: Any) -> None:
        """Asks for the next tokens when somebody looks."""
        super().showEvent(event)
        self._name()
        self._again.start()
        self.ask_next()

    def hideEvent(self, event: Any) -> None:
        """Asks no more while nobody looks."""
        super().hideEvent(event)
        self._again.stop()

    def ask_next(self) -> None:
        """Asks for the likeliest tokens after the prompt."""
        prompt = self.prompt.toPlainText()
        if self.ready and self.isVisible() and prompt and not self.writing and not self._tokens:
            asking = _Asking(self._subjects.now()[0], prompt)
            title = text("Asking for the next token")
            self._background.run(title, asking.work, self._show_next, self._say, replaces="next")

    def _ask_again(self) -> None:
        view = self._book.selected
        if view is not None and view.trains:
            self._name()
            self.ask_next()

    def _show_next(self, rows: tuple[tuple[str, float], ...]) -> None:
        if self._tokens:
            return
        self._say(None)
        self.next_card.show_content()
        self.next_card.set_title(text("Next token"), text("after the prompt"))
        self._next.set_colour(self._colour())
        self._next.show_tokens(rows)

    def _show_alternatives(self, place: int) -> None:
        if not 0 <= place < len(self._tokens):
            return
        token = self._tokens[place]
        self.next_card.show_content()
        self.next_card.set_title(text("Next token"), text("at token {n}", n=place + 1))
        self._next.set_colour(self._colour())
        self._next.show_tokens(token.alternatives)

    def _colour(self) -> str:
        view = self._book.selected
        return themes.now.runs[0] if view is None else run_colour(view)

    def _append(self, token: str) -> None:
        if not self._tokens:
            self.prompt.setPlainText(self.prompt.toPlainText() + token)

    # ----------------------------------------------------------------------------------------------------------- words

    def _prompt_edited(self) -> None:
        if not self.writing:
            self._tokens = []
        self._typed.start()

    def _run_ended(self, view: RunView) -> None:
        if view is self._book.selected:
            self._name()
            self.ask_next()

    def _other_run(self) -> None:
        self._name()
        if not self.writing:
            self._tokens = []
            self.ask_next()

    def _name(self) -> None:
        self.text_card.set_title(text("Text"), self._subjects.name())

    def _say(self, problem: Problem | None) -> None:
        self._problem.setText("" if problem is None else problem.line())
        self._problem.setVisible(problem is not None)
        about_prompt = problem is not None and problem.field == "prompt"
        refresh_style(self.prompt, "state", "bad" if about_prompt else "")

    @property
    def cards(self) -> list[Card]:
        """Its cards."""
        return [self.text_card, self.next_card]


class _Asking:
    """One question for the next tokens."""

    def __init__(self, subject: Subject, prompt: str) -> None:
        self._subject, self._prompt = subject, prompt

    def work(self, job: Job) -> tuple[tuple[str, float], ...]:
        """Asks; in a thread of its own."""
        del job
        return self._subject.next_tokens(self._prompt, ROWS)
