"""A plane through the loss: random directions, the line to another training, or the path of the checkpoints."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from lab.base import BadInput, LabError
from lab.training.measurements.surface import LossSurface, Progress

SIDE = 15
"""Points of a plane along each axis, unless another number is asked for."""
LEAST_SIDE, MOST_SIDE = 3, 101
REACH = 1.0
"""How far a plane of random directions reaches, in lengths of the filters' weights."""
MOST_REACH = 100.0
MARGIN = 0.25
"""What a plane shows beyond the points on it, as a share of their range."""
MOST_CHECKPOINTS = 40
"""Most checkpoints of a path; of more, evenly spaced ones are read."""


@dataclass(frozen=True)
class PlanePoint:
    """The weights of a training, or what is nearest to them on a plane.

    Args:
        x: Its first coordinate.
        y: Its second coordinate.
        loss: The loss of the weights themselves; NaN if it was not measured.
        label: Its step, or the name of its run.
        distance: How far the weights are from the plane.
    """

    x: float
    y: float
    loss: float
    label: str
    distance: float = 0.0


@dataclass(frozen=True)
class LossPlane:
    """Losses on a plane.

    Args:
        kind: "random", "between" or "path".
        x: (W,) the first coordinates.
        y: (H,) the second ones.
        losses: H rows of W losses; NaN where none was measured.
        points: Weights of trainings on the plane, in the order of a path.
        shares: The shares of the variance of a path along both axes; () of other planes.
        parameters: N, the number of weights.
        examples: Examples on which a loss was measured.
    """

    kind: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    losses: tuple[tuple[float, ...], ...]
    points: tuple[PlanePoint, ...]
    shares: tuple[float, ...]
    parameters: int
    examples: int


@dataclass(frozen=True)
class Axes:
    """The two directions of a plane and where it is shown.

    Args:
        kind: As of LossPlane.
        origin: (N,) the weights at (0, 0).
        right: (N,) the first direction.
        up: (N,) the second direction.
        x: The first and last first coordinate.
        y: The first and last second coordinate.
        points: Weights of trainings on it; their losses are measured later.
        shares: As of LossPlane.
    """

    kind: str
    origin: Tensor
    right: Tensor
    up: Tensor
    x: tuple[float, float]
    y: tuple[float, float]
    points: tuple[tuple[Tensor, PlanePoint], ...]
    shares: tuple[float, ...] = ()


def check_side(side: int, reach: float) -> None:
    """Refuse a plane that cannot be measured.

    Raises:
        BadInput: It cannot be; the problem names the option.
    """
    if not LEAST_SIDE <= side <= MOST_SIDE:
        raise BadInput("is not allowed", field="--points", value=str(side), allowed=f"{LEAST_SIDE} to {MOST_SIDE}")
    if not (math.isfinite(reach) and 0 < reach <= MOST_REACH):
        raise BadInput("is not allowed", field="--reach", value=str(reach), allowed=f"0 < x ≤ {MOST_REACH:g}")


def random_axes(surface: LossSurface, label: str, *, reach: float = REACH, seed: int = 0) -> Axes:
    """Return two random directions in which each filter is as long as that of the weights (Li et al. 2018, section 4).

    A filter is a row of a matrix. Biases, gains and all else of one dimension stay as they are.

    Args:
        surface: The loss over the weights.
        label: The label of the weights.
        reach: How far the plane reaches to either side.
        seed: Of the directions.
    """
    generator = torch.Generator().manual_seed(seed)
    right, up = (filter_normalised(surface, generator) for _ in range(2))
    here = PlanePoint(0.0, 0.0, math.nan, label)
    return Axes("random", surface.weights, right, up, (-reach, reach), (-reach, reach), ((surface.weights, here),))


def filter_normalised(surface: LossSurface, generator: torch.Generator) -> Tensor:
    """Return (N,) a random direction whose filters have the lengths of those of the weights."""
    parts = []
    for parameter in surface.parameters:
        drawn = torch.randn(parameter.shape, generator=generator, dtype=torch.float64).to(parameter)
        if parameter.dim() < 2:
            drawn = torch.zeros_like(drawn)
        else:
            rows, weights = drawn.flatten(1), parameter.detach().flatten(1)
            lengths = weights.norm(dim=1, keepdim=True) / rows.norm(dim=1, keepdim=True).clamp(min=1e-30)
            drawn = (rows * lengths).view_as(drawn)
        parts.append(drawn.reshape(-1))
    return torch.cat(parts)


def axes_between(surface: LossSurface, other: Tensor, labels: tuple[str, str], *, seed: int = 0) -> Axes:
    """Return a plane through the weights of two trainings, at (0, 0) and (1, 0), with a random second direction.

    The second one is orthogonal to the line between them and as long.

    Args:
        surface: The loss over the weights of the first one.
        other: (N,) the weights of the second one.
        labels: Their labels.
        seed: Of the second direction.

    Raises:
        BadInput: Both are the same.
    """
    right = other - surface.weights
    length = float(right.norm())
    if not length > 0:
        raise BadInput("has the same weights", field="--with", value=labels[1], remedy="Choose another run or step")
    up = filter_normalised(surface, torch.Generator().manual_seed(seed))
    up = up - (up @ right) / length**2 * right
    up = up * (length / float(up.norm()))
    points = (
        (surface.weights, PlanePoint(0.0, 0.0, math.nan, labels[0])),
        (other, PlanePoint(1.0, 0.0, math.nan, labels[1])),
    )
    return Axes("between", surface.weights, right, up, (-0.5, 1.5), (-1.0, 1.0), points)


def path_axes(weights: Sequence[Tensor], labels: Sequence[str]) -> Axes:
    """Return the plane of the two directions in which the checkpoints of a training differ most (Li et al. 2018, 7.2).

    The directions are the first two principal components of the differences to the last checkpoint.

    Args:
        weights: (N,) the weights of each checkpoint, in the order of the steps.
        labels: Their labels.

    Raises:
        BadInput: There are fewer than three different ones.
    """
    origin = weights[-1]
    steps = [one - origin for one in weights[:-1]]
    if len(steps) < 2:
        raise BadInput(
            "a plane needs at least three checkpoints",
            field="run",
            value=f"{len(weights)}",
            remedy="Train with training.checkpoint_every and training.keep_last, or choose the random plane",
        )
    gram = torch.stack([torch.stack([one @ other for other in steps]) for one in steps]).double().cpu()
    values, columns = torch.linalg.eigh(gram)
    values = values.flip(0).clamp(min=0)
    columns = columns.flip(1)
    if not float(values[1]) > 1e-12 * float(values[0]):
        raise BadInput("its checkpoints lie on one line", field="run", remedy="Choose the plane of random directions")
    directions = []
    for index in range(2):
        direction = torch.zeros_like(origin)
        for factor, one in zip(columns[:, index].tolist(), steps, strict=True):
            direction += factor * one
        directions.append(direction / float(values[index]) ** 0.5)
    right, up = directions
    points = []
    for one, label in zip(weights, labels, strict=True):
        x, y = float((one - origin) @ right), float((one - origin) @ up)
        apart = float((one - origin - x * right - y * up).norm())
        points.append((one, PlanePoint(x, y, math.nan, label, apart)))
    total = float(values.sum())
    shares = tuple(float(value) / total for value in values[:2])
    spans = tuple(_span([getattr(point, name) for _, point in points]) for name in ("x", "y"))
    return Axes("path", origin, right, up, spans[0], spans[1], tuple(points), shares)


def _span(values: Sequence[float]) -> tuple[float, float]:
    least, most = min(values), max(values)
    margin = MARGIN * (most - least)
    return least - margin, most + margin


def measure_plane(
    surface: LossSurface,
    axes: Axes,
    *,
    side: int = SIDE,
    cancelled: Callable[[], bool] = lambda: False,
    progress: Progress = lambda _: None,
    report: Callable[[LossPlane], object] = lambda _: None,
) -> LossPlane:
    """Measure losses on a plane.

    Args:
        surface: The loss over the weights.
        axes: The plane.
        side: Points along each axis.
        cancelled: Called between losses; True ends it, and what was measured counts.
        progress: Called with the share that is done.
        report: Called with the plane so far after each row.

    Raises:
        BadInput: The number of points is not allowed.
        LabError: It was cancelled before the first row.
    """
    check_side(side, REACH)
    x, y = (np.linspace(*span, side) for span in (axes.x, axes.y))
    losses = np.full((side, side), math.nan)
    points = [point for _, point in axes.points]
    total, done = side * side + len(points), 0

    def plane() -> LossPlane:
        return LossPlane(
            axes.kind,
            tuple(x.tolist()),
            tuple(y.tolist()),
            tuple(tuple(row) for row in losses.tolist()),
            tuple(points),
            axes.shares,
            len(surface.weights),
            surface.count,
        )

    for index, (weights, point) in enumerate(axes.points):
        if cancelled():
            break
        points[index] = PlanePoint(point.x, point.y, surface.loss(weights.to(axes.origin)), point.label, point.distance)
        done += 1
        progress(done / total)
    for row in range(side):
        for column in range(side):
            if cancelled():
                break
            losses[row, column] = surface.loss(axes.origin + float(x[column]) * axes.right + float(y[row]) * axes.up)
            done += 1
            progress(done / total)
        report(plane())
    surface.move_to(surface.weights)
    if done <= len(points) or not np.isfinite(losses).any():
        what = "nothing was measured" if done <= len(points) else "no loss on the plane is a number"
        raise LabError(what, remedy="Let it run for longer, or choose a checkpoint whose loss is a number")
    return plane()
