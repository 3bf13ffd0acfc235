"""The registry of the runs in the window: training runs, runs on disk, the selected one and the shown ones."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal

from lab.base.notices import notify
from lab.base.problems import LabError, Problem
from lab.base.run_state import ENDED, RunState
from lab.recipes import Recipe
from lab.runs import Status
from lab.runs.library.differences import settings_without_seed
from lab.runs.library.labels import Label, read_label
from lab.runs.library.recipe_fields import Value
from lab.runs.library.styles import style_of_new_run
from lab.shell.runtime.background import Background
from lab.shell.session.runs.comparability import same_corpus
from lab.shell.session.runs.labels import RunLabels
from lab.shell.session.runs.listing import ListedRun, RunListing, list_runs
from lab.shell.session.runs.loss_unit import NATS
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.naming import RunNaming
from lab.shell.session.runs.reading import SeriesReader, SeriesUpdate
from lab.shell.session.runs.series import SeriesState
from lab.training.resolution import resolve_all, written_out
from lab.widgets.core.i18n import tr, tr_registered
from lab.workbench import SavedRun, Workbench
from lab.workbench.launch.known_corpora import stored_settings
from lab.workbench.runners.runner import Runner

if TYPE_CHECKING:
    from lab.base.jobs import Job

PULL, BUSY_PULL = 200, 400
"""Milliseconds between two pulls of new data from the trainings: normally, and while a run trains on the CPU, from
which a pull takes time whether it brings a few steps or many."""
TEXTS = 5
"""Number of pulls between two updates of samples and events, of the list, and of shown runs of other processes."""
FAR = 30
"""Number of pulls between two updates of all runs of other processes, and of the list of runs on disk."""
AT_ONCE = 100
"""Number of runs that are added to the list in one turn of the event loop."""


class RunRegistry(QObject):
    """The runs of the window.

    Args:
        workbench: The workbench, which starts and opens runs.
        background: Runs work in threads.
        parent: Its parent.

    Attributes:
        selected: The run on which the toolbar acts; None if there is none.
        is_listed: True once the list of runs on disk was read, or could not be read.
        loss_unit: The unit of losses in the chart and in the list; see lab.shell.session.runs.loss_unit.
    """

    list_changed = Signal()
    """Rows of the list changed: a run was added or removed, or has made steps."""
    selection_changed = Signal()
    """Another run is selected, or other runs are shown."""
    unit_changed = Signal()
    """Losses are shown in another unit."""
    data_changed = Signal(object)
    """A RunModel has new data."""
    ended = Signal(object)
    """A RunModel's training ended."""
    refused = Signal(object, object)
    """The Problem that prevented a start, and the RunModel that should have been resumed, or None for a new run."""
    listed = Signal()
    """The list of runs on disk was read for the first time, or could not be read."""
    interrupted = Signal(list)
    """RunModels that were interrupted; each is reported once."""

    def __init__(self, workbench: Workbench, background: Background, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workbench, self._background = workbench, background
        self._runs: dict[str, RunModel] = {}
        self.selected: RunModel | None = None
        self.loss_unit: str = NATS
        self._labels = RunLabels(background, self.list_changed.emit)
        self._naming = RunNaming(background, workbench.plugins, self._named)
        workbench.namer = self._name_of_new_run
        self._reader = SeriesReader(self._read_in_background, self._series_read, self._process_died)
        self._pulls = 0
        self._count = 0  # number of runs listed so far, for their keys
        self._is_listing = self.is_listed = False
        self._new: list[RunModel] = []  # runs added to the list since it was read
        self._seen: set[Path] | None = None  # folders that were read, including those of runs that cannot be opened
        self._browsed: RunModel | None = None  # the run that is drawn only while it is selected
        self._opened: list[RunModel] = []  # started or opened, and drawn together with runs of their corpus
        self._timer = QTimer(self)
        self._timer.setInterval(PULL)
        self._timer.timeout.connect(self.pull)

    # -------------------------------------------------------------------------------------------------------- commands

    def begin(self) -> None:
        """Read the list of runs on disk, and start to update the runs."""
        self._timer.start()
        self.list_again()

    def list_again(self) -> None:
        """Read the new runs on disk."""
        if self._is_listing:
            return
        self._is_listing = True
        known = {path for run in self._runs.values() if (path := run.path) is not None}
        work = partial(_list_runs, self._workbench, None if self._seen is None else self._seen | known)
        self._background.run(tr("Reading the list of runs"), work, self._take_list, self._fail_list)

    def show_losses_in(self, unit: str) -> None:
        """Show losses in another unit."""
        if unit != self.loss_unit:
            self.loss_unit = unit
            self.unit_changed.emit()

    def close(self) -> None:
        """Stop updating and naming the runs."""
        self._timer.stop()
        self._workbench.namer = None

    def start(self, recipe: Recipe, *, alongside: bool = False, select: bool = True) -> RunModel:
        """Start a run, or queue it if another one trains, and select it unless `select` is False.

        Args:
            recipe: Its recipe.
            alongside: True to start at once in a process of its own, even while another run trains.
            select: True to select it.
        """
        return self.adopt(self._workbench.start(recipe, process=alongside), select=select)

    def adopt(self, runner: Runner, *, select: bool = True) -> RunModel:
        """List a run that was started or queued, and select it unless `select` is False."""
        label = Label(colour=self._style_of_new(runner.recipe), **self._workbench.queued_label(runner))
        run = self._add(self._made(runner, label))
        self.update_queue()
        if select:
            self.select(run.key)
            self._stay_drawn(run)
        return run

    def resume(self, run: RunModel, runner: Runner) -> None:
        """Connect a listed run to a runner that continues its training, and select it."""
        run.resume(runner)
        self.update_queue()
        self.select(run.key)
        self._stay_drawn(run)
        self.selection_changed.emit()
        self.list_changed.emit()

    def open(self, path: str | Path) -> RunModel:
        """Open a run on disk and select it.

        Raises:
            BadInput: There is no such run.
            LabError: The run is damaged.
        """
        saved = self._workbench.open(path)
        known = next((v for v in self._runs.values() if v.path is not None and v.path == saved.path), None)
        style = self._style_of_new(saved.recipe)  # among the runs that are listed without this one
        run = known or self._add(self._made(saved, read_label(saved.path)))
        if run.label.colour is None:
            self._labels.change(run, colour=style)
        self.select(run.key)
        self._stay_drawn(run)
        return run

    def _stay_drawn(self, run: RunModel) -> None:
        """Draw a run together with later selected ones of its corpus, to be compared with them."""
        self._browsed = None
        if run not in self._opened and not run.label.shown:
            self._opened.append(run)

    def select(self, key: str) -> None:
        """Select a run; the toolbar acts on it, and it is drawn while it is selected."""
        run = self._runs.get(key)
        if run is None or run is self.selected:
            return
        if self._browsed is not None:
            self._browsed.shown = False
        self.selected, self._browsed = run, None if run.shown else run
        run.shown = True
        for other in [one for one in self._opened if one is not run]:
            other.shown = same_corpus(other, run)
        self._reader.read(run)
        self.selection_changed.emit()
        self.list_changed.emit()

    def is_reading(self, run: RunModel) -> bool:
        """Return True while the series and texts of a run are being read."""
        return run.readings.pending

    def show(self, keys: str | Sequence[str], shown: bool) -> None:
        """Draw runs together with the selected one, or stop drawing them; this is stored."""
        listed = [keys] if isinstance(keys, str) else keys
        for run in [run for key in listed if (run := self._runs.get(key)) is not None]:
            self._browsed = None if run is self._browsed else self._browsed  # it no longer depends on the selection
            self._opened = [one for one in self._opened if one is not run]
            run.shown = shown
            if run.label.shown != shown:
                self._labels.change(run, shown=shown)
            if shown:
                self._reader.read(run)
        self.selection_changed.emit()
        self.list_changed.emit()

    def show_only(self, keys: Sequence[str]) -> None:
        """Draw these runs and no others, also when another of them is selected; this is stored."""
        self._opened = [run for run in self._opened if run.key in keys]
        self.show([run.key for run in self._runs.values() if run.shown and run.key not in keys], shown=False)

    def label(self, run: RunModel, **changes: Any) -> None:
        """Change the label of a run: name, note, star, tags."""
        self._labels.change(run, **changes)
        if run.active is not None and run.path is None:
            label = run.label
            self._workbench.label_queued(run.active, name=label.name, note=label.note, star=label.star, tags=label.tags)
        if "name" in changes:
            self.selection_changed.emit()  # charts and the top bar show the name
        self.list_changed.emit()

    def withdraw(self, run: RunModel) -> bool:
        """Remove a queued run from the queue and the list. Return True if it was still queued."""
        active = run.active
        withdrawn = active is not None and self._workbench.unqueue(active)
        if withdrawn:
            self.remove(run)
        if withdrawn and run.home is not None and self._seen is not None:  # a run on disk that should be resumed
            self._seen.discard(run.home)
            self.list_again()
        return withdrawn

    def remove(self, run: RunModel) -> None:
        """Remove a run from the list."""
        if self._runs.pop(run.key, None) is None:
            return
        self._opened = [one for one in self._opened if one is not run]
        run.waits_for = None  # or each deleted run would hold on to the one before it
        if self.selected is run:
            self.selected = next(iter(self.working), None)
            self.selection_changed.emit()
        self._naming.assign_names(self._runs.values())
        self.list_changed.emit()

    # --------------------------------------------------------------------------------------------------------- queries

    @property
    def runs(self) -> list[RunModel]:
        """All runs, newest first."""
        return list(reversed(self._runs.values()))

    @property
    def shown(self) -> list[RunModel]:
        """The runs that are drawn, the selected one last, so that it is drawn on top."""
        others = [run for run in self._runs.values() if run.shown and run is not self.selected]
        return [*others, self.selected] if self.selected is not None and self.selected.shown else others

    @property
    def pinned(self) -> list[RunModel]:
        """The runs that stay drawn when another one is selected."""
        return [run for run in self.shown if run is not self._browsed]

    @property
    def working(self) -> list[RunModel]:
        """The runs that train or are queued."""
        return [run for run in self._runs.values() if run.works]

    @property
    def training(self) -> RunModel | None:
        """The run that trains, is prepared or paused, the first of several; None if there is none."""
        started = [run for run in self.working if run.state != RunState.QUEUED]
        return next((run for run in started if run.trains), started[0] if started else None)

    @property
    def training_here(self) -> bool:
        """True if a run trains on the CPU, which also draws the window."""
        return any(run.trains and run.on_processor for run in self._runs.values())

    def by_key(self, key: str) -> RunModel | None:
        """Return the run with a key; None if there is none."""
        return self._runs.get(key)

    def by_id(self, identity: object) -> RunModel | None:
        """Return the run with a permanent identity; None if none is listed."""
        return next((run for run in self._runs.values() if run.id and run.id == identity), None)

    def tags(self) -> list[str]:
        """Return the tags of all runs, the most frequent first."""
        counted = Counter(tag for run in self._runs.values() for tag in run.label.tags)
        return sorted(counted, key=lambda tag: (-counted[tag], tag))

    def update_queue(self) -> None:
        """Note for each queued run which run has to end before it starts: the one before it, or one that is paused."""
        active = {run.active: run for run in self.working if run.active is not None}
        trains = [run for run in active.values() if run.state != RunState.QUEUED]
        before = next((run for run in trains if run.state == RunState.PAUSED), trains[-1] if trains else None)
        waits: dict[RunModel, RunModel | None] = {}
        for runner in self._workbench.queue:
            if runner in active and runner not in self._workbench.held:
                waits[active[runner]] = before
                before = before if before is not None and before.state == RunState.PAUSED else active[runner]
        for run in self._runs.values():
            run.waits_for = waits.get(run)

    def pull(self) -> None:
        """Take the data that the trainings wrote since the last call."""
        self._pulls += 1
        interval = BUSY_PULL if self.training_here else PULL
        if self._timer.interval() != interval:
            self._timer.setInterval(interval)
        self.update_queue()
        texts = self._pulls % TEXTS == 0
        for run in [run for run in self._runs.values() if run.active is not None]:
            self._pull(run, texts=texts)
        if texts and self.working:
            self.list_changed.emit()
        far = self._pulls % FAR == 0
        if texts and self.selected is not None and self.selected.take_floors():
            self.data_changed.emit(self.selected)
        if texts:
            self._read_new_data(far=far)
        if far:
            self.list_again()

    # --------------------------------------------------------------------------------------------------------- updates

    def _pull(self, run: RunModel, *, texts: bool) -> None:
        active = run.active
        assert active is not None
        if not run.is_labelled and active.folder is not None:
            self._labels.write_all(run)
            for other in [one for one in self._runs.values() if one is not run and one.path == run.path]:
                self.remove(other)  # it was found on disk before its process reported its folder
            if run.distinct_name:  # it was started before the list of runs was read, and has its name only now
                self._named([run])
        is_past_missing = run.series.state is SeriesState.PAST_NOT_READ and not run.readings.pending
        if is_past_missing and active.ring is not None:
            self._reader.read_past(run)
        has_changed = run.take_rows()
        if texts or run.state in ENDED:
            has_changed = run.take_texts() or has_changed
        if run.state in ENDED:
            self._end(run)
        elif has_changed:
            self.data_changed.emit(run)

    def _end(self, run: RunModel) -> None:
        active = run.active
        assert active is not None
        if not active.join(0):  # its thread still calls its callbacks
            return
        if run.path is None:
            self.remove(run)
            if active.problem is not None:
                self.refused.emit(active.problem, None)
            return
        refused = active.folder is None or active.ring is None
        if active.problem is not None and refused and run.home is not None:
            self.refused.emit(active.problem, run)
        elif active.problem is not None:
            notify("error", active.problem)
        try:
            has_gaps = run.end(self._workbench.open(run.path))
        except LabError as error:
            notify("error", error.problem)
            self.remove(run)
            return
        finally:
            self._workbench.forget(active)
        if has_gaps:
            self._reader.read(run)
        self.data_changed.emit(run)
        self.ended.emit(run)
        self.list_changed.emit()

    def _add(self, run: RunModel) -> RunModel:
        self._runs[run.key] = run
        self._naming.assign_names(self._runs.values())
        self.list_changed.emit()
        return run

    def _made(self, runner: Runner | SavedRun, label: Label, status: Status | None = None) -> RunModel:
        """Return the model of a run, which finds the title of its corpus among the cards of the plugins."""
        run = RunModel(self._key(), runner, label, status)
        run.corpus_titles = self._corpus_title
        return run

    def _corpus_title(self, name: str) -> str:
        card = self._workbench.plugins.cards("corpora").get(name)
        return name if card is None else tr_registered(card.title)

    def _key(self) -> str:
        self._count += 1
        return f"run {self._count}"

    def _style_of_new(self, recipe: Recipe) -> int:
        """Return the number of the style of a new run."""
        runs = self._runs.values()
        namesakes = [run for run in runs if run.recipe.architecture.name == recipe.architecture.name]
        kinds = self._kinds(recipe) if namesakes else []
        repeated = [run for run in namesakes if any(kind in kinds for kind in self._kinds_of(run))]
        return style_of_new_run([run.colour for run in runs], [run.colour for run in repeated])

    def _kinds_of(self, run: RunModel) -> list[dict[str, Value]]:
        return self._kinds(run.recipe) if run.source.folder is None else [settings_without_seed(run.settings)]

    def _kinds(self, recipe: Recipe) -> list[dict[str, Value]]:
        """Return what a recipe shares with its repetitions: the settings that it names, and all, as a run has them."""
        recipes = [recipe]
        with contextlib.suppress(LabError):  # a card is missing
            recipes.append(written_out(recipe, resolve_all(recipe, self._workbench.plugins)))
        return [settings_without_seed(stored_settings(one)) for one in recipes]

    def _name_of_new_run(self, recipe: Recipe) -> str:
        """Return the name of a run that is started; "" until the list of runs was read, so that the disk decides."""
        return self._naming.new_name(recipe, self._runs.values()) if self.is_listed else ""

    def _named(self, runs: list[RunModel]) -> None:
        self.list_changed.emit()
        if any(run.shown for run in runs):
            self.selection_changed.emit()

    # the list on disk

    def _take_list(self, found: RunListing) -> None:
        for problem in found.problems:
            notify("warning", problem)
        self._seen = found.seen
        self._take_some(found)

    def _take_some(self, found: RunListing) -> None:
        """Add some runs to the list, the newest first; the others follow in the next turns of the event loop."""
        some, found.runs = found.runs[-AT_ONCE:], found.runs[:-AT_ONCE]
        known = {run.path for run in self._runs.values()}
        self._new += (new := [self._model_of(one) for one in some if one.run.path not in known])
        if new:
            everything = [*self._runs.values(), *new]  # runs without a folder are the newest
            everything.sort(key=lambda run: run.created or "~")
            self._runs = {run.key: run for run in everything}
            self.list_changed.emit()
        if found.runs:
            QTimer.singleShot(0, self, partial(self._take_some, found))
            return
        self._is_listing = False
        new, self._new = self._new, []
        if new:
            self._naming.assign_names(self._runs.values())
        if any(run.shown for run in new):
            self.selection_changed.emit()
        paths = set(found.interrupted)
        interrupted = [run for run in self.runs if run.path in paths]
        if interrupted:
            self.interrupted.emit(interrupted)
        self._end_listing()

    def _end_listing(self) -> None:
        if not self.is_listed:
            self.is_listed = True
            self.listed.emit()

    def _model_of(self, found: ListedRun) -> RunModel:
        run = self._made(found.run, found.label, found.status)
        run.verification, run.settings, run.distinct_name = found.verification, found.settings, found.distinct_name
        if found.label.shown:
            run.shown = True
            self._reader.read(run)
        return run

    def _fail_list(self, problem: Problem) -> None:
        self._is_listing = False
        notify("error", problem)
        self._end_listing()

    # series on disk

    def _read_new_data(self, *, far: bool) -> None:
        """Read the new data that other processes wrote about their runs.

        Args:
            far: True for all runs, False for those that are shown or selected.
        """
        for run in [run for run in self._runs.values() if run.elsewhere]:
            if (far or run.shown or run is self.selected) and not run.readings.pending:
                self._reader.read_new_data(run)

    def _read_in_background(
        self,
        run: RunModel,
        work: Callable[[Job], SeriesUpdate],
        done: Callable[[SeriesUpdate], object],
        failed: Callable[[Problem], object],
    ) -> None:
        self._background.run(tr("Reading {run}", run=run.name), work, done, failed)

    def _series_read(self, run: RunModel) -> None:
        self.data_changed.emit(run)
        self.list_changed.emit()

    def _process_died(self, run: RunModel) -> None:
        self.interrupted.emit([run])


def _list_runs(workbench: Workbench, seen: set[Path] | None, job: Job) -> RunListing:
    """Read the list of runs; in a thread."""
    del job
    return list_runs(workbench, seen)
