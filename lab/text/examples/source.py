"""One split of a source of generated examples, as rows for an objective."""

from __future__ import annotations

import functools
import hashlib
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.api import BadInput, Drawn, Examples, Source
from lab.api.examples import Split

VALIDATION_TOKENS = 1 << 16
"""Number of tokens of one pass over the validation split, which has at least 256 examples."""

COUNTED_TOKENS = 1 << 18
"""Number of tokens of the examples that a counting model reads and that the floors are computed from."""

_QUESTIONS = 32  # a sample uses the longest of this many examples
_RECOGNISED = 256  # number of examples that identify a source


@dataclass(eq=False)
class ExampleSource(Source):
    """The examples of one split by number: a lab.api Source of rows as long as the longest example.

    The validation split depends only on the seed of the run, not on the seed of a request for rows.

    Args:
        given: The examples.
        split: The split.
        seed: The run's seed.
        context_length: T, which the model is built for; at least the longest example without its last token.

    Attributes:
        examples: The number of examples of one ordered pass.

    Raises:
        BadInput: An example is longer than the context.
    """

    given: Examples
    split: Split
    seed: int
    context_length: int

    def __post_init__(self) -> None:
        needed = self.given.longest - 1
        if needed > self.context_length:
            raise BadInput(
                f"is too short: an example of {self.given.name} has up to {self.given.longest} tokens",
                field="training.context_length",
                value=str(self.context_length),
                allowed=f"at least {needed} for this source",
                remedy=f"Set training.context_length={needed}, or make its examples shorter",
            )
        self.vocabulary_size = len(self.given.symbols)
        self.examples = max(256, VALIDATION_TOKENS // self.given.longest)

    def rows(self, examples: NDArray[np.int64], seed: int) -> dict[str, NDArray[Any]]:
        """Return {"tokens": (B, longest) int64, −1 after the end of a row; "scored": (B, longest) bool}."""
        del seed  # an evaluation has another seed, which must not change the split
        drawn = self.given.draw(examples, self.seed, self.split)
        return {"tokens": drawn.tokens, "scored": drawn.scored}

    def ordered(self) -> ExampleSource:
        """Return itself: its examples are ordered."""
        return self

    def at_length(self, length: int) -> ExampleSource | None:
        """Return the same split with every example of exactly this length; None if lengths have no meaning."""
        if self.given.at_length is None:
            return None
        longer = self.given.at_length(length)
        return replace(self, given=longer, context_length=max(self.context_length, longer.longest - 1))

    @functools.cached_property
    def _first(self) -> Drawn:
        """The first examples, for counting models and floors."""
        count = max(1, COUNTED_TOKENS // self.given.longest)
        return self.given.draw(np.arange(count), self.seed, self.split)

    @property
    def tokens(self) -> NDArray[np.int64]:
        """(N,) the tokens of the first examples, one example after the other."""
        tokens: NDArray[np.int64] = self._first.tokens[self._first.tokens >= 0]
        return tokens

    @property
    def answers(self) -> NDArray[np.int64]:
        """(N,) the scored tokens of the examples in `tokens`."""
        answers: NDArray[np.int64] = self._first.tokens[self._first.scored]
        return answers

    def question(self) -> tuple[NDArray[np.int64], int]:
        """Return the longest of the first examples up to its first scored token, and the number of tokens after it."""
        drawn = self.given.draw(np.arange(_QUESTIONS), self.seed, self.split)
        lengths = (drawn.tokens >= 0).sum(axis=1)
        row = int(lengths.argmax())
        answer_start = max(1, int(drawn.scored[row].argmax()))
        return drawn.tokens[row, :answer_start], int(lengths[row]) - answer_start


def sha256_of(examples: Examples) -> str:
    """Return a hash that identifies a source: of its symbols and the first examples of a fixed seed."""
    digest = hashlib.sha256("\0".join(examples.symbols).encode())
    drawn = examples.draw(np.arange(_RECOGNISED), 0, "train")
    digest.update(np.ascontiguousarray(drawn.tokens, "<i8").tobytes())
    digest.update(np.ascontiguousarray(drawn.scored).tobytes())
    return digest.hexdigest()
