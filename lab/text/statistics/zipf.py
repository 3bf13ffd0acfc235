"""Counts by rank: Zipf's law and its exponent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lab.text.statistics.grams import most_frequent

LEAST_COUNT = 10
"""The smallest count that is fitted: the order of rarer symbols is random."""
LEAST_RANKS = 5
"""The smallest number of ranks for a fit."""
STEEPEST = 20.0
NAMED = 20


@dataclass(frozen=True)
class Zipf:
    """Counts by rank, and the power law count ∝ rank^−exponent.

    Args:
        counts: (R,) counts, the largest first; that of rank r has index r − 1.
        top: The symbols of the first ranks, for display.
        exponent: The exponent fitted to ranks 1 to `last`; None if they are fewer than LEAST_RANKS.
        last: The last rank of the fit.
        level: The count of rank 1 on the fitted line.
    """

    counts: NDArray[np.int64]
    top: tuple[str, ...]
    exponent: float | None
    last: int
    level: float


def zipf(counts: NDArray[np.int64], label: Callable[[int], str]) -> Zipf:
    """Return the counts of symbols by rank, and the maximum-likelihood exponent.

    The likelihood is that of drawing ranks 1 … R from p(r) = r^−s / Σ r^−s, a discrete power law that ends at R
    (Clauset, Shalizi & Newman 2009, section 3, for ranks): the best s reproduces the mean of ln r in the text.
    R is the last rank whose count is LEAST_COUNT or more.

    Args:
        counts: (V,) the count of each symbol; zeros are left out.
        label: Returns a symbol for display, from its number.
    """
    best = most_frequent(counts, NAMED)
    top = tuple(label(number) for number in best.tolist() if counts[number])
    ranked = np.sort(counts[counts > 0])[::-1]
    last = int((ranked >= LEAST_COUNT).sum())
    if last < LEAST_RANKS:
        return Zipf(ranked, top, None, 0, 0.0)
    logs = np.log(np.arange(1, last + 1))
    fitted = ranked[:last]
    total = float(fitted.sum())
    wanted = float(fitted @ logs) / total
    low, high = 0.0, STEEPEST
    while high - low > 1e-9:  # the mean of ln r falls with s
        middle = (low + high) / 2
        weights = np.exp(-middle * logs)
        low, high = (middle, high) if float(weights @ logs) > wanted * float(weights.sum()) else (low, middle)
    return Zipf(ranked, top, high, last, total / float(np.exp(-high * logs).sum()))
