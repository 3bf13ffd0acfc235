"""Temporal order: the order of two or three distant symbols, problems 6a and 6b in the first paper on the LSTM."""

from __future__ import annotations

from typing import Literal

import numpy as np

from lab.api import Drawn, Examples, ModelConfig, setting
from lab.api.examples import Split
from lab.sources.tasks.rows import LONGEST, below, checked_length, draws


class OrderConfig(ModelConfig):
    """Sequences with a few symbols that matter; `length` counts the tokens up to the trigger."""

    length: int = setting(
        55,
        ge=11,
        le=LONGEST,
        log=True,
        unit="tokens",
        help="Tokens of the longest sequence; the shortest has ten elevenths of them. 110 in the paper.",
        cite="Hochreiter and Schmidhuber 1997, section 5.6",
    )
    relevant: Literal[2, 3] = setting(2, help="Number of X and Y in a sequence: 2 in problem 6a, 3 in 6b.")


_SHARES = {2: ((10, 20), (50, 60)), 3: ((10, 20), (33, 43), (66, 76))}  # of the shortest length, in percent
_SYMBOLS = ("a", "b", "c", "d", "X", "Y", "E", "=", "Q", "R", "S", "U", "V", "A", "B", "C")
_DISTRACTORS, _X, _START, _TRIGGER, _CLASSES = 4, 4, 6, 7, 8


def temporal_order(config: OrderConfig) -> Examples:
    """Return the source of E, random a, b, c, d with X or Y at some positions, a trigger, and the class of their order.

    The classes are Q, R, S, U for XX, XY, YX, YY, and Q, R, S, U, V, A, B, C for XXX to YYY. The paper's sequences
    have 100 to 110 tokens, with X and Y at 10 to 20 and 50 to 60, or at 10 to 20, 33 to 43 and 66 to 76; other
    lengths scale these positions. The trigger is "=", since the paper's B is also a class of 6b.
    """
    return _sequences(config, config.length, shortest=_base(config.length))


def _base(length: int) -> int:
    return length * 10 // 11


def _sequences(config: OrderConfig, length: int, shortest: int) -> Examples:
    relevant, base = config.relevant, _base(length)
    ranges = [(low * base // 100, high * base // 100) for low, high in _SHARES[relevant]]

    def draw(numbers: np.ndarray, seed: int, split: Split) -> Drawn:
        uniform = draws(numbers, seed, split, length + 2 * relevant + 1)
        rows, column = np.arange(len(numbers)), np.arange(length + 1)
        trigger = shortest - 1 + below(uniform[:, 0], length - shortest + 1)
        tokens = np.full((len(numbers), length + 1), _START, dtype=np.int64)
        tokens[:, 1:] = below(uniform[:, 2 * relevant + 1 :], _DISTRACTORS)
        kind = np.zeros(len(numbers), dtype=np.int64)
        for i, (low, high) in enumerate(ranges):
            second = below(uniform[:, 1 + 2 * i], 2)
            tokens[rows, low + below(uniform[:, 2 + 2 * i], high - low + 1)] = _X + second
            kind = 2 * kind + second
        tokens[rows, trigger] = _TRIGGER
        tokens[rows, trigger + 1] = _CLASSES + kind
        tokens[column > trigger[:, None] + 1] = -1
        return Drawn(tokens, column == trigger[:, None] + 1)

    def at_length(other: int) -> Examples:
        length = checked_length(other, 11)
        return _sequences(config, length, shortest=length)

    symbols = _SYMBOLS[: _CLASSES + 2**relevant]
    return Examples("Temporal order", symbols, length + 1, draw, 0.0, length, at_length)
