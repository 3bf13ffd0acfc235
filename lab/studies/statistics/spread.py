"""The mean over seeds and its band, by one of three measures that is named wherever it is drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

SPREADS = ("sd", "se", "95 %")
"""Measures of a band: standard deviation of the runs, standard error of their mean, 95 % interval of their mean."""
NODES = 64
NORMAL = 1e6
"""Degrees of freedom from which on Student's t is taken as the normal distribution."""


@dataclass(frozen=True)
class Spread:
    """Runs of one kind in numbers.

    Args:
        count: The number of runs.
        mean: Their mean.
        sd: Their standard deviation, with count − 1; NaN of one run.
    """

    count: int
    mean: float
    sd: float

    @property
    def se(self) -> float:
        """The standard error of the mean."""
        return self.sd / math.sqrt(self.count)

    def half_width(self, measure: str) -> float:
        """Return half the width of the band around the mean; NaN of one run.

        Args:
            measure: One of SPREADS.
        """
        if self.count < 2:
            return math.nan
        if measure == "95 %":
            return t_quantile(0.975, self.count - 1) * self.se
        return {"sd": self.sd, "se": self.se}[measure]


def spread_of(values: Sequence[float]) -> Spread:
    """Return the spread of the values of runs that differ in nothing but the seed.

    Raises:
        ValueError: There is none.
    """
    if not len(values):
        raise ValueError("no values have no mean")
    found = np.asarray(values, float)
    return Spread(len(found), float(found.mean()), float(found.std(ddof=1)) if len(found) > 1 else math.nan)


def t_quantile(share: float, degrees: float) -> float:
    """Return the quantile of Student's t distribution, for any degrees of freedom of at least 1.

    With t = √ν tan θ its density is proportional to cos(θ)^(ν − 1), which Gauss-Legendre nodes integrate exactly
    enough; the tests compare it with tables.

    Args:
        share: The share of the distribution below the quantile, 0.5 ≤ share < 1.
        degrees: ν.
    """
    if degrees > NORMAL:
        from statistics import NormalDist

        return NormalDist().inv_cdf(share)
    nodes, weights = _nodes()
    whole = math.sqrt(math.pi) * math.exp(math.lgamma(degrees / 2) - math.lgamma((degrees + 1) / 2))  # from −π/2 to π/2
    low, high = 0.0, math.pi / 2
    for _ in range(60):
        middle = (low + high) / 2
        part = middle / 2 * float(weights @ np.cos(middle / 2 * (nodes + 1)) ** (degrees - 1))
        low, high = (middle, high) if part / whole < share - 0.5 else (low, middle)
    return math.sqrt(degrees) * math.tan((low + high) / 2)


@cache
def _nodes() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the nodes and weights of Gauss and Legendre between −1 and 1."""
    return np.polynomial.legendre.leggauss(NODES)
