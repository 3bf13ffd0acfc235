"""The series of one run as growing arrays for charts, read from the ring or from the file, and smoothed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lab.base.charts.averages import CHUNK, Growing, Mean, Values, read_only
from lab.base.notices import notify
from lab.base.problems import LabError
from lab.runs import MetricReader, SeriesInfo
from lab.runs.metrics.clocks import ACCELERATOR_POWER, POWER, Unit, energy, interpolate

if TYPE_CHECKING:
    from lab.training.recording.telemetry import Rows

NOTHING: Values = np.empty(0)
"""The values of a series that does not exist."""
AT_ONCE = 1 << 16
"""Most points of a series that is read when its run is opened (half a megabyte); longer ones are read when used."""
WINDOW_STEPS, WINDOW_SECONDS = 20, 1.0
"""A value of the speed is a mean over so many steps, or over so many seconds of training, whichever is shorter."""


BEFORE = 100
"""Steps before an evaluation over whose mean training loss the gap is measured."""


class Windows:
    """The windows of a training over which its speed is measured; each search continues the last one.

    A window ends after 20 steps or after one second, whichever comes first.
    """

    def __init__(self) -> None:
        self._ends: list[int] = []  # indices of steps; −1 means before the first step

    def ends(self, steps: Values, seconds: Values) -> NDArray[np.int64]:
        """Return the (N + 1,) ends of N windows; remaining steps belong to the last one, or form the only one.

        Args:
            steps: The steps; at least one.
            seconds: The training time at each step.
        """
        if not self._ends:
            self._ends = [-1 if steps[0] == 1 else 0]
        start = self._ends[-1]
        rest = seconds[start:] if start >= 0 else np.concatenate([[0.0], seconds])
        index, last = 0, len(rest)
        while index < last:
            first, following = index, _following(rest[index : index + CHUNK + WINDOW_STEPS])
            end = first + len(following)
            while index < end:
                index = first + following[index - first]
                if index < last:
                    self._ends.append(start + index)
        newest = len(seconds) - 1
        complete = self._ends[:-1] if len(self._ends) > 1 else self._ends
        return np.array([*complete, newest] if self._ends[-1] < newest else self._ends)


def _following(seconds: Values) -> list[int]:
    """Return for each of the first CHUNK times the index at which a window ends that starts there."""
    starts = np.arange(min(CHUNK, len(seconds)))
    ends = starts + WINDOW_STEPS
    until = seconds[: len(starts)] + WINDOW_SECONDS
    lasts = seconds[np.minimum(ends, len(seconds)) - 1]
    late = np.flatnonzero(~(lasts < until))  # windows that end after a second; usually none or all
    ends[late] = np.clip(np.searchsorted(seconds, until[late]), starts[late] + 1, ends[late])
    found: list[int] = ends.tolist()
    return found


class Curves:
    """The series of one run, for use by one thread at a time.

    Args:
        flops_per_token: Operations of training per token; None if unknown.

    Attributes:
        flops_per_token: Operations of training per token; None if unknown.
        revision: A number that grows with every change.
    """

    def __init__(self, flops_per_token: float | None = None) -> None:
        self.flops_per_token = flops_per_token
        self.revision = 0
        self._series: dict[str, tuple[Growing, Growing]] = {}  # steps, values; of unread series only those added since
        self._unread: dict[str, SeriesInfo] = {}  # series in the file that were not used yet
        self._reader: MetricReader | None = None
        self._read_steps = NOTHING  # the steps of the last series read; most series share them
        self._means: dict[str, Mean] = {}
        self._coordinates: dict[tuple[str, Unit], tuple[Values, Values, Values]] = {}  # the third is made of the others
        self._windows = Windows()
        self._speed: tuple[Unit, Values, Values, Values, Values] | None = (
            None  # what it was computed from, and the result
        )

    def feed(self, rows: Rows, names: Sequence[str]) -> None:
        """Append rows of a ring; drop steps that do not follow the last one of their series.

        Args:
            rows: The rows.
            names: The names of the ring's series, by number.
        """
        order = np.argsort(rows.series, kind="stable")
        series, steps, values = rows.series[order], rows.steps[order].astype(np.float64), rows.values[order]
        borders = np.flatnonzero(np.diff(series)) + 1
        for first, end in pairwise([0, *borders.tolist(), len(series)]):
            if first == end:
                continue
            name = names[int(series[first])]
            known, held = self._series.setdefault(name, (Growing(NOTHING), Growing(NOTHING)))
            new_steps, new_values = steps[first:end], values[first:end]
            end_before = self._end(name)
            if not (new_steps[0] > end_before and (new_steps[1:] > new_steps[:-1]).all()):
                before = np.maximum.accumulate(np.concatenate([[end_before], new_steps]))[:-1]
                follows = new_steps > before
                new_steps, new_values = new_steps[follows], new_values[follows]
            known.append(new_steps)
            held.append(new_values)
            self.revision += bool(len(new_steps))

    def _end(self, name: str) -> float:
        """Return the last step of a series; −∞ if it has no point."""
        known, info = self._series[name][0], self._unread.get(name)
        if len(known):
            return float(known.view()[-1])
        return -math.inf if info is None or info.last_step is None else float(info.last_step)

    def fill(self, reader: MetricReader) -> None:
        """Replace all series with those in a run's file; long ones are read when they are first used.

        Args:
            reader: The reader of the file.

        Raises:
            LabError: The file is missing, damaged or newer than this lab.
        """
        stored = reader.series()
        self._reader, self._read_steps = reader, NOTHING
        short = {name: self._growing(name) for name, info in stored.items() if info.count <= AT_ONCE}
        self._series = {name: short.get(name) or (Growing(NOTHING), Growing(NOTHING)) for name in stored}
        self._unread = {name: info for name, info in stored.items() if name not in short}
        self._means, self._coordinates = {}, {}
        self._windows, self._speed = Windows(), None
        self.revision += 1

    def _growing(self, name: str, last: int | None = None) -> tuple[Growing, Growing]:
        """Read steps and values of a series from the file, up to a step."""
        assert self._reader is not None
        steps, values = self._reader.read(name, last=last)
        if not np.array_equal(steps, self._read_steps):
            self._read_steps = steps.astype(np.float64)
        return Growing(self._read_steps), Growing(values)

    def _held(self, name: str) -> tuple[Growing, Growing] | None:
        """Return a series, reading it if needed; None if there is none."""
        info = self._unread.pop(name, None)
        if info is not None:
            since = self._series[name]
            try:
                read = self._growing(name, info.last_step)
            except LabError as error:  # the file was deleted since it was opened; what was added since is still there
                notify("warning", error.problem)
            else:
                for old, new in zip(read, since, strict=True):
                    old.append(new.view())
                self._series[name] = read
        return self._series.get(name)

    def ends(self) -> dict[str, int]:
        """Return the last step of each series that has a point, without reading any; any thread may call it."""
        ends = {name: int(steps.view()[-1]) for name, (steps, _) in list(self._series.items()) if len(steps)}
        unread = {name: info.last_step for name, info in list(self._unread.items()) if info.last_step is not None}
        return {**unread, **ends}

    def names(self) -> list[str]:
        """Return the names of the series, in the order of their first values."""
        return list(self._series)

    def steps(self, name: str) -> Values:
        """Return the (N,) steps of a series as a view; empty if there is no such series."""
        held = self._held(name)
        return NOTHING if held is None else held[0].view()

    def values(self, name: str) -> Values:
        """Return the (N,) values of a series as a view, the same object until some are added; empty if none."""
        held = self._held(name)
        return NOTHING if held is None else held[1].view()

    def x(self, name: str, by: Unit) -> Values:
        """Return the (N,) positions of a series along an axis (`lab.runs.metrics.clocks`); NaN where it is unknown."""
        steps = self.steps(name)
        if by == "steps":
            return steps
        by_unit = self.values({"FLOPs": "tokens", "joules": self.power}.get(by, by))
        made = self._coordinates.get((name, by))
        if made is None or made[0] is not steps or made[1] is not by_unit:
            made = self._coordinates[name, by] = (steps, by_unit, read_only(self._along(steps, by_unit, by)))
        return made[2]

    def _along(self, steps: Values, by_unit: Values, by: Unit) -> Values:
        if by == "FLOPs":
            return interpolate(steps, self.steps("tokens"), by_unit) * (self.flops_per_token or math.nan)
        if by == "joules":
            return self._joules(steps)
        if by == "epochs" and not len(by_unit):  # an older run, or one of examples without an end
            return np.full(len(steps), np.nan)
        return interpolate(steps, self.steps(by), by_unit)

    @property
    def power(self) -> str:
        """The series of the power that was recorded: of an accelerator if there is one, else of the processors."""
        return ACCELERATOR_POWER if ACCELERATOR_POWER in self._series else POWER

    def _joules(self, steps: Values) -> Values:
        """Return the energy (N,) used until each step, by processors and accelerator; NaN if no power was recorded."""
        known = [name for name in (POWER, ACCELERATOR_POWER) if name in self._series]
        total = np.zeros(len(steps)) if known else np.full(len(steps), np.nan)
        for name in known:
            at, watts = self.steps(name), self.values(name)
            total += interpolate(steps, at, energy(self.steps("seconds"), self.values("seconds"), at, watts))
        return total

    def speed(self, by: Unit) -> tuple[Values, Values]:
        """Return (N,) positions along an axis, and (N,) training tokens per second in the window that ends there."""
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

    def gap(self, by: Unit) -> tuple[Values, Values]:
        """Return positions and values of the validation loss less the mean training loss of the steps before it.

        Args:
            by: The quantity of the positions.
        """
        steps, losses = self.steps("train loss"), self.values("train loss")
        at, validation = self.steps("validation loss"), self.values("validation loss")
        if not len(steps) or not len(at):
            return np.zeros(0), np.zeros(0)
        sound = np.isfinite(losses)  # a loss that is no number would be in all later sums
        sums = np.concatenate([[0.0], np.cumsum(np.where(sound, losses, 0.0))])
        counts = np.concatenate([[0], np.cumsum(sound)])
        last = np.searchsorted(steps, at, side="right")
        first = np.maximum(0, last - BEFORE)
        known = counts[last] > counts[first]
        means = (sums[last[known]] - sums[first[known]]) / (counts[last[known]] - counts[first[known]])
        return self.x("validation loss", by)[known], validation[known] - means

    def smoothed(self, name: str, share: float) -> Values:
        """Return the (N,) debiased moving average of a series as a view; it is continued when values are added.

        Args:
            name: The name of the series.
            share: Weight of the previous average at each value: 0 ≤ share < 1.

        Raises:
            ValueError: The share is out of bounds.
        """
        if not 0 <= share < 1:
            raise ValueError(f"the share of a moving average is {share}, and must be 0 ≤ share < 1")
        mean = self._means.get(name)
        if mean is None or mean.share != share:
            mean = self._means[name] = Mean(share)
        mean.extend(self.values(name))
        return mean.means.view()
