"""Linear models of rows, trained until they converge: what can be had without any hidden layer."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from lab.text.rows.columns import Ragged

Array: TypeAlias = NDArray[np.float64]

ITERATIONS = 1000
"""Most iterations of the fit."""
GRADIENT = 1e-5
"""A fit has converged when no component of the gradient of the mean loss is larger."""
REWEIGHTINGS = 200
"""Most weighted least squares of a fit of the Huber loss."""
ALIGNED = 1e-5
"""Such a fit has converged when the cosine between its limited errors and every direction of the features is below."""
_PAIRS = 10  # of steps and changes of the gradient, from which curvature is estimated
_SUFFICIENT = 1e-4  # share of the decrease that the gradient promises


class Features(Protocol):
    """Features (N, D) of rows, stored densely or as counts."""

    @property
    def shape(self) -> tuple[int, int]:
        """N and D."""
        ...

    def times(self, weights: Array) -> Array:
        """Return the product (N, K) with weights (D, K)."""
        ...

    def transposed_times(self, values: Array) -> Array:
        """Return the product (D, K) of the transposed features with values (N, K)."""
        ...


@dataclass(frozen=True, eq=False)
class Dense:
    """Features as an array.

    Args:
        values: (N, D).
    """

    values: Array

    @property
    def shape(self) -> tuple[int, int]:
        """N and D."""
        return self.values.shape[0], self.values.shape[1]

    def times(self, weights: Array) -> Array:
        """Return the product (N, K) with weights (D, K)."""
        return self.values @ weights

    def transposed_times(self, values: Array) -> Array:
        """Return the product (D, K) of the transposed features with values (N, K)."""
        return self.values.T @ values


class BagOfTokens:
    """How often each symbol occurs in each row, less its mean of training: the fit then needs fewer steps.

    Args:
        column: The tokens.
        rows: (N,) the rows.
        vocabulary_size: D.
        mean: (D,) the mean counts of training; None if these rows are training.
    """

    def __init__(
        self, column: Ragged, rows: NDArray[np.int64], vocabulary_size: int, mean: Array | None = None
    ) -> None:
        self.shape = len(rows), vocabulary_size
        row = np.repeat(np.arange(len(rows)), column.lengths[rows])
        cells, counts = np.unique(row * vocabulary_size + column.joined(rows), return_counts=True)
        self._rows, self._symbols = np.divmod(cells, vocabulary_size)
        self._counts = counts.astype(np.float64)
        own = np.bincount(self._symbols, self._counts, vocabulary_size) / max(1, len(rows))
        self.mean: Array = own if mean is None else mean

    def times(self, weights: Array) -> Array:
        """Return the product (N, K) with weights (D, K)."""
        columns = (self._counts * column[self._symbols] for column in weights.T)
        product = np.stack([np.bincount(self._rows, each, self.shape[0]) for each in columns], axis=1)
        return np.asarray(product - self.mean @ weights, np.float64)

    def transposed_times(self, values: Array) -> Array:
        """Return the product (D, K) of the transposed features with values (N, K)."""
        columns = (self._counts * column[self._rows] for column in values.T)
        product = np.stack([np.bincount(self._symbols, each, self.shape[1]) for each in columns], axis=1)
        return np.asarray(product - np.outer(self.mean, values.sum(axis=0)), np.float64)


def logistic_loss(
    train: Features, labels: NDArray[np.int64], validation: Features, wanted: NDArray[np.int64], classes: int
) -> float | None:
    """Return the validation loss of multinomial logistic regression in nats per label; None if it did not converge.

    The fit minimises the mean loss plus ‖W‖² / 2N, without the biases: the weights of classes that a plane divides
    would grow forever otherwise. The minimum is unique up to a constant that all classes share.

    Args:
        train: (N, D) features of training.
        labels: (N,) their classes.
        validation: Features of validation.
        wanted: Their classes.
        classes: K.
    """
    (N, D), K = train.shape, classes
    rows = np.arange(N)

    def loss(packed: Array) -> tuple[float, Array]:
        weights, biases = packed[: D * K].reshape(D, K), packed[D * K :]
        logs = _log_softmax(train.times(weights) + biases)
        shares = np.exp(logs)
        shares[rows, labels] -= 1
        value = -float(logs[rows, labels].mean()) + float((weights**2).sum()) / (2 * N)
        slope = (train.transposed_times(shares) + weights) / N
        return value, np.concatenate([slope.ravel(), shares.mean(axis=0)])

    fitted = minimise(loss, np.zeros((D + 1) * K))
    if fitted is None:
        return None
    logs = _log_softmax(validation.times(fitted[: D * K].reshape(D, K)) + fitted[D * K :])
    return -float(logs[np.arange(len(wanted)), wanted].mean())


def least_squares_loss(train: Array, numbers: Array, validation: Array, wanted: Array) -> float:
    """Return the mean squared error on validation of the linear model with the least one on training.

    Args:
        train: (N, D) features of training.
        numbers: (N, K) their targets.
        validation: Features of validation.
        wanted: Their targets.
    """
    weights = np.linalg.lstsq(_with_one(train), numbers, rcond=None)[0]
    return float(((_with_one(validation) @ weights - wanted) ** 2).mean())


def linear_huber_loss(train: Array, numbers: Array, validation: Array, wanted: Array, delta: float) -> float | None:
    """Return the mean Huber loss on validation of the linear model with the least one on training.

    The fit is by iteratively reweighted least squares (Holland and Welsch 1977): an error e weighs min(1, δ / |e|).

    Args:
        train: (N, D) features of training.
        numbers: (N, K) their targets.
        validation: Features of validation.
        wanted: Their targets.
        delta: δ, from which on the loss is linear.

    Returns:
        The loss; None if a fit did not converge.
    """
    basis, sizes, directions = np.linalg.svd(_with_one(train), full_matrices=False)
    independent = sizes > sizes[0] * len(basis) * np.finfo(np.float64).eps
    basis = basis[:, independent]
    fits = [_reweighted(basis, column, delta) for column in numbers.T]
    found = [fit for fit in fits if fit is not None]
    if len(found) < len(fits):
        return None
    weights = directions[independent].T @ (np.stack(found, axis=1) / sizes[independent, None])
    return float(huber(wanted - _with_one(validation) @ weights, delta).mean())


def huber(errors: Array, delta: float) -> Array:
    """Return the Huber loss of each error e (Huber 1964): e² / 2, and linear from |e| = δ on."""
    distances = np.abs(errors)
    losses: Array = np.where(distances < delta, distances**2 / 2, delta * (distances - delta / 2))
    return losses


def _reweighted(basis: Array, numbers: Array, delta: float) -> Array | None:
    """Return the weights (D,) of orthonormal features (N, D) with the least Huber loss on numbers (N,)."""
    weights = basis.T @ numbers
    for _ in range(REWEIGHTINGS):
        errors = numbers - basis @ weights
        limited = np.clip(errors, -delta, delta)
        if np.abs(basis.T @ limited).max() <= ALIGNED * np.linalg.norm(limited):
            return weights
        weighted = basis * (delta / np.maximum(np.abs(errors), delta))[:, None]
        weights = np.asarray(np.linalg.solve(weighted.T @ basis, weighted.T @ numbers), np.float64)
    return None


def minimise(function: Callable[[Array], tuple[float, Array]], start: Array) -> Array | None:
    """Return the minimum of a smooth convex function, found by L-BFGS (Liu and Nocedal 1989); None without convergence.

    Args:
        function: Returns the value and the gradient.
        start: Where the search begins.
    """
    point = start
    value, slope = function(point)
    history: deque[tuple[Array, Array, float]] = deque(maxlen=_PAIRS)
    for _ in range(ITERATIONS):
        if np.abs(slope).max() <= GRADIENT:
            return point
        direction = -_newton(slope, history)
        promised = float(slope @ direction)
        length = 1.0 if history else min(1.0, 1 / float(np.abs(slope).sum()))
        while True:
            new = point + length * direction
            new_value, new_slope = function(new)
            if new_value <= value + _SUFFICIENT * length * promised:
                break
            length /= 2
            if length < 1e-12:  # rounding errors decide now
                return point if np.abs(slope).max() <= 100 * GRADIENT else None
        step, change = new - point, new_slope - slope
        curvature = float(step @ change)
        if curvature > 1e-12 * float(change @ change):
            history.append((step, change, 1 / curvature))
        point, value, slope = new, new_value, new_slope
    return None


def _newton(slope: Array, history: deque[tuple[Array, Array, float]]) -> Array:
    """Return the product of the estimated inverse Hessian with the gradient, by the two-loop recursion."""
    q, factors = slope.copy(), []
    for step, change, rho in reversed(history):
        factors.append(rho * float(step @ q))
        q -= factors[-1] * change
    if history:
        step, change, rho = history[-1]
        q /= rho * float(change @ change)
    for (step, change, rho), factor in zip(history, reversed(factors), strict=True):
        q += (factor - rho * float(change @ q)) * step
    return q


def _log_softmax(logits: Array) -> Array:
    shifted = logits - logits.max(axis=1, keepdims=True)
    logs: Array = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return logs


def _with_one(features: Array) -> Array:
    return np.column_stack([features, np.ones(len(features))])
