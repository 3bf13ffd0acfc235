"""The run writer: a thread of its own that brings what a training tells into its run folder, and never loses a row."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from lab.api import Reading
from lab.base import LabError, Problem
from lab.base.notices import notify
from lab.base.problems import problem_of
from lab.recipes import Training
from lab.runs import MetricWriter, RunFolder, write_readings
from lab.training.recording.checkpoints import Kept, save_checkpoint
from lab.training.recording.telemetry import Ring

INTERVAL = 0.5
"""Seconds between two writings: at most so much is missing after a killed process."""


MOST_ROWS = 1 << 20
"""Rows that may wait for a disk, some 150 MB of them. Beyond that the training waits too, unless it is to stop."""

CHECKPOINTS_WAITING = 2
"""Checkpoints that may wait for a disk, each a copy of model and optimizer."""

ROWS_AT_ONCE = 1 << 16
"""Rows of one writing."""


class Recorder:
    """Writes metrics, events, samples and readings of one run. What cannot be written is kept and tried again.

    Nothing is ever dropped: when MOST_ROWS wait for a full disk, no more are taken out of the ring, so it fills up and
    holds the training back until there is room again. A training that was told to stop is not held back.

    Args:
        folder: The run.
        ring: Where the numbers come from.
        training: The recipe's, which says which checkpoints are kept.

    Attributes:
        problem: Why the last writing failed; None while all is well.
        not_kept: Why the last checkpoint could not be made, or not whole; None while all is well.
    """

    def __init__(self, folder: RunFolder, ring: Ring, training: Training) -> None:
        self.problem: Problem | None = None
        self.not_kept: Problem | None = None
        self._told = ""  # the reason why, without the step
        self._folder, self._ring, self._training = folder, ring, training
        self._checkpoints: queue.SimpleQueue[Kept] = queue.SimpleQueue()
        self._room = threading.BoundedSemaphore(CHECKPOINTS_WAITING)
        self._reader = ring.reader(keeps=True)
        self._waiting: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._unwritten: list[Callable[[], None]] = []
        self._rows: list[tuple[int, int, float]] = []  # (step, series number, value) not yet in the file
        self._last: dict[int, int] = {}  # last step by series number
        self._known: set[int] = set()  # numbers of the series that are in the file
        self._ends: dict[str, int] = {}  # last step by name of the series that were in the file at first
        self._writer: MetricWriter | None = None
        self._step = 0
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"lab: writer of {folder.name}", daemon=True)

    def begin(self) -> None:
        """Begins to write; what was told before is not lost."""
        self._thread.start()

    def event(self, kind: str, step: int, **details: Any) -> None:
        """Something happened."""
        self._later(lambda: self._folder.append_event({"event": kind, "step": step, **details}))

    def sample(self, step: int, text: str) -> None:
        """The model wrote this."""
        self._later(lambda: self._folder.append_sample({"step": step, "text": text}))

    def readings(self, step: int, readings: Sequence[Reading], sample: str | None = None) -> None:
        """The model's inside looked like this, and it wrote this."""
        self._later(lambda: write_readings(self._folder.path, step, readings, sample))

    def keep(self, kept: Kept) -> None:
        """Makes a checkpoint of this once all that was told before is in the folder.

        The training waits while as many of them wait as there is memory for, unless the disk takes nothing at all.
        """
        while not self._room.acquire(timeout=0.1):
            if self.problem is not None:
                self.unkept(kept.step, replace(self.problem, what=f"no checkpoint was made: {self.problem.what}"))
                return
        self._checkpoints.put(kept)
        self._ring.full.set()  # comes at once: what is not there yet may be lost

    def unkept(self, step: int, problem: Problem) -> None:
        """Something of a checkpoint cannot be kept; told once for each reason."""
        told, self._told = self._told, problem.what.replace(str(step), "")  # a new step is no new reason
        if self.not_kept is None or told != self._told:
            notify("warning", problem)
            self.event("problem", step, **problem.as_dict())
        self.not_kept = problem

    def close(self) -> None:
        """Writes what is left and ends the thread. `problem` says whether something could not be written."""
        self._end.set()
        self._ring.full.set()
        if self._thread.ident is not None:
            self._thread.join()
        self._reader.close()

    def _later(self, write: Callable[[], None]) -> None:
        self._waiting.put(write)

    def _run(self) -> None:
        while True:
            ended = self._end.is_set()
            checkpoints = self._taken_checkpoints()  # first: what was told before each of them is taken behind it
            problems = [self._problem_of(write) for write in (self._take, self._write_rows, self._write_rest)]
            if checkpoints and self._writer is not None:
                problems.append(self._problem_of(self._writer.sync))
            self._tell(next((problem for problem in problems if problem is not None), None))
            for kept in checkpoints:
                self._make_checkpoint(kept)
            if ended and self._checkpoints.empty():
                break
            self._ring.full.wait(0 if ended else INTERVAL)
            self._ring.full.clear()
        if self._writer is not None:
            self._writer.close()

    def _problem_of(self, write: Callable[[], None]) -> Problem | None:
        """Why something could not be written. The thread lives on, or the training would wait for ever."""
        try:
            write()
        except LabError as error:
            return error.problem
        except BaseException as error:  # noqa: BLE001
            return Problem(f"the run writer failed: {error!r}", field="run")
        return None

    def _opened(self) -> MetricWriter:
        """The metrics; a point that stands there already, of before the run was taken up, is not written again."""
        if self._writer is None:
            self._writer = MetricWriter(self._folder.metrics_file)
            self._ends = self._writer.last_steps()
        return self._writer

    def _taken_checkpoints(self) -> list[Kept]:
        taken = []
        while not self._checkpoints.empty():
            taken.append(self._checkpoints.get())
        return taken

    def _make_checkpoint(self, kept: Kept) -> None:
        """Makes it, or tells why not: it is not tried again, since a later one holds more."""
        facts = {**kept.facts, "reason": kept.reason}
        try:
            place = self._folder.checkpoint_folder(kept.step)
            save_checkpoint(place, model=kept.model, training=kept.training or {}, facts=facts)
            self._folder.prune_checkpoints(last=self._training.keep_last, best=self._training.keep_best)
        except LabError as error:
            self.unkept(kept.step, error.problem)
        except Exception as error:  # noqa: BLE001 - tensors of a plugin that no file can hold
            self.unkept(kept.step, problem_of(error, doing="Making a checkpoint"))
        else:
            self.not_kept = self.not_kept if kept.training is None else None
        finally:
            self._room.release()

    def _take(self) -> None:
        """Takes what is new, so that the training does not wait for a disk. A series has one value per step."""
        if len(self._rows) < MOST_ROWS or self._ring.stopping.is_set() or self._end.is_set():
            rows = self._reader.take()
            for row in zip(rows.steps.tolist(), rows.series.tolist(), rows.values.tolist(), strict=True):
                step, number, _ = row
                if step > self._last.get(number, -1):
                    self._last[number] = step
                    self._rows.append(row)
        while not self._waiting.empty():
            self._unwritten.append(self._waiting.get())

    def _write_rows(self) -> None:
        writer = self._opened()
        while self._rows:
            rows, names = self._rows[:ROWS_AT_ONCE], self._ring.names
            for number in {number for _, number, _ in rows} - self._known:
                writer.add_series(names[number], self._ring.unit(number))
                self._known.add(number)
            ends = self._ends
            writer.append((s, names[n], value) for s, n, value in rows if s > ends.get(names[n], -1))
            step = max(step for step, _, _ in rows)
            del self._rows[: len(rows)]
            if step != self._step:
                self._folder.update(step=step)
                self._step = step

    def _write_rest(self) -> None:
        while self._unwritten:
            try:
                self._unwritten[0]()
            except LabError:
                raise
            except Exception as error:  # noqa: BLE001 - what can never be written must not hold up the rest
                notify("warning", problem_of(error, doing="Recording"))
            self._unwritten.pop(0)

    def _tell(self, problem: Problem | None) -> None:
        if problem is not None and self.problem is None:
            notify("warning", problem)
            self.event("problem", self._step, **problem.as_dict())
        self.problem = problem
