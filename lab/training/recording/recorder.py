"""The run writer: a thread that writes the records of a training into its run folder, and never loses a row."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from lab.api import Reading
from lab.base import LabError, Problem
from lab.base.notices import notify
from lab.base.problems import problem_of
from lab.recipes import Training
from lab.runs import MetricWriter, RunFolder, write_readings
from lab.training.recording.checkpoints import CheckpointData, save_checkpoint
from lab.training.recording.telemetry import Ring

INTERVAL = 0.5
"""Seconds between two writes; a killed process loses at most this much."""


MOST_ROWS = 1 << 20
"""Rows that may wait for the disk, about 150 MB. Beyond that the training waits too, unless it is to stop."""

CHECKPOINTS_WAITING = 2
"""Checkpoints that may wait for the disk, each a copy of model and optimizer."""

ROWS_AT_ONCE = 1 << 16
"""Rows per write."""


class Recorder:
    """The writer of metrics, events, samples and readings of one run. Failed writes wait and are tried again.

    Nothing is ever dropped: when MOST_ROWS wait for a full disk, no more rows are taken out of the ring, so it fills up
    and the training waits until there is room again. A training that is to stop does not wait.

    Args:
        folder: The folder of the run.
        ring: The ring of numbers.
        training: The recipe's training, with the number of checkpoints to keep.

    Attributes:
        problem: The problem of the last write; None if it succeeded.
        checkpoint_problem: The problem of the last checkpoint; None if it was made completely.
    """

    def __init__(self, folder: RunFolder, ring: Ring, training: Training) -> None:
        self.problem: Problem | None = None
        self.checkpoint_problem: Problem | None = None
        self._reported = ""  # the problem of the last checkpoint, without the step
        self._folder, self._ring, self._training = folder, ring, training
        self._checkpoints: queue.SimpleQueue[CheckpointData] = queue.SimpleQueue()
        self._room = threading.BoundedSemaphore(CHECKPOINTS_WAITING)
        self._reader = ring.reader(blocking=True)
        self._waiting: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._unwritten: list[Callable[[], None]] = []
        self._rows: list[tuple[int, int, float]] = []  # (step, series number, value) that are not in the file yet
        self._last: dict[int, int] = {}  # last step by series number
        self._known: set[int] = set()  # numbers of the series that are in the file
        self._ends: dict[str, int] = {}  # last step of each series in the file when it was opened
        self._writer: MetricWriter | None = None
        self._step = 0
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"lab: writer of {folder.name}", daemon=True)

    def start(self) -> None:
        """Start writing, including earlier records."""
        self._thread.start()

    def event(self, kind: str, step: int, **details: Any) -> None:
        """Record an event."""
        self._later(lambda: self._folder.append_event({"event": kind, "step": step, **details}))

    def sample(self, step: int, text: str) -> None:
        """Record a text that the model generated."""
        self._later(lambda: self._folder.append_sample({"step": step, "text": text}))

    def readings(self, step: int, readings: Sequence[Reading], sample: str | None = None) -> None:
        """Record readings of the model, and a text that it generated."""
        self._later(lambda: write_readings(self._folder.path, step, readings, sample))

    def histograms(self, step: int, kinds: Mapping[str, Any]) -> None:
        """Record histograms by kind and layer."""
        self._later(lambda: self._folder.append_histograms({"step": step, **kinds}))

    def checkpoint(self, data: CheckpointData) -> None:
        """Write a checkpoint after all earlier records are in the folder.

        The training waits while CHECKPOINTS_WAITING are queued, unless the disk accepts nothing at all.
        """
        while not self._room.acquire(timeout=0.1):
            if self.problem is not None:
                self.checkpoint_failed(
                    data.step, replace(self.problem, what=f"no checkpoint was made: {self.problem.what}")
                )
                return
        self._checkpoints.put(data)
        self._ring.full.set()  # write it at once, as it may be lost before

    def checkpoint_failed(self, step: int, problem: Problem) -> None:
        """Report that a checkpoint could not be saved, or not completely; once for each reason."""
        reported, self._reported = self._reported, problem.what.replace(str(step), "")  # with any step
        if self.checkpoint_problem is None or reported != self._reported:
            notify("warning", problem)
            self.event("problem", step, **problem.as_dict())
        self.checkpoint_problem = problem

    def close(self) -> None:
        """Write the remaining records and end the thread. `problem` is set if something could not be written."""
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
            checkpoints = self._taken_checkpoints()  # taken first, so that all recorded before them is written first
            problems = [self._problem_of(write) for write in (self._take, self._write_rows, self._write_rest)]
            if checkpoints and self._writer is not None:
                problems.append(self._problem_of(self._writer.sync))
            self._report(next((problem for problem in problems if problem is not None), None))
            for data in checkpoints:
                self._make_checkpoint(data)
            if ended and self._checkpoints.empty():
                break
            self._ring.full.wait(0 if ended else INTERVAL)
            self._ring.full.clear()
        if self._writer is not None:
            self._writer.close()

    def _problem_of(self, write: Callable[[], None]) -> Problem | None:
        """Return the problem of a write; the thread must never end early, or the training would wait for ever."""
        try:
            write()
        except LabError as error:
            return error.problem
        except BaseException as error:  # noqa: BLE001
            return Problem(f"the run writer failed: {error!r}", field="run")
        return None

    def _opened(self) -> MetricWriter:
        """Return the metrics writer. Points that the file had before a resume are not written again."""
        if self._writer is None:
            self._writer = MetricWriter(self._folder.metrics_file)
            self._ends = self._writer.last_steps()
        return self._writer

    def _taken_checkpoints(self) -> list[CheckpointData]:
        taken = []
        while not self._checkpoints.empty():
            taken.append(self._checkpoints.get())
        return taken

    def _make_checkpoint(self, data: CheckpointData) -> None:
        """Write a checkpoint, or report why not; it is not tried again, since a later one has newer data."""
        facts = {**data.facts, "reason": data.reason}
        try:
            path = self._folder.checkpoint_folder(data.step)
            save_checkpoint(path, model=data.model, training=data.training or {}, facts=facts, on_base=data.on_base)
            self._folder.prune_checkpoints(last=self._training.keep_last, best=self._training.keep_best)
        except LabError as error:
            self.checkpoint_failed(data.step, error.problem)
        except Exception as error:  # noqa: BLE001 - a plugin's tensors that cannot be stored
            self.checkpoint_failed(data.step, problem_of(error, doing="Making a checkpoint"))
        else:
            self.checkpoint_problem = self.checkpoint_problem if data.training is None else None
        finally:
            self._room.release()

    def _take(self) -> None:
        """Take new rows, so that the training does not wait for the disk. A series has one value per step."""
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
            except Exception as error:  # noqa: BLE001 - an unwritable record must not block the rest
                notify("warning", problem_of(error, doing="Recording"))
            self._unwritten.pop(0)

    def _report(self, problem: Problem | None) -> None:
        if problem is not None and self.problem is None:
            notify("warning", problem)
            self.event("problem", self._step, **problem.as_dict())
        self.problem = problem
