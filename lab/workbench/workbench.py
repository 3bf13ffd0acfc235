"""The workbench: plugins, the runs of this process, and their queue."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, overload

from lab.base import BadInput, LabError, Problem
from lab.base.notices import notify
from lab.base.run_state import ENDED, RunState
from lab.base.system import profile
from lab.host import Plugins
from lab.recipes import Recipe
from lab.runs import list_runs
from lab.workbench.access.saved import SavedRun
from lab.workbench.analysis.floors import FloorFinder
from lab.workbench.analysis.verify import Verification, verify
from lab.workbench.launch.origins import BranchedRun, NewRun, ResumedRun
from lab.workbench.launch.preflight import Estimator, Preflight
from lab.workbench.launch.same_size import SameSize, nearest_width
from lab.workbench.launch.structure import Structure, Structures
from lab.workbench.queue_file import QueuedRun, QueueFile
from lab.workbench.runners.process_run import ProcessRun
from lab.workbench.runners.runner import Runner
from lab.workbench.runners.thread_run import ActiveRun


class Workbench:
    """The application without a user interface. It has no current run: every call names its run.

    Args:
        plugins: The plugins; None loads those that the environment and the settings name.
        queue_file: Stores the queue between two sessions; None does not store it.
        floors: True to find the floors of each run that trains in this process, in the background.

    Attributes:
        namer: Names a new run by its recipe when it is started or queued; None names it when its folder is made.
    """

    def __init__(
        self, plugins: Plugins | None = None, queue_file: QueueFile | None = None, *, floors: bool = False
    ) -> None:
        self.plugins = plugins or Plugins.from_environment()
        self.floors = FloorFinder(self.plugins) if floors else None
        self._runs: list[Runner] = []
        self._queue: list[ActiveRun] = []
        self._held: set[ActiveRun] = set()  # queued runs of an earlier session, until `start_queue`
        self._labels: dict[Runner, Mapping[str, Any]] = {}  # of queued runs, which have no folder for them yet
        self._queue_file = queue_file
        self._lock = threading.RLock()
        self.namer: Callable[[Recipe], str] | None = None
        self._estimator = Estimator()
        self._structures = Structures(self._estimator)

    @overload
    def start(
        self,
        recipe: Recipe,
        *,
        out: Path | None = None,
        command: Sequence[str] | None = None,
        parallel: bool = False,
        process: Literal[False] = False,
    ) -> ActiveRun: ...

    @overload
    def start(
        self,
        recipe: Recipe,
        *,
        out: Path | None = None,
        command: Sequence[str] | None = None,
        parallel: bool = False,
        process: bool,
    ) -> Runner: ...

    def start(
        self,
        recipe: Recipe,
        *,
        out: Path | None = None,
        command: Sequence[str] | None = None,
        parallel: bool = False,
        process: bool = False,
    ) -> Runner:
        """Start a run, or queue it if another one trains.

        Args:
            recipe: The recipe.
            out: A new or empty folder for it; None makes one among the lab's runs.
            command: The arguments of the command line it came from; stored with the run, paths shortened to file names.
            parallel: True to start at once, even while another run trains; they take turns step by step.
            process: True to start at once in a process of its own.

        Returns:
            The run; it reports problems of the recipe.

        Raises:
            BadInput: The profile of this machine allows no further run in a process of its own.
        """
        return self._launch(NewRun(recipe, out), command, parallel=parallel, process=process)

    @overload
    def resume(
        self,
        run: str | Path,
        *,
        steps: int | None = None,
        corpus: Path | None = None,
        parallel: bool = False,
        process: Literal[False] = False,
    ) -> ActiveRun: ...

    @overload
    def resume(
        self,
        run: str | Path,
        *,
        steps: int | None = None,
        corpus: Path | None = None,
        parallel: bool = False,
        process: bool,
    ) -> Runner: ...

    def resume(
        self,
        run: str | Path,
        *,
        steps: int | None = None,
        corpus: Path | None = None,
        parallel: bool = False,
        process: bool = False,
    ) -> Runner:
        """Resume a run that ended, or whose process died, from its last checkpoint; queue it if another run trains.

        Args:
            run: The run, as for `open`.
            steps: The new number of steps after which it is finished; None leaves it unchanged.
            corpus: Path of its corpus; None searches for it among the corpora known on this machine.
            parallel: True to start at once, even while another run trains.
            process: True to start at once in a process of its own.

        Returns:
            The run; it reports problems that occur later.

        Raises:
            BadInput: There is no such run, a process still writes it, or its corpus is not found.
            LabError: The run is damaged.
        """
        saved = self.open(run)
        known = next((r for r in self.runs if r.folder is not None and r.folder.path == saved.path), None)
        if known is not None and known.state not in ENDED:
            raise BadInput("this run has not ended", field="run", value=saved.name)
        return self._launch(ResumedRun(saved.folder, steps, corpus), None, parallel=parallel, process=process)

    @overload
    def branch(
        self,
        run: str | Path,
        step: int,
        changes: Sequence[str] = (),
        *,
        out: Path | None = None,
        command: Sequence[str] | None = None,
        weights_only: bool = False,
        parallel: bool = False,
        process: Literal[False] = False,
    ) -> ActiveRun: ...

    @overload
    def branch(
        self,
        run: str | Path,
        step: int,
        changes: Sequence[str] = (),
        *,
        out: Path | None = None,
        command: Sequence[str] | None = None,
        weights_only: bool = False,
        parallel: bool = False,
        process: bool,
    ) -> Runner: ...

    def branch(
        self,
        run: str | Path,
        step: int,
        changes: Sequence[str] = (),
        *,
        out: Path | None = None,
        command: Sequence[str] | None = None,
        weights_only: bool = False,
        parallel: bool = False,
        process: bool = False,
    ) -> Runner:
        """Start a new run with what another one had learned up to a checkpoint, or queue it.

        Args:
            run: The other run, as for `open`.
            step: The step of its checkpoint.
            changes: Settings that differ, "path=value" each.
            out: A new or empty folder for it; None makes one among the lab's runs.
            command: The arguments of the command line it came from.
            weights_only: True to begin at step 0, with the weights alone.
            parallel: True to start at once, even while another run trains.
            process: True to start at once in a process of its own.

        Raises:
            BadInput: There is no such run or checkpoint, or a change is not allowed.
            LabError: The run is damaged.
        """
        origin = BranchedRun(self.open(run).folder, step, changes, out, weights_only=weights_only)
        return self._launch(origin, command, parallel=parallel, process=process)

    def verify(
        self,
        run: str | Path,
        *,
        steps: int | None = None,
        cancelled: Callable[[], bool] = lambda: False,
        progress: Callable[[int, int], object] | None = None,
    ) -> Verification:
        """Train the last steps of a run again and compare; see lab.workbench.analysis.verify.verify."""
        return verify(self.open(run).folder, self.plugins, steps=steps, cancelled=cancelled, progress=progress)

    def _launch(self, origin: NewRun, command: Sequence[str] | None, *, parallel: bool, process: bool) -> Runner:
        """Start a run, or queue it."""
        if self.namer is not None and origin.is_new:
            origin.name = self.namer(origin.recipe)
        if process:
            self._check_process()
            other = ProcessRun(origin, self.plugins, command)
            self._add(other)
            other.start()
            return other
        run = ActiveRun(origin, self.plugins, command, self.floors)
        with self._lock:
            self._add(run)
            if not parallel and (set(self._queue) - self._held or self._busy()):
                self._queue.append(run)
                self._store_queue()
            else:
                run.start()
        return run

    def _check_process(self) -> None:
        """Refuse a run in a process of its own if the profile of this machine allows no more.

        Raises:
            BadInput: It allows no more.
        """
        most = profile.now().separate_runs
        running = sum(isinstance(run, ProcessRun) and run.state not in ENDED for run in self.runs)
        if most is not None and running >= most:
            raise BadInput(
                "in the light profile, one run at a time trains in a process of its own",
                remedy="Queue this run, or select the full profile in Settings if the memory suffices",
            )

    def _add(self, run: Runner) -> None:
        run.when_ended(self._start_next)
        with self._lock:
            active = (other for other in self._runs if other.state not in ENDED or not other.join(0))
            self._runs = [*active, run]  # models are large

    @property
    def runs(self) -> tuple[Runner, ...]:
        """The runs that train or are queued, oldest first, and those that ended since the last start."""
        with self._lock:
            return tuple(self._runs)

    @property
    def queue(self) -> tuple[ActiveRun, ...]:
        """The queued runs, the next one first."""
        with self._lock:
            return tuple(self._queue)

    @property
    def held(self) -> tuple[ActiveRun, ...]:
        """The runs queued in an earlier session, which start only after `start_queue`."""
        with self._lock:
            return tuple(run for run in self._queue if run in self._held)

    def unqueue(self, run: Runner) -> bool:
        """Remove a run from the queue. Return False if it is not queued any more: it has started and can be stopped."""
        with self._lock:
            waiting = next((one for one in self._queue if one is run), None)
            if waiting is None:
                return False
            self._queue.remove(waiting)
            self._held.discard(waiting)
            self._runs.remove(run)
            self._labels.pop(run, None)
            self._store_queue()
        run.withdraw()
        return True

    def label_queued(self, run: Runner, **label: Any) -> None:
        """Store labels of a queued run with the queue; once it has a folder, they belong there.

        Args:
            run: The run.
            label: Its name, note, star and tags, as fields of lab.runs.library.labels.Label.
        """
        with self._lock:
            if any(one is run for one in self._queue):
                self._labels[run] = label
                self._store_queue()

    def queued_label(self, run: Runner) -> Mapping[str, Any]:
        """Return the stored labels of a run that was queued; {} if it has none."""
        return self._labels.get(run, {})

    def move(self, run: Runner, position: int) -> bool:
        """Move a run within the queue, 0 being the next one. Return True if it was still queued."""
        with self._lock:
            waiting = next((one for one in self._queue if one is run), None)
            if waiting is None:
                return False
            self._queue.remove(waiting)
            self._queue.insert(max(0, position), waiting)
            self._store_queue()
        return True

    def start_now(self, run: Runner) -> bool:
        """Move a run to the front of the queue, and start it unless another one trains.

        Returns:
            True if it is not queued any more; False if it starts once the runs that train have ended.
        """
        with self._lock:
            if self.move(run, 0):
                self._held = {one for one in self._held if one is not run}
        self._start_next()
        return run not in self.queue

    def restore_queue(self) -> tuple[ActiveRun, ...]:
        """Queue the runs that were queued when the lab was closed. None of them starts before `start_queue`."""
        stored = [] if self._queue_file is None else self._queue_file.read()
        runs = [ActiveRun(one.origin, self.plugins, one.command, self.floors) for one in stored]
        with self._lock:
            for run, one in zip(runs, stored, strict=True):
                self._add(run)
                self._labels[run] = one.label
            self._held.update(runs)
            self._queue = [*runs, *self._queue]
        return tuple(runs)

    def start_queue(self) -> None:
        """Let the queued runs of an earlier session start when it is their turn."""
        with self._lock:
            self._held.clear()
        self._start_next()

    def forget(self, run: Runner) -> None:
        """Remove an ended run from memory, with its model, optimizer and corpus; its folder stays."""
        with self._lock:
            self._runs = [other for other in self._runs if other is not run or other.state not in ENDED]
            self._labels.pop(run, None)

    def preflight(self, recipe: Recipe) -> Preflight:
        """Return the figures of a recipe before it is trained. Any thread may call it; no run is disturbed.

        Raises:
            BadInput: Something in the recipe cannot be used, or would not fit into memory; the problem names the field.
            LabError: A plugin's code raised.
        """
        return self._estimator.preflight(recipe, self.plugins)

    def same_size(self, recipe: Recipe, parameters: int) -> SameSize:
        """Return the width with which a recipe's model comes nearest to a number of parameters. Any thread may call it.

        Raises:
            BadInput: Something in the recipe cannot be used, or the architecture has no width.
            LabError: A plugin's code raised.
        """
        return nearest_width(recipe, parameters, self.plugins, self._estimator)

    def structure(self, recipe: Recipe, *, settings: bool = False, stop: Callable[[], bool] = bool) -> Structure:
        """Return the parts of a recipe's model. Any thread may call it; no run is disturbed.

        Args:
            recipe: The recipe.
            settings: Whether to find the settings that shape each part, too, which takes longer.
            stop: Returns True to return without them as soon as possible.

        Raises:
            BadInput: Something in the recipe cannot be used; the problem names the field.
            LabError: A plugin's code raised.
        """
        if settings:
            return self._structures.with_settings(recipe, self.plugins, stop)
        return self._structures.structure(recipe, self.plugins)

    def saved(self) -> tuple[list[SavedRun], list[Problem]]:
        """Return the runs on disk that are not in `runs`, newest first, and the problems of unreadable ones."""
        here = {run.folder.path.resolve() for run in self.runs if run.folder is not None}
        folders, problems = list_runs()
        saved = []
        for folder in folders:
            if folder.path.resolve() not in here:
                try:
                    saved.append(SavedRun(folder, self.plugins))
                except LabError as error:
                    what = f"the recipe of the run {folder.name} cannot be read: {error.problem.what}"
                    problems.append(replace(error.problem, what=what))
        return saved, problems

    def open(self, run: str | Path) -> SavedRun:
        """Open a run on disk; see SavedRun.find.

        Raises:
            BadInput: There is no such run.
            LabError: The run is damaged.
        """
        return SavedRun.find(run, self.plugins)

    def close(self, *, detach_processes: bool = False) -> None:
        """Stop every run, save them, and wait until all have ended.

        Queued runs are not started; if the queue is stored, the next session restores it.

        Args:
            detach_processes: True to let runs in their own processes continue.
        """
        with self._lock:
            for waiting in self._queue:
                waiting.withdraw()
            self._queue.clear()
            runs = tuple(self._runs)
        for run in runs:
            if detach_processes and isinstance(run, ProcessRun):
                run.detach()
            elif run.state not in ENDED | {RunState.QUEUED}:
                run.control.stop()
        for run in runs:
            run.join()
        if self.floors is not None:
            self.floors.close()

    def _start_next(self) -> None:
        with self._lock:
            ready = [run for run in self._queue if run not in self._held]
            if ready and not self._busy():
                self._queue.remove(ready[0])
                self._store_queue()
                ready[0].start()

    def _store_queue(self) -> None:
        if self._queue_file is None:
            return
        try:
            self._queue_file.write([QueuedRun(run.origin, run.command, self.queued_label(run)) for run in self._queue])
        except LabError as error:
            what = f"the queue could not be saved: {error.problem.what}"
            notify("warning", replace(error.problem, what=what))

    def _busy(self) -> bool:
        return any(run.state not in ENDED | {RunState.QUEUED} for run in self._runs)
