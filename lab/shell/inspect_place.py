"""The place Inspect: what a model's inside looks like on a text, now or at a recorded moment, in cards."""

from __future__ import annotations

import time
import weakref
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from lab.api import Reading
from lab.base.notices import Notice
from lab.base.problems import LabError, Problem
from lab.host import Plugins
from lab.shell.background import Background
from lab.shell.inspect_panel import InspectPanel
from lab.shell.reading_card import Key, ReadingCard
from lab.shell.run_book import RunBook
from lab.shell.run_view import RunView
from lab.shell.subjects import Subjects, model_name
from lab.widgets.card import Card
from lab.widgets.reading_views import title_of
from lab.widgets.theme import BETWEEN
from lab.widgets.words import text
from lab.workbench.look import Look

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.workbench import ActiveRun, SavedRun
    from lab.workbench.look import Subject

LOOK = 500
"""Milliseconds between two thoughts about looking again."""
AT_LEAST = 2.0
"""Seconds between two looks into a model that trains."""
REST = 25
"""How many times the cost of a look passes before the next one."""
AT_FIRST = 3
"""Readings that are shown before a person chooses."""

Place = tuple[Key, str]
"""Whose card it is: readings, and the name of a plugin's view of them or ""."""
MOMENTS = 2.0
"""Seconds between two looks for moments that a run has recorded meanwhile."""
EDITED = 500
"""Milliseconds without an edit of the draft after which its untrained model is looked into."""


class InspectPlace(QWidget):
    """The cards of Inspect.

    Args:
        book: The runs.
        subjects: Whose inside is looked at.
        background: Brings work off the main thread.
        plugins: Where plugins' own views are found.
    """

    arranged = Signal()
    """Cards came."""

    def __init__(self, book: RunBook, subjects: Subjects, background: Background, plugins: Plugins) -> None:
        super().__init__()
        self._book, self._subjects, self._background, self._plugins = book, subjects, background, plugins
        self.panel = InspectPanel()
        self.ready = False
        self._look: Look | None = None  # what is shown
        self._seen: int | None = None  # the moment of it
        self._asked_moment: int | None = None
        self._who: weakref.ref[RunView | Subject] | None = None  # whom it was asked of
        self._run: RunView | None = None  # whose moments are offered
        self._asked = self._answered = self._moments_read = 0.0
        self._cost = 0.0
        self._under_way = False
        self._groups: dict[Key, list[Reading]] = {}
        self._cards: dict[Place, ReadingCard] = {}
        self._shown: list[Place] = []
        self._shares: dict[Place, int] = {}  # pixels of the cards below, as a person has set them
        self._nothing = Card(text("Readings"))
        self.top = QSplitter(Qt.Orientation.Horizontal)
        self.below = QSplitter(Qt.Orientation.Horizontal)
        self.all = QSplitter(Qt.Orientation.Vertical)
        for splitter in (self.top, self.below, self.all):
            splitter.setHandleWidth(BETWEEN)
            splitter.setChildrenCollapsible(False)
        self.top.addWidget(self._nothing)
        self.all.addWidget(self.top)
        self.all.addWidget(self.below)
        self.all.setStretchFactor(0, 3)
        self.all.setStretchFactor(1, 2)
        self.below.hide()
        self.below.splitterMoved.connect(self._remember_shares)
        self.splitters = {"inspect": self.all}
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.all)
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK)
        self._timer.timeout.connect(self._think)
        self._edited = QTimer(self)
        self._edited.setSingleShot(True)
        self._edited.setInterval(EDITED)
        self._edited.timeout.connect(self._follow_draft)
        subjects.draft.changed.connect(self._draft_changed)
        self.panel.moment_chosen.connect(self.ask)
        self.panel.text_given.connect(self.ask)
        self.panel.layer_chosen.connect(self._show_cards)
        self.panel.readings_chosen.connect(self._arrange)
        book.chosen.connect(self._other_run)
        book.ended.connect(self._run_ended)
        self._show_nothing()

    def begin(self) -> None:
        """Models can be asked from here on."""
        self.ready = True
        self._show_nothing()
        if self.isVisible():
            self.ask()

    def close_down(self) -> None:
        """Looks no more."""
        self._timer.stop()
        self._edited.stop()

    def hear(self, notice: Notice) -> None:
        """Shows what nobody caught in the card of the view that raised it."""
        if notice.level == "error":
            for card in self._cards.values():
                card.hear(notice.problem)

    # ----------------------------------------------------------------------------------------------------------- asking

    def showEvent(self, event: Any) -> None:
        """Looks when somebody looks."""
        super().showEvent(event)
        self._timer.start()
        self._read_moments()
        self.ask()

    def hideEvent(self, event: Any) -> None:
        """Looks no more while nobody does."""
        super().hideEvent(event)
        self._timer.stop()
        self._edited.stop()

    def ask(self) -> None:
        """Looks into the model: at the moment that the panel says, on the text that it holds."""
        untrained = self.panel.moment is not None and not self.panel.recorded
        self._subjects.choose("inspect", untrained=untrained)
        if not self.ready and self._look is None:
            self._nothing.show_empty(text("The model is looked into as soon as the lab is loaded."))
        if not self.ready or not self.isVisible():
            return
        subject, view = self._subjects.now("inspect")
        title = text("Looking into {name}", name=self._subjects.name("inspect"))
        who = subject if view is None else view
        if self._who is None or self._who() is not who:
            self._who = weakref.ref(who)
            self._wait(f"{title} …")
        looking = _Looking(subject, self.panel.text, self.panel.moment if self.panel.recorded else None, view)
        self._asked, self._under_way, self._asked_moment = time.perf_counter(), True, self.panel.moment
        self._background.run(title, looking.work, self._take, self._fail, replaces="look")

    def _ask_again(self) -> None:
        """Asks once more whom nothing was learned of."""
        self._who = None
        self.ask()

    def _think(self) -> None:
        """Looks again while the model trains, seldom enough to leave it its speed."""
        view = self._book.selected
        if view is None or not view.works:
            return
        now = time.perf_counter()
        if now - self._moments_read > MOMENTS:
            self._read_moments()
        if not self._under_way and self.panel.moment is None and now - self._answered > self._rest:
            self.ask()

    @property
    def _rest(self) -> float:
        """Seconds between two looks."""
        return max(AT_LEAST, REST * self._cost)

    def _draft_changed(self) -> None:
        if self._book.selected is None and self.isVisible():
            self._edited.start()

    def _follow_draft(self) -> None:
        if self._book.selected is None and (self._who is None or self._who() is not self._subjects.now("inspect")[0]):
            self.ask()

    def _run_ended(self, view: RunView) -> None:
        """Looks once more, into what was saved."""
        if view is self._book.selected:
            self._read_moments()
            if self.panel.moment is None:
                self.ask()

    def _other_run(self) -> None:
        if self._book.selected is self._run:  # only other curves are shown
            return
        self._run = self._book.selected
        self.panel.offer_moments(None)
        self._read_moments()
        self.ask()

    def _read_moments(self) -> None:
        if self._run is not None and self.isVisible():
            self._moments_read = time.perf_counter()
            reading = _Moments(self._run)
            self._background.run(text("Finding recorded moments"), reading.work, self._take_moments, replaces="moments")

    def _take_moments(self, found: tuple[RunView, list[int]]) -> None:
        view, steps = found
        if view is self._book.selected:
            self.panel.offer_moments(steps)

    def _take(self, look: Look) -> None:
        self._answered, self._under_way = time.perf_counter(), False
        self._cost = self._answered - self._asked
        self._look, self._seen = look, self._asked_moment
        self.panel.show_problem(None)
        self._groups = {}
        for reading in look.readings:
            self._groups.setdefault((title_of(reading, look.readings), reading.axes), []).append(reading)
        layers = sorted({one.layer for one in look.readings if one.layer is not None})
        self.panel.offer_layers(layers)
        self.panel.offer_readings(sorted(self._groups, key=_importance), AT_FIRST)
        self.panel.show_step(look.step)
        self._arrange()

    def _fail(self, problem: Problem) -> None:
        self._answered, self._under_way = time.perf_counter(), False
        self._cost = max(self._cost, AT_LEAST / REST)
        if self._look is None or self._seen != self._asked_moment:  # what is shown is not what was asked for
            self._look, self._groups = None, {}
            self._arrange()
            self._nothing.show_empty(problem.line(), text("Look again"), self._ask_again)
        self.panel.show_problem(problem if self._look is not None or self.panel.text else None)

    # ---------------------------------------------------------------------------------------------------------- showing

    def _show_nothing(self) -> None:
        words = text("Here you look into a model: attention, states, and whatever else it reports on the probe text.")
        self._nothing.show_empty(words, text("Look into the model"), self.ask)

    def _wait(self, words: str) -> None:
        """Shows nothing of another model while this one is looked into."""
        self._look = None
        for card in self._cards.values():
            card.wait(words)
        self._nothing.show_empty(words)

    def _arrange(self) -> None:
        """Puts the chosen readings into cards: the first of all above, the others below; each has its own place."""
        views = self._plugins.cards("views")
        offered: list[Place] = []
        for key in sorted(self._groups, key=_importance):
            offered += [(key, ""), *((key, name) for name, view in views.items() if tuple(view.axes) == key[1])]
        for gone in [place for place in self._cards if place not in offered]:
            card = self._cards.pop(gone)
            card.hide()
            card.setParent(None)
            card.deleteLater()
        chosen = self.panel.chosen_readings
        came, index = False, 0
        for place in offered:
            if place not in self._cards and place[0] in chosen:
                self._cards[place] = ReadingCard(place[0], self._plugins, place[1])
                came = True
            if place in self._cards:
                row, at = (self.top, 0) if place == offered[0] else (self.below, index)
                index += row is self.below
                if row.widget(at) is not self._cards[place]:
                    row.insertWidget(at, self._cards[place])
                self._cards[place].setVisible(place[0] in chosen)
        shown = [place for place in self._cards if place[0] in chosen]
        self._nothing.setVisible(not shown)
        if not shown and self._look is not None:
            self._nothing.show_empty(text("No reading is switched on."))
        above = bool(offered) and offered[0] in shown
        self.top.setVisible(above or not shown)
        self.below.setVisible(len(shown) > above)
        if shown != self._shown:
            self._shown = shown
            self._give_shares()
        self._show_cards()
        if came:
            self.arranged.emit()

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

    def _show_cards(self) -> None:
        if self._look is None:
            return
        moment = model_name(self._book.selected, self._look.step)
        for (key, _), card in self._cards.items():
            if key in self.panel.chosen_readings and key in self._groups:
                card.show_readings(self._groups[key], self._look.labels, self.panel.layer, moment)

    @property
    def cards(self) -> list[Card]:
        """The cards that are shown."""
        chosen = self.panel.chosen_readings
        return [card for (key, _), card in self._cards.items() if key in chosen] or [self._nothing]


class _Moments:
    """One look for the moments that a run has recorded."""

    def __init__(self, view: RunView) -> None:
        self._view = view

    def work(self, job: Job) -> tuple[RunView, list[int]]:
        """Looks; in a thread of its own."""
        del job
        return self._view, self._view.run.recorded_steps()


class _Looking:
    """One look into a model."""

    def __init__(self, subject: Subject, words: str, recorded: int | None, view: RunView | None) -> None:
        self._subject, self._words, self._recorded, self._view = subject, words, recorded, view

    def work(self, job: Job) -> Look:
        """Looks; in a thread of its own."""
        del job
        if self._recorded is not None and self._view is not None:
            run: ActiveRun | SavedRun = self._view.run
            return run.recorded(self._recorded)
        try:
            return self._subject.look(self._words or None)
        except LabError:
            steps = self._view.run.recorded_steps() if self._view is not None and not self._words else []
            if not steps or self._view is None:
                raise
            return self._view.run.recorded(steps[-1])  # no checkpoint, or no corpus here: what was recorded last


def _importance(key: Key) -> tuple[int, str]:
    """Maps between tokens first, then what has a value per token."""
    axes = key[1]
    order = (
        0
        if {"query", "key"} <= set(axes)
        else 1
        if "expert" in axes or "order" in axes
        else 2
        if "token" in axes
        else 3
    )
    return order, key[0]
