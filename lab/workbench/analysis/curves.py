"""The series of one run as growing arrays, for charts: fed from the ring or filled from the file, and smoothed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lab.base.notices import notify
from lab.base.problems import LabError
from lab.runs import MetricReader, SeriesInfo
from lab.runs.metrics.clocks import Unit, interpolate

if TYPE_CHECKING:
    from lab.training.recording.telemetry import Rows

Values: TypeAlias = NDArray[np.float64]

NOTHING: Values = np.empty(0)
"""What a series that is not there has."""
AT_ONCE = 1 << 16
"""Up to so many points, half a megabyte, a series is read when its run is opened; a longer one once it is looked at."""
BLOCK = 64
"""Values that are smoothed by one product of matrices."""
PART = BLOCK * BLOCK
"""Values of a long series that are worked on at once: few enough to take little memory beside the series, and one
product of matrices so small that numpy does not spread it over threads, which would wait for a busy processor."""
WINDOW_STEPS, WINDOW_SECONDS = 20, 1.0
"""One value of the speed is taken over so many steps, or over so much training time where that is fewer steps."""


class Growing:
    """A float64 array that grows at its end in amortised constant time; a view that was given out never changes.

    While nothing is appended the view is one and the same object, so that who has drawn it need not look again.

    Args:
        values: Its first values; not copied.
    """

    def __init__(self, values: Values) -> None:
        self._buffer, self._count = values, len(values)
        self._view: Values | None = None

    def __len__(self) -> int:
        return self._count

    def append(self, values: Values) -> None:
        """Adds (N,) values."""
        if not len(values):
            return
        needed = self._count + len(values)
        if needed > len(self._buffer):
            larger = np.empty(max(needed, 2 * len(self._buffer), BLOCK))
            larger[: self._count] = self._buffer[: self._count]
            self._buffer = larger
        self._buffer[self._count : needed] = values
        self._count, self._view = needed, None

    def view(self) -> Values:
        """(N,) values, read-only."""
        if self._view is None:
            self._view = read_only(self._buffer[: self._count])
        return self._view


def read_only(values: Values) -> Values:
    """The same array, which nobody writes from now on."""
    values.flags.writeable = False
    return values


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
        # From so many numbers on, 1 − shareⁿ is 1 in float64.
        self._matter = 1 + math.ceil(math.log(2**-54) / math.log(share)) if share else 1

    def go_on(self, values: Values) -> None:
        """Takes in the values after those it has."""
        for begin in range(len(self.means), len(values), PART):
            self._take(values[begin : begin + PART])

    def _take(self, new: Values) -> None:
        finite = np.isfinite(new)
        whole = bool(finite.all())
        numbers = (1 - self.share) * (new if whole else new[finite])
        if len(numbers):
            numbers[0] += self.share * self._last
        means = np.concatenate([[self._last], decayed(numbers, self.share)])
        last = float(means[-1])
        young = means[: max(0, self._matter - self._numbers)]  # behind them a divisor is 1
        with np.errstate(invalid="ignore"):  # 0 / 0: before the first number
            young /= 1 - self.share ** np.arange(self._numbers, self._numbers + len(young), dtype=float)
        self.means.append(means[1:] if whole else means[np.cumsum(finite)])
        self._last, self._numbers = last, self._numbers + len(numbers)


def decayed(x: Values, share: float) -> Values:
    """(N,) y with y_t = share·y_{t−1} + x_t: blocks by one product, what they hand on by the same rule again."""
    N = len(x)
    powers, falling = _weights(share)
    if N <= BLOCK:
        return falling[:N, :N] @ x
    blocks = np.zeros((-(-N // BLOCK), BLOCK))
    blocks.reshape(-1)[:N] = x
    y = blocks @ falling.T
    handed_on = decayed(y[:-1, -1], float(powers[BLOCK]))
    y[1:] += handed_on[:, None] * powers[1:]
    return y.reshape(-1)[:N]


@lru_cache(maxsize=8)
def _weights(share: float) -> tuple[Values, Values]:
    """(BLOCK + 1,) powers of a share, and (BLOCK, BLOCK) what is left of each value at each place behind it."""
    powers = share ** np.arange(BLOCK + 1, dtype=float)
    lags = np.subtract.outer(np.arange(BLOCK), np.arange(BLOCK))
    return powers, np.where(lags >= 0, powers[np.maximum(lags, 0)], 0.0)


class Windows:
    """The stretches of a training over which its speed is taken; they are found from where the last search stopped.

    A window ends after 20 steps or after a second, whichever is first.
    """

    def __init__(self) -> None:
        self._ends: list[int] = []  # places among the steps told; −1 is the beginning, before the first step

    def ends(self, steps: Values, seconds: Values) -> NDArray[np.int64]:
        """(N + 1,) where N windows begin and end. What is left over belongs to the last one, or is one if it is alone.

        Args:
            steps: Those told, at least one.
            seconds: Training time at each.
        """
        if not self._ends:
            self._ends = [-1 if steps[0] == 1 else 0]
        start = self._ends[-1]
        rest = seconds[start:] if start >= 0 else np.concatenate([[0.0], seconds])
        place, last = 0, len(rest)
        while place < last:
            begin, following = place, _following(rest[place : place + PART + WINDOW_STEPS])
            behind = begin + len(following)
            while place < behind:
                place = begin + following[place - begin]
                if place < last:
                    self._ends.append(start + place)
        newest = len(seconds) - 1
        whole = self._ends[:-1] if len(self._ends) > 1 else self._ends
        return np.array([*whole, newest] if self._ends[-1] < newest else self._ends)


def _following(seconds: Values) -> list[int]:
    """Where the windows end that begin at each of the first times, for which the others are at hand."""
    here = np.arange(min(PART, len(seconds)))
    ends = here + WINDOW_STEPS
    until = seconds[: len(here)] + WINDOW_SECONDS
    lasts = seconds[np.minimum(ends, len(seconds)) - 1]
    late = np.flatnonzero(~(lasts < until))  # where a second is over first, as a rule nowhere or everywhere
    ends[late] = np.clip(np.searchsorted(seconds, until[late]), here[late] + 1, ends[late])
    found: list[int] = ends.tolist()
    return found


class Curves:
    """The series of one run. For one thread at a time.

    Args:
        flops_per_token: What a token takes in training; None where that is not known.

    Attributes:
        flops_per_token: The same.
        revision: Grows with every change.
    """

    def __init__(self, flops_per_token: float | None = None) -> None:
        self.flops_per_token = flops_per_token
        self.revision = 0
        self._series: dict[str, tuple[Growing, Growing]] = {}  # steps, values; of an unread one what came since
        self._unread: dict[str, SeriesInfo] = {}  # what stands in the file and was not looked at yet
        self._reader: MetricReader | None = None
        self._read_steps = NOTHING  # of the series that was read last: most series have the same
        self._means: dict[str, Mean] = {}
        self._places: dict[tuple[str, Unit], tuple[Values, Values, Values]] = {}  # steps and told, and what they make
        self._windows = Windows()
        self._speed: tuple[Unit, Values, Values, Values, Values] | None = None  # of what it is made, and what it is

    def feed(self, rows: Rows, names: Sequence[str]) -> None:
        """Appends what a reader of a ring took; steps that do not follow the last one of their series are dropped.

        Args:
            rows: The rows.
            names: Names of the ring's series, by number.
        """
        ends = self.ends()
        for number in np.unique(rows.series).tolist():
            here = rows.series == number
            steps, values = rows.steps[here].astype(np.float64), rows.values[here]
            known, held = self._series.setdefault(names[number], (Growing(NOTHING), Growing(NOTHING)))
            last = ends.get(names[number], -np.inf)
            before = np.maximum.accumulate(np.concatenate([[last], steps]))[:-1]
            follows = steps > before
            known.append(steps[follows])
            held.append(values[follows])
            self.revision += bool(follows.any())

    def fill(self, reader: MetricReader) -> None:
        """Replaces all series by what stands in a run's file; long ones are read when they are looked at.

        Args:
            reader: Of the file.

        Raises:
            LabError: The file is missing, damaged or newer than this lab.
        """
        stored = reader.series()
        self._reader, self._read_steps = reader, NOTHING
        short = {name: self._growing(name) for name, info in stored.items() if info.count <= AT_ONCE}
        self._series = {name: short.get(name) or (Growing(NOTHING), Growing(NOTHING)) for name in stored}
        self._unread = {name: info for name, info in stored.items() if name not in short}
        self._means, self._places = {}, {}
        self._windows, self._speed = Windows(), None
        self.revision += 1

    def _growing(self, name: str, last: int | None = None) -> tuple[Growing, Growing]:
        """Steps and values of a series as they stand in the file, up to a step."""
        assert self._reader is not None
        steps, values = self._reader.read(name, last=last)
        if not np.array_equal(steps, self._read_steps):
            self._read_steps = steps.astype(np.float64)
        return Growing(self._read_steps), Growing(values)

    def _held(self, name: str) -> tuple[Growing, Growing] | None:
        """A series, read now where it was not; None where there is none."""
        info = self._unread.pop(name, None)
        if info is not None:
            since = self._series[name]
            try:
                read = self._growing(name, info.last_step)
            except LabError as error:  # the file was deleted since it was opened; what came since is still there
                notify("warning", error.problem)
            else:
                for old, new in zip(read, since, strict=True):
                    old.append(new.view())
                self._series[name] = read
        return self._series.get(name)

    def ends(self) -> dict[str, int]:
        """The last step of each series that has a point; reads no series, and may be asked for from any thread."""
        ends = {name: int(steps.view()[-1]) for name, (steps, _) in list(self._series.items()) if len(steps)}
        unread = {name: info.last_step for name, info in list(self._unread.items()) if info.last_step is not None}
        return {**unread, **ends}

    def names(self) -> list[str]:
        """The series that there are, in the order in which they came."""
        return list(self._series)

    def steps(self, name: str) -> Values:
        """(N,) steps of a series, a view; empty where there is no such series."""
        held = self._held(name)
        return NOTHING if held is None else held[0].view()

    def values(self, name: str) -> Values:
        """(N,) values of a series, a view, the same object while none came; empty where there is no such series."""
        held = self._held(name)
        return NOTHING if held is None else held[1].view()

    def x(self, name: str, by: Unit) -> Values:
        """Return the (N,) positions of a series along an axis (`lab.runs.metrics.clocks`); NaN where it is unknown."""
        steps = self.steps(name)
        if by == "steps":
            return steps
        told = self.values("seconds" if by == "seconds" else "tokens")
        made = self._places.get((name, by))
        if made is None or made[0] is not steps or made[1] is not told:
            made = self._places[name, by] = (steps, told, read_only(self._placed(steps, told, by)))
        return made[2]

    def _placed(self, steps: Values, told: Values, by: Unit) -> Values:
        if by == "FLOPs":
            return interpolate(steps, self.steps("tokens"), told) * (self.flops_per_token or math.nan)
        return interpolate(steps, self.steps(by), told)

    def speed(self, by: Unit) -> tuple[Values, Values]:
        """(N,) places along an axis, and (N,) tokens per second of training time in the window that ends at each."""
        tokens, seconds = self.values("tokens"), self.values("seconds")
        made = self._speed
        if made is None or made[0] != by or made[1] is not tokens or made[2] is not seconds:
            made = self._speed = (by, tokens, seconds, *self._speed_by(by, tokens, seconds))
        return made[3:]

    def _speed_by(self, by: Unit, tokens: Values, seconds: Values) -> tuple[Values, Values]:
        count = min(len(tokens), len(seconds))
        if not count:
            return NOTHING, NOTHING
        steps = self.steps("tokens")[:count]
        ends = self._windows.ends(steps, seconds[:count])
        read, took = (np.diff(np.where(ends < 0, 0.0, values[ends])) for values in (tokens, seconds))
        rates = np.divide(read, took, out=np.full(len(took), np.nan), where=took > 0)
        return self.x("tokens", by)[ends[1:]], rates

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
