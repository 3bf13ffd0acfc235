"""Which points of a long line a picture needs: of each column of pixels the first, smallest, largest and last."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def extreme_indices(x: NDArray[Any], y: NDArray[Any], columns: int) -> NDArray[np.intp]:
    """Return the ascending indices of the points to draw: of each column the first, smallest, largest and last.

    Drawn through them, a line covers the same pixels as through all its points (M4: Jugel et al., 2014).

    Args:
        x: (N,), ascending.
        y: (N,), NaN at gaps.
        columns: Equal parts of the range of x. Up to four points a column, all points are drawn.
    """
    count = len(x)
    if count <= 4 * columns:
        return np.arange(count)
    edges = np.linspace(x[0], x[-1], columns + 1)[:-1]
    starts = np.unique(np.searchsorted(x, edges))
    lengths = np.diff(np.append(starts, count))
    column = np.repeat(np.arange(len(starts)), lengths)
    found = [starts, starts + lengths - 1]
    for extreme in (np.fmin, np.fmax):
        hits = np.flatnonzero(y == extreme.reduceat(y, starts)[column])
        found.append(hits[np.unique(column[hits], return_index=True)[1]])
    return np.unique(np.concatenate(found))
