"""The place Play: a prompt, text streamed token by token, and what the model thinks comes next."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QSplitter, QStackedLayout, QVBoxLayout, QWidget

from lab.base.problems import Problem
from lab.shell.play.panel import PlayPanel
from lab.shell.play.requests import Asking, Writing
from lab.shell.runtime.background import Background
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.registry import RunRegistry
from lab.shell.session.subjects import Subjects, model_name
from lab.widgets.core.card import Card
from lab.widgets.core.controls import Button, MenuButton, label, refresh_style
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import BETWEEN, themes, token_font
from lab.widgets.tokens.next_tokens import NextTokens
from lab.widgets.tokens.surprisal import SurprisalLegend
from lab.widgets.tokens.text import NO_TOKEN, ShownToken, TokenText

if TYPE_CHECKING:
    from lab.workbench.access.generation import Likeliest

POLL = 33
"""Milliseconds between two looks at what was written."""
REST = 400
"""Milliseconds without typing after which the next tokens of the prompt are asked for."""
AGAIN = 2000
"""Milliseconds after which they are asked for again while the model trains."""
CALM = 25
"""So many times as long as the last question took, none is asked again while the model trains."""
BUTTON = 132
"""Pixels of the button: as wide for Stop writing as for Generate, so that the prompt stays where it is."""


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

    def __init__(self, book: RunRegistry, subjects: Subjects, background: Background, panel: PlayPanel) -> None:
        super().__init__()

        self._book, self._subjects, self._background, self._panel = book, subjects, background, panel
        self._writing: Writing | None = None
        self._began = 0.0
        self._origin, self._tokens = "", list[ShownToken]()  # the text: what it goes on from, and what was written
        self._author, self._author_colour = "", 0  # of the text
        self._is_newer = True  # whether prompt or run are others than those of the text
        self._chosen = NO_TOKEN  # the token of the text whose alternatives stay
        self._place = (
            NO_TOKEN  # the token of the text whose alternatives are shown; NO_TOKEN for those after the prompt
        )
        self._asking: Asking | None = None
        self._is_wanted = False  # whether to ask again once the question that is under way is answered
        self._calm_until = 0.0
        self._rows_colour = 0
        self._problems: dict[str, Problem | None] = {"writing": None, "asking": None}
        self.ready = False
        self._make_text_card()
        self.next_card = Card(tr("Next token"))
        self._next = NextTokens()
        self._next.picked.connect(self._append)
        self.next_card.set_content(self._next)
        self.next_card.show_empty(tr("The likeliest next tokens after the prompt, or at a token that you click."))
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
        themes.changed.connect(self._colour_rows)

    def _make_text_card(self) -> None:
        self.text_card = Card(tr("Text"))
        models = [("now", tr("as it is now")), ("untrained", tr("untrained"))]
        self._model = MenuButton(tr("Model"), models, self._choose_model, prefix=tr("model") + " ")
        self._model.hide()  # without a run there is but one
        self.text_card.add_control(self._model)
        self.prompt = QPlainTextEdit("The ")
        self.prompt.setFont(token_font())
        self.prompt.setFixedHeight(64)
        self.prompt.setAccessibleName(tr("Prompt"))
        self.prompt.setPlaceholderText(tr("How the text begins"))
        self.prompt.setTabChangesFocus(True)
        self.prompt.setAcceptDrops(False)  # the window opens what is dropped
        self.prompt.textChanged.connect(self._prompt_edited)
        self._problem = label("", "bad")
        self._problem.setWordWrap(True)
        self._problem.hide()
        self.generate_button = Button(tr("Generate"), hint=tr("Generate (Ctrl+Enter)"), icon_name="start", role="")
        self.generate_button.setMinimumWidth(BUTTON)
        self.generate_button.clicked.connect(self.toggle)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.prompt, 1)
        row.addWidget(self.generate_button, 0, Qt.AlignmentFlag.AlignTop)
        self.text = TokenText()
        self.text.selected.connect(self._choose)
        nothing = label(tr("The model's text appears here, each token on the colour of its surprisal."), "dim")
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
        self._say("writing", fault)
        if fault is not None:
            return
        self._origin = self.prompt.toPlainText()
        subject, view = self._subjects.now("play")
        self._writing = Writing(subject, view, self._origin, self._panel.options())
        self._author, self._author_colour = "" if view is None else view.name, _colour_of(view)
        self._tokens, self._began, self._is_newer, self._chosen = [], time.perf_counter(), False, NO_TOKEN
        self.text.clear(self._origin)
        self._pages.setCurrentWidget(self.text)
        self._foot.show()
        self._name()
        self._poll.start()
        self.generate_button.set_face(tr("Stop writing"), "stop", tr("Stop writing; the text stays (Esc)"))
        self._background.run(tr("Writing"), self._writing.work, self._ended, self._failed, replaces="writing")
        self.changed.emit()

    def stop(self) -> None:
        """Ends the writing; the text stays."""
        if self._writing is not None:
            self._writing.stopped = True
            self._ended()

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
        if not self._tokens:
            self._author = model_name(self._writing.view, fresh[0].step)
            self._name()
        shown = [ShownToken(piece.label, piece.text, piece.probability, piece.alternatives) for piece in fresh]
        self._tokens += shown
        self.text.add(shown)
        if self._chosen == NO_TOKEN:
            self._show_alternatives(len(self._tokens) - 1)
        count, elapsed = len(self._tokens), time.perf_counter() - self._began
        self._speed.setText(tr("{n} tokens · {rate} tokens/s", n=count, rate=f"{count / elapsed:.0f}"))

    def _ended(self, _result: None = None) -> None:
        if self.writing:
            self._end()
            self.ask_next()

    def _failed(self, problem: Problem) -> None:
        if self.writing:
            self._end()
            self._say("writing", problem)

    def _end(self) -> None:
        self._take()
        self._writing = None
        self._is_newer = self._is_newer or not self._tokens
        self._poll.stop()
        self.generate_button.set_face(tr("Generate"), "start", tr("Generate (Ctrl+Enter)"))
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
        """Asks for the likeliest tokens after the prompt; one question at a time."""
        prompt = self.prompt.toPlainText()
        if not (self.ready and self.isVisible() and prompt and self._shows_prompt):
            return
        self._is_wanted = self._asking is not None
        if self._asking is None:
            self._asking = Asking(*self._subjects.now("play"), prompt)
            title = tr("Asking for the next token")
            self._background.run(title, self._asking.work, self._answered, self._refused)

    @property
    def _shows_prompt(self) -> bool:
        """Whether what comes after the prompt is to be shown, and nothing of the text."""
        return self._is_newer and self._chosen == NO_TOKEN and not self.writing

    def _ask_again(self) -> None:
        self._name()
        view = self._book.selected
        if view is not None and view.trains and self._asking is None and time.monotonic() >= self._calm_until:
            self.ask_next()

    def _answered(self, found: Likeliest) -> None:
        asking = self._end_asking()
        if asking is None or not self._shows_prompt:
            return
        self._say("asking", None)
        self._place = NO_TOKEN
        self.next_card.set_title(tr("Next token"), model_name(asking.view, found.step))
        self._show_rows(found.tokens, _colour_of(asking.view), tr("after the prompt"))

    def _refused(self, problem: Problem) -> None:
        if self._end_asking() is not None:
            self._say("asking", problem)

    def _end_asking(self) -> Asking | None:
        """The question that was under way, if it is still the one that would be asked now."""
        asking, self._asking = self._asking, None
        if asking is None:
            return None
        self._calm_until = time.monotonic() + CALM * asking.seconds
        wanted, self._is_wanted = self._is_wanted, False
        if wanted:
            self.ask_next()
        is_that = asking.view is self._book.selected and asking.prompt == self.prompt.toPlainText()
        return asking if is_that else None

    def _choose(self, place: int) -> None:
        """Shows what else could have come at a token, until none or another is chosen."""
        self._chosen = place
        if self._shows_prompt:
            self.ask_next()
        else:
            self._show_alternatives(place if place != NO_TOKEN else len(self._tokens) - 1)

    def _show_alternatives(self, place: int) -> None:
        if 0 <= place < len(self._tokens):
            self._place = place
            self.next_card.set_title(tr("Next token"), tr("at token {n}", n=place + 1))
            self._show_rows(self._tokens[place].alternatives, self._author_colour)

    def _show_rows(self, rows: tuple[tuple[str, str, float], ...], colour: int, note: str = "") -> None:
        self.next_card.show_content()
        self._rows_colour = colour
        self._colour_rows()
        self._next.show_tokens(rows, title_note=note)

    def _colour_rows(self) -> None:
        colours = themes.now.runs
        self._next.set_colour(colours[self._rows_colour % len(colours)])

    def _append(self, words: str) -> None:
        """Puts a token into the prompt: behind it, or behind the text up to where the token could have come."""
        before = self.prompt.toPlainText()
        if self._place != NO_TOKEN:
            before = self._origin + "".join(token.text for token in self._tokens[: self._place])
        cursor = self.prompt.textCursor()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.insertText(before + words)  # which can be undone
        self.prompt.setTextCursor(cursor)
        self._typed.stop()
        self.ask_next()

    # ----------------------------------------------------------------------------------------------------------- words

    def _prompt_edited(self) -> None:
        self._is_newer = True
        self._forget_problems()
        if not self.writing:
            self.text.choose_none()
        self._typed.start()

    def _run_ended(self, view: RunModel) -> None:
        if view is self._book.selected:
            self._name()
            self.ask_next()

    def _other_run(self) -> None:
        self._is_newer = True
        self._forget_problems()
        self._name()
        self.ask_next()

    def _name(self) -> None:
        """Names who wrote the text; before there is one, who would."""
        self.text_card.set_title(tr("Text"), self._author or self._subjects.name("play"))
        self._model.setVisible(self._book.selected is not None)

    def _choose_model(self, which: str) -> None:
        self._subjects.choose("play", untrained=which == "untrained")
        self._other_run()

    def _forget_problems(self) -> None:
        for source in self._problems:
            self._say(source, None)

    def _say(self, source: str, problem: Problem | None) -> None:
        """Shows what is wrong with the writing, else with the question for the next tokens."""
        self._problems[source] = problem
        shown = self._problems["writing"] or self._problems["asking"]
        told = shown
        if shown is not None and shown.field == "run":  # its name says more than its folder
            told = replace(shown, what=f"{self._subjects.name('play')} {shown.what}", field=None, value=None)
        self._problem.setText("" if told is None else told.line())
        self._problem.setVisible(shown is not None)
        about_prompt = shown is not None and shown.field == "prompt"
        refresh_style(self.prompt, "state", "bad" if about_prompt else "")

    @property
    def cards(self) -> list[Card]:
        """Its cards."""
        return [self.text_card, self.next_card]


def _colour_of(view: RunModel | None) -> int:
    """The place of a run among the theme's colours; the first for the untrained model of the draft."""
    return 0 if view is None else view.colour
