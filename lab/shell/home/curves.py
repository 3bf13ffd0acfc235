"""Small curves of runs: the loss along the steps in few points, from a run on disk or from curves in memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lab.base.problems import LabError
from lab.recipes import Points
from lab.runs import RunFolder
from lab.workbench.analysis.curves import Curves

POINTS = 40
"""Most points of a small curve."""
FEW = 6
"""Fewest values of the validation loss that make a curve; with less, the training loss is drawn."""
NAMES = ("validation loss", "train loss")


def thinned(steps: Any, values: Any) -> Points:
    """Return a curve in few points, each the mean of its neighbours; values that are not finite are left out.

    Args:
        steps: (N,) steps.
        values: (N,) losses.
    """
    known = np.isfinite(values)
    steps, values = steps[known], values[known]
    if len(steps) <= POINTS:
        return tuple((float(step), float(value)) for step, value in zip(steps, values, strict=True))
    groups = zip(np.array_split(steps, POINTS), np.array_split(values, POINTS), strict=True)
    return tuple((float(group.mean()), float(means.mean())) for group, means in groups)


def curve_in_memory(curves: Curves) -> Points:
    """Return the small curve of a run whose series are in memory."""
    return _first(curves.names(), lambda name: (curves.steps(name), curves.values(name)))


def curve_on_disk(folder: RunFolder) -> Points:
    """Return the small curve of a run on disk, () if it cannot be read; in a thread."""
    try:
        reader = folder.metrics()
        return _first(list(reader.series()), reader.read)
    except LabError:  # the problem is reported when the run is opened
        return ()


def _first(known: Sequence[str], read: Any) -> Points:
    found: Points = ()
    for name in NAMES:
        if name in known:
            found = thinned(*read(name))
            if len(found) >= FEW:
                return found
    return found
