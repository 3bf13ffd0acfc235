"""The ring between a training thread and its readers: rows (step, series, value), one writer, no lock."""

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
    """Rows that a reader took: arrays of equal length, oldest first, and the number of rows it missed."""

    steps: np.ndarray
    series: np.ndarray
    values: np.ndarray
    missed: int = 0

    def __len__(self) -> int:
        return len(self.steps)


class Ring:
    """A preallocated ring of rows. The writer never locks; a reader that falls behind gets the number of missed rows.

    Args:
        capacity: The number of rows.
    """

    def __init__(self, capacity: int = 1 << 16) -> None:
        self.capacity = capacity
        self._steps = np.zeros(capacity, np.int64)
        self._series = np.zeros(capacity, np.int32)
        self._values = np.zeros(capacity, np.float64)
        self._written = 0
        self._claimed = 0  # rows whose writing has started: the rows they overwrite may be torn
        self._numbers: dict[str, int] = {}
        self._units: list[str] = []
        self._blocking: list[Reader] = []
        self.full = threading.Event()  # wakes a blocking reader
        self.stopping = threading.Event()  # set when the training is to stop: a blocking reader then takes all rows

    def number(self, name: str, unit: str = "") -> int:
        """Return the number of a series, assigned on first use. Only the writer calls this."""
        found = self._numbers.get(name)
        if found is None:
            self._units.append(unit)
            found = len(self._numbers)
            self._numbers = {**self._numbers, name: found}  # readers hold the old dict or the new one
        return found

    @property
    def names(self) -> list[str]:
        """The names of the series by number."""
        return list(self._numbers)

    def unit(self, number: int) -> str:
        """Return the unit of a series."""
        return self._units[number]

    def write(self, step: int, numbers: Sequence[int], values: Sequence[float]) -> None:
        """Write one row per series. Waits only while a blocking reader has no room left."""
        count = len(numbers)
        while any(self._written + count - reader.read > self.capacity for reader in tuple(self._blocking)):
            self.full.set()
            time.sleep(0.001)
        self._claimed = self._written + count
        start = self._written % self.capacity
        if start + count <= self.capacity:
            self._steps[start : start + count] = step
            self._series[start : start + count] = numbers
            self._values[start : start + count] = values
        else:
            rows = np.arange(start, start + count) % self.capacity
            self._steps[rows], self._series[rows], self._values[rows] = step, numbers, values
        self._written = self._claimed  # after the rows: a reader never sees an unwritten one

    def reader(self, *, blocking: bool = False) -> Reader:
        """Return a reader from here on; a `blocking` one misses no rows, and the writer waits for it."""
        reader = Reader(self, self._written)
        if blocking:
            self._blocking.append(reader)
        return reader


class Reader:
    """The position of one reader in a ring."""

    def __init__(self, ring: Ring, read: int) -> None:
        self._ring = ring
        self.read = read

    def take(self) -> Rows:
        """Return the rows since the last call that are still in the ring."""
        ring, until = self._ring, self._ring._written
        first = max(self.read, until - ring.capacity)
        rows = np.arange(first, until) % ring.capacity
        steps, series, values = ring._steps[rows], ring._series[rows], ring._values[rows]
        overwritten = min(max(0, ring._claimed - ring.capacity - first), until - first)  # while we copied
        missed = first - self.read + overwritten
        self.read = until
        return Rows(steps[overwritten:], series[overwritten:], values[overwritten:], missed)

    def close(self) -> None:
        """Make the writer stop waiting for this reader."""
        if self in self._ring._blocking:
            self._ring._blocking.remove(self)


class Rate:
    """Tokens per second: the median over the steps of the last ten seconds of training time."""

    def __init__(self) -> None:
        self._steps: deque[tuple[float, float]] = deque()  # (seconds, tokens) of each step, newest last
        self._seconds = 0.0  # sum over these steps

    def add(self, seconds: float, tokens: int) -> None:
        """Add one step with its duration in seconds and the tokens it read."""
        self._steps.append((seconds, tokens))
        self._seconds += seconds
        while self._seconds - self._steps[0][0] >= WINDOW:
            self._seconds -= self._steps.popleft()[0]

    def tokens_per_second(self) -> float | None:
        """Return the median; None before the first step."""
        rates = [tokens / seconds if seconds > 0 else 0.0 for seconds, tokens in tuple(self._steps)]
        return float(np.median(rates)) if rates else None
