"""Mode connectivity: the loss on the straight line between the weights of two trainings."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from torch import Tensor

from lab.base import BadInput, LabError
from lab.training.measurements.surface import LossSurface, Progress

POINTS = 21
"""Points on the line, unless another number is asked for."""
LEAST_POINTS, MOST_POINTS = 3, 1001


@dataclass(frozen=True)
class LossLine:
    """Losses on the line from one training to another.

    Args:
        positions: Where, from 0 at the first to 1 at the second.
        losses: The loss there on each split, by its name; NaN where it was not measured.
        distance: The distance between their weights.
        similarity: The cosine of the angle between their weights.
    """

    positions: tuple[float, ...]
    losses: dict[str, tuple[float, ...]]
    distance: float
    similarity: float

    def barrier(self, split: str) -> float:
        """Return by how much the loss on the line exceeds that between its ends at most (Frankle et al. 2020)."""
        values, at = np.array(self.losses[split]), np.array(self.positions)
        chord = (1 - at) * values[0] + at * values[-1]
        above = values - chord
        return float(np.nanmax(above)) if np.isfinite(above).any() else math.nan


def measure_line(
    surfaces: dict[str, LossSurface],
    start: Tensor,
    end: Tensor,
    *,
    points: int = POINTS,
    cancelled: Callable[[], bool] = lambda: False,
    progress: Progress = lambda _: None,
    report: Callable[[float, str, float], object] = lambda *_: None,
) -> LossLine:
    """Measure losses on the line between two weights.

    Args:
        surfaces: The loss of each split, by its name.
        start: (N,) the weights of the first training.
        end: (N,) those of the second.
        points: How many points.
        cancelled: Called between losses; True ends it, and what was measured counts.
        progress: Called with the share that is done.
        report: Called with position, split and loss.

    Raises:
        BadInput: The number of points is not allowed.
        LabError: It was cancelled before the first loss.
    """
    if not LEAST_POINTS <= points <= MOST_POINTS:
        allowed = f"{LEAST_POINTS} to {MOST_POINTS:,}"
        raise BadInput("is not allowed", field="--points", value=str(points), allowed=allowed)
    positions = np.linspace(0, 1, points)
    losses = {name: np.full(points, math.nan) for name in surfaces}
    # the ends first, so that a barrier is known from the first point between them on
    order = [0, points - 1, *range(1, points - 1)]
    for done, index in enumerate(order):
        if cancelled():
            break
        weights = start + positions[index] * (end - start)
        for name, surface in surfaces.items():
            losses[name][index] = surface.loss(weights)
            report(float(positions[index]), name, float(losses[name][index]))
        progress((done + 1) / points)
    else:
        done = points
    if not done:
        raise LabError("nothing was measured", remedy="Let it run for longer")
    lengths = float(start.norm()) * float(end.norm())
    return LossLine(
        tuple(positions.tolist()),
        {name: tuple(values.tolist()) for name, values in losses.items()},
        float((end - start).norm()),
        float(start @ end) / lengths if lengths else math.nan,
    )
