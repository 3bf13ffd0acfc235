"""The entropy of a text by orders, after Shannon 1951, and what its counts are worth on text they have not seen."""

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
"""Bits between an entropy as counted and the held-out bits above which the counts are too few."""
SPARSE = 0.5
"""Share of contexts seen once above which they are too few where nothing is held out."""

Integers = NDArray[np.integer[Any]]


@dataclass(frozen=True)
class Entropy:
    """How uncertain a character is, in one order.

    Args:
        order: N: the character and the N − 1 before it are counted; 0 for none at all.
        bits: F_N of the whole text in bits per character, as it was counted; it falls to 0 as contexts become unique.
        held_out: Bits per character of validation under counts of training alone, smoothed after Witten and Bell;
            None where there is no validation.
        contexts: Different contexts of N − 1 characters.
        once: Share of these that stand in the text a single time.
    """

    order: int
    bits: float
    held_out: float | None
    contexts: int
    once: float

    @property
    def sparse(self) -> bool:
        """Whether the counts are too few for `bits` to be taken at its word."""
        return self.once > SPARSE or (self.held_out is not None and self.held_out - self.bits > FAR)


@dataclass(frozen=True)
class Entropies:
    """The entropies of orders 0 to ORDERS, as far as the text is long enough.

    Args:
        orders: By N.
        read: Characters that were counted, from the beginning.
        border: Of these, the ones that are training.
        note: A sentence on what the figures are worth.
    """

    orders: tuple[Entropy, ...]
    read: int
    border: int
    note: str


def entropies(symbols: Integers, size: int, share: float = 0.9, *, step: Step = unseen) -> Entropies:
    """Shannon's F_N: the mean uncertainty of a character whose N − 1 predecessors are known.

    F_0 is log2 of the alphabet. F_N = −Σ p(context, character) · log2 p(character | context), with the shares that the
    text itself has (Shannon 1951, equation 1). The same counts, taken of training alone, are tried on validation:
    p_N = (count + types · p_{N−1}) / (count of the context + types), where types are the different characters that
    follow the context (Witten & Bell 1991).

    Args:
        symbols: (N,) numbers of characters; the first LONGEST are read.
        size: Different characters.
        share: Of the characters that are training.
        step: Told the orders that are done.
    """
    border = int(share * len(symbols))
    symbols, border = symbols[:LONGEST], min(border, int(share * LONGEST))
    guesses = np.full(len(symbols) - border if border else 0, 1 / size)  # probability of each validation character
    orders = [Entropy(0, math.log2(size), math.log2(size) if len(guesses) else None, 1, 0.0)]
    last = min(ORDERS, len(symbols))
    for order, codes in enumerate(coded_grams(symbols, size, last) if last else (), 1):
        different, counts = counted(codes)
        starts = _context_starts(different, size)
        contexts = np.add.reduceat(counts, starts)  # how often each context comes
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
    """Makes the probabilities of validation characters, given one character less, those of this order."""
    starts = _context_starts(different, size)
    types = np.diff(np.append(starts, len(different)))
    totals = np.add.reduceat(counts, starts)
    at, seen = _find(different[starts] // size, wanted // size)
    gram, there = _find(different, wanted)
    total, kinds, count = totals[at[seen]], types[at[seen]], np.where(there, counts[gram], 0)[seen]
    guesses[seen] = (count + kinds * guesses[seen]) / (total + kinds)


def _find(ordered: NDArray[np.int64], wanted: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """(where each number stands in an ordered list, whether it does)."""
    at = np.searchsorted(ordered, wanted)
    at[at == len(ordered)] = 0
    return at, ordered[at] == wanted


def _context_starts(different: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """Where the first n-gram of each context stands among the different ones in order."""
    contexts = different // size
    return np.flatnonzero(np.append(True, contexts[1:] != contexts[:-1]))


def _weighed(counts: NDArray[np.int64]) -> float:
    """Σ c · log2 c."""
    return float((counts * np.log2(counts)).sum())


def _note(orders: list[Entropy]) -> str:
    sparse = next((entropy for entropy in orders if entropy.sparse), None)
    if sparse is None:
        return "The counts of every order are enough for these figures."
    once = round(100 * orders[-1].once)
    detail = f" ({once} % of the contexts of order {orders[-1].order} stand there once)" if once else ""
    return f"From order {sparse.order} on the counts are too few{detail}: the entropy as counted is too low" + (
        ", the held-out bits are too high." if sparse.held_out is not None else "."
    )
