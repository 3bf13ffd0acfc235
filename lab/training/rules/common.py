"""What rules share: smoothed series, the latest values of a gauge, and remedies that change the learning rate."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lab.api import Remedy, RunRecord

RATE = "training.optimizer.learning_rate"
LOSS, VALIDATION = "train loss", "validation loss"
LATEST = 3
"""Number of the latest measurements of a gauge that count."""

LARGEST = 1e100

Values = NDArray[np.float64]


def mean_of(values: Values, width: int) -> Values:
    """Return the means of `width` successive values, (N − width + 1,); none of fewer values."""
    if len(values) < width:
        return np.zeros(0)
    sums = np.cumsum(np.concatenate([[0.0], values]))
    means: Values = (sums[width:] - sums[:-width]) / width
    return means


def clean(record: RunRecord, series: str) -> tuple[NDArray[np.int64], Values]:
    """Return the (N,) steps and (N,) values of a series without those that are not finite, or too large to add up."""
    steps, values = record.steps(series), record.values(series)
    known = np.abs(values) < LARGEST  # False for NaN
    return steps[known], values[known]


def latest(record: RunRecord, series: str) -> float | None:
    """Return the median of the latest values of a gauge of one layer; None if there are fewer than LATEST."""
    values = clean(record, series)[1][-LATEST:]
    return float(np.median(values)) if len(values) == LATEST else None


def first_beyond(record: RunRecord, series: str, limit: float) -> int:
    """Return the first step from which a series is above a limit until its end."""
    steps, values = clean(record, series)
    above = values > limit
    below = np.flatnonzero(~above)
    start = int(below[-1]) + 1 if len(below) else 0
    return int(steps[min(start, len(steps) - 1)])


def rate_of(record: RunRecord) -> float | None:
    """Return the learning rate of the recipe; None if the optimizer has none."""
    rate = record.setting(RATE)
    return float(rate) if isinstance(rate, int | float) and rate > 0 else None


def slower(record: RunRecord) -> tuple[Remedy, ...]:
    """Return remedies of a training that is too fast: a third of the rate, a longer warm-up, clipping."""
    found: list[Remedy] = []
    rate, steps = rate_of(record), record.setting("training.steps", 0)
    if rate is not None:
        found.append(Remedy(what="A third of the learning rate", changes={RATE: _short(rate / 3)}))
    warmup = record.setting("training.schedule.warmup")
    if isinstance(warmup, int) and warmup < steps // 10:
        changes = {"training.schedule.warmup": max(10, steps // 10)}
        found.append(Remedy(what="A longer warm-up", changes=changes, start="beginning"))
    if not record.setting("training.clip", 0):
        found.append(Remedy(what="Clipping at 1", changes={"training.clip": 1.0}))
    return tuple(found)


def faster(record: RunRecord) -> tuple[Remedy, ...]:
    """Return the remedy of a training that is too slow: three times the rate."""
    rate = rate_of(record)
    return () if rate is None else (Remedy(what="Three times the learning rate", changes={RATE: _short(3 * rate)}),)


def _short(number: float) -> float:
    return float(f"{number:.3g}")
