"""N-grams of characters and words as integers, and the most frequent ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.text.statistics.progress import SLICE, Step, unseen

ORDERS = 5
LONGEST = 10_000_000
"""The largest number of first characters or words that are read: sorting takes 5 int64 copies of them, 400 MB."""
FIRST = 20
"""The number of n-grams of each order that are listed."""

Integers = NDArray[np.integer[Any]]


@dataclass(frozen=True)
class Grams:
    """The n-grams of one order.

    Args:
        order: n.
        total: The number of n-grams in the text.
        distinct: The number of different ones.
        once: The number of these that occur only once.
        top: (n-gram for display, count), the most frequent first.
    """

    order: int
    total: int
    distinct: int
    once: int
    top: tuple[tuple[str, int], ...]


def coded_grams(symbols: Integers, size: int, orders: int = ORDERS) -> Iterator[NDArray[np.int64]]:
    """Yield for each order n from 1: (N − n + 1,) a number for the n-gram that starts at each position.

    Divided by `size` it is a number for its context, the first n − 1 symbols; the remainder is the last symbol. The
    numbers stay below 2^62: if necessary, those of the previous order are replaced by their ranks.

    Args:
        symbols: (N,) symbol numbers, with N at least `orders`.
        size: The number of symbols.
        orders: The last order.
    """
    codes, bound = symbols.astype(np.int64), size
    yield codes
    for order in range(2, orders + 1):
        if bound * size >= 1 << 62:
            bound, codes = _ranks(codes)
        codes = codes[:-1] * size + symbols[order - 1 :]
        bound *= size
        yield codes


def _ranks(codes: NDArray[np.int64]) -> tuple[int, NDArray[np.int64]]:
    """Return (number of different codes, rank of each code among them)."""
    order = np.argsort(codes)
    ordered = codes[order]
    numbers = np.cumsum(np.append(False, ordered[1:] != ordered[:-1]))
    for start in range(0, len(order), SLICE):  # scattered writes block other threads
        ordered[order[start : start + SLICE]] = numbers[start : start + SLICE]
    return int(numbers[-1]) + 1, ordered


def counted(codes: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return (different codes in order, the count of each)."""
    ordered = np.sort(codes)
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1])) if len(ordered) else np.zeros(0, np.int64)
    return ordered[starts], np.diff(np.append(starts, len(ordered)))


def most_frequent(counts: NDArray[np.int64], many: int) -> NDArray[np.int64]:
    """Return (≤ many,) the indices of the largest counts, largest first; equal ones in order."""
    many = min(many, len(counts))
    if not many:
        return np.zeros(0, np.int64)
    least = np.partition(counts, -many)[-many]
    above = np.flatnonzero(counts > least)
    level = np.flatnonzero(counts == least)[: many - len(above)]
    return np.concatenate([above[np.argsort(-counts[above], kind="stable")], level])


def grams(
    symbols: Integers, size: int, shown: Callable[[NDArray[Any]], str], *, step: Step = unseen
) -> tuple[Grams, ...]:
    """Return the n-grams of orders 1 to ORDERS, or fewer if the text is too short.

    Args:
        symbols: (N,) symbol numbers; the first LONGEST are read.
        size: The number of symbols.
        shown: Returns an n-gram for display, from its symbol numbers.
        step: Called with the orders that are done.
    """
    symbols = symbols[:LONGEST]
    orders, found = min(ORDERS, len(symbols)), []
    if not orders:
        return ()
    for order, codes in enumerate(coded_grams(symbols, size, orders), 1):
        different, counts = counted(codes)
        top = []
        for number in most_frequent(counts, FIRST).tolist():
            position = int((codes == different[number]).argmax())
            top.append((shown(symbols[position : position + order]), int(counts[number])))
            step(order - 1, orders)
        found.append(Grams(order, len(codes), len(counts), int((counts == 1).sum()), tuple(top)))
        step(order, orders)
    return tuple(found)
