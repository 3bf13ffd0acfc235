"""The ring between a training thread and those who watch it: rows (step, series, value), one writer, no lock."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

WINDOW = 10.0
"""Seconds of training over which speed is measured."""


@dataclass(frozen=True)
class Rows:
    """What a reader got: arrays of equal length, oldest first, and how many rows it came too late for."""

    steps: np.ndarray
    series: np.ndarray
    values: np.ndarray
    missed: int = 0

    def __len__(self) -> int:
        return len(self.steps)


class Ring:
    """A preallocated ring of rows. The writer never locks; a reader that falls behind misses rows and is told how many.

    Args:
        capacity: Rows it holds.
    """

    def __init__(self, capacity: int = 1 << 16) -> None:
        self.capacity = capacity
        self._steps = np.zeros(capacity, np.int64)
        self._series = np.zeros(capacity, np.int32)
        self._values = np.zeros(capacity, np.float64)
        self._written = 0
        self._begun = 0  # rows whose writing has begun: what they take the place of may be torn
        self._numbers: dict[str, int] = {}
        self._units: list[str] = []
        self._keepers: list[Reader] = []
        self.full = threading.Event()  # tells a keeper to come at once
        self.stopping = threading.Event()  # tells a keeper to take all there is; the trainer's order to stop

    def number(self, name: str, unit: str = "") -> int:
        """The number of a series, given out at its first mention. Only the writer calls this."""
        found = self._numbers.get(name)
        if found is None:
            self._units.append(unit)
            found = len(self._numbers)
            self._numbers = {**self._numbers, name: found}  # readers hold the old dict or the new one
        return found

    @property
    def names(self) -> list[str]:
        """Names of the series by number."""
        return list(self._numbers)

    def unit(self, number: int) -> str:
        """Unit of a series."""
        return self._units[number]

    def write(self, step: int, numbers: Sequence[int], values: Sequence[float]) -> None:
        """Writes one row per series. Waits only while a reader that must miss nothing has no room left."""
        count = len(numbers)
        while any(self._written + count - keeper.read > self.capacity for keeper in tuple(self._keepers)):
            self.full.set()
            time.sleep(0.001)
        self._begun = self._written + count
        at = self._written % self.capacity
        if at + count <= self.capacity:
            self._steps[at : at + count] = step
            self._series[at : at + count] = numbers
            self._values[at : at + count] = values
        else:
            places = np.arange(at, at + count) % self.capacity
            self._steps[places], self._series[places], self._values[places] = step, numbers, values
        self._written = self._begun  # after the rows: a reader never sees one that is not there yet

    def reader(self, *, keeps: bool = False) -> Reader:
        """A reader from here on; one that `keeps` misses nothing, and the writer waits for it."""
        reader = Reader(self, self._written)
        if keeps:
            self._keepers.append(reader)
        return reader


class Reader:
    """One reader's place in a ring."""

    def __init__(self, ring: Ring, read: int) -> None:
        self._ring = ring
        self.read = read

    def take(self) -> Rows:
        """The rows since the last call that are still there."""
        ring, until = self._ring, self._ring._written
        first = max(self.read, until - ring.capacity)
        places = np.arange(first, until) % ring.capacity
        steps, series, values = ring._steps[places], ring._series[places], ring._values[places]
        overwritten = min(max(0, ring._begun - ring.capacity - first), until - first)  # while we copied
        missed = first - self.read + overwritten
        self.read = until
        return Rows(steps[overwritten:], series[overwritten:], values[overwritten:], missed)

    def close(self) -> None:
        """The writer waits for this reader no more."""
        if self in self._ring._keepers:
            self._ring._keepers.remove(self)


class Rate:
    """Tokens per second: the median over the steps of the last ten seconds of training time."""

    def __init__(self) -> None:
        self._steps: deque[tuple[float, float]] = deque()  # (seconds, tokens) of each step, newest last
        self._seconds = 0.0  # of all of them together

    def add(self, seconds: float, tokens: int) -> None:
        """One step took so long and read so many tokens."""
        self._steps.append((seconds, tokens))
        self._seconds += seconds
        while self._seconds - self._steps[0][0] >= WINDOW:
            self._seconds -= self._steps.popleft()[0]

    def tokens_per_second(self) -> float | None:
        """None before the first step."""
        rates = [tokens / seconds if seconds > 0 else 0.0 for seconds, tokens in tuple(self._steps)]
        return float(np.median(rates)) if rates else None
