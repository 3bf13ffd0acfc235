"""The layout of the labels of flags: each beside its vertical line, in rows at the top, so that none covers another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

DISTANCE, APART = 5.0, 6.0
"""The distance of a label from its line, and the least distance of two labels in a row, in pixels."""


@dataclass(frozen=True)
class FlagLabel:
    """The place of a label.

    Args:
        row: Its row, from 0 at the top; −1 if there is no space for it.
        left: Its left end.
        width: Its width, less than was wanted if it has to be cut.
    """

    row: int
    left: float = 0.0
    width: float = 0.0


def flag_labels(
    at: Sequence[float], widths: Sequence[float], low: float, high: float, rows: int, *, distance: float = DISTANCE
) -> list[FlagLabel]:
    """Return the place of each label: right of its line, else left of it, else cut, in the first row with space.

    Args:
        at: The pixels of the lines.
        widths: The widths of their labels; 0 for none.
        low: Where labels may begin.
        high: Where they must end.
        rows: The largest number of rows.
        distance: The distance of a label from its line.

    Returns:
        The places, in the order of `at`.
    """
    ends = [low - APART] * rows
    placed = [FlagLabel(-1)] * len(at)
    for index in sorted(range(len(at)), key=lambda index: at[index]):
        x, width = at[index], widths[index]
        if not width:
            continue
        right, left = x + distance, x - distance - width
        free = [row for row, end in enumerate(ends) if end + APART <= x]
        before = [row for row, end in enumerate(ends) if end + APART <= left]
        if free and right + width <= high:
            placed[index] = FlagLabel(free[0], right, width)
        elif before:
            placed[index] = FlagLabel(before[0], left, width)
        elif free and right < high:
            placed[index] = FlagLabel(free[0], right, high - right)
        else:
            continue
        ends[placed[index].row] = max(x, placed[index].left + placed[index].width)
    return placed
