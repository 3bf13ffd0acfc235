"""The run writer: a thread of its own that brings what a training tells into its run folder, and never loses a row."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from typing import Any

from lab.api import Reading
from lab.base import LabError, Problem
from lab.base.notices import notify
from lab.base.problems import problem_of
from lab.runs import MetricWriter, RunFolder, write_readings
from lab.training.telemetry import Ring

INTERVAL = 0.5
"""Seconds between two writings: at most so much is missing after a killed process."""


MOST_ROWS = 1 << 20
"""Rows that may wait for a disk, some 150 MB of them. Beyond that the training waits too, unless it is to stop."""

ROWS_AT_ONCE = 1 << 16
"""Rows of one writing."""


class Recorder:
    """Writes metrics, events, samples and readings of one run. What cannot be written is kept and tried again.

    Nothing is ever dropped: when MOST_ROWS wait for a full disk, no more are taken out of the ring, so it fills up and
    holds the training back until there is room again. A training that was told to stop is not held back.

    Args:
        folder: The run.
        ring: Where the numbers come from.

    Attributes:
        problem: Why the last writing failed; None while all is well.
    """

    def __init__(self, folder: RunFolder, ring: Ring) -> None:
        self.problem: Problem | None = None
        self._folder, self._ring = folder, ring
        self._reader = ring.reader(keeps=True)
        self._waiting: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._unwritten: list[Callable[[], None]] = []
        self._rows: list[tuple[int, int, float]] = []  # (step, series number, value) not yet in the file
        self._last: dict[int, int] = {}  # last step by series number
        self._known: set[int] = set()  # numbers of the series that are in the file
        self._step = 0
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"lab: writer of {folder.name}", daemon=True)
        self._thread.start()

    def event(self, kind: str, step: int, **details: Any) -> None:
        """Something happened."""
        self._later(lambda: self._folder.append_event({"event": kind, "step": step, **details}))

    def sample(self, step: int, text: str) -> None:
        """The model wrote this."""
        self._later(lambda: self._folder.append_sample({"step": step, "text": text}))

    def readings(self, step: int, readings: Sequence[Reading]) -> None:
        """The model's inside looked like this."""
        self._later(lambda: write_readings(self._folder.path, step, readings))

    def close(self) -> None:
        """Writes what is left and ends the thread. `problem` says whether something could not be written."""
        self._end.set()
        self._ring.full.set()
        self._thread.join()

    def _later(self, write: Callable[[], None]) -> None:
        self._waiting.put(write)

    def _run(self) -> None:
        writer: MetricWriter | None = None
        while True:
            ended = self._end.is_set()
            try:
                self._take()
                writer = writer or MetricWriter(self._folder.metrics_file)
                self._write(writer)
                self.problem = None
            except LabError as error:
                self._tell(error.problem)
            except BaseException as error:  # noqa: BLE001 - the thread must live on, or the training would wait for ever
                self._tell(Problem(f"the run writer failed: {error!r}", field="run"))
            if ended:
                break
            self._ring.full.wait(INTERVAL)
            self._ring.full.clear()
        self._reader.close()
        if writer is not None:
            writer.close()

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

    def _write(self, writer: MetricWriter) -> None:
        while self._rows:
            rows, names = self._rows[:ROWS_AT_ONCE], self._ring.names
            for number in {number for _, number, _ in rows} - self._known:
                writer.add_series(names[number], self._ring.unit(number))
                self._known.add(number)
            writer.append((step, names[number], value) for step, number, value in rows)
            step = max(step for step, _, _ in rows)
            del self._rows[: len(rows)]
            if step != self._step:
                self._folder.update(step=step)
                self._step = step
        while self._unwritten:
            try:
                self._unwritten[0]()
            except LabError:
                raise
            except Exception as error:  # noqa: BLE001 - what can never be written must not hold up the rest
                notify("warning", problem_of(error, doing="Recording"))
            self._unwritten.pop(0)

    def _tell(self, problem: Problem) -> None:
        if self.problem is None:
            notify("warning", problem)
            self.event("problem", self._step, **problem.as_dict())
        self.problem = problem
