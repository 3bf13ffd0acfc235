"""Bounds of the entropy of a text from the number of guesses that each symbol took, after Shannon."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple


class GuessBounds(NamedTuple):
    """Bounds in bits per symbol; NaN before the first symbol."""

    lower: float
    upper: float


def guess_bounds(ranks: Iterable[int]) -> GuessBounds:
    """Return the bounds of the entropy from the ranks of the right guesses.

    With q_i the share of symbols that took i guesses, the entropy lies between Σ i (q_i − q_{i+1}) log₂ i and
    −Σ q_i log₂ q_i (Shannon 1951, equation 17). The shares of the best guesser fall with i; those of a sample are put
    in that order. Of few symbols the upper bound is too small.

    Args:
        ranks: 1 for a symbol that the first guess got right, and so on.
    """
    counts = Counter(ranks)
    total = counts.total()
    if not total:
        return GuessBounds(math.nan, math.nan)
    shares = [count / total for _, count in counts.most_common()]
    upper = -sum(q * math.log2(q) for q in shares)
    lower = sum(q * _weight(rank) for rank, q in enumerate(shares, start=1))
    return GuessBounds(lower + 0.0, upper + 0.0)


def _weight(rank: int) -> float:
    """Return i log₂ i − (i − 1) log₂ (i − 1), the weight of q_i once the sum is ordered by its terms."""
    return rank * math.log2(rank) - ((rank - 1) * math.log2(rank - 1) if rank > 1 else 0.0)
