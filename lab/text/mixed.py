"""The splits of mixtures: those of their parts, of which each example is drawn by the weights in force."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from lab.api import Source, scrambled
from lab.base.torch_lock import mixed
from lab.text.examples.draws import uniform_below
from lab.text.measures import cross_entropy, symbol_counts
from lab.text.rows.source import RowSource, split_rows
from lab.text.streams import Tokens, TokenSource, numbered

CHOICE = 20_062
"""Second number of the seed by which the part of an example is drawn."""


def shares_of(weights: Sequence[float]) -> NDArray[np.float64]:
    """Return the share of each part among the examples of a batch."""
    given = np.array(weights, np.float64)
    shares: NDArray[np.float64] = given / given.sum()
    return shares


def drawn_parts(shares: NDArray[np.float64], examples: NDArray[np.int64], seed: int) -> NDArray[np.int64]:
    """Return (B,) the index of the part of each example, drawn by (seed, number) with these probabilities."""
    draws = scrambled(mixed(seed, CHOICE), examples).astype(np.float64) / 2.0**64
    last = int(np.flatnonzero(shares)[-1])
    return np.minimum(np.searchsorted(np.cumsum(shares), draws, side="right"), last)


@dataclass(eq=False)
class MixedSource(Source):
    """One split of a mixture: a lab.api Source of rows of T + 1 tokens, each from one of its parts.

    The part of an example is drawn by (seed, number) and the weights in force, so that a resumed training reads the
    same examples. In order it reads part after part.

    Args:
        parts: The same split of each part, by name.
        weights: Returns the weights in force, in the order of the parts.
        in_order: Whether it reads part after part.

    Attributes:
        tokens: (N,) the tokens of all parts, one after the other.
        examples: The number of examples of one ordered pass.
        end: The end symbol of documents, if models read each one separately.
    """

    parts: Mapping[str, TokenSource]
    weights: Callable[[], Sequence[float]]
    in_order: bool = False
    tokens: Tokens = field(init=False)
    examples: int = field(init=False)

    def __post_init__(self) -> None:
        first = next(iter(self.parts.values()))
        self.vocabulary_size, self.context_length, self.end = first.vocabulary_size, first.context_length, first.end
        self.tokens = np.concatenate([part.tokens for part in self.parts.values()])
        self.examples = sum(part.examples for part in self.parts.values())

    def shares(self) -> NDArray[np.float64]:
        """Return the share of each part among the tokens of a batch."""
        return shares_of(self.weights())

    def rows(self, examples: NDArray[np.int64], seed: int) -> dict[str, NDArray[np.int64]]:
        """Return {"tokens": (B, T + 1) int64}, and "documents" as a TokenSource does."""
        numbers = examples
        if self.in_order:
            ends = np.cumsum([part.examples for part in self.parts.values()])
            picked = np.searchsorted(ends, examples, side="right")
            numbers = examples - np.concatenate([[0], ends])[picked]
        else:
            picked = drawn_parts(self.shares(), examples, seed)
        tokens = np.empty((len(examples), self.context_length + 1), np.int64)
        for index, part in enumerate(self.parts.values()):
            here = picked == index
            if here.any():
                tokens[here] = part.rows(numbers[here], seed)["tokens"]
        return {"tokens": tokens} if self.end is None else {"tokens": tokens, "documents": numbered(tokens, self.end)}

    def ordered(self) -> MixedSource:
        """Return the same parts, one after the other, window after window."""
        return MixedSource({name: part.ordered() for name, part in self.parts.items()}, self.weights, in_order=True)


@dataclass(eq=False)
class MixedRowSource(RowSource):
    """One split of a mixture of rows: a RowSource whose rows are those of its parts, one part after the other.

    The part of an example is drawn as in a MixedSource, and its row as in the order "crops".

    Args:
        sizes: The number of rows of each part in both splits, by name.
        weights: Returns the weights in force, in the order of the parts.

    Attributes:
        counts: (P,) the number of rows of each part in this split.
    """

    sizes: Mapping[str, int] = field(default_factory=dict)
    weights: Callable[[], Sequence[float]] = lambda: ()
    counts: NDArray[np.int64] = field(init=False)

    def __post_init__(self) -> None:
        ends = np.cumsum(list(self.sizes.values()))
        self.counts = np.bincount(np.searchsorted(ends, self.numbers, side="right"), minlength=len(self.sizes))
        super().__post_init__()

    @property
    def parts(self) -> dict[str, RowSource]:
        """The same split of each part, row after row, by name."""
        given = self.shape, self.vocabulary_size, self.context_length
        pieces = zip(self.sizes, np.split(self.numbers, np.cumsum(self.counts)[:-1]), strict=True)
        return {name: RowSource(self.columns, rows, *given, "rows") for name, rows in pieces}

    def shares(self) -> NDArray[np.float64]:
        """Return the share of each part among the rows of a batch."""
        return shares_of(self.weights())

    def _positions(self, examples: NDArray[np.int64], seed: int) -> NDArray[np.int64]:
        """Return (B,) the position in this split of each example."""
        if self.order == "rows":
            return super()._positions(examples, seed)
        picked, positions, before = drawn_parts(self.shares(), examples, seed), np.empty_like(examples), 0
        for index, count in enumerate(self.counts.tolist()):
            here = picked == index
            positions[here] = before + uniform_below(count, examples[here], seed)
            before += count
        return positions


def split_parts(counts: Sequence[int], share: float) -> tuple[list[NDArray[np.int64]], list[NDArray[np.int64]]]:
    """Return the rows for training and those for validation of each part, numbered through all parts.

    Args:
        counts: The number of rows of each part.
        share: The share of rows for training; each split gets at least one row of each part.
    """
    starts = np.cumsum([0, *counts[:-1]]).tolist()
    pairs = [(split_rows(count, share), start) for count, start in zip(counts, starts, strict=True)]
    return [first + start for (first, _), start in pairs], [second + start for (_, second), start in pairs]


def weighted_counts(counts: Sequence[NDArray[np.int64]], shares: NDArray[np.float64], total: int) -> NDArray[np.int64]:
    """Return the counts (V,) of each symbol or class, if about this many in total were drawn from parts by shares.

    Args:
        counts: (V,) for each part.
        shares: The share of each part.
        total: How many are drawn; counts are rounded up, so that what occurs in a part also occurs here.
    """
    weighted = np.sum([share * count / count.sum() for count, share in zip(counts, shares, strict=True)], axis=0)
    rounded: NDArray[np.int64] = np.ceil(weighted * total).astype(np.int64)
    return rounded


def mixed_floors(train: MixedSource, validation: MixedSource) -> dict[str, float]:
    """Return the losses of the simplest models on the weighted parts, in nats per token, as `measures.floors` does."""
    size, total = train.vocabulary_size, len(train.tokens) + len(validation.tokens)

    def counts(source: MixedSource, first: int) -> NDArray[np.int64]:
        of_parts = [symbol_counts(part.tokens[first:], size) for part in source.parts.values()]
        return weighted_counts(of_parts, train.shares(), total)

    return {"uniform": float(np.log(size)), "unigram": cross_entropy(counts(train, 0), counts(validation, 1))}
