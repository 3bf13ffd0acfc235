"""The cards of Inspect and their places: the first reading above, the others and what is known of the run below it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QSplitter

from lab.base.problems import Problem
from lab.host import Plugins
from lab.shell.inspect.lengths_card import LENGTHS, Lengths, LengthsCard
from lab.shell.inspect.reading_card import Key, ReadingCard, Scene
from lab.shell.inspect.routing_card import RoutingCard
from lab.shell.inspect.sample_card import SAMPLE, SampleCard
from lab.shell.runtime.background import Background
from lab.shell.session.subjects import Subjects
from lab.widgets.core.card import Card
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import BETWEEN
from lab.widgets.readings.routing import ROUTING_AXES
from lab.workbench.access.inspection import Inspection
from lab.workbench.analysis.snapshots import Limits

LEAST = 190
"""Height of the row of the other cards, at least."""
NARROWEST = 232
"""Width of each of them, at least; where that is more than there is, the row scrolls."""

Place = tuple[Key, str]
"""Whose card it is: readings, and the name of a plugin's view of them or ""."""


class InspectCards(QSplitter):
    """Cards in two rows; each has its own place and size, also while it is switched off.

    Args:
        plugins: Where plugins' own views are found.
        lengths: What is known of runs on examples of other lengths.
        subjects: Whose inside is looked at.
        background: Brings work off the main thread.

    Attributes:
        top: The row of the first card.
        below: The row of the others.
    """

    def __init__(self, plugins: Plugins, lengths: Lengths, subjects: Subjects, background: Background) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self._plugins, self._lengths = plugins, lengths
        self._subjects, self._background = subjects, background
        self._cards: dict[Place, ReadingCard | SampleCard | LengthsCard] = {}
        self._shown: list[Place] = []
        self._shares: dict[Place, int] = {}  # pixels of the cards below, as a person has set them
        self._nothing = Card(tr("Readings"))
        self.top = QSplitter(Qt.Orientation.Horizontal)
        self.below = QSplitter(Qt.Orientation.Horizontal)
        for splitter in (self.top, self.below, self):
            splitter.setHandleWidth(BETWEEN)
            splitter.setChildrenCollapsible(False)
        self.top.addWidget(self._nothing)
        self._row = QScrollArea()  # more cards than have room beside one another make the window no wider
        self._row.setWidgetResizable(True)
        self._row.setFrameShape(QFrame.Shape.NoFrame)
        self._row.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._row.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._row.setMinimumHeight(LEAST)
        self._row.setWidget(self.below)
        self.addWidget(self.top)
        self.addWidget(self._row)
        self.setStretchFactor(0, 3)
        self.setStretchFactor(1, 2)
        self._row.hide()
        self.below.splitterMoved.connect(self._remember_shares)

    @property
    def shown(self) -> list[Card]:
        """The cards that are shown."""
        return [self._cards[place] for place in self._shown] or [self._nothing]

    def say(self, words: str, action: str = "", do: Callable[[], object] | None = None) -> None:
        """Says why nothing is shown, in all cards; the one that stands where there are none has a button."""
        for card in self._cards.values():
            if not isinstance(card, LengthsCard):  # which shows no moment
                card.wait(words)
        self._nothing.show_empty(words, action, do)

    def hear(self, problem: Problem) -> None:
        """Shows what nobody caught in the card of the view that raised it."""
        for card in self._cards.values():
            if isinstance(card, ReadingCard):
                card.hear(problem)

    def show_scene(
        self,
        scene: Scene,
        pinned: Scene | None,
        layer: int | None,
        limits: Limits,
        samples: Sequence[tuple[int, str]],
        looks: Sequence[Inspection] = (),
    ) -> None:
        """Shows a moment in all cards, and a pinned one beside it.

        Args:
            scene: The moment.
            pinned: The pinned one; None where nothing is.
            layer: The block that is wanted.
            limits: What the colours of all moments reach to.
            samples: (step, text) of what the run wrote, oldest first.
            looks: The recorded moments, in order.
        """
        for place in self._shown:
            card = self._cards[place]
            if isinstance(card, SampleCard):
                card.show_scene(scene, pinned, samples)
            elif isinstance(card, ReadingCard) and place[0] in scene.groups:
                card.show_scene(scene, pinned, layer, limits, looks)

    def show_map(self, name: str) -> None:
        """Shows a map of a name where several share a card; "" changes nothing."""
        for card in self._cards.values():
            if isinstance(card, ReadingCard):
                card.show_map(name)

    def arrange(self, keys: Mapping[Key, Collection[tuple[str, ...]]], chosen: Sequence[Key]) -> bool:
        """Gives each of the chosen keys its card, and takes away the cards of what is not offered any more.

        Args:
            keys: All that could be shown, in their order, with the axes of the readings of each.
            chosen: Those that are.

        Returns:
            Whether cards came, or moved to another place.
        """
        views = self._plugins.cards("views")
        offered: list[Place] = []
        for key, axes in keys.items():
            offered += [(key, ""), *((key, name) for name, view in views.items() if tuple(view.axes) in axes)]
        for gone in [place for place in self._cards if place not in offered]:
            card = self._cards.pop(gone)
            card.hide()
            card.setParent(None)
            card.deleteLater()
        moved, index = False, 0
        for place in offered:
            if place not in self._cards and place[0] in chosen:
                self._cards[place] = self._new_card(place)
            if place in self._cards:
                row, at = (self.top, 0) if place == offered[0] else (self.below, index)
                index += row is self.below
                self._cards[place].body.setMinimumWidth(NARROWEST if row is self.below else 0)
                if row.widget(at) is not self._cards[place]:
                    row.insertWidget(at, self._cards[place])
                    moved = True
                self._cards[place].setVisible(place[0] in chosen)
        shown = [place for place in self._cards if place[0] in chosen]
        self._nothing.setVisible(not shown)
        if not shown and keys:
            self._nothing.show_empty(tr("No reading is switched on."))
        above = bool(offered) and offered[0] in shown
        self.top.setVisible(above or not shown)
        self._row.setVisible(len(shown) > above)
        if shown != self._shown:
            self._shown = shown
            self._give_shares()
        return moved

    def _new_card(self, place: Place) -> ReadingCard | SampleCard | LengthsCard:
        match place[0]:
            case key if key == SAMPLE:
                return SampleCard()
            case key if key == LENGTHS:
                return LengthsCard(self._lengths)
            case key if key[1] == ROUTING_AXES and not place[1]:
                return RoutingCard(key, self._plugins, self._subjects, self._background)
        return ReadingCard(place[0], self._plugins, place[1])

    def _below(self) -> list[Place]:
        """Of the cards below, also those that are switched off, the places from left to right."""
        found = {card: place for place, card in self._cards.items()}
        return [found[card] for card in map(self.below.widget, range(self.below.count())) if card in found]

    def _remember_shares(self) -> None:
        sizes = dict(zip(self._below(), self.below.sizes(), strict=True))
        self._shares |= {place: size for place, size in sizes.items() if size}

    def _give_shares(self) -> None:
        known = [self._shares[place] for place in self._below() if place in self._shares]
        each = round(sum(known) / len(known)) if known else max(1, self.below.width())
        self.below.setSizes([self._shares.get(place, each) for place in self._below()])
