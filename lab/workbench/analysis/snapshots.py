"""The snapshots of a run in memory: the readings recorded at each step, those near the current step first."""

from __future__ import annotations

import bisect
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from lab.api import Reading
from lab.base.problems import Problem, problem_of
from lab.runs import RunFolder
from lab.runs.readings import reading_sizes
from lab.workbench.access.inspection import Inspection

ROOM = 256 * 2**20
"""Bytes of readings that stay in memory."""

Kind = tuple[str, tuple[str, ...], int | None, str]
"""What identifies a reading from snapshot to snapshot: name, axes, layer, path."""
Limits = Mapping[Kind, tuple[float, float]]
"""The least and the greatest finite value of each kind of reading."""


class Recorded(Protocol):
    """A run that has recorded snapshots: one that trains, or one on disk."""

    @property
    def folder(self) -> RunFolder | None:
        """Its folder, once it has one."""
        ...

    def recorded(self, step: int) -> Inspection:
        """Return the readings that it recorded at a step."""
        ...


@dataclass(frozen=True)
class Cut:
    """What the budget of a run left out.

    Args:
        planned: Snapshots that its recipe asks for.
        stored: Those that fit.
        size: Bytes of the largest one.
    """

    planned: int
    stored: int
    size: int


class Timeline:
    """All snapshots of one run.

    One thread at a time calls `find` and `read`; the rest returns at once in any thread. If not all snapshots fit into
    memory, those near the step `near` stay there; each is read once nevertheless, for its limits.

    Args:
        run: The run; replace it when its training has ended and it is opened from disk.
        room: Bytes of readings that stay in memory; the snapshot at `near` stays however large it is.

    Attributes:
        near: The current step.
        sizes: Bytes on the disk of each recorded step, in order of the steps.
        cut: What the budget left out; None if nothing.
        limits: Over all snapshots that were read.
    """

    def __init__(self, run: Recorded, room: int = ROOM) -> None:
        self.run, self.near = run, 0
        self.sizes: dict[int, int] = {}
        self.cut: Cut | None = None
        self.limits: Limits = {}
        self._room = room
        self._found: dict[int, Inspection | Problem] = {}
        self._weights: dict[int, int] = {}  # bytes in memory of every snapshot that was ever read
        self._position = (0, 0)  # bytes of samples and events that were read
        self._lock = threading.Lock()

    def find(self) -> None:
        """Find the recorded snapshots, and what the budget left out.

        Raises:
            LabError: The events of the run are damaged.
        """
        folder = self.run.folder
        if folder is None:
            return
        with self._lock:
            sizes = reading_sizes(folder.path)
            for step in [step for step in self._weights if sizes.get(step) != self.sizes.get(step)]:
                self._found.pop(step, None)  # gone, or written again
                del self._weights[step]
            self.sizes = sizes
            _, events, *position = folder.read_since(*self._position)
            self._position = (position[0], position[1])
            self.cut = next((cut for event in reversed(events) if (cut := _cut_of(event)) is not None), self.cut)

    def at(self, step: int) -> Inspection | Problem | None:
        """Return the snapshot of a step, or why it cannot be read; None if it is not in memory."""
        return self._found.get(step)

    @property
    def is_read(self) -> bool:
        """True if nothing is left to read."""
        return self._next() is None

    def read(self, enough: Callable[[], bool]) -> None:
        """Read what is nearest to `near` and not in memory, until all is read or `enough` returns True."""
        while not enough():
            with self._lock:
                step = self._next()
                if step is None:
                    return
                self._read(step)

    def _read(self, step: int) -> None:
        found: Inspection | Problem
        try:
            found = self.run.recorded(step)
            self.limits = widened(self.limits, limits_of(found.readings))
            self._weights[step] = sum(reading.values.nbytes for reading in found.readings)
        except Exception as error:  # noqa: BLE001 - a stranger's file, or a plugin's tokenizer
            found = problem_of(error, doing=f"Reading the snapshot of step {step}")
            self._weights[step] = 0
        self._found[step] = found
        wanted = set(self._wanted())
        for far in [one for one in self._found if one not in wanted]:
            del self._found[far]

    def _next(self) -> int | None:
        """Return the step to read next: the nearest that should be in memory, else one that was never read."""
        sizes = self.sizes
        missing = (step for step in self._wanted() if step not in self._found)
        return next(missing, next((step for step in sizes if step not in self._weights), None))

    def _wanted(self) -> list[int]:
        """Return the steps that there is room for, nearest first: at least one."""
        sizes = self.sizes
        steps, room = list(sizes), self._room
        wanted: list[int] = []
        index = bisect.bisect_left(steps, self.near)
        for number in sorted(range(len(steps)), key=lambda number: abs(number - index)):
            step = steps[number]
            room -= self._weights.get(step, sizes[step])
            if room < 0 and wanted:
                break
            wanted.append(step)
        return wanted


def kind_of(reading: Reading) -> Kind:
    """Return what identifies a reading in other snapshots."""
    return reading.name, tuple(reading.axes), reading.layer, reading.path


def kinds_of(reading: Reading) -> list[Kind]:
    """Return what has limits of its own: each quantity of a reading, else the reading."""
    kind = kind_of(reading)
    if "quantity" not in reading.axes:
        return [kind]
    count = np.shape(reading.values)[reading.axes.index("quantity")]
    return [(*kind[:3], f"{reading.path}#{number}") for number in range(count)]


def limits_of(readings: Iterable[Reading]) -> Limits:
    """Return the limits of some readings; those without a finite value have none."""
    found = {}
    for reading in readings:
        values = np.asarray(reading.values)
        several = "quantity" in reading.axes
        quantities = np.moveaxis(values, reading.axes.index("quantity"), 0) if several else values[None]
        for kind, quantity in zip(kinds_of(reading), quantities, strict=True):
            finite = quantity if values.dtype.kind in "biu" else quantity[np.isfinite(quantity)]
            if finite.size:
                found[kind] = (float(finite.min()), float(finite.max()))
    return found


def widened(limits: Limits, others: Limits) -> Limits:
    """Return limits that hold both."""
    made = dict(limits)
    for kind, (low, high) in others.items():
        known = made.get(kind, (low, high))
        made[kind] = (min(known[0], low), max(known[1], high))
    return made


def _cut_of(event: Mapping[str, Any]) -> Cut | None:
    numbers = [event.get(name) for name in ("moments", "kept", "bytes")]
    if event.get("event") != "budget" or not all(type(one) is int for one in numbers):
        return None
    return Cut(*numbers)  # type: ignore[arg-type]
