"""The trainings of a lesson, one after the other, and what is measured of them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from lab.base import BadInput
from lab.base.jobs import Cancelled
from lab.lessons.lesson import Lesson, Run
from lab.lessons.reading import changes_of, recipe_of
from lab.lessons.results import Outcome, cache
from lab.workbench.access.saved import SavedRun
from lab.workbench.lessons.measuring import measure_all
from lab.workbench.runners.thread_run import ActiveRun
from lab.workbench.workbench import Workbench

_MEASURED = 0.1  # the share of the work that measuring is taken for
_TURN = 0.1


@dataclass(frozen=True)
class Progress:
    """How far the trainings of a lesson are.

    Args:
        title: What is trained or measured.
        done: Trainings that have ended.
        total: Trainings in all.
        share: The share of all work that is done, 0 to 1.
        seconds_left: Seconds that are left at the speed so far; None before it is known.
    """

    title: str
    done: int
    total: int
    share: float
    seconds_left: float | None


class LessonTraining:
    """Trains the runs of a lesson, and measures them. `run` blocks; any thread may pause, resume or stop it.

    Args:
        lesson: The lesson.
        bench: The workbench on which they train; a run that trains there already comes first.
        seed: The seed of all runs.
        folder: An empty folder for the runs; None makes them among the runs of the lab.
        started: Called with each run that starts, in the thread of `run`; None forgets each run once it has ended.

    Attributes:
        runs: The trained runs by (name of the run, key of its value).
    """

    def __init__(
        self,
        lesson: Lesson,
        bench: Workbench,
        seed: int = 1,
        folder: Path | None = None,
        started: Callable[[ActiveRun], object] | None = None,
    ) -> None:
        self.lesson, self._bench, self._seed, self._folder, self._started = lesson, bench, seed, folder, started
        self.runs: dict[tuple[str, str], SavedRun] = {}
        self._active: ActiveRun | None = None
        self._stopped = threading.Event()
        self._paused = False

    def run(self, progress: Callable[[Progress], object] = lambda _: None) -> Outcome:
        """Train and measure everything, and keep the outcome on this machine.

        Args:
            progress: Called several times a second.

        Raises:
            BadInput: A recipe cannot be used here, or does not fit into memory; nothing was trained then.
            LabError: A training failed.
            Cancelled: It was stopped.
        """
        self.check()
        started = time.monotonic()
        all_keys = [(run.name, key) for run in self.lesson.runs for key in run.keys]
        for index, (name, key) in enumerate(all_keys):
            out = None if self._folder is None else self._folder / f"{name}-{index}-{self._seed}"
            run = self._active = self._start(self.lesson.run(name), key, out)
            if self._started is not None:
                self._started(run)
            while not run.wait(_TURN):
                if self._stopped.is_set():
                    self._stop(run)
                    raise Cancelled
                progress(self._progress(run, index, len(all_keys), started))
            self._active = None
            if self._stopped.is_set():
                raise Cancelled
            run.wait_out()
            run.join()
            self.runs[name, key] = self._bench.open(run.path)
            if self._started is None:
                self._bench.forget(run)
        outcome = self._measured(started, len(all_keys), progress)
        cache(self.lesson, {self._seed: outcome})
        return outcome

    def _start(self, run: Run, key: str, out: Path | None) -> ActiveRun:
        """Start a training, of a run of the lesson that has been trained already where it begins with one."""
        teacher = [f"distillation.teacher={self.runs[run.teacher, ''].path}"] if run.teacher else []
        if not run.start:
            recipe = recipe_of(self.lesson, run.name, key, self._seed)
            return self._bench.start(recipe.with_assignments(*teacher), out=out)
        base = self.runs[run.start, ""].folder
        changes = [*changes_of(run, key, self._seed), *teacher]
        return self._bench.branch(base.path, base.checkpoint_steps()[-1], changes, out=out, weights_only=True)

    def check(self) -> None:
        """Check that every recipe can be trained here, before the first one is.

        Raises:
            BadInput: One cannot; the problem names the lesson's run.
        """
        for run in self.lesson.runs:
            for key in run.keys:
                try:
                    self._bench.preflight(recipe_of(self.lesson, run.name, key, self._seed))
                except BadInput as error:
                    field = f"{self.lesson.name}, run {run.name}: {error.problem.field or ''}".rstrip(": ")
                    raise BadInput(replace(error.problem, field=field)) from None

    def pause(self) -> None:
        """Pause the training that is under way."""
        self._paused = True
        if self._active is not None:
            self._active.control.pause()

    def resume(self) -> None:
        """Go on."""
        self._paused = False
        if self._active is not None:
            self._active.control.resume()

    @property
    def is_paused(self) -> bool:
        """True while it is paused."""
        return self._paused

    def stop(self) -> None:
        """Stop; what has been trained is discarded with the rest of the lesson's work."""
        self._stopped.set()
        if self._active is not None:
            self._active.control.stop()

    def _stop(self, run: ActiveRun) -> None:
        if not self._bench.unqueue(run):
            run.control.stop()
            run.wait(60)

    def _progress(self, run: ActiveRun, index: int, total: int, started: float) -> Progress:
        if self._paused and run.state == "running":  # paused between two trainings
            run.control.pause()
        done = index + (run.step / run.last_step if run.last_step else 0.0)
        share = (1 - _MEASURED) * done / total
        seconds = time.monotonic() - started
        left = None if share < 0.02 or self._paused else seconds / share * (1 - share)
        return Progress(run.recipe.title or run.recipe.architecture.name, index, total, share, left)

    def _measured(self, started: float, total: int, progress: Callable[[Progress], object]) -> Outcome:
        seconds = time.monotonic() - started

        def advance(share: float) -> None:
            progress(Progress("measuring", total, total, 1 - _MEASURED + _MEASURED * share, None))

        values = measure_all(self.lesson, self.runs, cancelled=self._stopped.is_set, progress=advance)
        if self._stopped.is_set():
            raise Cancelled
        return Outcome(values, seconds)


def estimated_seconds(lesson: Lesson, bench: Workbench) -> float | None:
    """Return how long the trainings of a lesson take at the speed of this machine; None before that is known.

    Models that count are left out: they take seconds.

    Raises:
        BadInput: A recipe cannot be used here.
        LabError: A plugin's code raised.
    """
    total, is_known = 0.0, False
    for run in lesson.runs:
        for key in run.keys:
            figures = bench.preflight(recipe_of(lesson, run.name, key))
            if figures.seconds is not None:
                total += figures.seconds
                is_known = True
            elif figures.flops_per_token is not None:
                return None
    return total if is_known else None
