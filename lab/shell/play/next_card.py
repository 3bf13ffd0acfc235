"""The card of the next token: the likeliest ones, the classes of a text, or the stages of a draw."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QSizePolicy, QStackedWidget

from lab.shell.play.stages.page import StagesPage
from lab.shell.play.uses import bars_of
from lab.shell.session.model_provider import model_name
from lab.widgets.core.card import Card
from lab.widgets.core.controls import Button, MenuButton
from lab.widgets.core.glyphs import glyphs
from lab.widgets.core.i18n import tr
from lab.widgets.core.messages import problem_line
from lab.widgets.core.theme import themes
from lab.widgets.lists.bar_list import BarList
from lab.widgets.tokens.next_tokens import NextTokens, percent
from lab.widgets.tokens.stages import LOGIT, PROBABILITY, SURPRISAL
from lab.workbench.access.answers.classes import PredictedClasses
from lab.workbench.access.text_use import TextUse

if TYPE_CHECKING:
    from lab.base.problems import Problem
    from lab.shell.play.model import NextRequest
    from lab.workbench.access.generation import LikeliestTokens, Piece
    from lab.workbench.access.next_token import TokenStages


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
        self._colour = 0
        self.tokens = NextTokens()
        self.tokens.picked.connect(self.picked)
        self.classes = BarList(tr("Classes"))
        self.stages = StagesPage(filter_title)
        self.stages.picked.connect(self.picked)
        self._forms = QStackedWidget()
        for form in (self.tokens, self.classes, self.stages):
            self._forms.addWidget(form)
        units = [(PROBABILITY, tr("probability")), (LOGIT, tr("logit")), (SURPRISAL, tr("surprisal"))]
        self._unit = MenuButton(
            tr("What the bars of the stages measure"), units, self.stages.figure.show_unit, steady=True
        )
        self._unit.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._unit.hide()
        self.add_control(self._unit)
        self.shows_stages = Button(tr("Stages"), hint=tr("Show the distribution after each filter, and the draw"))
        self.shows_stages.setCheckable(True)
        self.shows_stages.toggled.connect(self._show_unit)
        self.add_control(self.shows_stages)
        self.set_content(self._forms)
        self.show_empty(tr("The most probable next tokens after the prompt, or at a token that you click."))
        themes.changed.connect(self._colour_tokens)

    def show_found(
        self, request: NextRequest, found: LikeliestTokens | PredictedClasses, *, can_continue: bool
    ) -> None:
        """Show the answer to a request.

        Args:
            request: The request.
            found: The answer.
            can_continue: Whether a likely token continues the prompt.
        """
        self._name(request.use, model_name(request.run, found.step))
        if isinstance(found, PredictedClasses):
            self.classes.set_bars(*bars_of(found))
            self._show(self.classes)
        else:
            note = tr("after the source") if request.use is TextUse.SOURCE else tr("after the prompt")
            colour = 0 if request.run is None else request.run.colour  # the first one for the model of the draft
            self._show_tokens(found.tokens, colour, note, pickable=can_continue)

    def show_stages(self, request: NextRequest, found: TokenStages, *, can_continue: bool) -> None:
        """Show the stages of the token after a prompt; for the arguments see `show_found`."""
        self._name(request.use, model_name(request.run, found.step))
        self.stages.show_stages(found, can_continue=can_continue)
        self._show(self.stages)

    def state_dict(self) -> dict[str, Any]:
        """Return whether the stages are shown, and what their bars measure."""
        return {"stages": self.shows_stages.isChecked(), "unit": self._unit.value}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore what `state_dict` returned; what is not known any more is left out."""
        if isinstance(state.get("unit"), str) and self._unit.offers(state["unit"]):
            self._unit.pick(state["unit"])
        if isinstance(state.get("stages"), bool):
            self.shows_stages.setChecked(state["stages"])

    def _show_unit(self) -> None:
        """Offer units where there are stages."""
        self._unit.setVisible(self.shows_stages.isChecked() and self.shows_stages.isVisibleTo(self))

    def offer_stages(self, *, offered: bool) -> None:
        """Offer the stages for a model that writes."""
        self.shows_stages.setVisible(offered)
        self._show_unit()

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

    def show_typed(self, index: int) -> None:
        """Say that the token of the text at this index is written by hand."""
        self.set_title(tr("Next token"), tr("at token {n}", n=index + 1))
        self.show_empty(tr("This part of the text was written by hand."))

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

    def _show(self, form: NextTokens | BarList | StagesPage) -> None:
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
