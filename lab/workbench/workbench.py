"""The workbench: plugins, the runs of this process, and the queue in which they wait."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from lab.base import LabError, Problem
from lab.host import Plugins
from lab.recipes import Recipe
from lab.runs import list_runs
from lab.workbench.active import ENDED, ActiveRun
from lab.workbench.preflight import Estimator, Preflight
from lab.workbench.saved import SavedRun


class Workbench:
    """The application without a face. There is no current run: every call names its run.

    Args:
        plugins: The plugins; None loads those the environment and the settings ask for.
    """

    def __init__(self, plugins: Plugins | None = None) -> None:
        self.plugins = plugins or Plugins.from_environment()
        self._runs: list[ActiveRun] = []
        self._queue: list[ActiveRun] = []
        self._lock = threading.RLock()
        self._estimator = Estimator()

    def start(
        self, recipe: Recipe, *, out: Path | None = None, command: Sequence[str] | None = None, beside: bool = False
    ) -> ActiveRun:
        """Starts a run, or queues it behind the one that trains.

        Args:
            recipe: What to do.
            out: A new or empty folder for it; None makes one among the lab's runs.
            command: The words of the command line it came from, stored with the run without the folders they name.
            beside: Start at once, also while another run trains; they take turns step by step.

        Returns:
            The run; problems of the recipe are told by it.
        """
        run = ActiveRun(recipe, self.plugins, out, command)
        run.when_ended(self._start_next)
        with self._lock:
            left = (other for other in self._runs if other.state not in ENDED or not other.join(0))
            self._runs = [*left, run]  # models are large
            if not beside and (self._queue or self._busy()):
                self._queue.append(run)
            else:
                run.start()
        return run

    @property
    def runs(self) -> tuple[ActiveRun, ...]:
        """The runs that train or wait, oldest first, and those that ended since the last start."""
        with self._lock:
            return tuple(self._runs)

    @property
    def queue(self) -> tuple[ActiveRun, ...]:
        """Those that wait, the next one first."""
        with self._lock:
            return tuple(self._queue)

    def unqueue(self, run: ActiveRun) -> bool:
        """Takes a waiting run out of the queue. Whether it waited there; else it has begun, and can be stopped."""
        with self._lock:
            if run not in self._queue:
                return False
            self._queue.remove(run)
            self._runs.remove(run)
            run.withdraw()
        return True

    def forget(self, run: ActiveRun) -> None:
        """Keeps an ended run no longer, and with it model, optimizer and corpus; its folder stays."""
        with self._lock:
            self._runs = [other for other in self._runs if other is not run or other.state not in ENDED]

    def preflight(self, recipe: Recipe) -> Preflight:
        """The figures of a recipe before it is trained; may be called from any thread, and disturbs no run.

        Raises:
            BadInput: Something in the recipe cannot be used, or would not fit into memory; the problem names the field.
            LabError: A plugin's code raised.
        """
        return self._estimator.preflight(recipe, self.plugins)

    def saved(self) -> tuple[list[SavedRun], list[Problem]]:
        """The runs in the lab's folder that are none of `runs`, newest first, and what is wrong with those left out."""
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
        """Opens a run on disk; see SavedRun.find.

        Raises:
            BadInput: There is no such run.
            LabError: The run is damaged.
        """
        return SavedRun.find(run, self.plugins)

    def close(self) -> None:
        """Stops every run, saves them, and waits for the end; those that waited in the queue are never begun."""
        with self._lock:
            for run in self._queue:
                run.withdraw()
            self._queue.clear()
            runs = tuple(self._runs)
        for run in runs:
            if run.state not in (*ENDED, "queued"):
                run.control.stop()
        for run in runs:
            run.join()

    def _start_next(self) -> None:
        with self._lock:
            if self._queue and not self._busy():
                self._queue.pop(0).start()

    def _busy(self) -> bool:
        return any(run.state not in (*ENDED, "queued") for run in self._runs)
