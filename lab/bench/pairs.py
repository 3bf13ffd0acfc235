"""Comparison of two implementations in turn, so that a drift of the machine affects both."""

from __future__ import annotations

import statistics
from collections.abc import Callable
from typing import Any


def compare(ours: Callable[[], float], theirs: Callable[[], float], pairs: int) -> dict[str, Any]:
    """Measure both in turn and compare pair by pair.

    Args:
        ours: Runs our implementation once and returns its rate (higher is better).
        theirs: Runs the other implementation once and returns its rate.
        pairs: Measurements of each side.

    Returns:
        "ratio" (median of ours / theirs), "spread" (smallest and largest), and the median rates "ours" and "theirs".
    """
    rates = []
    for number in range(pairs):
        if number % 2:
            other, own = theirs(), ours()
        else:
            own, other = ours(), theirs()
        rates.append((own, other))
    ratios = [own / other for own, other in rates]
    return {
        "ratio": statistics.median(ratios),
        "spread": [min(ratios), max(ratios)],
        "ours": statistics.median(own for own, _ in rates),
        "theirs": statistics.median(other for _, other in rates),
        "pairs": pairs,
    }
