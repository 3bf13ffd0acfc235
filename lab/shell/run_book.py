"""The runs in the window: those that train, those on disk, which is selected, which are shown, and what is new."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from lab.base.notices import notify
from lab.base.problems import LabError, Problem
from lab.recipes import Recipe
from lab.runs import Status
from lab.shell.background import Background
from lab.shell.run_view import RunView
from lab.shell.scales import make_ahead
from lab.widgets.theme import LIGHT
from lab.widgets.words import text
from lab.workbench import SavedRun, Workbench
from lab.workbench.active import ENDED
from lab.workbench.curves import Curves

if TYPE_CHECKING:
    from lab.base.jobs import Job

PULL = 200
"""Milliseconds between two looks at what the trainings told."""
TEXTS = 5
"""Looks between two looks at samples and events, and at the list of runs."""
FAR = 30
"""Looks between two looks at runs that other processes train."""


class RunBook(QObject):
    """The runs of the window.

    Args:
        workbench: Where they are started and opened.
        background: Brings work off the main thread.
        parent: Its parent.

    Attributes:
        selected: The run on which the toolbar acts; None before there is one.
    """

    listed = Signal()
    """Rows of the list changed: a run came, went, or is further."""
    chosen = Signal()
    """Another run is selected, or other runs are shown."""
    grown = Signal(object)
    """A RunView has new data."""
    ended = Signal(object)
    """A RunView's training ended."""
    refused = Signal(object)
    """A Problem for which a run never began."""

    def __init__(self, workbench: Workbench, background: Background, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workbench, self._background = workbench, background
        self._views: dict[str, RunView] = {}
        self.selected: RunView | None = None
        self._looks = 0
        self._made = 0
        self._browsed: RunView | None = None  # drawn only as long as it is selected
        self._timer = QTimer(self)
        self._timer.setInterval(PULL)
        self._timer.timeout.connect(self.pull)

    # ---------------------------------------------------------------------------------------------------------- orders

    def begin(self) -> None:
        """Reads the list of runs on disk, and looks for news from now on."""
        self._timer.start()
        self._background.run(text("Reading the list of runs"), self._list, self._take_list)

    def close(self) -> None:
        """Looks no more."""
        self._timer.stop()

    def start(self, recipe: Recipe, *, beside: bool = False) -> RunView:
        """Starts a run, or queues it behind the one that trains, and selects it."""
        run = self._workbench.start(recipe, beside=beside)
        view = self._add(RunView(self._key(), run, self._free_colour()))
        self.select(view.key)
        self._browsed = None  # it stays beside those that are selected after it, to be compared with them
        return view

    def open(self, place: str | Path) -> RunView:
        """Opens a run on disk and selects it.

        Raises:
            BadInput: There is no run.
            LabError: It is damaged.
        """
        saved = self._workbench.open(place)
        known = next((v for v in self._views.values() if v.path is not None and v.path == saved.path), None)
        view = known or self._add(RunView(self._key(), saved, self._free_colour()))
        self.select(view.key)
        self._browsed = None
        return view

    def select(self, key: str) -> None:
        """Selects a run; the toolbar acts on it, and it is drawn as long as it is selected."""
        view = self._views.get(key)
        if view is None or view is self.selected:
            return
        if self._browsed is not None:
            self._browsed.shown = False
        self.selected, self._browsed = view, None if view.shown else view
        view.shown = True
        self._load(view)
        self.chosen.emit()
        self.listed.emit()

    def show(self, key: str, shown: bool) -> None:
        """Draws a run beside the selected one, or no more."""
        view = self._views.get(key)
        if view is not None and view.shown != shown:
            view.shown = shown
            self._browsed = None if view is self._browsed else self._browsed  # a person has decided
            if shown:
                self._load(view)
            self.chosen.emit()
            self.listed.emit()

    def withdraw(self, view: RunView) -> bool:
        """Takes a run that waits out of the queue and the list. Whether it still waited."""
        active = view.active
        withdrawn = active is not None and self._workbench.unqueue(active)
        if withdrawn:
            self._drop(view)
        return withdrawn

    # --------------------------------------------------------------------------------------------------------- looking

    @property
    def views(self) -> list[RunView]:
        """All runs, newest first."""
        return list(reversed(self._views.values()))

    @property
    def shown(self) -> list[RunView]:
        """The runs that are drawn, the selected one last, so that it lies on top."""
        others = [view for view in self._views.values() if view.shown and view is not self.selected]
        return [*others, self.selected] if self.selected is not None and self.selected.shown else others

    @property
    def working(self) -> list[RunView]:
        """The runs that train or wait."""
        return [view for view in self._views.values() if view.works]

    @property
    def training_here(self) -> bool:
        """Whether a run makes steps on the processor that also draws the window."""
        return any(view.trains and view.on_processor for view in self._views.values())

    def pull(self) -> None:
        """Takes over what the trainings told."""
        self._looks += 1
        texts = self._looks % TEXTS == 0
        for view in [view for view in self._views.values() if view.active is not None]:
            fresh = view.take()
            if texts or view.state in ENDED:
                fresh = view.take_texts() or fresh
            if view.state in ENDED:
                self._end(view)
            elif fresh:
                self.grown.emit(view)
        if texts and self.working:
            self.listed.emit()
        if self._looks % FAR == 0:
            self._look_elsewhere()

    # ---------------------------------------------------------------------------------------------------------- within

    def _end(self, view: RunView) -> None:
        active = view.active
        assert active is not None
        if not active.join(0):  # its thread still tells others
            return
        if active.folder is None:
            self._drop(view)
            if active.problem is not None:
                self.refused.emit(active.problem)
            return
        if active.problem is not None:
            notify("error", active.problem)
        try:
            lacks = view.settle(self._workbench.open(active.folder.path))
        except LabError as error:
            notify("error", error.problem)
            self._drop(view)
            return
        finally:
            self._workbench.forget(active)
        if lacks:
            self._load(view)
        self.grown.emit(view)
        self.ended.emit(view)
        self.listed.emit()

    def _add(self, view: RunView) -> RunView:
        self._put(view)
        self.listed.emit()
        return view

    def _put(self, view: RunView) -> None:
        namesakes = (other.number for other in self._views.values() if other.base_name == view.base_name)
        view.number = 1 + max(namesakes, default=0)
        self._views[view.key] = view

    def _drop(self, view: RunView) -> None:
        self._views.pop(view.key, None)
        if self.selected is view:
            self.selected = next(iter(self.working), None)
            self.chosen.emit()
        self.listed.emit()

    def _key(self) -> str:
        self._made += 1
        return f"run {self._made}"

    def _free_colour(self) -> int:
        """The colour that the fewest runs have, the earlier the better."""
        used = [view.colour for view in self._views.values()]
        return min(range(len(LIGHT.runs)), key=lambda place: (used.count(place), place))

    def _list(self, job: Job) -> tuple[list[tuple[SavedRun, Status]], list[Problem]]:
        del job
        runs, problems = self._workbench.saved()
        listed = []
        for run in runs:
            try:
                listed.append((run, run.status))
            except LabError as error:
                problems.append(error.problem)
        return listed, problems

    def _take_list(self, found: tuple[list[tuple[SavedRun, Status]], list[Problem]]) -> None:
        runs, problems = found
        for problem in problems:
            notify("warning", problem)
        here = dict(self._views)
        known = {view.path for view in here.values()}
        for saved, status in reversed(runs):
            if saved.path not in known:
                self._put(RunView(self._key(), saved, self._free_colour(), status))
        self._views = {key: view for key, view in self._views.items() if key not in here} | here  # newest last
        self.listed.emit()

    def _look_elsewhere(self) -> None:
        """Reads how far the runs are that other processes train."""
        for view in [view for view in self._views.values() if view.elsewhere]:
            reading = _Reading(self, view)
            title = text("Reading {run}", run=view.name)
            self._background.run(title, reading.read, reading.take, self._lost, replaces=f"elsewhere {view.key}")

    def _lost(self, problem: Problem) -> None:
        """A run of another process cannot be read at this moment; it is tried again."""

    def _load(self, view: RunView) -> None:
        """Reads the series of a run on disk, once."""
        if view.loaded or view.active is not None:
            return
        view.loaded = True
        reading = _Reading(self, view)
        self._background.run(text("Reading {run}", run=view.name), reading.read, reading.take)


class _Reading:
    """The series of one run on disk on their way into its view."""

    def __init__(self, book: RunBook, view: RunView) -> None:
        self._book, self._view = book, view

    def read(self, job: Job) -> tuple[Curves, Status | None]:
        """Reads them, its texts and how far it is; in a thread of its own."""
        del job
        run, curves = self._view.run, Curves()
        if not isinstance(run, SavedRun):
            return curves, None
        curves.fill(run.metrics())
        make_ahead(curves)
        self._view.take_texts()
        return curves, run.status

    def take(self, found: tuple[Curves, Status | None]) -> None:
        """Hands them over; in the main thread."""
        self._view.curves, status = found
        if status is not None:
            self._view.told(status)
        self._book.grown.emit(self._view)
        self._book.listed.emit()
