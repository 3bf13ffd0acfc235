"""The squared error of models that were trained on different data sets, as bias, variance and noise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Decomposition:
    """The expected squared error of a kind of model, per number.

    Args:
        name: The kind of model.
        data_sets: Models, each trained on a data set of its own.
        bias: The squared distance of their mean from the rule, averaged over inputs.
        variance: Their variance around their mean, averaged over inputs.
        noise: The variance of the targets around the rule; None if it is not known and counts as bias.
    """

    name: str
    data_sets: int
    bias: float
    variance: float
    noise: float | None

    @property
    def error(self) -> float:
        """The expected squared error on new rows."""
        return self.bias + self.variance + (self.noise or 0.0)


def decompose(
    name: str, predictions: NDArray[np.float64], rule: NDArray[np.float64], noise: float | None
) -> Decomposition:
    """Decompose the squared error of models (Geman, Bienenstock & Doursat 1992, eq. 3.5), without bias in the parts.

    The mean of M models varies around its expectation, which adds variance / M to its squared distance from the rule;
    that is taken off, so that a bias near 0 may come out slightly negative.

    Args:
        name: The kind of model.
        predictions: (M, N, K) of M ≥ 2 models at N inputs.
        rule: (N, K) the targets without noise.
        noise: The variance of the noise; None if the targets have it in them.
    """
    variance = float(predictions.var(axis=0, ddof=1).mean())
    distance = float(((predictions.mean(axis=0) - rule) ** 2).mean())
    return Decomposition(name, len(predictions), distance - variance / len(predictions), variance, noise)
