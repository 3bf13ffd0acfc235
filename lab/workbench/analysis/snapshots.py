"""The recorded snapshots of a run in memory: the readings of each step, those near the current step first."""

from __future__ import annotations

import bisect
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from lab.api import Reading
from lab.base.problems import Problem, problem_of
from lab.base.system import profile
from lab.runs import RunFolder
from lab.runs.readings import reading_sizes
from lab.workbench.access.inspection import Inspection

Kind = tuple[str, tuple[str, ...], int | None, str]
"""The identity of a reading across snapshots: name, axes, layer, path."""
Limits = Mapping[Kind, tuple[float, float]]
"""The smallest and the largest finite value of each kind of reading."""


class Recorded(Protocol):
    """A run with recorded snapshots: one that trains, or one on disk."""

    @property
    def folder(self) -> RunFolder | None:
        """Its folder; None until it is made."""
        ...

    def recorded(self, step: int) -> Inspection:
        """Return the readings recorded at a step."""
        ...


@dataclass(frozen=True)
class Cut:
    """A reduction of the planned snapshots by the budget of a run.

    Args:
        planned: Number of snapshots that the recipe requests.
        stored: Number of snapshots that fit into the budget.
        size: Bytes of the largest snapshot.
    """

    planned: int
    stored: int
    size: int


class Timeline:
    """All snapshots of one run.

    Only one thread at a time may call `find` and `read`; the other methods return at once in any thread. If not all
    snapshots fit into memory, those near the step `near` stay; every snapshot is still read once, for the limits.

    Args:
        run: The run; replace it when its training has ended and it is opened from disk.
        room: Most bytes of readings that stay in memory; the snapshot at `near` stays whatever its size. None means
            what the profile of this machine allows.

    Attributes:
        near: The current step.
        sizes: Bytes on disk of each recorded step, in order of the steps.
        cut: The reduction by the budget; None if every planned snapshot fits.
        limits: The limits over all snapshots read so far.
    """

    def __init__(self, run: Recorded, room: int | None = None) -> None:
        self.run, self.near = run, 0
        self.sizes: dict[int, int] = {}
        self.cut: Cut | None = None
        self.limits: Limits = {}
        self._room = profile.now().reading_bytes if room is None else room
        self._found: dict[int, Inspection | Problem] = {}
        self._weights: dict[int, int] = {}  # bytes in memory of every snapshot read so far
        self._position = (0, 0)  # bytes read so far of samples and events
        self._lock = threading.Lock()

    def find(self) -> None:
        """Find the recorded snapshots, and the reduction by the budget.

        Raises:
            LabError: The events of the run are damaged.
        """
        folder = self.run.folder
        if folder is None:
            return
        with self._lock:
            sizes = reading_sizes(folder.path)
            for step in [step for step in self._weights if sizes.get(step) != self.sizes.get(step)]:
                self._found.pop(step, None)  # deleted, or written again
                del self._weights[step]
            self.sizes = sizes
            _, events, *position = folder.read_since(*self._position)
            self._position = (position[0], position[1])
            self.cut = next((cut for event in reversed(events) if (cut := _cut_of(event)) is not None), self.cut)

    def at(self, step: int) -> Inspection | Problem | None:
        """Return the snapshot of a step, or the problem of reading it; None if it is not in memory."""
        return self._found.get(step)

    @property
    def is_read(self) -> bool:
        """True if nothing is left to read."""
        return self._next() is None

    def read(self, enough: Callable[[], bool]) -> None:
        """Read the missing snapshots, nearest to `near` first, until all are read or `enough` returns True."""
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
        """Return the step to read next: the nearest wanted one that is missing, else one that was never read."""
        sizes = self.sizes
        missing = (step for step in self._wanted() if step not in self._found)
        return next(missing, next((step for step in sizes if step not in self._weights), None))

    def _wanted(self) -> list[int]:
        """Return the steps that fit into memory, nearest first; at least one."""
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
    """Return the identity of a reading across snapshots."""
    return reading.name, tuple(reading.axes), reading.layer, reading.path


def kinds_of(reading: Reading) -> list[Kind]:
    """Return the kinds of a reading that have their own limits: one for each quantity, or one for the whole reading."""
    kind = kind_of(reading)
    if "quantity" not in reading.axes:
        return [kind]
    count = np.shape(reading.values)[reading.axes.index("quantity")]
    return [(*kind[:3], f"{reading.path}#{number}") for number in range(count)]


def limits_of(readings: Iterable[Reading]) -> Limits:
    """Return the limits of readings; those without a finite value have none."""
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
    """Return the limits that include both."""
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
