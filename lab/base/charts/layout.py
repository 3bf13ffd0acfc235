"""The layout of the labels at the ends of lines, so that none covers another."""

from __future__ import annotations

from collections.abc import Sequence


def spread(wanted: Sequence[float], height: float, low: float, high: float) -> list[float]:
    """Return middles of rows that do not overlap, as near as possible to the wanted ones.

    Args:
        wanted: Wanted middles, in any order.
        height: Height of a row.
        low: Start of the space.
        high: End of the space, above `low`. Rows that do not fit go beyond it.

    Returns:
        The middles, in the order of `wanted`.
    """
    order = sorted(range(len(wanted)), key=lambda index: wanted[index])
    groups: list[list[float]] = []  # middle of the first row, number of rows
    for index in order:
        groups.append([min(max(wanted[index], low + height / 2), high - height / 2), 1])
        while len(groups) > 1 and groups[-2][0] + groups[-2][1] * height > groups[-1][0]:
            start, rows = groups.pop()
            first, above = groups[-1]
            merged = (first * above + (start - above * height) * rows) / (above + rows)
            total = above + rows
            merged = min(max(merged, low + height / 2), max(low, high - total * height) + height / 2)
            groups[-1] = [merged, total]
    middles = [start + row * height for start, rows in groups for row in range(int(rows))]
    placed = [0.0] * len(wanted)
    for index, middle in zip(order, middles, strict=True):
        placed[index] = middle
    return placed
