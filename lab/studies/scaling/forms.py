"""The forms of scaling laws whose parameters are fitted together, as logarithms of the loss.

Symbols: N parameters, D tokens of the training, U unique ones among them, L nats per token.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]
Data: TypeAlias = Mapping[str, Array]
"""(n,) logarithms of N, D and U by name."""

EXPONENTS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0, 1.5)
"""Exponents from whose combinations a fit starts."""
REPETITIONS = (1.0, 5.0, 15.0, 50.0)
"""R* from which a fit starts."""


@dataclass(frozen=True)
class Form:
    """A law of the loss.

    Args:
        name: Its name on the command line.
        formula: The formula.
        source: Where it was published.
        columns: The columns that it needs besides L.
        free: p, the number of fitted parameters.
        predict: (data, (..., p) fitted parameters) -> (..., n) ln L.
        starts: (data, (n,) L) -> (S, p) parameters to start from.
        values: (..., p) fitted parameters -> the published parameters by name.
        derived: The published parameters -> what follows from them, by name.
    """

    name: str
    formula: str
    source: str
    columns: tuple[str, ...]
    free: int
    predict: Callable[[Data, Array], Array]
    starts: Callable[[Data, Array], Array]
    values: Callable[[Array], dict[str, Array]]
    derived: Callable[[Mapping[str, Array]], dict[str, Array]]


def _sum_of_exponentials(*logarithms: Array) -> Array:
    total = logarithms[0]
    for each in logarithms[1:]:
        total = np.logaddexp(total, each)
    return total


def _column(parameters: Array, index: int) -> Array:
    return parameters[..., index, None]


# Chinchilla's third approach: L = E + A/N^alpha + B/D^beta, with ln A, ln B and ln E fitted.


def _chinchilla(data: Data, parameters: Array) -> Array:
    e, a, b, alpha, beta = (_column(parameters, index) for index in range(5))
    return _sum_of_exponentials(e + 0 * data["N"], a - alpha * data["N"], b - beta * data["D"])


def _chinchilla_starts(data: Data, loss: Array) -> Array:
    """Return for each pair of exponents the E, A and B of least squares, none below a small share of the loss."""
    starts = []
    for alpha, beta in product(EXPONENTS, EXPONENTS):
        powers = np.stack([np.ones_like(loss), _power(data["N"], alpha), _power(data["D"], beta)], axis=-1)
        solved = np.linalg.lstsq(powers / loss[:, None], np.ones_like(loss), rcond=None)[0]
        e, a, b = np.log(np.maximum(solved, 0.02 * loss.min()))
        starts.append([e, a + alpha * data["N"].mean(), b + beta * data["D"].mean(), alpha, beta])
    return np.array(starts)


def _power(logarithms: Array, exponent: float) -> Array:
    found: Array = np.exp(-exponent * (logarithms - logarithms.mean()))
    return found


def _chinchilla_values(parameters: Array) -> dict[str, Array]:
    e, a, b, alpha, beta = np.moveaxis(parameters[..., :5], -1, 0)
    return {"E": np.exp(e), "A": np.exp(a), "B": np.exp(b), "alpha": alpha, "beta": beta}


def _chinchilla_derived(values: Mapping[str, Array]) -> dict[str, Array]:
    """Return the exponents of the best N and D at a compute C: N ∝ C^a, D ∝ C^b (Hoffmann et al. 2022, equation 4)."""
    both = values["alpha"] + values["beta"]
    return {"a": values["beta"] / both, "b": values["alpha"] / both}


# Kaplan's joint form: L = ((N_c/N)^(alpha_N/alpha_D) + D_c/D)^alpha_D.


def _kaplan(data: Data, parameters: Array) -> Array:
    scale, ratio, of_n, of_d = (_column(parameters, index) for index in range(4))
    return np.exp(scale) * _sum_of_exponentials(np.exp(ratio) * (of_n - data["N"]), of_d - data["D"])


def _kaplan_starts(data: Data, loss: Array) -> Array:
    """Return starts whose two terms are equal at the mean of the rows, and together give the mean loss."""
    starts = []
    level = float(np.log(loss).mean())
    for scale, ratio in product((0.03, 0.06, 0.1, 0.2, 0.4, 0.8), (0.3, 0.6, 1.0, 1.6, 3.0)):
        for share in (0.1, 0.5, 0.9):
            both = level / scale
            of_n, of_d = both + np.log(share), both + np.log(1 - share)
            starts.append(
                [np.log(scale), np.log(ratio), of_n / ratio + data["N"].mean(), of_d + data["D"].mean()],
            )
    return np.array(starts)


def _kaplan_values(parameters: Array) -> dict[str, Array]:
    scale, ratio, of_n, of_d = np.moveaxis(parameters, -1, 0)
    alpha_d = np.exp(scale)
    return {"alpha_N": np.exp(ratio) * alpha_d, "alpha_D": alpha_d, "N_c": np.exp(of_n), "D_c": np.exp(of_d)}


def _no_derived(_values: Mapping[str, Array]) -> dict[str, Array]:
    return {}


def _kaplan_derived(values: Mapping[str, Array]) -> dict[str, Array]:
    """Return the exponent of the data rule D ∝ N^(alpha_N/alpha_D) (Kaplan et al. 2020, equation 4.4)."""
    return {"data_exponent": values["alpha_N"] / values["alpha_D"]}


# Muennighoff's: Chinchilla's with the tokens and parameters that repetition leaves effective.


def _constrained(data: Data, parameters: Array) -> Array:
    e, a, b, alpha, beta, repeated_d, repeated_n = (_column(parameters, index) for index in range(7))
    unique_n = (np.log(np.maximum(alpha, 1e-9)) + a - np.log(np.maximum(beta, 1e-9)) - b + beta * data["U"]) / (
        np.maximum(alpha, 1e-9)
    )
    n = effective(data["N"], np.minimum(unique_n, data["N"]), repeated_n)
    d = effective(data["D"], np.minimum(data["U"], data["D"]), repeated_d)
    return _sum_of_exponentials(e + 0 * n, a - alpha * n, b - beta * d)


def effective(total: Array, unique: Array, worth: Array) -> Array:
    """Return the logarithm of what repeated tokens or parameters are worth: U + U R* (1 − exp(−R/R*)), R = total/U − 1.

    Args:
        total: Logarithm of all of them.
        unique: Logarithm of the unique ones.
        worth: ln R*.

    Source: Muennighoff et al. 2023, equations 5 and 10.
    """
    star = np.exp(worth)
    repeats = np.expm1(np.maximum(total - unique, 0.0))
    found: Array = unique + np.log1p(star * -np.expm1(-repeats / star))
    return found


def _constrained_starts(data: Data, loss: Array) -> Array:
    once = data["D"] <= data["U"] + 1e-9
    rows = once if once.sum() >= 6 else np.ones_like(once)
    base = _chinchilla_starts({name: column[rows] for name, column in data.items()}, loss[rows])[::3]
    stars = [(np.log(d), np.log(n)) for d, n in product(REPETITIONS[1:], REPETITIONS)]
    return np.array([[*start, *star] for start in base for star in stars])


def _constrained_values(parameters: Array) -> dict[str, Array]:
    stars = {"R_D": np.exp(parameters[..., 5]), "R_N": np.exp(parameters[..., 6])}
    return {**_chinchilla_values(parameters), **stars}


FORMS = {
    form.name: form
    for form in (
        Form(
            "chinchilla",
            "L = E + A/N^alpha + B/D^beta",
            "Hoffmann et al. 2022, equation 2; the objective, section D.2",
            ("N", "D"),
            5,
            _chinchilla,
            _chinchilla_starts,
            _chinchilla_values,
            _chinchilla_derived,
        ),
        Form(
            "kaplan",
            "L = ((N_c/N)^(alpha_N/alpha_D) + D_c/D)^alpha_D",
            "Kaplan et al. 2020, equation 1.5; N counts no embeddings",
            ("N", "D"),
            4,
            _kaplan,
            _kaplan_starts,
            _kaplan_values,
            _kaplan_derived,
        ),
        Form(
            "data-constrained",
            "L = E + A/N'^alpha + B/D'^beta, D' = U (1 + R_D (1 − exp(−(D/U − 1)/R_D))), and N' likewise",
            "Muennighoff et al. 2023, equations 5 to 10",
            ("N", "D", "U"),
            7,
            _constrained,
            _constrained_starts,
            _constrained_values,
            _no_derived,
        ),
    )
}
"""The forms by name."""
