"""The cards of Inspect: the first reading above, all others in rows below it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication

from lab.base.problems import Problem
from lab.host import Plugins
from lab.shell.inspect.ablation.card import AblationCard
from lab.shell.inspect.ablation.measurement import Ablations
from lab.shell.inspect.card_rows import CardRows
from lab.shell.inspect.explanations import explanation_of
from lab.shell.inspect.gallery.reading_selection import Key
from lab.shell.inspect.inspection_view import ABLATION, LENGTHS, SAMPLE, InspectionView, is_of_view, replacement
from lab.shell.inspect.lengths_card import Lengths, LengthsCard
from lab.shell.inspect.reading_card import ReadingCard
from lab.shell.inspect.sample_card import SampleCard
from lab.shell.runtime.background import Background
from lab.shell.runtime.formulas import typeset_formulas
from lab.shell.session.model_provider import ModelProvider
from lab.widgets.core.card import Card
from lab.widgets.core.controls import Button, MenuChoices
from lab.widgets.core.i18n import tr
from lab.widgets.core.splitter import Splitter
from lab.widgets.core.theme import themes
from lab.widgets.formulas.explanation import ShowEquations, explain
from lab.workbench.access.inspection import Inspection
from lab.workbench.analysis.snapshots import Limits

NARROWEST = 232
"""Pixels of the width of each card below, at least; where they do not fit, there are more rows."""
LOWER = 0.4
"""The share of the height for the cards below in a crowded window."""

AnyCard = ReadingCard | SampleCard | LengthsCard | AblationCard
CardKey = tuple[Key, str]
MOST_CHOICES = 200
"""Most choices in cards that are stored."""
"""The identity of a card: its readings, and the name of a plugin's view of them or ""."""


class InspectCards(Splitter):
    """The cards; each keeps its position and size while it is switched off.

    Args:
        plugins: Where plugins' own views are found.
        lengths: The measured losses at other lengths.
        ablations: The measured losses without a part.
        model_provider: Provides the model.
        background: Brings work off the main thread.

    Attributes:
        top: The upper row.
        below: The lower rows.
        architecture: The name of the architecture of the model; "" before one is shown.
    """

    block_picked = Signal(int)
    """The user picked another block in a card."""
    head_picked = Signal(int)
    """The user picked another head in a card, which all cards show then."""
    part_requested = Signal(str)
    """The user wants to see a part of the model, as `lab.api.Explanation.parts` names it."""
    equations_requested = Signal(object)
    """The user wants to see the equations of the first of some parts that has any; their names."""
    enlarged = Signal()
    """A card was given the whole place, or stands among the others again."""

    def __init__(
        self,
        plugins: Plugins,
        lengths: Lengths,
        ablations: Ablations,
        model_provider: ModelProvider,
        background: Background,
    ) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self._plugins, self._lengths, self._ablations = plugins, lengths, ablations
        self._model_provider, self._background = model_provider, background
        self._typesetter = partial(typeset_formulas, background)
        self._cards: dict[CardKey, AnyCard] = {}
        self._shown: list[CardKey] = []
        self._offered: list[CardKey] = []
        self._enlarged: CardKey | None = None
        self._sizes_of_all: list[int] = []  # of the rows while no card is enlarged
        self._buttons: dict[CardKey, Button] = {}  # that enlarge a card
        self._return = QShortcut(QKeySequence(Qt.Key.Key_Escape), self)
        self._return.setEnabled(False)
        self._return.activated.connect(self.toggle_enlarged)
        self._choices: dict[CardKey, str] = {}  # of cards that are gone, for those that are made later
        self._lengths_choices = MenuChoices()
        self._head = 0
        self.architecture = ""
        self.head_picked.connect(self.select_head)
        self._nothing = Card(tr("Readings"))
        self.top, self.below = Splitter(Qt.Orientation.Horizontal), CardRows()
        self.top.addWidget(self._nothing)
        self.addWidget(self.top)
        self.addWidget(self.below)
        self.setStretchFactor(0, 3)
        self.setStretchFactor(1, 2)
        self.below.hide()
        self._sizes_before: list[int] | None = None  # of the rows before the window was crowded
        themes.changed.connect(self._enlarge_top)

    def _enlarge_top(self) -> None:
        """Give the upper row most of the room in a crowded window; the lower ones keep what a short table needs."""
        if themes.crowded == (self._sizes_before is not None):
            return
        if themes.crowded:
            self._sizes_before = self.sizes()
            room = max(1, sum(self._sizes_before))
            self.setSizes([round((1 - LOWER) * room), round(LOWER * room)])
        else:
            self.setSizes(self._sizes_before or [])
            self._sizes_before = None

    @property
    def shown(self) -> list[Card]:
        """The cards that are shown."""
        return [self._cards[key] for key in self._visible()] or [self._nothing]

    @property
    def is_enlarged(self) -> bool:
        """True while one card has the whole place."""
        return self._enlarged is not None

    def toggle_enlarged(self) -> None:
        """Show all cards again; if all are shown, give the whole place to that with the focus, or to the first one."""
        focus = QApplication.focusWidget()
        with_focus = (key for key in self._shown if focus is not None and self._cards[key].isAncestorOf(focus))
        self._enlarge(None if self.is_enlarged else next(with_focus, next(iter(self._shown), None)))

    @property
    def subject(self) -> tuple[str, int | None] | None:
        """The name and the block of the reading in the card with the focus, or in the first one that shows any."""
        focus = QApplication.focusWidget()
        cards = [card for card in map(self._cards.__getitem__, self._visible()) if isinstance(card, ReadingCard)]
        cards.sort(key=lambda card: focus is None or not card.isAncestorOf(focus))
        return next((card.subject for card in cards if card.subject is not None), None)

    def _toggle(self, key: CardKey) -> None:
        self._enlarge(None if self._enlarged == key else key)

    def _enlarge(self, key: CardKey | None) -> None:
        """Give a card the whole place; None shows all cards where they were."""
        before, self._enlarged = self._enlarged, key
        if before is None:
            self._sizes_of_all = self.sizes()
        self._place()
        if key is None:
            self.setSizes(self._sizes_of_all)
        toggled = before if key is None else key
        button = None if toggled is None else self._buttons.get(toggled)
        if button is not None and button.isVisible():
            button.setFocus(Qt.FocusReason.OtherFocusReason)
        self.enlarged.emit()

    def _visible(self) -> list[CardKey]:
        return [key for key in self._shown if self._enlarged in (None, key)]

    def show_message(self, message: str, action: str = "", do: Callable[[], object] | None = None) -> None:
        """Show a message in all cards in place of readings.

        Args:
            message: Why nothing is shown.
            action: The label of a button in the card that stands where there is no other; "" for none.
            do: What that button does.
        """
        for card in self._cards.values():
            if not isinstance(card, LengthsCard | AblationCard):  # which show no inspection
                card.wait(message)
        self._nothing.show_empty(message, action, do)

    def on_uncaught(self, problem: Problem) -> None:
        """Show an uncaught error in the card of the view that raised it."""
        for card in self._cards.values():
            if isinstance(card, ReadingCard):
                card.on_uncaught(problem)

    def show_inspection(
        self,
        shown: InspectionView,
        pinned: InspectionView | None,
        block: int | None,
        limits: Limits,
        samples: Sequence[tuple[int, str]],
        snapshots: Sequence[Inspection] = (),
    ) -> None:
        """Show an inspection in all cards, and a pinned one alongside.

        Args:
            shown: The inspection.
            pinned: The pinned one, or that of another run; None where there is none.
            block: The selected block.
            limits: The limits of the colours over all snapshots.
            samples: Step and text of the run's samples, oldest first.
            snapshots: The snapshots of the run, in order.
        """
        for key in self._shown:
            card = self._cards[key]
            if isinstance(card, SampleCard):
                card.show_inspection(shown, pinned, samples)
            elif isinstance(card, ReadingCard) and key[0] in shown.groups:
                card.show_inspection(shown, pinned, block, limits, snapshots)
            elif isinstance(card, ReadingCard):
                card.show_missing(shown)

    def take_choices(self, other: InspectCards) -> None:
        """Select in the cards that are made from now on what is selected in those of a window that is replaced."""
        cards = other._cards.items()
        self._head = other._head
        self._choices = other._choices | {key: card.choice for key, card in cards if isinstance(card, ReadingCard)}

    def state_dict(self) -> dict[str, Any]:
        """Return what is selected in the cards."""
        cards = self._cards.items()
        choices = self._choices | {key: card.choice for key, card in cards if isinstance(card, ReadingCard)}
        stored = [[name, list(axes), own, choice] for ((name, axes), own), choice in choices.items() if choice]
        return {"choices": stored[-MOST_CHOICES:], **self._lengths_choices.state_dict()}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Select in the cards that are made from now on what `state_dict` returned."""
        stored = state.get("choices")
        for one in stored if isinstance(stored, list) else ():
            if isinstance(one, list) and len(one) == 4 and isinstance(one[1], list):
                name, axes, own, choice = str(one[0]), tuple(map(str, one[1])), str(one[2]), str(one[3])
                self._choices[(name, axes), own] = choice
        self._lengths_choices.load_state_dict(state)

    def select_head(self, head: int) -> None:
        """Show a head in all cards that show heads.

        Args:
            head: Its number, from 0.
        """
        self._head = head
        for card in self._cards.values():
            if isinstance(card, ReadingCard):
                card.select_head(head)

    def show_map(self, name: str) -> None:
        """Show the map of a name in the card that has several; "" changes nothing."""
        for card in self._cards.values():
            if isinstance(card, ReadingCard):
                card.show_map(name)

    def arrange(
        self,
        keys: Mapping[Key, Collection[tuple[str, ...]]],
        selected: Sequence[Key],
        answers: Callable[[Key, str], bool],
        nothing: str,
    ) -> bool:
        """Make a card for each selected key, and delete the cards that are not offered any more.

        Args:
            keys: All cards that are offered, in their order, with the axes of the readings of each.
            selected: Those that are shown.
            answers: Returns False for a card, or a plugin's own view of its readings, that is not to be shown still.
            nothing: The message where no card is shown.

        Returns:
            True if cards were made or moved.
        """
        views = self._plugins.cards("views")
        offered: list[CardKey] = []
        for key, axes in keys.items():
            if is_of_view(key):
                offered += [(key, key[0])] if key[0] in views else []
                continue
            others = [name for name, view in views.items() if not view.replaces and any(map(view.shows, axes))]
            offered += [(key, name) for name in (replacement(key, views), *others)]
        for gone in [key for key in self._cards if key not in offered]:
            card = self._cards.pop(gone)
            self._buttons.pop(gone, None)
            if isinstance(card, ReadingCard):
                self._choices[gone] = card.choice
            card.hide()
            card.setParent(None)
            card.deleteLater()
        wanted = [card_key for card_key in offered if card_key[0] in selected and answers(*card_key)]
        for card_key in wanted:
            if card_key not in self._cards:
                self._cards[card_key] = self._new_card(card_key)
        shown = [card_key for card_key in self._cards if card_key in wanted]
        is_other, self._shown, self._offered = shown != self._shown, shown, offered
        if not shown and keys:
            self._nothing.show_empty(nothing)
        moved = self._place()
        if is_other:
            self.below.share_width()
        return moved

    def _place(self) -> bool:
        """Put the cards into the rows, and show those that are to be seen. Return True if one was added or moved."""
        if self._enlarged not in self._shown:
            self._enlarged = None
        visible, offered = self._visible(), self._offered
        for card_key, button in self._buttons.items():
            _show_direction(button, is_enlarged=card_key == self._enlarged)
        self._return.setEnabled(self.is_enlarged)
        cards = {card_key: self._cards[card_key] for card_key in offered if card_key in self._cards}
        for card_key, card in cards.items():
            card.body.setMinimumWidth(0 if card_key == offered[0] else NARROWEST)
        first = cards.pop(offered[0], None) if offered else None
        moved = first is not None and self.top.widget(0) is not first
        if first is not None and moved:
            self.top.insertWidget(0, first)
        if first is not None:
            first.setVisible(offered[0] in visible)
        moved = self.below.set_cards(cards, [card_key for card_key in cards if card_key in self._shown]) or moved
        self.below.show_alone(self._enlarged if self._enlarged in cards else None)
        self._nothing.setVisible(not visible)
        above = bool(offered) and offered[0] in visible
        self.top.setVisible(above or not visible)
        self.below.setVisible(len(visible) > above)
        return moved

    def _new_card(self, key: CardKey) -> AnyCard:
        card = self._card_of(key)
        explanation = explanation_of(*key, self._plugins)
        if explanation is not None:
            explain(card, explanation, self._typesetter, self.part_requested.emit, self._show_equations)
        button = self._buttons[key] = Button("", icon_name="enlarge")
        button.clicked.connect(partial(self._toggle, key))
        _show_direction(button, is_enlarged=False)
        card.add_control(button)
        return card

    def _show_equations(self) -> ShowEquations | None:
        """Return what shows the equations of parts; None if the architecture of the model has none."""
        card = self._plugins.cards("architectures").get(self.architecture)
        return self.equations_requested.emit if card is not None and card.equations else None

    def _card_of(self, key: CardKey) -> AnyCard:
        readings, own_view = key
        if readings == SAMPLE:
            return SampleCard()
        if readings == LENGTHS:
            lengths = LengthsCard(self._lengths)
            self._lengths_choices.add("lengths", lengths.menu_button)
            return lengths
        if readings == ABLATION:
            return AblationCard(self._ablations)
        card = ReadingCard(readings, self._plugins, own_view, self._model_provider, self._background)
        card.choice = self._choices.get(key, "")
        card.select_head(self._head)
        card.block_picked.connect(self.block_picked)
        card.head_picked.connect(self.head_picked)
        return card


def _show_direction(button: Button, *, is_enlarged: bool) -> None:
    """Let the button of a card say whether it enlarges the card or shows the others again."""
    if is_enlarged:
        button.set_face("", "reduce", tr("Show the other cards again (Esc)"))
    else:
        button.set_face("", "enlarge", tr("Give this card the whole place (F11)"))
