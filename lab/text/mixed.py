"""The split of a mixture: the splits of its parts, of which each example is drawn by the weights in force."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from lab.api import Source, scrambled
from lab.base.torch_lock import mixed
from lab.text.measures import cross_entropy, symbol_counts
from lab.text.streams import Tokens, TokenSource, numbered

CHOICE = 20_062
"""Second number of the seed by which the part of an example is drawn."""


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
        weights = np.array(self.weights(), np.float64)
        share: NDArray[np.float64] = weights / weights.sum()
        return share

    def rows(self, examples: NDArray[np.int64], seed: int) -> dict[str, NDArray[np.int64]]:
        """Return {"tokens": (B, T + 1) int64}, and "documents" as a TokenSource does."""
        numbers = examples
        if self.in_order:
            ends = np.cumsum([part.examples for part in self.parts.values()])
            picked = np.searchsorted(ends, examples, side="right")
            numbers = examples - np.concatenate([[0], ends])[picked]
        else:
            draws = scrambled(mixed(seed, CHOICE), examples).astype(np.float64) / 2.0**64
            picked = np.minimum(np.searchsorted(np.cumsum(self.shares()), draws, side="right"), len(self.parts) - 1)
        tokens = np.empty((len(examples), self.context_length + 1), np.int64)
        for index, part in enumerate(self.parts.values()):
            here = picked == index
            if here.any():
                tokens[here] = part.rows(numbers[here], seed)["tokens"]
        return {"tokens": tokens} if self.end is None else {"tokens": tokens, "documents": numbered(tokens, self.end)}

    def ordered(self) -> MixedSource:
        """Return the same parts, one after the other, window after window."""
        return MixedSource({name: part.ordered() for name, part in self.parts.items()}, self.weights, in_order=True)


def mixed_floors(train: MixedSource, validation: MixedSource) -> dict[str, float]:
    """Return the losses of the simplest models on the weighted parts, in nats per token, as `measures.floors` does."""
    size, many = train.vocabulary_size, len(train.tokens) + len(validation.tokens)

    def counts(source: MixedSource, first: int) -> NDArray[np.int64]:
        """Return the counts of each symbol if as many tokens as there are were drawn by weight."""
        of_parts = [symbol_counts(part.tokens[first:], size) for part in source.parts.values()]
        shares = zip(of_parts, train.shares(), strict=True)
        weighted = np.sum([share * count / count.sum() for count, share in shares], axis=0)
        rounded: NDArray[np.int64] = np.ceil(weighted * many).astype(np.int64)
        return rounded

    return {"uniform": float(np.log(size)), "unigram": cross_entropy(counts(train, 0), counts(validation, 1))}
