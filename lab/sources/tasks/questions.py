"""Questions that a random string asks: the string, a separator, and the answer that the string alone decides."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lab.api import Drawn, Examples
from lab.api.examples import Split
from lab.sources.tasks.rows import Scored, below, checked_length, draws, lengths, write_at


@dataclass(frozen=True)
class Question:
    """One kind of question.

    Args:
        name: What people call it.
        symbols: All of them. Strings are drawn from the first ones, each of them equally likely.
        alphabet: How many the first ones are.
        separator: The symbol behind the string.
        answer: (strings (B, L), lengths (B,)) -> (B, L), or (B, 1) where the answer is one token. Only the first
            tokens of a string, and of an answer that is as long as it, count.
        end: The symbol behind the answer; None where the answer is one token, and the end.
    """

    name: str
    symbols: tuple[str, ...]
    alphabet: int
    separator: int
    answer: Callable[[NDArray[np.int64], NDArray[np.int64]], NDArray[np.int64]]
    end: int | None = None

    def examples(self, length: int, scored: Scored, *, exactly: bool = False) -> Examples:
        """Such questions as a source: strings of 1 to `length` symbols, each length as likely, or of exactly so many.

        Where all tokens are scored, those of a string behind the first cost ln(alphabet) nats each, and where it ends
        costs ln(length) in all, or nothing if its length is known. The rest is decided.
        """
        longest = length + 1 + (1 if self.end is None else length + 1)
        mean = float(length) if exactly else (length + 1) / 2
        random = (mean - 1) * math.log(self.alphabet) + (0.0 if exactly else math.log(length))
        entropy = 0.0 if scored == "answers" else random / (mean + (1 if self.end is None else mean + 1))

        def draw(numbers: np.ndarray, seed: int, split: Split) -> Drawn:
            uniform = draws(numbers, seed, split, length + 1)
            counts = lengths(uniform[:, 0], length, exactly=exactly)
            return self._rows(below(uniform[:, 1:], self.alphabet), counts, longest, scored)

        def at_length(other: int) -> Examples:
            return self.examples(checked_length(other, 1), scored, exactly=True)

        return Examples(self.name, self.symbols, longest, draw, entropy, length, at_length)

    def _rows(self, strings: NDArray[np.int64], counts: NDArray[np.int64], longest: int, scored: Scored) -> Drawn:
        rows, column = np.arange(len(counts)), np.arange(longest)
        tokens = np.full((len(counts), longest), -1, dtype=np.int64)
        separated = write_at(tokens, np.zeros_like(counts), strings, counts)
        tokens[rows, separated] = self.separator
        answers = self.answer(strings, counts)
        stop = write_at(tokens, separated + 1, answers, np.ones_like(counts) if self.end is None else counts)
        if self.end is not None:
            tokens[rows, stop] = self.end
        guessed = column > separated[:, None] if scored == "answers" else column > 0
        return Drawn(tokens, guessed & (tokens >= 0))
