"""The pages of Play, from Write to Blind test; each but Write is made when it is first opened."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from lab.api import load
from lab.shell.play.place import PlayPlace
from lab.shell.runtime.background import Background
from lab.shell.session.model_provider import ModelProvider
from lab.shell.session.runs.registry import RunRegistry
from lab.widgets.core.card import Card, title_row
from lab.widgets.core.controls import Button, follow_in_tab_order, tab_stops
from lab.widgets.core.i18n import tr
from lab.widgets.core.splitter import Splitter
from lab.workbench.access.text_use import TextUse

if TYPE_CHECKING:
    from lab.shell.play.canvas.page import CanvasPage
    from lab.shell.play.fill_page import FillPage
    from lab.shell.play.lockstep.blind_page import BlindPage
    from lab.shell.play.lockstep.page import LockstepPage
    from lab.shell.play.measure.behaviour_page import BehaviourPage
    from lab.shell.play.measure.cost_page import CostPage
    from lab.shell.play.measure.page import MeasurePage
    from lab.shell.play.plane.page import PlanePage
    from lab.shell.play.score.guess_page import GuessPage
    from lab.shell.play.score.page import ScorePage
    from lab.shell.play.translate.page import TranslatePage

    Page = (
        ScorePage | MeasurePage | BehaviourPage | GuessPage | LockstepPage | BlindPage | CostPage | FillPage | PlanePage
        | TranslatePage | CanvasPage
    )  # fmt: skip

WRITE, SCORE, MEASURE, BEHAVIOUR, GUESS, LOCKSTEP, BLIND, COST, FILL, TRANSLATE, PLANE, CANVAS = range(12)
"""The pages, by the numbers that are stored."""
OF_PANEL = (WRITE, LOCKSTEP, BLIND)
"""The pages on which texts are written as the panel says."""
ALONE: Mapping[int, tuple[TextUse, ...]] = {
    FILL: (TextUse.HIDDEN,), TRANSLATE: (TextUse.SOURCE,), CANVAS: (TextUse.IMAGES, TextUse.MATCHING),
}  # fmt: skip
"""The pages for models of some uses alone."""
OFFERED: Mapping[TextUse, tuple[int, ...]] = {
    TextUse.HIDDEN: (FILL, SCORE), TextUse.IMAGES: (CANVAS,), TextUse.MATCHING: (CANVAS,),
}  # fmt: skip
"""The pages of models that have few, first the one that is opened in place of another; others have all the rest."""


class _Making(NamedTuple):
    """How a page is made when it is first opened: imported only then, the window opens sooner.

    Args:
        name: The attribute that holds it.
        build: "module:class".
        of_runs: Whether it is given the list of the runs.
        of_panel: Whether it is given the panel.
    """

    name: str
    build: str
    of_runs: bool = False
    of_panel: bool = False


MAKING: Mapping[int, _Making] = {
    FILL: _Making("fill", "lab.shell.play.fill_page:FillPage"),
    TRANSLATE: _Making("translate", "lab.shell.play.translate.page:TranslatePage"),
    CANVAS: _Making("canvas", "lab.shell.play.canvas.page:CanvasPage"),
    LOCKSTEP: _Making("lockstep", "lab.shell.play.lockstep.page:LockstepPage", of_runs=True, of_panel=True),
    SCORE: _Making("score", "lab.shell.play.score.page:ScorePage", of_runs=True),
    MEASURE: _Making("measure", "lab.shell.play.measure.page:MeasurePage", of_runs=True),
    BEHAVIOUR: _Making("behaviour", "lab.shell.play.measure.behaviour_page:BehaviourPage"),
    COST: _Making("cost", "lab.shell.play.measure.cost_page:CostPage"),
    PLANE: _Making("plane", "lab.shell.play.plane.page:PlanePage"),
    GUESS: _Making("guess", "lab.shell.play.score.guess_page:GuessPage", of_runs=True),
    BLIND: _Making("blind", "lab.shell.play.lockstep.blind_page:BlindPage", of_runs=True, of_panel=True),
}
"""All pages besides Write, in the order of their buttons."""


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
        fill: The page Fill in; None before it is opened.
        translate: The page Translate; None before it is opened.
        canvas: The page Canvas; None before it is opened.
        plane: The page Plane; None before it is opened.
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
        self.fill: FillPage | None = None
        self.translate: TranslatePage | None = None
        self.plane: PlanePage | None = None
        self.canvas: CanvasPage | None = None
        self._is_ready = False
        self._buttons = QButtonGroup(self)
        self._buttons.idClicked.connect(self.open_page)
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        hints = {
            WRITE: tr("Let a run continue a prompt"),
            FILL: tr("Let a run predict the hidden tokens of a text"),
            TRANSLATE: tr("Let a run on pairs write the target of a source, and see how both are aligned"),
            CANVAS: tr("Draw a picture, and see what a run on images makes of it"),
            LOCKSTEP: tr("Let up to four runs or checkpoints write in lockstep, and compare their predictions"),
            SCORE: tr("Let the shown runs read a text of yours"),
            MEASURE: tr("Compare ways of decoding with the corpus"),
            BEHAVIOUR: tr("Test what a run does with texts: context, copying, minimal pairs and others"),
            COST: tr("Measure time and memory by the length of a text"),
            PLANE: tr("Let a network learn points in the plane that the mouse moves"),
            GUESS: tr("Guess the next letter of a text, against a run"),
            BLIND: tr("Guess whether a run, and which one, or the corpus wrote a passage"),
        }
        titles = {
            WRITE: tr("Write"), FILL: tr("Fill in"), TRANSLATE: tr("Translate"), CANVAS: tr("Canvas"),
            LOCKSTEP: tr("Side by side"),
            SCORE: tr("Score"), MEASURE: tr("Measure"), BEHAVIOUR: tr("Behaviour"), COST: tr("Cost"),
            PLANE: tr("Plane"), GUESS: tr("Guess"), BLIND: tr("Blind test"),
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
        self._offered: tuple[int, ...] = ()
        self._wanted = WRITE  # a stored page that the selected model does not have yet
        self._offer()
        write.use_changed.connect(self._offer)

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

    def _offer(self) -> None:
        """Offer the pages of what the selected model does with a text."""
        use = self.write.model.use
        if self.canvas is not None and use in ALONE[CANVAS]:
            self.canvas.open_selected()
        rest = tuple(page for page in (WRITE, *MAKING) if use in ALONE.get(page, (use,)))
        offered = OFFERED.get(use, rest)
        if offered == self._offered:
            return
        self._offered = offered
        for button in self._buttons.buttons():
            button.setVisible(self._buttons.id(button) in offered)
        if self.fill is not None:
            self.fill.forget()
        if self._wanted != WRITE and self._wanted in offered:
            self.open_page(self._wanted)
        elif self._open not in offered:
            self.open_page(offered[0])

    def open_page(self, page: int = WRITE) -> None:
        """Open a page, or the first one that the selected model has if it is none of its pages."""
        page = page if page in self._offered else self._offered[0]
        self._wanted = WRITE
        if page != WRITE and page not in self._others:
            self._make(page)
        self._open = page
        self._stack.setCurrentWidget(self._others.get(page, self.write))
        self._buttons.button(page).setChecked(True)
        self.page_changed.emit()

    def focus_hidden(self) -> bool:
        """Give the text with hidden places the focus if that page is open; return True if it is."""
        if self._open != FILL or self.fill is None:
            return False
        self.fill.field.setFocus()
        return True

    def _make(self, page: int) -> None:
        """Make a page that is opened for the first time."""
        making = MAKING[page]
        given = [*self._given[not making.of_runs :], *([self.write.panel] if making.of_panel else [])]
        made: Page = load(making.build)(*given)
        setattr(self, making.name, made)
        if self.lockstep is not None and made is self.lockstep:
            made.load_state_dict(self._lockstep_state)
            made.changed.connect(self.write.changed)
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
        return {"page": self._wanted or self._open, **({"lockstep": state} if state else {})}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore what `state_dict` returned."""
        if isinstance(state.get("lockstep"), Mapping):
            self._lockstep_state = state["lockstep"]
            if self.lockstep is not None:
                self.lockstep.load_state_dict(self._lockstep_state)
        page = state.get("page")
        if isinstance(page, int) and page in self._offered and page in MAKING:
            self.open_page(page)
        elif isinstance(page, int) and page in ALONE:
            self._wanted = page

    def _made(self) -> list[Page]:
        made = (getattr(self, making.name) for making in MAKING.values())
        return [page for page in made if page is not None]

    @property
    def cards(self) -> list[Card]:
        """The cards of all pages that were opened."""
        return [*self.write.cards, *(card for page in self._made() for card in page.cards)]

    @property
    def splitters(self) -> dict[str, Splitter]:
        """The splitters whose sizes are stored, by name."""
        return self.write.splitters
