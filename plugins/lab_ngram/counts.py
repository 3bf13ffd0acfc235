"""Counts of n-grams: a trie, with one sorted table per order.

V vocabulary, K distinct n-grams of one order. A node is the index of an n-gram in the table of its order. The table
holds, for the n-gram h·w, the code (node of h) · V + w: codes stay below K · V at every order and vocabulary, and all
that was seen after h is contiguous. Node −1 is an n-gram that was never seen; every array indexed by nodes has one
more entry at its end, for this node.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

NEVER = np.iinfo(np.int64).max  # greater than every code
DIRECT = 2**22
"""Codes are looked up in a table of all possible ones up to this size, several times faster than a search: 16 MiB."""


AT_ONCE = 2**20
"""Numbers tallied at once, which takes some milliseconds."""


@dataclass(frozen=True, eq=False)
class Grams:
    """The seen n-grams h·w of one order. Never modified, so copies of a model share them.

    Args:
        codes: (K + 1,) rising; the last is NEVER.
        counts: (K + 1,) c(hw); the last is 0.
        contexts: The number of possible h: the n-grams of the order below.
        vocabulary_size: V.
    """

    codes: Ints
    counts: Ints
    contexts: int
    vocabulary_size: int

    @classmethod
    def of(cls, codes: Ints, counts: Ints, contexts: int, vocabulary_size: int) -> Grams:
        """Return the table of what was seen, from its (K,) codes and counts."""
        return cls(joined(codes, [NEVER]), joined(counts, [0]), contexts, vocabulary_size)

    def __len__(self) -> int:
        return len(self.codes) - 1

    @cached_property
    def parents(self) -> Ints:
        """The node of h for each n-gram h·w, (K,)."""
        return self.codes[:-1] // self.vocabulary_size

    @cached_property
    def tokens(self) -> Ints:
        """The token w of each n-gram h·w, (K,)."""
        return self.codes[:-1] - self.parents * self.vocabulary_size

    @cached_property
    def distinct(self) -> Ints:
        """N1+(h·), (contexts + 1,): how many different tokens followed each context."""
        return tally(self.parents, self.contexts + 1)

    @cached_property
    def first(self) -> Ints:
        """First nodes, (contexts + 2,): those after context h are first[h] to first[h + 1] − 1."""
        return joined([0], np.cumsum(self.distinct))

    @cached_property
    def totals(self) -> Ints:
        """c(h) = Σ_w c(hw), (contexts + 1,): how often anything followed each context."""
        return self.sums(self.counts[:-1])

    def sums(self, values: Ints) -> Ints:
        """Return the sums (contexts + 1,) of integer values (K,) over all n-grams that followed each context."""
        return np.diff(joined([0], np.cumsum(values))[self.first])

    @cached_property
    def _positions(self) -> NDArray[np.int32] | None:
        limit = self.contexts * self.vocabulary_size
        if limit > DIRECT:
            return None
        positions = np.full(limit, -1, np.int32)
        positions[self.codes[:-1]] = np.arange(len(self), dtype=np.int32)
        return positions

    def find(self, contexts: Ints, tokens: Ints) -> Ints:
        """Return the nodes of contexts·tokens, two arrays of one shape; −1 where never seen."""
        wanted = contexts * self.vocabulary_size + tokens  # negative after context −1: not found
        if self._positions is not None:
            if not self._positions.size:
                return np.full(wanted.shape, -1)
            return np.where(contexts >= 0, self._positions[np.maximum(wanted, 0)], -1)
        nodes = np.searchsorted(self.codes, wanted)
        return np.where(self.codes[nodes] == wanted, nodes, -1)

    def continuations(self, contexts: Ints) -> tuple[Ints, Ints]:
        """Return all that followed each of (R,) contexts: indices into contexts (M,) and nodes (M,), M = Σ N1+(h·)."""
        lengths = self.distinct[contexts]
        rows = np.repeat(np.arange(len(contexts)), lengths)
        skipped = self.first[contexts] - (np.cumsum(lengths) - lengths)
        return rows, np.arange(len(rows)) + skipped[rows]


@dataclass(frozen=True, eq=False)
class Counts:
    """The n-grams of all orders of one text, and tables derived from them on first use. Never modified.

    Args:
        grams: The n-grams of order 1, 2, …
        vocabulary_size: V.
        tail: The last order − 1 counted tokens, or fewer: n-grams may span two slices.
        start: A symbol such as <s> that only opens the text and is never predicted; None if there is none.
    """

    grams: tuple[Grams, ...]
    vocabulary_size: int
    tail: Ints
    start: int | None = None
    _suffixes: dict[int, Ints] = field(default_factory=dict, repr=False)
    _adjusted: dict[int, Ints] = field(default_factory=dict, repr=False)

    @classmethod
    def none(cls, order: int, vocabulary_size: int, start: int | None = None) -> Counts:
        """Return empty counts."""
        nothing = np.zeros(0, np.int64)
        grams = tuple(Grams.of(nothing, nothing, int(m == 1), vocabulary_size) for m in range(1, order + 1))
        return cls(grams, vocabulary_size, nothing, start)

    def __deepcopy__(self, memo: object) -> Counts:
        return self

    @property
    def order(self) -> int:
        """Tokens of the longest n-grams."""
        return len(self.grams)

    @property
    def predicted(self) -> int:
        """The number of symbols that may come next."""
        return self.vocabulary_size - (self.start is not None)

    def and_of(self, tokens: NDArray[Any]) -> Counts:
        """Return these counts plus those of one more contiguous slice of the text.

        Args:
            tokens: (N,) integers from 0 to V − 1.

        Raises:
            ValueError: The tokens are not such integers.
        """
        V = self.vocabulary_size
        text = joined(self.tail, symbols(tokens, V))
        nodes = np.zeros(len(text) + 1, np.int64)  # n-gram of the order below starting at each position
        moved = np.zeros(1, np.int64)  # the new node of each old one of the order below
        contexts, counted = 1, []
        for m, old in enumerate(self.grams, 1):
            known = moved[old.parents] * V + old.tokens
            read = nodes[:-1] * V + text[m - 1 :]
            codes, positions = _ranked(known, read, contexts * V)
            moved, nodes = positions[: len(old)], positions[len(old) :]
            ending_here = nodes[max(0, len(self.tail) - m + 1) :]  # the others were counted with the previous slice
            counts = tally(ending_here, len(codes))
            counts[moved] += old.counts[:-1]
            counted.append(Grams.of(codes, counts, contexts, V))
            contexts = len(codes)
        tail_length = max(0, self.order - 1)
        return Counts(tuple(counted), V, text[max(0, len(text) - tail_length) :].copy(), self.start)

    def suffixes(self, m: int) -> Ints:
        """Return the node (K,) of each n-gram of order m ≥ 1 without its oldest token; 0 at order 1."""
        if m not in self._suffixes:
            grams = self.grams[m - 1]
            if m == 1:
                self._suffixes[m] = np.zeros(len(grams), np.int64)
            else:
                self._suffixes[m] = self.grams[m - 2].find(self.suffixes(m - 1)[grams.parents], grams.tokens)
        return self._suffixes[m]

    def shorter(self, m: int) -> Ints:
        """Return the context of order m − 1 of each context of order m ≥ 2, without its oldest token, (contexts,)."""
        return self.suffixes(m - 1)

    def adjusted(self, m: int) -> Ints:
        """Return how many different tokens stood before each n-gram of order m, below the highest, (K,).

        The start of the text counts as one of them.
        """
        if m not in self._adjusted:
            own, longer, positions = self.grams[m - 1], self.grams[m], self.suffixes(m + 1)
            before = tally(positions, len(own))
            sightings = tally(positions, len(own), longer.counts[:-1]).astype(np.int64)
            before += sightings < own.counts[:-1]  # the one sighting at the start of the text
            self._adjusted[m] = before
        return self._adjusted[m]

    def texts(self, m: int) -> Ints:
        """Return the tokens (K, m) of each n-gram of order m."""
        rows = np.empty((len(self.grams[m - 1]), m), np.int64)
        nodes = np.arange(len(rows))
        for position in range(m, 0, -1):
            grams = self.grams[position - 1]
            rows[:, position - 1] = grams.tokens[nodes]
            nodes = grams.parents[nodes]
        return rows

    def contexts_in(self, text: Ints, orders: int) -> Iterator[Ints]:
        """Yield the node (B, T) of the context after each position of a text, for each of the first orders, from 1.

        It is the n-gram of order − 1 tokens that ends there; −1 where it was never seen or starts before the row.
        """
        contexts = np.zeros(text.shape, np.int64)
        for m in range(1, orders + 1):
            if m > 1:  # the context one position earlier, and the token here
                before = np.pad(contexts, ((0, 0), (1, 0)), constant_values=0 if m == 2 else -1)[:, :-1]
                contexts = self.grams[m - 2].find(before, text)
            yield contexts


def checked(arrays: dict[str, Ints], order: int, V: int) -> Counts:
    """Return counts from stored tables: "tail", "codes.1" and "counts.1" of order 1, and so on.

    Raises:
        ValueError: A table holds values that counting with this vocabulary cannot give.
    """
    contexts, loaded = 1, []
    for m in range(1, order + 1):
        codes, counts = arrays[f"codes.{m}"], arrays[f"counts.{m}"]
        if len(codes) and (codes[0] < 0 or codes[-1] >= contexts * V or (codes[1:] <= codes[:-1]).any()):
            raise ValueError(f"codes.{m} must rise from 0 or more to less than {contexts * V}")
        if len(counts) != len(codes) or (counts < 1).any() or counts.sum(dtype=np.float64) > 2**53:
            raise ValueError(f"counts.{m} must be {len(codes)} numbers, each 1 or more, together at most 2^53")
        loaded.append(Grams.of(codes, counts, contexts, V))
        contexts = len(codes)
    tail = arrays["tail"]
    if len(tail) > max(0, order - 1) or ((tail < 0) | (tail >= V)).any():
        raise ValueError(f"tail must be at most {order - 1} tokens from 0 to {V - 1}")
    joined = Counts(tuple(loaded), V, tail.copy())
    for m in range(2, order + 1):
        if (joined.suffixes(m) < 0).any():
            raise ValueError(f"codes.{m} must hold n-grams whose last {m - 1} tokens are in codes.{m - 1}")
    return joined


def symbols(tokens: NDArray[Any], V: int) -> Ints:
    """Return the tokens as int64, if they are symbols of the vocabulary.

    Raises:
        ValueError: They are not symbols.
    """
    if tokens.dtype.kind not in "iu":
        raise ValueError(f"tokens must be integers, not {tokens.dtype}")
    if tokens.size and (tokens.min() < 0 or tokens.max() >= V):
        raise ValueError(f"tokens must lie from 0 to {V - 1}; these lie from {tokens.min()} to {tokens.max()}")
    return tokens.astype(np.int64, copy=False)


def tally(positions: Ints, size: int, weights: NDArray[Any] | None = None) -> NDArray[Any]:
    """Return np.bincount, computed in parts: it holds the interpreter's lock, which would stall a window."""
    total = np.zeros(size, np.int64 if weights is None else np.float64)
    for first in range(0, len(positions), AT_ONCE):
        here = slice(first, first + AT_ONCE)
        total += np.bincount(positions[here], None if weights is None else weights[here], minlength=size)
    return total


def joined(one: ArrayLike, other: ArrayLike) -> Ints:
    """Return two arrays joined; unlike np.concatenate, copying into an array does not hold the interpreter's lock."""
    first, second = np.asarray(one, np.int64), np.asarray(other, np.int64)
    both = np.empty(len(first) + len(second), np.int64)
    both[: len(first)], both[len(first) :] = first, second
    return both


def _ranked(known: Ints, read: Ints, limit: int) -> tuple[Ints, Ints]:
    """Return the distinct codes of both arrays, rising, and the index of each code in them; all are below limit."""
    codes = joined(known, read)
    if limit > 4 * len(codes):
        order = np.argsort(codes)
        ranked, new = codes[order], np.ones(len(codes), np.int64)  # cumsum of booleans would hold the lock
        new[1:] = ranked[1:] != ranked[:-1]
        positions = np.empty(len(codes), np.int64)
        positions[order] = np.cumsum(new) - 1
        return ranked[new > 0], positions
    # few codes are possible: a table of them all is 3 to 40 times as fast as sorting
    seen = np.zeros(limit, np.bool_)
    seen[codes] = True
    distinct, position = np.flatnonzero(seen), np.empty(limit, np.int64)
    position[distinct] = np.arange(len(distinct))
    return distinct, position[codes]
