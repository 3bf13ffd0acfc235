"""The recorded moments of a run in memory: those near the one that is looked at are read first, and given at once."""

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
"""Bytes of readings that are kept in memory."""

Kind = tuple[str, tuple[str, ...], int | None, str]
"""What makes readings of two moments the same: name, axes, layer, path."""
Limits = Mapping[Kind, tuple[float, float]]
"""The least and the greatest finite value of each kind of reading."""


class Recorded(Protocol):
    """A run that has recorded moments: one that trains, or one on disk."""

    @property
    def folder(self) -> RunFolder | None:
        """Its folder, once it has one."""
        ...

    def recorded(self, step: int) -> Inspection:
        """The readings that it recorded at a step."""
        ...


@dataclass(frozen=True)
class Cut:
    """What the budget of a run left out.

    Args:
        planned: Moments that its recipe asks for.
        kept: Those that fit.
        size: Bytes of the largest one.
    """

    planned: int
    kept: int
    size: int


class Film:
    """The recorded moments of one run.

    One thread at a time finds and reads; all else is asked from any thread and answers at once. Where the room does
    not hold all moments, those near `near` are kept; every one is read once all the same, for its limits.

    Args:
        run: The run; whoever holds it anew after its training gives the film the new one.
        room: Bytes of readings that are kept; the moment that is looked at is kept however large it is.

    Attributes:
        near: The step that is looked at.
        sizes: Bytes on the disk of each recorded step, in order of the steps.
        cut: What the budget left out; None where it left out nothing.
        limits: Over all moments that were read.
    """

    def __init__(self, run: Recorded, room: int = ROOM) -> None:
        self.run, self.near = run, 0
        self.sizes: dict[int, int] = {}
        self.cut: Cut | None = None
        self.limits: Limits = {}
        self._room = room
        self._found: dict[int, Inspection | Problem] = {}
        self._weights: dict[int, int] = {}  # bytes in memory of every moment that was ever read
        self._told = (0, 0)  # bytes of samples and events that were read
        self._lock = threading.Lock()

    def find(self) -> None:
        """Looks which moments are recorded, and what the budget left out.

        Raises:
            LabError: The events of the run are damaged.
        """
        folder = self.run.folder
        if folder is None:
            return
        with self._lock:
            sizes = reading_sizes(folder.path)
            for step in [step for step in self._weights if sizes.get(step) != self.sizes.get(step)]:
                self._found.pop(step, None)  # gone, or written anew
                del self._weights[step]
            self.sizes = sizes
            _, events, *told = folder.read_since(*self._told)
            self._told = (told[0], told[1])
            self.cut = next((cut for event in reversed(events) if (cut := _cut_of(event)) is not None), self.cut)

    def at(self, step: int) -> Inspection | Problem | None:
        """What was recorded at a step, or why it cannot be read; None as long as it is not in memory."""
        return self._found.get(step)

    @property
    def is_read(self) -> bool:
        """Whether nothing is left to read for the moment that is looked at and those near it."""
        return self._next() is None

    def read(self, enough: Callable[[], bool]) -> None:
        """Reads what is nearest to `near` and not in memory, until all is read or it is enough."""
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
            found = problem_of(error, doing=f"Reading the moment of step {step}")
            self._weights[step] = 0
        self._found[step] = found
        kept = set(self._kept())
        for far in [one for one in self._found if one not in kept]:
            del self._found[far]

    def _next(self) -> int | None:
        """The step to read next: the nearest that should be in memory, else one that was never read."""
        sizes = self.sizes
        missing = (step for step in self._kept() if step not in self._found)
        return next(missing, next((step for step in sizes if step not in self._weights), None))

    def _kept(self) -> list[int]:
        """The steps that there is room for, nearest first: at least one."""
        sizes = self.sizes
        steps, room = list(sizes), self._room
        kept: list[int] = []
        place = bisect.bisect_left(steps, self.near)
        for number in sorted(range(len(steps)), key=lambda number: abs(number - place)):
            step = steps[number]
            room -= self._weights.get(step, sizes[step])
            if room < 0 and kept:
                break
            kept.append(step)
        return kept


def kind_of(reading: Reading) -> Kind:
    """What makes it the same reading at another moment."""
    return reading.name, tuple(reading.axes), reading.layer, reading.path


def kinds_of(reading: Reading) -> list[Kind]:
    """What has limits of its own: each quantity of a reading, as they have nothing in common, else all of it."""
    kind = kind_of(reading)
    if "quantity" not in reading.axes:
        return [kind]
    count = np.shape(reading.values)[reading.axes.index("quantity")]
    return [(*kind[:3], f"{reading.path}#{number}") for number in range(count)]


def limits_of(readings: Iterable[Reading]) -> Limits:
    """The limits of some readings; those without a finite value have none."""
    found = {}
    for reading in readings:
        values = np.asarray(reading.values)
        apart = "quantity" in reading.axes
        parts = np.moveaxis(values, reading.axes.index("quantity"), 0) if apart else values[None]
        for kind, part in zip(kinds_of(reading), parts, strict=True):
            finite = part if values.dtype.kind in "biu" else part[np.isfinite(part)]
            if finite.size:
                found[kind] = (float(finite.min()), float(finite.max()))
    return found


def widened(limits: Limits, others: Limits) -> Limits:
    """Limits that hold both."""
    made = dict(limits)
    for kind, (low, high) in others.items():
        known = made.get(kind, (low, high))
        made[kind] = (min(known[0], low), max(known[1], high))
    return made


def _cut_of(event: Mapping[str, Any]) -> Cut | None:
    told = [event.get(name) for name in ("moments", "kept", "bytes")]
    if event.get("event") != "budget" or not all(type(one) is int for one in told):
        return None
    return Cut(*told)  # type: ignore[arg-type]
