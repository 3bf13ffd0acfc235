"""The series of one run as growing arrays, for charts: fed from the ring or filled from the file, and smoothed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lab.runs import MetricReader

if TYPE_CHECKING:
    from lab.training.telemetry import Rows

Values: TypeAlias = NDArray[np.float64]
Unit: TypeAlias = Literal["steps", "tokens", "seconds"]

BLOCK = 64
"""Values that are smoothed by one product of matrices."""


class Growing:
    """A float64 array that grows at its end in amortised constant time; a view that was given out never changes.

    Args:
        values: Its first values; not copied.
    """

    def __init__(self, values: Values) -> None:
        self._buffer, self._count = values, len(values)

    def __len__(self) -> int:
        return self._count

    def append(self, values: Values) -> None:
        """Adds (N,) values."""
        needed = self._count + len(values)
        if needed > len(self._buffer):
            larger = np.empty(max(needed, 2 * len(self._buffer), BLOCK))
            larger[: self._count] = self._buffer[: self._count]
            self._buffer = larger
        self._buffer[self._count : needed] = values
        self._count = needed

    def view(self) -> Values:
        """(N,) values, read-only."""
        view = self._buffer[: self._count]
        view.flags.writeable = False
        return view


class Mean:
    """A moving average that goes on where it stopped: weights fall by `share` per value, and make 1 in sum.

    m ← share·m + (1 − share)·v, divided by 1 − shareⁿ (Kingma & Ba 2015, section 3). What is no finite number weighs
    nothing: there the average stays, NaN before the first number.

    Args:
        share: 0 ≤ share < 1.
    """

    def __init__(self, share: float) -> None:
        self.share = share
        self.means = Growing(np.empty(0))
        self._last, self._numbers = 0.0, 0  # the sum m before it is divided, and n

    def go_on(self, values: Values) -> None:
        """Takes in the values after those it has."""
        new = values[len(self.means) :]
        finite = np.isfinite(new)
        numbers = (1 - self.share) * new[finite]
        if len(numbers):
            numbers[0] += self.share * self._last
        sums = decayed(numbers, self.share)
        divisors = 1 - self.share ** np.arange(self._numbers, self._numbers + len(sums) + 1, dtype=float)
        with np.errstate(invalid="ignore"):  # 0 / 0: before the first number
            means = np.concatenate([[self._last], sums]) / divisors
        self.means.append(means[np.cumsum(finite)])
        self._last, self._numbers = float(sums[-1]) if len(sums) else self._last, self._numbers + len(sums)


def decayed(x: Values, share: float) -> Values:
    """(N,) y with y_t = share·y_{t−1} + x_t: blocks by one product, what they hand on by the same rule again."""
    N = len(x)
    powers = share ** np.arange(BLOCK + 1, dtype=float)
    lags = np.subtract.outer(np.arange(BLOCK), np.arange(BLOCK))
    falling = np.where(lags >= 0, powers[np.maximum(lags, 0)], 0.0)  # (BLOCK, BLOCK), lower triangle
    if N <= BLOCK:
        return falling[:N, :N] @ x
    blocks = np.zeros((-(-N // BLOCK), BLOCK))
    blocks.reshape(-1)[:N] = x
    y = blocks @ falling.T
    handed_on = decayed(y[:-1, -1], float(powers[BLOCK]))
    y[1:] += handed_on[:, None] * powers[1:]
    return y.reshape(-1)[:N]


class Curves:
    """The series of one run. For one thread at a time.

    Attributes:
        revision: Grows with every change.
    """

    def __init__(self) -> None:
        self.revision = 0
        self._series: dict[str, tuple[Growing, Growing]] = {}  # steps, values
        self._means: dict[str, Mean] = {}

    def feed(self, rows: Rows, names: Sequence[str]) -> None:
        """Appends what a reader of a ring took; steps that do not follow the last one of their series are dropped.

        Args:
            rows: The rows.
            names: Names of the ring's series, by number.
        """
        for number in np.unique(rows.series).tolist():
            here = rows.series == number
            steps, values = rows.steps[here].astype(np.float64), rows.values[here]
            known, held = self._series.setdefault(names[number], (Growing(np.empty(0)), Growing(np.empty(0))))
            last = known.view()[-1] if len(known) else -np.inf
            before = np.maximum.accumulate(np.concatenate([[last], steps]))[:-1]
            follows = steps > before
            known.append(steps[follows])
            held.append(values[follows])
            self.revision += bool(follows.any())

    def fill(self, reader: MetricReader, names: Iterable[str] | None = None) -> None:
        """Replaces series by what stands in a run's file.

        Args:
            reader: Of the file.
            names: The series that are wanted, where the file has them; None means all it has, and no others.

        Raises:
            LabError: The file is missing, damaged or newer than this lab.
        """
        wanted = [name for name in reader.series() if names is None or name in set(names)]
        read = {name: reader.read(name) for name in wanted}
        loaded = {name: (Growing(steps.astype(np.float64)), Growing(values)) for name, (steps, values) in read.items()}
        self._series = loaded if names is None else {**self._series, **loaded}
        self._means = {name: mean for name, mean in self._means.items() if name in self._series and name not in loaded}
        self.revision += 1

    def names(self) -> list[str]:
        """The series that there are, in the order in which they came."""
        return list(self._series)

    def steps(self, name: str) -> Values:
        """(N,) steps of a series, a view; empty where there is no such series."""
        return self._series[name][0].view() if name in self._series else np.empty(0)

    def values(self, name: str) -> Values:
        """(N,) values of a series, a view; empty where there is no such series."""
        return self._series[name][1].view() if name in self._series else np.empty(0)

    def x(self, name: str, by: Unit) -> Values:
        """(N,) places of a series' points along an axis of steps, tokens or seconds.

        Tokens and seconds lie on straight lines between those that were told, and from 0 at step 0 to the first;
        behind the last they stay.
        """
        steps = self.steps(name)
        if by == "steps":
            return steps
        known, told = self.steps(by), self.values(by)
        if np.array_equal(steps, known[: len(steps)]):  # told at the same steps, as the training loss is
            return told[: len(steps)]
        if not len(known) or known[0] > 0:
            known, told = np.concatenate([[0.0], known]), np.concatenate([[0.0], told])
        return np.interp(steps, known, told)

    def smoothed(self, name: str, share: float) -> Values:
        """(N,) debiased moving average of a series, a view; kept, and continued when values come.

        Args:
            name: The series.
            share: What a value keeps of the average before it: 0 ≤ share < 1.

        Raises:
            ValueError: The share is out of bounds.
        """
        if not 0 <= share < 1:
            raise ValueError(f"the share of a moving average is {share}, and must be 0 ≤ share < 1")
        mean = self._means.get(name)
        if mean is None or mean.share != share:
            mean = self._means[name] = Mean(share)
        mean.go_on(self.values(name))
        return mean.means.view()
