"""Identical neighbours in a sequence, and repeated patterns of them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Fold:
    """A stretch of a sequence.

    Args:
        start: Index of its first element.
        period: Length of the pattern that it repeats.
        repeats: How often.
    """

    start: int
    period: int
    repeats: int


def folded(keys: Sequence[Hashable]) -> list[Fold]:
    """Divide a sequence into stretches that repeat a pattern, from the left, each as long as possible."""
    found: list[Fold] = []
    start = 0
    while start < len(keys):
        best = Fold(start, 1, 1)
        for period in range(1, (len(keys) - start) // 2 + 1):
            repeats = _repeats(keys, start, period)
            if repeats > 1 and period * repeats > best.period * best.repeats:
                best = Fold(start, period, repeats)
        found.append(best)
        start += best.period * best.repeats
    return found


def _repeats(keys: Sequence[Hashable], start: int, period: int) -> int:
    pattern, repeats = keys[start : start + period], 1
    while keys[start + repeats * period : start + (repeats + 1) * period] == pattern:
        repeats += 1
    return repeats
