"""Statistics of a mixture of experts: which tokens its experts take, how evenly, and how sure the router is.

All functions work on two tables of one block and one text: p (T, E), the router's probabilities of all experts, and
g (T, E), the factor on each expert's output, 0 where the expert does not take the token. Tokens with values that are
not finite are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

Numbers = NDArray[np.float64]


class Favourite(NamedTuple):
    """A symbol that an expert often takes.

    Args:
        symbol: The symbol as the tokenizer shows it.
        taken: The number of its occurrences that the expert takes.
        total: The number of its occurrences in the text.
    """

    symbol: str
    taken: int
    total: int


def likeliest(p: ArrayLike) -> Numbers:
    """Return gates (T, E) for a model that reports only probabilities: the largest p of each token, 0 elsewhere."""
    p = np.asarray(p, np.float64)
    rows = np.flatnonzero(_known(p))
    best = p[rows].argmax(axis=1)
    gates = np.zeros_like(p)
    gates[rows, best] = p[rows, best]
    return gates


def taken(g: ArrayLike) -> NDArray[np.bool_]:
    """Return a mask (T, E): True where the expert takes the token."""
    gates = np.asarray(g, np.float64)
    return np.asarray(np.isfinite(gates) & (gates != 0))


def load(g: ArrayLike) -> Numbers:
    """Return each expert's share of all assignments, (E,); the shares sum to 1, and 1 / E each is ideal.

    NaN where no expert takes any token.
    """
    counts = taken(g).sum(axis=0).astype(np.float64)
    return _over(counts, counts.sum())


def balance(p: ArrayLike, g: ArrayLike) -> float:
    """Return E Σ f_i P_i with load f and an expert's mean probability P (Fedus et al. 2021, eq. 4-6); 1 is balanced."""
    p = np.asarray(p, np.float64)
    known = p[_known(p)]
    return float(p.shape[1] * (load(g) * _over(known.sum(axis=0), len(known))).sum())


def entropy(p: ArrayLike) -> Numbers:
    """Return the entropy of the router's choice in bits, (T,): 0 if it is sure, log₂ E if all experts are equal."""
    p = np.asarray(p, np.float64)
    known = np.where(_known(p)[:, None], p, np.nan)
    logs = np.log2(known, out=np.zeros_like(p), where=~(known <= 0))  # 0 log 0 is 0
    bits: Numbers = 0.0 - (known * logs).sum(axis=1)
    return bits


def confidence(p: ArrayLike) -> Numbers:
    """Return the largest probability of each token, (T,)."""
    p = np.asarray(p, np.float64)
    return np.where(_known(p), p.max(axis=1), np.nan)


def dead(load: Numbers) -> NDArray[np.bool_]:
    """Return a mask (E,): True for experts that take no token of the text."""
    nothing: NDArray[np.bool_] = load == 0
    return nothing


def co_activation(g: ArrayLike) -> Numbers:
    """Return (E, E): the share of the row expert's tokens that the column expert takes too; NaN if it has none."""
    assigned = taken(g).astype(np.float32)  # counts are exact up to 2²⁴ tokens
    together = (assigned.T @ assigned).astype(np.float64)
    return _over(together, together.diagonal()[:, None])


def by_class(g: ArrayLike, classes: Sequence[str], names: Sequence[str]) -> Numbers:
    """Return how the assignments of each class of tokens are spread over the experts, (names, E); rows sum to 1.

    Args:
        g: (T, E).
        classes: The class of each of the T tokens.
        names: The classes of the rows; a row is NaN if no token is of its class.
    """
    row = {name: number for number, name in enumerate(names)}
    counts = _counts(taken(g), np.array([row[one] for one in classes], np.int64), len(names))
    return _over(counts.astype(np.float64), counts.sum(axis=1, keepdims=True))


def favourites(g: ArrayLike, symbols: Sequence[str], n: int) -> tuple[tuple[Favourite, ...], ...]:
    """Return the up to n symbols that each expert takes most often; ties in the order of the text.

    Args:
        g: (T, E).
        symbols: The symbol of each of the T tokens.
        n: The largest number of symbols.
    """
    numbers = {symbol: number for number, symbol in enumerate(dict.fromkeys(symbols))}
    names, rows = tuple(numbers), np.array([numbers[symbol] for symbol in symbols], np.int64)
    counts, totals = _counts(taken(g), rows, len(names)), np.bincount(rows, minlength=len(names))
    order = np.argsort(-counts, axis=0, kind="stable")[:n]
    return tuple(
        tuple(Favourite(names[i], int(column[i]), int(totals[i])) for i in best if column[i])
        for best, column in zip(order.T, counts.T, strict=True)
    )


def _known(p: Numbers) -> NDArray[np.bool_]:
    return np.asarray(np.isfinite(p).all(axis=1))


def _counts(assigned: NDArray[np.bool_], rows: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """Return the number of tokens of each row that each expert takes, (size, E)."""
    E = assigned.shape[1]
    tokens, experts = np.nonzero(assigned)
    cells = rows[tokens] * E + experts
    return np.bincount(cells, minlength=size * E).reshape(size, E)


def _over(amount: Numbers, total: Any) -> Numbers:
    """Return the quotients; NaN where the total is 0."""
    totals = np.broadcast_to(total, amount.shape)
    shares: Numbers = np.divide(amount, totals, out=np.full(amount.shape, np.nan), where=totals != 0)
    return shares
