"""The pages of Play: write, translate, side by side, score, measure decoding and costs, test, guess, tell apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from lab.shell.play.place import PlayPlace
from lab.shell.runtime.background import Background
from lab.shell.session.model_provider import ModelProvider
from lab.shell.session.runs.registry import RunRegistry
from lab.widgets.core.card import Card, title_row
from lab.widgets.core.controls import Button, follow_in_tab_order, tab_stops
from lab.widgets.core.i18n import tr
from lab.widgets.core.splitter import Splitter

if TYPE_CHECKING:
    from lab.shell.play.lockstep.blind_page import BlindPage
    from lab.shell.play.lockstep.page import LockstepPage
    from lab.shell.play.measure.behaviour_page import BehaviourPage
    from lab.shell.play.measure.cost_page import CostPage
    from lab.shell.play.measure.page import MeasurePage
    from lab.shell.play.score.guess_page import GuessPage
    from lab.shell.play.score.page import ScorePage
    from lab.shell.play.translate.page import TranslatePage

    Page = ScorePage | MeasurePage | BehaviourPage | GuessPage | LockstepPage | BlindPage | CostPage | TranslatePage

WRITE, SCORE, MEASURE, BEHAVIOUR, GUESS, LOCKSTEP, BLIND, COST, TRANSLATE = range(9)
"""The pages, by the numbers that are stored."""
OF_PANEL = (WRITE, LOCKSTEP, BLIND)
"""The pages on which texts are written as the panel says."""


class PlayPages(QWidget):
    """The place Play with its pages; those besides Write are made when they are first opened.

    Args:
        write: The page that writes texts.
        registry: The runs.
        model_provider: Provides the model.
        background: Runs work in threads.

    Attributes:
        score: The page Score; None before it is opened.
        measure: The page Measure; None before it is opened.
        behaviour: The page Behaviour; None before it is opened.
        guess: The page Guess; None before it is opened.
        lockstep: The page Side by side; None before it is opened.
        blind: The page Blind test; None before it is opened.
        cost: The page Cost; None before it is opened.
        translate: The page Translate; None before it is opened.
    """

    page_changed = Signal()
    """Another page is open."""

    def __init__(
        self, write: PlayPlace, registry: RunRegistry, model_provider: ModelProvider, background: Background
    ) -> None:
        super().__init__()
        self.write, self._given = write, (registry, model_provider, background)
        self.score: ScorePage | None = None
        self.measure: MeasurePage | None = None
        self.behaviour: BehaviourPage | None = None
        self.guess: GuessPage | None = None
        self.lockstep: LockstepPage | None = None
        self.blind: BlindPage | None = None
        self._lockstep_state: Mapping[str, Any] = {}  # of the page before it is made
        self.cost: CostPage | None = None
        self.translate: TranslatePage | None = None
        self._is_ready = False
        self._buttons = QButtonGroup(self)
        self._buttons.idClicked.connect(self.open_page)
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        hints = {
            WRITE: tr("Let a run continue a prompt"),
            TRANSLATE: tr("Let a run on pairs write the target of a source, and see how both are aligned"),
            LOCKSTEP: tr("Let up to four runs or checkpoints write in lockstep, and compare their predictions"),
            SCORE: tr("Let the shown runs read a text of yours"),
            MEASURE: tr("Compare ways of decoding with the corpus"),
            BEHAVIOUR: tr("Test what a run does with texts: context, copying, minimal pairs and others"),
            COST: tr("Measure time and memory by the length of a text"),
            GUESS: tr("Guess the next letter of a text, against a run"),
            BLIND: tr("Guess whether a run, and which one, or the corpus wrote a passage"),
        }
        titles = {
            WRITE: tr("Write"), TRANSLATE: tr("Translate"), LOCKSTEP: tr("Side by side"), SCORE: tr("Score"),
            MEASURE: tr("Measure"), BEHAVIOUR: tr("Behaviour"), COST: tr("Cost"), GUESS: tr("Guess"),
            BLIND: tr("Blind test"),
        }  # fmt: skip
        for page, title in titles.items():
            button = Button(title, hint=hints[page])
            button.setCheckable(True)
            self._buttons.addButton(button, page)
            row.addWidget(button)
        row.addStretch(1)
        self._stack = QStackedWidget()
        self._stack.addWidget(write)
        self._others: dict[int, QWidget] = {}
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(title_row(row))
        layout.addWidget(self._stack, 1)
        self._buttons.button(WRITE).setChecked(True)
        self._open = WRITE

    @property
    def page(self) -> int:
        """The open page."""
        return self._open

    @property
    def uses_panel(self) -> bool:
        """True if the open page writes texts as the panel says."""
        return self._open in OF_PANEL

    @property
    def writes(self) -> bool:
        """True while a text is written, here or side by side."""
        return self.write.busy or (self.lockstep is not None and self.lockstep.works)

    def stop(self) -> None:
        """Stop writing; the texts stay."""
        self.write.stop()
        if self.lockstep is not None:
            self.lockstep.stop()

    def open_page(self, page: int = WRITE) -> None:
        """Open a page."""
        if page != WRITE and page not in self._others:
            self._make(page)
        self._open = page
        self._stack.setCurrentWidget(self._others.get(page, self.write))
        self._buttons.button(page).setChecked(True)
        self.page_changed.emit()

    def _make(self, page: int) -> None:
        """Make a page that is opened for the first time, and import it only then: the window opens sooner."""
        made: Page
        if page == SCORE:
            from lab.shell.play.score.page import ScorePage

            made = self.score = ScorePage(*self._given)
        elif page == MEASURE:
            from lab.shell.play.measure.page import MeasurePage

            made = self.measure = MeasurePage(*self._given)
        elif page == BEHAVIOUR:
            from lab.shell.play.measure.behaviour_page import BehaviourPage

            made = self.behaviour = BehaviourPage(*self._given[1:])
        elif page == COST:
            from lab.shell.play.measure.cost_page import CostPage

            made = self.cost = CostPage(*self._given[1:])
        elif page == TRANSLATE:
            from lab.shell.play.translate.page import TranslatePage

            made = self.translate = TranslatePage(*self._given[1:])
        elif page == LOCKSTEP:
            from lab.shell.play.lockstep.page import LockstepPage

            made = self.lockstep = LockstepPage(*self._given, self.write.panel)
            made.load_state_dict(self._lockstep_state)
            made.changed.connect(self.write.changed)
        elif page == BLIND:
            from lab.shell.play.lockstep.blind_page import BlindPage

            made = self.blind = BlindPage(*self._given, self.write.panel)
        else:
            from lab.shell.play.score.guess_page import GuessPage

            made = self.guess = GuessPage(*self._given)
        self._others[page] = made
        self._stack.addWidget(made)
        follow_in_tab_order(tab_stops(self.write)[-1], made)
        if self._is_ready:
            made.begin()

    def begin(self) -> None:
        """Start using models, once the lab is ready."""
        self._is_ready = True
        for page in self._made():
            page.begin()

    def close_down(self) -> None:
        """Stop all work of the pages besides Write."""
        for page in self._made():
            page.close_down()

    def state_dict(self) -> dict[str, Any]:
        """Return which page is open, and what Side by side shows."""
        state = dict(self._lockstep_state) if self.lockstep is None else self.lockstep.state_dict()
        return {"page": self._open, **({"lockstep": state} if state else {})}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore what `state_dict` returned."""
        if isinstance(state.get("lockstep"), Mapping):
            self._lockstep_state = state["lockstep"]
            if self.lockstep is not None:
                self.lockstep.load_state_dict(self._lockstep_state)
        page = state.get("page")
        if isinstance(page, int) and WRITE < page <= TRANSLATE:
            self.open_page(page)

    def _made(self) -> list[Page]:
        made = (
            self.score, self.measure, self.behaviour, self.guess, self.cost, self.lockstep, self.blind, self.translate,
        )  # fmt: skip
        return [page for page in made if page is not None]

    @property
    def cards(self) -> list[Card]:
        """The cards of all pages that were opened."""
        return [*self.write.cards, *(card for page in self._made() for card in page.cards)]

    @property
    def splitters(self) -> dict[str, Splitter]:
        """The splitters whose sizes are stored, by name."""
        return self.write.splitters
