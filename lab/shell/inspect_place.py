"""The place Inspect: what a model's inside looks like on a text, now or at a recorded moment, in cards."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from lab.api import Reading
from lab.base.problems import LabError, Problem, problem_of
from lab.host import Plugins
from lab.shell.background import Background
from lab.shell.inspect_panel import InspectPanel
from lab.shell.run_book import RunBook
from lab.shell.run_view import RunView
from lab.shell.subjects import Subjects
from lab.widgets.card import Card
from lab.widgets.reading_views import ReadingView, title_of, view_for
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

Key = tuple[str, tuple[str, ...]]
"""What readings are grouped by: title and axes."""


class ReadingCard(Card):
    """All readings of one name and axes, one per block, in the view that their axes ask for.

    Args:
        key: Their title and axes, which say what view it is.
        plugins: Where plugins' own views are found.
        own: The name of a plugin's own view; "" for that of the kit.
    """

    def __init__(self, key: Key, plugins: Plugins, own: str = "") -> None:
        card = plugins.cards("views")[own] if own else None
        super().__init__(card.title if card is not None else key[0])
        self._owner = plugins.owner("views", own) if own else None
        self._view: Any = None
        self._layer: int | None = None
        try:
            self._view = card.make() if card is not None else view_for(key[1])()
            for control in getattr(self._view, "options", ()):
                self.add_control(control)
            self.set_content(self._view)
        except Exception as error:  # noqa: BLE001 - a plugin's view
            self._break(error)

    def show_readings(self, readings: list[Reading], labels: tuple[str, ...], layer: int | None) -> None:
        """Shows newer readings of the same kind."""
        if self.state == "broken":
            return
        try:
            if isinstance(self._view, ReadingView):
                if layer != self._layer:
                    self._view.set_layer(layer)
                self._view.show_readings(readings, labels)
                self._layer = layer
            else:
                self._view.show_readings([one for one in readings if one.layer == layer] or readings, labels)
        except Exception as error:  # noqa: BLE001 - a plugin's view or its readings
            self._break(error)

    def _break(self, error: Exception) -> None:
        self.show_broken(problem_of(error, plugin=self._owner, doing=self.title))


class InspectPlace(QWidget):
    """The cards of Inspect.

    Args:
        book: The runs.
        subjects: Whose inside is looked at.
        background: Brings work off the main thread.
        plugins: Where plugins' own views are found.
    """

    looked = Signal()
    """New readings are shown."""
    arranged = Signal()
    """Cards came."""

    def __init__(self, book: RunBook, subjects: Subjects, background: Background, plugins: Plugins) -> None:
        super().__init__()
        self._book, self._subjects, self._background, self._plugins = book, subjects, background, plugins
        self.panel = InspectPanel()
        self.ready = False
        self._look: Look | None = None
        self._subject: Subject | None = None  # whom it was asked of
        self._asked = self._answered = 0.0
        self._cost = 0.0
        self._under_way = False
        self._groups: dict[Key, list[Reading]] = {}
        self._cards: dict[tuple[Key, str], ReadingCard] = {}
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
        self.splitters = {"inspect": self.all}
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.all)
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK)
        self._timer.timeout.connect(self._think)
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
        if self.isVisible():
            self.ask()

    def close_down(self) -> None:
        """Looks no more."""
        self._timer.stop()

    # ----------------------------------------------------------------------------------------------------------- asking

    def showEvent(self, event: Any) -> None:
        """Looks when somebody looks."""
        super().showEvent(event)
        self._timer.start()
        self._offer_moments()
        subject, view = self._subjects.now()
        now = self.panel.moment is None
        if self._look is None or subject is not self._subject or (now and view is not None and view.works):
            self.ask()

    def hideEvent(self, event: Any) -> None:
        """Looks no more while nobody does."""
        super().hideEvent(event)
        self._timer.stop()

    def ask(self) -> None:
        """Looks into the model: at the moment that the panel says, on the text that it holds."""
        if not self.ready or not self.isVisible():
            return
        subject, view = self._subjects.now()
        recorded = self.panel.moment if view is not None and view.run is subject else None
        looking = _Looking(subject, self.panel.text, recorded, view)
        self._asked, self._under_way, self._subject = time.perf_counter(), True, subject
        title = text("Looking into {name}", name=self._subjects.name())
        self._background.run(title, looking.work, self._take, self._fail, replaces="look")

    def _think(self) -> None:
        """Looks again while the model trains, seldom enough to leave it its speed."""
        view = self._book.selected
        self._offer_moments()
        if view is None or self._under_way or self.panel.moment is not None or not view.works:
            return
        if time.perf_counter() - self._answered > max(AT_LEAST, REST * self._cost):
            self.ask()

    def _run_ended(self, view: RunView) -> None:
        """Looks once more, into what was saved."""
        if view is self._book.selected and self.panel.moment is None:
            self.ask()

    def _other_run(self) -> None:
        self._offer_moments()
        self.panel.show_now()
        self.ask()

    def _offer_moments(self) -> None:
        subject, view = self._subjects.now()
        steps = view.run.recorded_steps() if view is not None and view.run is subject else []
        self.panel.offer_moments(steps)

    def _take(self, look: Look) -> None:
        self._answered, self._under_way = time.perf_counter(), False
        self._cost = self._answered - self._asked
        self._look = look
        self.panel.show_problem(None)
        self._groups = {}
        for reading in look.readings:
            self._groups.setdefault((title_of(reading, look.readings), reading.axes), []).append(reading)
        layers = sorted({one.layer for one in look.readings if one.layer is not None})
        self.panel.offer_layers(layers)
        order = sorted(self._groups, key=_importance)
        self.panel.offer_readings(order, AT_FIRST)
        self.panel.show_step(look.step)
        self._arrange()
        self.looked.emit()

    def _fail(self, problem: Problem) -> None:
        self._answered, self._under_way = time.perf_counter(), False
        self._cost = max(self._cost, AT_LEAST / REST)
        self.panel.show_problem(problem)
        if self._look is None:
            self._nothing.show_empty(problem.line(), text("Look again"), self.ask)

    # ---------------------------------------------------------------------------------------------------------- showing

    def _show_nothing(self) -> None:
        words = text("Here you look into a model: attention, states, and whatever else it reports on the probe text.")
        self._nothing.show_empty(words, text("Look into the model"), self.ask)

    def _arrange(self) -> None:
        """Puts the chosen readings into cards: the first above, the others below it."""
        wanted: list[tuple[Key, str]] = []
        for key in self.panel.chosen_readings:
            if key in self._groups:
                wanted.append((key, ""))
                views = self._plugins.cards("views")
                wanted += [(key, name) for name, view in views.items() if tuple(view.axes) == key[1]]
        for gone in [place for place in self._cards if place not in wanted]:
            card = self._cards.pop(gone)
            card.hide()
            card.setParent(None)
            card.deleteLater()
        came = False
        for number, place in enumerate(wanted):
            if place not in self._cards:
                self._cards[place] = ReadingCard(place[0], self._plugins, place[1])
                came = True
            row = self.top if number == 0 else self.below
            index = max(0, number - 1)
            if row.widget(index) is not self._cards[place]:
                row.insertWidget(index, self._cards[place])
                self._cards[place].show()
        self._nothing.setVisible(not wanted)
        self.below.setVisible(len(wanted) > 1)
        self._show_cards()
        if came:
            self.arranged.emit()

    def _show_cards(self) -> None:
        if self._look is None:
            return
        for (key, _), card in self._cards.items():
            readings = self._groups.get(key, [])
            if readings:
                card.show_readings(readings, self._look.labels, self.panel.layer)

    @property
    def cards(self) -> list[Card]:
        """Its cards."""
        return list(self._cards.values()) or [self._nothing]


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
