"""Downsampling of a line for painting: its visible points or, if these are too many, their extremes.

No spike is hidden. `extremes.extreme_indices` does the same for pictures that are drawn once. A window repaints growing
lines of millions of points, so here every 32 values are reduced once, and painting reads the reduced values.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lab.base.charts.transform import Array, Frame

SIZE = 32
"""Number of values in a block."""
WORTH = 4 * SIZE
"""With more points than this per column of pixels, blocks are read instead of the points."""

Indices = NDArray[np.intp]


class Blocks:
    """The smallest and the largest of every 32 values of a line.

    Args:
        y: The values, [N], NaN at gaps.
        complete: Whether y has no gaps.
    """

    def __init__(self, y: Array, *, complete: bool) -> None:
        self._y, self._count = y, len(y) // SIZE
        full = y[: self._count * SIZE].reshape(-1, SIZE)
        low, high = (np.minimum, np.maximum) if complete else (np.fmin, np.fmax)
        self._least = np.append(low.reduce(full, axis=1), np.nan)  # nothing follows the last block
        self._largest = np.append(high.reduce(full, axis=1), np.nan)

    def extremes(self, starts: Indices, ends: Indices) -> tuple[Array, Array]:
        """Return the smallest and the largest value of each range, [M] each; NaN where a range has no values.

        Args:
            starts: Indices of the first values of the ranges, [M].
            ends: Indices after their last values, [M].
        """
        within, begin, behind = np.arange(SIZE), starts[:, None], ends[:, None]
        # Values that blocks do not cover: up to a block at each end. In a short range the two overlap.
        borders = np.hstack((np.minimum(begin + within, behind - 1), np.maximum(behind - 1 - within, begin)))
        outer = self._y[borders]
        first, last = np.minimum(-(-starts // SIZE), self._count), ends // SIZE
        between, bounds = last > first, np.stack((first, np.maximum(first, last)), axis=1).ravel()
        least = np.where(between, np.fmin.reduceat(self._least, bounds)[::2], np.nan)
        largest = np.where(between, np.fmax.reduceat(self._largest, bounds)[::2], np.nan)
        return np.fmin(least, np.fmin.reduce(outer, axis=1)), np.fmax(largest, np.fmax.reduce(outer, axis=1))


def visible_points(
    x: Array, y: Array, frame: Frame, columns: int, blocks: Blocks | None = None
) -> tuple[Array, Array, bool]:
    """Return the pixel positions of the points to paint, and True if some points were left out.

    With more than four points per column of pixels, the first, smallest, largest and last of each column remain, which
    paints the same pixels (M4: Jugel et al., 2014). pyqtgraph's own downsampling assumes evenly spaced points, which
    merges the first twenty steps on a logarithmic axis, and lets a NaN hide its neighbours.

    Args:
        x: Positions on the x axis, ascending, [N].
        y: Positions on the y axis, [N], NaN at gaps.
        frame: The visible range.
        columns: Columns of pixels.
        blocks: The blocks of y, if there are any; the result is the same without them.
    """
    first = max(0, int(np.searchsorted(x, frame.x0)) - 1)
    last = min(len(x), int(np.searchsorted(x, frame.x1, side="right")) + 1)
    reduced = last - first > 4 * columns
    if reduced:
        edges = np.linspace(frame.x_at(frame.left - 2), frame.x_at(frame.right + 2), columns + 1)[1:-1]
        inner = slice(first + 1, last - 1)  # the points at the ends lie outside the visible range
        few = _extremes(x, y, inner, edges, blocks if last - first > WORTH * columns else None)
        ends = [first, last - 1]
        x, y = (np.insert(found, [0, len(found)], given[ends]) for found, given in zip(few, (x, y), strict=True))
    else:
        x, y = x[first:last], y[first:last]
    across, down = frame.across(x), frame.down(y)
    _cut(across, down, 0, 1, frame.left - 2)
    _cut(across, down, -1, -2, frame.right + 2)
    np.clip(across, -1e6, 1e6, out=across)
    np.clip(down, -1e6, 1e6, out=down)
    return across, down, reduced


def _extremes(x: Array, y: Array, inner: slice, edges: Array, blocks: Blocks | None) -> tuple[Array, Array]:
    """Return the first, smallest, largest and last point between neighbouring edges, for a slice of the points."""
    bounds = inner.start + np.concatenate(([0], np.searchsorted(x[inner], edges), [inner.stop - inner.start]))
    starts, ends = bounds[:-1], bounds[1:]
    some = ends > starts
    starts, ends = starts[some], ends[some]
    x4, y4 = np.empty((len(starts), 4)), np.empty((len(starts), 4))
    x4[:, 0], x4[:, 3] = x[starts], x[ends - 1]
    x4[:, 1] = x4[:, 2] = (x4[:, 0] + x4[:, 3]) / 2
    y4[:, 0], y4[:, 3] = y[starts], y[ends - 1]
    if blocks is None:
        y4[:, 1], y4[:, 2] = (f.reduceat(y[inner], starts - inner.start) for f in (np.fmin, np.fmax))
    else:
        y4[:, 1], y4[:, 2] = blocks.extremes(starts, ends)
    return x4.ravel(), y4.ravel()


def _cut(x: Array, y: Array, outer: int, inner: int, edge: float) -> None:
    """Move an end point beyond an edge along its line to that edge; Qt cannot take pixels far away."""
    if len(x) < 2 or not min(x[outer], x[inner]) < edge < max(x[outer], x[inner]):
        return
    if (x[outer] < edge) == (outer == 0):
        y[outer] += (edge - x[outer]) / (x[inner] - x[outer]) * (y[inner] - y[outer])
        x[outer] = edge
