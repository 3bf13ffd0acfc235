"""Questions: a random string, a separator, and the answer that the string determines."""

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
    """A kind of question.

    Args:
        name: The name of the source.
        symbols: All symbols. Strings are drawn from the first ones, each equally likely.
        alphabet: The number of these first symbols.
        separator: The symbol after the string.
        answer: (strings (B, L), lengths (B,)) -> (B, L), or (B, 1) if the answer is one token. Only the first
            `lengths` tokens of a string, and of an answer as long as the string, count.
        end: The symbol after the answer; None if the answer is one token and ends the example.
    """

    name: str
    symbols: tuple[str, ...]
    alphabet: int
    separator: int
    answer: Callable[[NDArray[np.int64], NDArray[np.int64]], NDArray[np.int64]]
    end: int | None = None

    def examples(self, length: int, scored: Scored, *, exactly: bool = False) -> Examples:
        """Return a source of such questions, with strings of 1 to `length` symbols, or of exactly `length`.

        If all tokens are scored, those of a string after the first cost ln(alphabet) nats each, and its end costs
        ln(length) in total, or nothing if its length is known. The other tokens are determined.
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
        predicted = column > separated[:, None] if scored == "answers" else column > 0
        return Drawn(tokens, predicted & (tokens >= 0))
