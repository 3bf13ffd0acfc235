"""Sharpness: the largest eigenvalue of the Hessian by power iteration, and its spectrum by the Lanczos method."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from lab.base import BadInput, LabError
from lab.training.measurements.surface import LossSurface, Progress

ITERATIONS = 60
"""Most steps of the power iteration."""
CLOSE = 1e-3
"""Share of the eigenvalue by which the last step of a power iteration may have changed it."""
DIMENSIONS, VECTORS = 24, 2
"""Steps of the Lanczos method, and the random vectors from which it starts."""
MOST_DIMENSIONS, MOST_VECTORS = 200, 20
BASIS_BYTES = 1 << 30
"""Bytes that the vectors of one Lanczos run may take; larger models get fewer steps."""


@dataclass(frozen=True)
class Sharpness:
    """The curvature of the loss at the weights.

    Args:
        largest: The largest eigenvalue of the Hessian.
        change: By how much the last step of the power iteration changed it, as a share.
        iterations: Steps of the power iteration.
        eigenvalues: Eigenvalues of the tridiagonal matrices of all Lanczos runs, ascending: estimates of the spectrum.
        shares: The share of the spectrum near each of them (stochastic Lanczos quadrature); together 1.
        trace: The trace of the Hessian, estimated from the same runs; NaN without one.
        parameters: N, the number of weights.
        examples: Examples on which the loss was measured.
        loss: The loss at the weights.
        learning_rate: The learning rate of the recipe, for the bound 2 / rate of plain gradient descent.
    """

    largest: float
    change: float
    iterations: int
    eigenvalues: tuple[float, ...]
    shares: tuple[float, ...]
    trace: float
    parameters: int
    examples: int
    loss: float
    learning_rate: float

    @property
    def bound(self) -> float:
        """2 / learning rate: the sharpness beyond which plain gradient descent with this rate diverges."""
        return 2 / self.learning_rate if self.learning_rate > 0 else math.inf


def measure_sharpness(
    surface: LossSurface,
    learning_rate: float,
    *,
    dimensions: int = DIMENSIONS,
    vectors: int = VECTORS,
    seed: int = 0,
    cancelled: Callable[[], bool] = lambda: False,
    progress: Progress = lambda _: None,
    report: Callable[[float], object] = lambda _: None,
) -> Sharpness:
    """Measure the largest eigenvalue of the Hessian, and its spectrum.

    Args:
        surface: The loss over the weights.
        learning_rate: The learning rate of the recipe.
        dimensions: Steps of the Lanczos method (Golub and Welsch 1969; Ghorbani et al. 2019, algorithm 1); 0 leaves the
            spectrum out.
        vectors: Random vectors from which it starts.
        seed: Of the random vectors.
        cancelled: Called between products with the Hessian; True ends the measurement, and what was found counts.
        progress: Called with the share that is done.
        report: Called with the eigenvalue after each step of the power iteration.

    Raises:
        BadInput: A number is out of bounds.
        LabError: It was cancelled before the first step, or the gradient is not finite.
    """
    for name, value, most in (("--dimensions", dimensions, MOST_DIMENSIONS), ("--vectors", vectors, MOST_VECTORS)):
        if not 0 <= value <= most:
            raise BadInput("is not allowed", field=name, value=str(value), allowed=f"0 to {most}")
    count = len(surface.weights)
    dimensions = min(dimensions, count, max(2, BASIS_BYTES // (8 * count)))
    total = ITERATIONS + dimensions * vectors
    done = 0

    def product(vector: Tensor) -> Tensor:
        nonlocal done
        done += 1
        found = surface.product(vector)
        if not bool(torch.isfinite(found).all()):
            raise LabError("the gradient is no number near these weights", remedy="Choose an earlier checkpoint")
        progress(min(1.0, done / total))
        return found

    generator = torch.Generator().manual_seed(seed)
    loss = surface.loss(surface.weights)
    largest, change, iterations = power_iteration(
        product, random_vector(surface, generator), cancelled=cancelled, report=report
    )
    nodes: list[float] = []
    weights: list[float] = []
    traces: list[float] = []
    for _ in range(vectors if dimensions else 0):
        if cancelled():
            break
        diagonal, off_diagonal = lanczos(product, random_vector(surface, generator), dimensions, cancelled=cancelled)
        values, shares = quadrature(diagonal, off_diagonal)
        nodes += values.tolist()
        weights += shares.tolist()
        traces.append(count * float(values @ shares))
    order = np.argsort(nodes)
    runs = max(1, len(traces))
    progress(1.0)
    return Sharpness(
        largest=max(largest, max(nodes, default=-math.inf)),
        change=change,
        iterations=iterations,
        eigenvalues=tuple(float(nodes[index]) for index in order),
        shares=tuple(weights[index] / runs for index in order),
        trace=float(np.mean(traces)) if traces else math.nan,
        parameters=count,
        examples=surface.count,
        loss=loss,
        learning_rate=learning_rate,
    )


def power_iteration(
    product: Callable[[Tensor], Tensor],
    vector: Tensor,
    *,
    cancelled: Callable[[], bool] = lambda: False,
    report: Callable[[float], object] = lambda _: None,
) -> tuple[float, float, int]:
    """Return the largest eigenvalue of a symmetric matrix, the share of its last change, and the steps that were made.

    The iteration finds the eigenvalue that is farthest from zero. If that is negative, the iteration is repeated with
    the matrix moved by it, whose farthest eigenvalue is the largest one.

    Args:
        product: Returns the product of the matrix with a vector.
        vector: (N,) where to start.
        cancelled: Called between steps; True ends it.
        report: Called with the eigenvalue after each step.

    Raises:
        LabError: It was cancelled before the first step.
    """
    farthest, change, steps = _iterate(product, vector, 0.0, cancelled, report)
    if farthest >= 0 or cancelled():
        return farthest, change, steps
    largest, change, more = _iterate(product, vector, farthest, cancelled, report)
    return largest, change, steps + more


def _iterate(
    product: Callable[[Tensor], Tensor],
    vector: Tensor,
    shift: float,
    cancelled: Callable[[], bool],
    report: Callable[[float], object],
) -> tuple[float, float, int]:
    """Return the eigenvalue that is farthest from a shift, the share of its last change, and the steps."""
    vector = vector / vector.norm()
    value, change = math.nan, math.inf
    for step in range(ITERATIONS):
        if cancelled():
            if step == 0:
                raise LabError("nothing was measured", remedy="Let it run for longer")
            return value, change, step
        found = product(vector)
        before, value = value, float(vector @ found)
        report(value)
        moved = found - shift * vector
        length = float(moved.norm())
        if length == 0:
            return value, 0.0, step + 1
        vector = moved / length
        if math.isfinite(before):
            change = abs(value - before) / max(abs(value), 1e-300)
            if change < CLOSE:
                return value, change, step + 1
    return value, change, ITERATIONS


def lanczos(
    product: Callable[[Tensor], Tensor],
    vector: Tensor,
    dimensions: int,
    *,
    cancelled: Callable[[], bool] = lambda: False,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the diagonal (K,) and its neighbours (K − 1,) of the tridiagonal matrix of a symmetric matrix.

    Each vector is made orthogonal to all before it, twice, as rounding would bring known directions back.

    Args:
        product: Returns the product of the matrix with a vector.
        vector: (N,) where to start.
        dimensions: Most steps, K.
        cancelled: Called between steps; True ends it.
    """
    basis = [vector / vector.norm()]
    diagonal: list[float] = []
    off_diagonal: list[float] = []
    for step in range(dimensions):
        found = product(basis[-1])
        diagonal.append(float(basis[-1] @ found))
        for _ in range(2):
            for one in basis:
                found = found - (one @ found) * one
        length = float(found.norm())
        if step + 1 == dimensions or length < 1e-10 * max(1.0, abs(diagonal[0])) or cancelled():
            break
        off_diagonal.append(length)
        basis.append(found / length)
    return np.array(diagonal), np.array(off_diagonal)


def quadrature(diagonal: np.ndarray, off_diagonal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the eigenvalues of a tridiagonal matrix, and the share of the spectrum that each stands for.

    Args:
        diagonal: (K,).
        off_diagonal: (K − 1,) the numbers at either side of it.
    """
    matrix = np.diag(diagonal) + np.diag(off_diagonal, 1) + np.diag(off_diagonal, -1)
    values, columns = np.linalg.eigh(matrix)
    return values, columns[0] ** 2


def random_vector(surface: LossSurface, generator: torch.Generator) -> Tensor:
    """Return (N,) random numbers of a normal distribution."""
    weights = surface.weights
    return torch.randn(len(weights), generator=generator, dtype=torch.float64).to(weights)
