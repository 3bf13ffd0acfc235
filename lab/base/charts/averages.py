"""Growing series and their moving averages, as the window and the report draw them."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Values: TypeAlias = NDArray[np.float64]

SMOOTHING = 0.9
"""The default weight of the previous average in the next one."""
BLOCK = 64
"""Number of values that are smoothed by one product of matrices."""
CHUNK = BLOCK * BLOCK
"""Number of values of a long series that are computed at once: few enough to take little memory, and to keep the
product of matrices so small that numpy does not spread it over threads, which would wait for a busy processor."""
_SHARES = {
    "train loss": SMOOTHING,
    "gradient norm": SMOOTHING,
    "clipped gradient norm": SMOOTHING,
    "clipped steps": 0.99,
}


def smoothing(series: str) -> float:
    """Return the share by which charts smooth a series, or one of its parts by layer; 0 if they draw its values."""
    known = (share for name, share in _SHARES.items() if series == name or series.startswith(f"{name} "))
    return next(known, 0.0)


def smoothed(values: Values, share: float) -> Values:
    """Return the (N,) debiased moving average of (N,) values; see `Mean`.

    Raises:
        ValueError: The share is not in [0, 1).
    """
    mean = Mean(share)
    mean.extend(values)
    return mean.means.view()


class Growing:
    """A float64 array to which values are appended in amortised constant time; a view of it never changes.

    While nothing is appended, the view is the same object, so that a chart need not draw it again.

    Args:
        values: The first values; they are not copied.
    """

    def __init__(self, values: Values) -> None:
        self._buffer, self._count = values, len(values)
        self._view: Values | None = None

    def __len__(self) -> int:
        return self._count

    def append(self, values: Values) -> None:
        """Append (N,) values."""
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
        """Return the (N,) values, read-only."""
        if self._view is None:
            self._view = read_only(self._buffer[: self._count])
        return self._view


def read_only(values: Values) -> Values:
    """Make an array read-only, and return it."""
    values.flags.writeable = False
    return values


class Mean:
    """A debiased exponential moving average that can be continued: weights fall by `share` per value, and sum to 1.

    m ← share·m + (1 − share)·v, divided by 1 − shareⁿ (Kingma & Ba 2015, section 3). Values that are not finite have
    no weight: the average stays the same there, and is NaN before the first finite value.

    Args:
        share: 0 ≤ share < 1.
    """

    def __init__(self, share: float) -> None:
        self.share = share
        self.means = Growing(np.empty(0))
        self._last, self._numbers = 0.0, 0  # m before the division, and n
        # From this n on, 1 − shareⁿ is 1 in float64.
        self._matter = 1 + math.ceil(math.log(2**-54) / math.log(share)) if share else 1

    def extend(self, values: Values) -> None:
        """Extend the average over a longer series, which starts with the values already averaged."""
        for start in range(len(self.means), len(values), CHUNK):
            self._take(values[start : start + CHUNK])

    def _take(self, new: Values) -> None:
        finite = np.isfinite(new)
        complete = bool(finite.all())
        numbers = (1 - self.share) * (new if complete else new[finite])
        if len(numbers):
            numbers[0] += self.share * self._last
        means = np.concatenate([[self._last], decayed(numbers, self.share)])
        last = float(means[-1])
        biased = means[: max(0, self._matter - self._numbers)]  # after them the divisor is 1
        with np.errstate(invalid="ignore"):  # 0 / 0 before the first finite value
            biased /= 1 - self.share ** np.arange(self._numbers, self._numbers + len(biased), dtype=float)
        self.means.append(means[1:] if complete else means[np.cumsum(finite)])
        self._last, self._numbers = last, self._numbers + len(numbers)


def decayed(x: Values, share: float) -> Values:
    """Return (N,) y with y_t = share·y_{t−1} + x_t, by blocks, whose last values follow the same recurrence."""
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
    """Return the powers of a share (BLOCK + 1,), and the weight of each value at each later one (BLOCK, BLOCK)."""
    powers = share ** np.arange(BLOCK + 1, dtype=float)
    lags = np.subtract.outer(np.arange(BLOCK), np.arange(BLOCK))
    return powers, np.where(lags >= 0, powers[np.maximum(lags, 0)], 0.0)
