"""The card of the next token: the likeliest ones, the classes of a text, or the stages of a draw."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget

from lab.shell.play.uses import bars_of, draw_sentence
from lab.shell.session.model_provider import model_name
from lab.widgets.core.card import Card
from lab.widgets.core.controls import Button
from lab.widgets.core.glyphs import glyphs
from lab.widgets.core.i18n import tr
from lab.widgets.core.messages import problem_line
from lab.widgets.core.theme import themes
from lab.widgets.lists.bar_list import BarList
from lab.widgets.tokens.next_tokens import NextTokens, percent
from lab.widgets.tokens.stages import StagesTable
from lab.workbench.access.classes import TextClasses
from lab.workbench.access.generation import TokenStages
from lab.workbench.access.text_use import TextUse

if TYPE_CHECKING:
    from lab.base.problems import Problem
    from lab.shell.play.model import NextRequest
    from lab.workbench.access.generation import LikeliestTokens, Piece


class NextCard(Card):
    """The card of the next token.

    Args:
        filter_title: Returns the title of a filter by its name.

    Attributes:
        tokens: The likeliest tokens.
        classes: The classes of a text.
        stages: The distribution after each filter, and the draw.
        shows_stages: The button that asks for the stages.
    """

    picked = Signal(str)
    """The text of a token that the user picked."""

    def __init__(self, filter_title: Callable[[str], str]) -> None:
        super().__init__(tr("Next token"))
        self._filter_title = filter_title
        self._colour = 0
        self.tokens = NextTokens()
        self.tokens.picked.connect(self.picked)
        self.classes = BarList(tr("Classes"))
        self.stages = StagesTable()
        self._forms = QStackedWidget()
        for form in (self.tokens, self.classes, self.stages):
            self._forms.addWidget(form)
        self.shows_stages = Button(tr("Stages"), hint=tr("Show the distribution after each filter, and the draw"))
        self.shows_stages.setCheckable(True)
        self.add_control(self.shows_stages)
        self.set_content(self._forms)
        self.show_empty(tr("The most probable next tokens after the prompt, or at a token that you click."))
        themes.changed.connect(self._colour_tokens)

    def show_found(
        self, request: NextRequest, found: LikeliestTokens | TextClasses | TokenStages, *, can_continue: bool
    ) -> None:
        """Show the answer to a request.

        Args:
            request: The request.
            found: The answer.
            can_continue: Whether a likely token continues the prompt.
        """
        self._name(request.use, model_name(request.run, found.step))
        if isinstance(found, TextClasses):
            self.classes.set_bars(*bars_of(found))
            self._show(self.classes)
        elif isinstance(found, TokenStages):
            titles = [tr("model"), *(self._filter_title(name) for name, _, _ in found.stages[1:])]
            stages = [(title, *stage[1:]) for title, stage in zip(titles, found.stages, strict=True)]
            self.stages.show_stages(found.labels, stages, found.picked, draw_sentence(found))
            self._show(self.stages)
        else:
            note = tr("after the source") if request.use is TextUse.SOURCE else tr("after the prompt")
            colour = 0 if request.run is None else request.run.colour  # the first one for the model of the draft
            self._show_tokens(found.tokens, colour, note, pickable=can_continue)

    def show_alternatives(self, token: Piece, index: int, colour: int, *, can_continue: bool) -> None:
        """Show the alternatives of a token of the text.

        Args:
            token: The token.
            index: Its index.
            colour: The number of the colour of the run that wrote it.
            can_continue: Whether an alternative continues the text before the token.
        """
        self.set_title(tr("Next token"), tr("at token {n}", n=index + 1))
        note = tr("{token} was drawn: {share}", token=glyphs(token.label), share=percent(token.probability))
        self._show_tokens(token.alternatives, colour, note, pickable=can_continue, drawn=token.drawn)

    def show_problem(self, use: TextUse, problem: Problem) -> None:
        """Show why there are no next tokens; a problem of the prompt stands below the prompt."""
        self._name(use, "")
        waits = tr("The most probable next tokens, once the model can read the prompt.")
        if use is TextUse.CLASSES:
            waits = tr("The classes of the text, once the model can read it.")
        self.show_empty(waits if problem.field == "prompt" else problem_line(problem))

    def show_waiting(self, use: TextUse, model: str) -> None:
        """Remove the next tokens of another model, until those of the model of this name are there."""
        self._name(use, "")
        if not use.reads:
            self.show_empty(tr("There is nothing to predict after a text."))
        elif use is TextUse.CLASSES:
            self.show_empty(tr("The classes that {model} predicts are being computed.", model=model))
        else:
            self.show_empty(tr("The most probable next tokens of {model} are being computed.", model=model))

    def _name(self, use: TextUse, note: str) -> None:
        self.set_title(tr("Class") if use is TextUse.CLASSES else tr("Next token"), note)

    def _show(self, form: NextTokens | BarList | StagesTable) -> None:
        self._forms.setCurrentWidget(form)
        self.show_content()

    def _show_tokens(
        self,
        tokens: Sequence[tuple[str, str, float]],
        colour: int,
        note: str,
        *,
        pickable: bool,
        drawn: int | None = None,
    ) -> None:
        self._show(self.tokens)
        self._colour = colour
        self._colour_tokens()
        self.tokens.show_tokens(tokens, title_note=note, drawn=drawn, pickable=pickable)

    def _colour_tokens(self) -> None:
        colours = themes.now.runs
        self.tokens.set_colour(colours[self._colour % len(colours)])
