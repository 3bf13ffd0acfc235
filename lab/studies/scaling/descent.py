"""Robust least squares from many starts, or for many resamples of the rows, at once.

A fit of a scaling law is repeated from dozens of starts, and then for a thousand resamples of its rows. Libraries
minimise one objective after the other; here all of them are rows of one array, and a thousand resamples of a published
table take seconds. The tests compare the minima with those of L-BFGS.

Each is minimised by the Levenberg-Marquardt method with the weights of Huber's loss (iteratively reweighted least
squares), whose objective never rises.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]
Predict: TypeAlias = Callable[[Array], Array]
"""Return (B, n) predictions of n rows for (B, p) parameters."""

STEPS = 400
TOLERANCE = 1e-10
"""Most steps of a descent; relative decrease of the objective over WINDOW steps below which it has converged."""
WINDOW = 5
DIFFERENCE = 1e-5
"""The step of the differences that stand for derivatives, in units of a parameter, or of its size if larger."""
NUMBERS = 1 << 22
"""Most numbers of a Jacobian; more parameters are minimised in pieces."""


class Descent(NamedTuple):
    """Minima.

    Args:
        parameters: (B, p) the parameters.
        objective: (B,) the sums of the losses; inf where the start was impossible.
    """

    parameters: Array
    objective: Array


def huber(residuals: Array, delta: float) -> Array:
    """Return Huber's loss of residuals: r²/2 up to delta, delta · (|r| − delta/2) beyond (Huber 1964)."""
    size = np.abs(residuals)
    if not np.isfinite(delta):
        return 0.5 * residuals**2
    return np.where(size <= delta, 0.5 * residuals**2, delta * (size - 0.5 * delta))


def descend(predict: Predict, starts: Array, target: Array, delta: float, counts: Array | None = None) -> Descent:
    """Minimise the sum of Huber's losses from each start.

    Args:
        predict: The predictions of a law.
        starts: (B, p) parameters.
        target: (n,) what is predicted.
        delta: The residual beyond which the loss is linear; inf for least squares.
        counts: (B, n) how often each row counts, as a resample draws it; None for once.
    """
    rows, size = len(target), starts.shape[1]
    piece = max(1, NUMBERS // (rows * size))
    counts = np.ones((len(starts), rows)) if counts is None else counts
    found = [
        _descend(predict, starts[at : at + piece], target, delta, counts[at : at + piece])
        for at in range(0, len(starts), piece)
    ]
    return Descent(np.concatenate([one.parameters for one in found]), np.concatenate([one.objective for one in found]))


def _descend(predict: Predict, starts: Array, target: Array, delta: float, counts: Array) -> Descent:
    parameters = starts.astype(float).copy()
    objective, residuals = _objective(predict, parameters, target, delta, counts)
    damping = np.full(len(parameters), 1e-3)
    before = objective.copy()
    active = np.flatnonzero(np.isfinite(objective))
    for step in range(1, STEPS + 1):
        if not len(active):
            break
        now, weights = parameters[active], counts[active]
        moves = _moves(predict, now, residuals[active], weights, damping[active], delta)
        tried, left = _objective(predict, now + moves, target, delta, weights)
        lower = tried < objective[active]
        taken = active[lower]
        parameters[taken] += moves[lower]
        objective[taken], residuals[taken] = tried[lower], left[lower]
        damping[active] = np.where(lower, np.maximum(damping[active] / 3, 1e-12), damping[active] * 4)
        if step % WINDOW == 0:
            rests = before[active] - objective[active] <= TOLERANCE * objective[active]
            stuck = damping[active] > 1e12
            before[active] = objective[active]
            active = active[~((rests & (damping[active] < 1e4)) | stuck)]
    return Descent(parameters, objective)


def _objective(predict: Predict, parameters: Array, target: Array, delta: float, counts: Array) -> tuple[Array, Array]:
    with np.errstate(all="ignore"):  # an impossible step is refused, since its objective is not finite
        residuals = target - predict(parameters)
        objective = (counts * huber(residuals, delta)).sum(axis=-1)
    return np.where(np.isfinite(objective), objective, np.inf), residuals


def _moves(predict: Predict, parameters: Array, residuals: Array, counts: Array, damping: Array, delta: float) -> Array:
    """Return (B, p) damped Gauss-Newton steps for the weights of Huber's loss."""
    size = parameters.shape[1]
    apart = DIFFERENCE * np.maximum(1.0, np.abs(parameters))  # (B, p)
    slopes = []
    with np.errstate(all="ignore"):
        for index in range(size):
            move = np.zeros_like(parameters)
            move[:, index] = apart[:, index]
            slopes.append((predict(parameters + move) - predict(parameters - move)) / (2 * apart[:, index, None]))
    jacobian = np.nan_to_num(np.stack(slopes, axis=-1), posinf=0.0, neginf=0.0)  # (B, n, p)
    weights = counts * np.minimum(1.0, delta / np.maximum(np.abs(residuals), 1e-300))
    weighted = jacobian * weights[..., None]
    normal = np.matmul(weighted.transpose(0, 2, 1), jacobian)  # (B, p, p)
    gradient = np.matmul(weighted.transpose(0, 2, 1), residuals[..., None])[..., 0]
    diagonal = np.einsum("bii->bi", normal)
    least = 1e-12 * np.maximum(diagonal.max(axis=-1, keepdims=True), 1e-300)
    normal = normal + np.einsum("bi,ij->bij", damping[:, None] * diagonal + least, np.eye(size))
    moved: Array = np.linalg.solve(normal, gradient[..., None])[..., 0]
    return moved
