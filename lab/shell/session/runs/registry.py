"""The runs in the window: those that train, those on disk, which is selected, which are shown, and what is new."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from lab.base.notices import notify
from lab.base.problems import LabError, Problem
from lab.recipes import Recipe
from lab.runs.library.labels import STYLES, Label, read_label
from lab.shell.runtime.background import Background
from lab.shell.session.runs.jobs import ListingJob, ReadingJob
from lab.shell.session.runs.labels import RunLabels
from lab.shell.session.runs.loading import Found, Listing
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.naming import RunNaming
from lab.widgets.core.i18n import tr
from lab.workbench import Workbench
from lab.workbench.runners.runner import ENDED, Runner

PULL = 200
"""Milliseconds between two looks at what the trainings told."""
TEXTS = 5
"""Looks between two looks at samples and events, at the list of runs, and at shown runs of other processes."""
FAR = 30
"""Looks between two looks at other runs of other processes, and for new runs on disk."""
AT_ONCE = 100
"""Runs that are taken into the list in one turn of the window."""


class RunRegistry(QObject):
    """The runs of the window.

    Args:
        workbench: Where they are started and opened.
        background: Brings work off the main thread.
        parent: Its parent.

    Attributes:
        selected: The run on which the toolbar acts; None before there is one.
    """

    list_changed = Signal()
    """Rows of the list changed: a run came, went, or is further."""
    selection_changed = Signal()
    """Another run is selected, or other runs are shown."""
    data_changed = Signal(object)
    """A RunModel has new data."""
    ended = Signal(object)
    """A RunModel's training ended."""
    refused = Signal(object, object)
    """A Problem for which a run never began, and the RunModel that was to go on, where one was."""
    interrupted = Signal(list)
    """RunViews of which it is to be told, once, that they were interrupted."""

    def __init__(self, workbench: Workbench, background: Background, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workbench, self._background = workbench, background
        self._views: dict[str, RunModel] = {}
        self.selected: RunModel | None = None
        self._labels = RunLabels(background, self.list_changed.emit)
        self._naming = RunNaming(background, self._named)
        self._looks = 0
        self._made = 0
        self._listing = False
        self._reading: set[str] = set()  # keys of runs of which what is new is being read
        self._news: list[RunModel] = []  # what came into the list since it was read
        self._seen: set[Path] | None = None  # folders of runs that were read, those that do not open too
        self._browsed: RunModel | None = None  # drawn only as long as it is selected
        self._timer = QTimer(self)
        self._timer.setInterval(PULL)
        self._timer.timeout.connect(self.pull)

    # ---------------------------------------------------------------------------------------------------------- orders

    def begin(self) -> None:
        """Reads the list of runs on disk, and looks for news from now on."""
        self._timer.start()
        self.list_again()

    def list_again(self) -> None:
        """Reads which runs came on disk since."""
        if self._listing:
            return
        self._listing = True
        known = {path for view in self._views.values() if (path := view.path) is not None}
        listed = ListingJob(self._workbench, None if self._seen is None else self._seen | known)
        self._background.run(tr("Reading the list of runs"), listed.work, self._take_list, self._no_list)

    def close(self) -> None:
        """Looks no more."""
        self._timer.stop()

    def start(self, recipe: Recipe, *, beside: bool = False) -> RunModel:
        """Starts a run, or queues it behind the one that trains, and selects it."""
        return self.adopt(self._workbench.start(recipe, process=beside))

    def adopt(self, run: Runner) -> RunModel:
        """Lists a run that was started, and selects it."""
        view = self._add(RunModel(self._key(), run, Label(colour=self._free_colour())))
        self.select(view.key)
        self._browsed = None  # it stays beside those that are selected after it, to be compared with them
        return view

    def resume(self, view: RunModel, run: Runner) -> None:
        """A listed run trains again."""
        view.go_on(run)
        self.select(view.key)
        self._browsed = None
        self.selection_changed.emit()
        self.list_changed.emit()

    def open(self, place: str | Path) -> RunModel:
        """Opens a run on disk and selects it.

        Raises:
            BadInput: There is no run.
            LabError: It is damaged.
        """
        saved = self._workbench.open(place)
        known = next((v for v in self._views.values() if v.path is not None and v.path == saved.path), None)
        view = known or self._add(RunModel(self._key(), saved, read_label(saved.path)))
        if view.label.colour is None:
            self._labels.change(view, colour=self._free_colour())
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
        self.selection_changed.emit()
        self.list_changed.emit()

    def show(self, keys: str | Sequence[str], shown: bool) -> None:
        """Draws a run, or several, beside the selected one, or no more; so it is also at the next start."""
        several = [keys] if isinstance(keys, str) else keys
        for view in [view for key in several if (view := self._views.get(key)) is not None]:
            self._browsed = None if view is self._browsed else self._browsed  # a person has decided
            view.shown = shown
            if view.label.shown != shown:
                self._labels.change(view, shown=shown)
            if shown:
                self._load(view)
        self.selection_changed.emit()
        self.list_changed.emit()

    def label(self, view: RunModel, **changes: Any) -> None:
        """Changes what a person says of a run: name, note, star, tags."""
        self._labels.change(view, **changes)
        if "name" in changes:
            self.selection_changed.emit()  # which names it in charts and in the bar
        self.list_changed.emit()

    def withdraw(self, view: RunModel) -> bool:
        """Takes a run that waits out of the queue and the list. Whether it still waited."""
        active = view.active
        withdrawn = active is not None and self._workbench.unqueue(active)
        if withdrawn:
            self.remove(view)
        return withdrawn

    def remove(self, view: RunModel) -> None:
        """Takes a run out of the list."""
        if self._views.pop(view.key, None) is None:
            return
        if self.selected is view:
            self.selected = next(iter(self.working), None)
            self.selection_changed.emit()
        self._naming.assign_names(self._views.values())
        self.list_changed.emit()

    # --------------------------------------------------------------------------------------------------------- looking

    @property
    def views(self) -> list[RunModel]:
        """All runs, newest first."""
        return list(reversed(self._views.values()))

    @property
    def shown(self) -> list[RunModel]:
        """The runs that are drawn, the selected one last, so that it lies on top."""
        others = [view for view in self._views.values() if view.shown and view is not self.selected]
        return [*others, self.selected] if self.selected is not None and self.selected.shown else others

    @property
    def working(self) -> list[RunModel]:
        """The runs that train or wait."""
        return [view for view in self._views.values() if view.works]

    @property
    def training_here(self) -> bool:
        """Whether a run makes steps on the processor that also draws the window."""
        return any(view.trains and view.on_processor for view in self._views.values())

    def by_key(self, key: str) -> RunModel | None:
        """The run of that key."""
        return self._views.get(key)

    def by_id(self, identity: object) -> RunModel | None:
        """The run of that identity, if it is listed."""
        return next((view for view in self._views.values() if view.id and view.id == identity), None)

    def tags(self) -> list[str]:
        """The tags that runs have, those of most runs first."""
        counted = Counter(tag for view in self._views.values() for tag in view.label.tags)
        return sorted(counted, key=lambda tag: (-counted[tag], tag))

    def pull(self) -> None:
        """Takes over what the trainings told."""
        self._looks += 1
        texts = self._looks % TEXTS == 0
        for view in [view for view in self._views.values() if view.active is not None]:
            self._pull(view, texts=texts)
        if texts and self.working:
            self.list_changed.emit()
        far = self._looks % FAR == 0
        if texts and self.selected is not None and self.selected.take_floors():
            self.data_changed.emit(self.selected)
        if texts:
            self._look_elsewhere(far=far)
        if far:
            self.list_again()

    # ---------------------------------------------------------------------------------------------------------- within

    def _pull(self, view: RunModel, *, texts: bool) -> None:
        active = view.active
        assert active is not None
        if not view.labelled and active.folder is not None:
            self._labels.settle(view)
            for other in [one for one in self._views.values() if one is not view and one.path == view.path]:
                self.remove(other)  # it was found on disk before its process told where it lies
        if view.waits_for_past and active.ring is not None and view.key not in self._reading:
            self._read_past(view)
        fresh = view.take()
        if texts or view.state in ENDED:
            fresh = view.take_texts() or fresh
        if view.state in ENDED:
            self._end(view)
        elif fresh:
            self.data_changed.emit(view)

    def _end(self, view: RunModel) -> None:
        active = view.active
        assert active is not None
        if not active.join(0):  # its thread still tells others
            return
        if view.path is None:
            self.remove(view)
            if active.problem is not None:
                self.refused.emit(active.problem, None)
            return
        refused = active.folder is None or active.ring is None
        if active.problem is not None and refused and view.home is not None:
            self.refused.emit(active.problem, view)
        elif active.problem is not None:
            notify("error", active.problem)
        try:
            lacks = view.settle(self._workbench.open(view.path))
        except LabError as error:
            notify("error", error.problem)
            self.remove(view)
            return
        finally:
            self._workbench.forget(active)
        if lacks:
            self._load(view)
        self.data_changed.emit(view)
        self.ended.emit(view)
        self.list_changed.emit()

    def _add(self, view: RunModel) -> RunModel:
        self._views[view.key] = view
        self._naming.assign_names(self._views.values())
        self.list_changed.emit()
        return view

    def _key(self) -> str:
        self._made += 1
        return f"run {self._made}"

    def _free_colour(self) -> int:
        """The style that the fewest runs have, the earlier the better."""
        used = Counter(view.colour % STYLES for view in self._views.values())
        return min(range(STYLES), key=lambda style: used[style])

    def _named(self, views: list[RunModel]) -> None:
        self.list_changed.emit()
        if any(view.shown for view in views):
            self.selection_changed.emit()

    # the list on disk

    def _take_list(self, found: Listing) -> None:
        for problem in found.problems:
            notify("warning", problem)
        self._seen = found.seen
        self._take_some(found)

    def _take_some(self, found: Listing) -> None:
        """Takes some runs into the list, the newest first, and the others in the next turns of the window."""
        some, found.runs = found.runs[-AT_ONCE:], found.runs[:-AT_ONCE]
        known = {view.path for view in self._views.values()}
        self._news += (new := [self._view_of(one) for one in some if one.run.path not in known])
        if new:
            everything = [*self._views.values(), *new]  # stable: what waits for a folder was made last
            everything.sort(key=lambda view: view.created or "~")
            self._views = {view.key: view for view in everything}
            self.list_changed.emit()
        if found.runs:
            QTimer.singleShot(0, self, functools.partial(self._take_some, found))
            return
        self._listing = False
        new, self._news = self._news, []
        if new:
            self._naming.assign_names(self._views.values())
        if any(view.shown for view in new):
            self.selection_changed.emit()
        told = set(found.interrupted)
        broken = [view for view in self.views if view.path in told]
        if broken:
            self.interrupted.emit(broken)

    def _view_of(self, found: Found) -> RunModel:
        view = RunModel(self._key(), found.run, found.label, found.status)
        view.verification, view.settings, view.distinct_name = found.verification, found.settings, found.distinct_name
        if found.label.shown:
            view.shown = True
            self._load(view)
        return view

    def _no_list(self, problem: Problem) -> None:
        self._listing = False
        notify("error", problem)

    # series on disk

    def _look_elsewhere(self, *, far: bool) -> None:
        """Reads how far the runs are that other processes train: those in sight each second."""
        for view in [view for view in self._views.values() if view.elsewhere]:
            if (far or view.shown or view is self.selected) and view.key not in self._reading:
                self._reading.add(view.key)
                reading = ReadingJob(self._tell, view, self._died)
                title = tr("Reading {run}", run=view.name)
                self._background.run(title, reading.read_news, reading.take_news, reading.lost)

    def _load(self, view: RunModel) -> None:
        """Reads the series of a run on disk, once."""
        if view.loaded or view.active is not None:
            return
        view.loaded = True
        reading = ReadingJob(self._tell, view)
        self._background.run(tr("Reading {run}", run=view.name), reading.read, reading.take)

    def _read_past(self, view: RunModel) -> None:
        """Reads the series of a run that goes on, up to where it goes on and maybe a little further."""
        self._reading.add(view.key)
        reading = ReadingJob(self._tell, view)
        self._background.run(tr("Reading {run}", run=view.name), reading.read, reading.take_past, reading.take_no_past)

    def _tell(self, view: RunModel) -> None:
        """What is new of a run on disk was read, or could not be."""
        self._reading.discard(view.key)
        self.data_changed.emit(view)
        self.list_changed.emit()

    def _died(self, view: RunModel) -> None:
        """The process that trained a run is gone."""
        self.interrupted.emit([view])
