"""The entropy of a text by order, after Shannon 1951, and the loss of its counts on held-out text."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.text.statistics.grams import LONGEST, coded_grams, counted
from lab.text.statistics.progress import Step, unseen

ORDERS = 5
FAR = 0.1
"""Difference in bits of counted entropy and held-out bits above which the counts are too few."""
SPARSE = 0.5
"""Share of contexts seen once above which the counts are too few."""

Integers = NDArray[np.integer[Any]]


@dataclass(frozen=True)
class Entropy:
    """The uncertainty of a character, for one order.

    Args:
        order: N: the number of characters counted together, the N − 1 of the context included; 0 counts nothing.
        bits: F_N of the complete text in bits per character, as counted; it falls to 0 as contexts become unique.
        held_out: Bits per character of validation under the counts of training, smoothed after Witten and Bell;
            None without validation.
        contexts: The number of different contexts of N − 1 characters.
        once: The share of these that occur only once.
    """

    order: int
    bits: float
    held_out: float | None
    contexts: int
    once: float

    @property
    def sparse(self) -> bool:
        """True if the counts are too few for `bits` to be reliable."""
        return self.once > SPARSE or (self.held_out is not None and self.held_out - self.bits > FAR)


@dataclass(frozen=True)
class Entropies:
    """The entropies of orders 0 to ORDERS, or fewer if the text is too short.

    Args:
        orders: The entropies, by N.
        read: The number of characters that were counted, from the start.
        border: The number of these that belong to training.
        note: A sentence on how reliable the figures are.
    """

    orders: tuple[Entropy, ...]
    read: int
    border: int
    note: str


def entropies(symbols: Integers, size: int, share: float = 0.9, *, step: Step = unseen) -> Entropies:
    """Return Shannon's F_N: the mean uncertainty of a character whose N − 1 predecessors are known.

    F_0 is log2 of the alphabet. F_N = −Σ p(context, character) · log2 p(character | context), with the shares of the
    text itself (Shannon 1951, equation 1). The same counts, of training alone, are evaluated on validation:
    p_N = (count + types · p_{N−1}) / (count of the context + types), where types are the different characters that
    follow the context (Witten & Bell 1991).

    Args:
        symbols: (N,) numbers of characters; the first LONGEST are read.
        size: The number of different characters.
        share: The share of the characters that belongs to training.
        step: Called with the orders that are done.
    """
    border = int(share * len(symbols))
    symbols, border = symbols[:LONGEST], min(border, int(share * LONGEST))
    guesses = np.full(len(symbols) - border if border else 0, 1 / size)  # probability of each validation character
    orders = [Entropy(0, math.log2(size), math.log2(size) if len(guesses) else None, 1, 0.0)]
    last = min(ORDERS, len(symbols))
    for order, codes in enumerate(coded_grams(symbols, size, last) if last else (), 1):
        different, counts = counted(codes)
        starts = _context_starts(different, size)
        contexts = np.add.reduceat(counts, starts)  # how often each context occurs
        bits = (_weighed(contexts) - _weighed(counts)) / len(codes)
        step(2 * order - 1, 2 * last)
        held_out = None
        if len(guesses) and border >= order:
            _improve(guesses, codes[border - order + 1 :], *counted(codes[: border - order + 1]), size)
            held_out = float(-np.log2(guesses).mean())
        orders.append(Entropy(order, max(0.0, bits), held_out, len(contexts), float((contexts == 1).mean())))
        step(2 * order, 2 * last)
    return Entropies(tuple(orders), len(symbols), border, _note(orders))


def _improve(
    guesses: NDArray[np.float64],
    wanted: NDArray[np.int64],
    different: NDArray[np.int64],
    counts: NDArray[np.int64],
    size: int,
) -> None:
    """Update the probabilities of validation characters from those of the previous order to this one."""
    starts = _context_starts(different, size)
    types = np.diff(np.append(starts, len(different)))
    totals = np.add.reduceat(counts, starts)
    at, seen = _find(different[starts] // size, wanted // size)
    gram, found = _find(different, wanted)
    total, kinds, count = totals[at[seen]], types[at[seen]], np.where(found, counts[gram], 0)[seen]
    guesses[seen] = (count + kinds * guesses[seen]) / (total + kinds)


def _find(ordered: NDArray[np.int64], wanted: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return (position of each number in an ordered list, True where it is in the list)."""
    at = np.searchsorted(ordered, wanted)
    at[at == len(ordered)] = 0
    return at, ordered[at] == wanted


def _context_starts(different: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """Return the index of the first n-gram of each context among the ordered different ones."""
    contexts = different // size
    return np.flatnonzero(np.append(True, contexts[1:] != contexts[:-1]))


def _weighed(counts: NDArray[np.int64]) -> float:
    """Return Σ c · log2 c."""
    return float((counts * np.log2(counts)).sum())


def _note(orders: list[Entropy]) -> str:
    sparse = next((entropy for entropy in orders if entropy.sparse), None)
    if sparse is None:
        return "The counts of every order are enough for these figures."
    once = round(100 * orders[-1].once)
    detail = f" ({once} % of the contexts of order {orders[-1].order} occur only once)" if once else ""
    return f"From order {sparse.order} on the counts are too few{detail}: the entropy as counted is too low" + (
        ", the held-out bits are too high." if sparse.held_out is not None else "."
    )
