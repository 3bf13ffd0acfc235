"""The text that a tokenizer is fitted to, and the border between training and validation that follows from it."""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.api import LongText, Text

_TOKENS = 1 << 20  # tokens whose bytes are added up at once


def training_text(text: str, share: float) -> str:
    """Return the first characters of a text: this share of it, at least one."""
    return text[: max(1, int(share * len(text)))]


def text_to_fit(given: Text | LongText, share: float) -> str:
    """Return the training part of a text, for a tokenizer; of a LongText, at most as much as its beginning.

    Args:
        given: The text.
        share: The share of its characters for training.
    """
    if isinstance(given, Text):
        return training_text(given.text, share)
    return first_characters(given, int(share * given.characters))


def first_characters(given: LongText, count: int) -> str:
    """Return the first characters of a long text: so many, at least one, at most as many as its beginning has."""
    wanted = max(1, min(len(given.beginning), count))
    pieces, parts = given.pieces(), list[str]()
    while wanted and (piece := next(islice(pieces, 1), "")):
        parts.append(piece[:wanted])
        wanted -= len(parts[-1])
    return "".join(parts)


def tokens_within(tokens: NDArray[np.integer[Any]], sizes: NDArray[np.integer[Any]], size: int) -> int:
    """Return how many tokens of a text start within its first bytes.

    Args:
        tokens: (N,) all tokens of the text.
        sizes: (V,) bytes of each symbol.
        size: Number of these first bytes, at least 1.
    """
    before = 0
    for start in range(0, len(tokens), _TOKENS):
        ends = before + np.cumsum(sizes[tokens[start : start + _TOKENS]])
        if ends[-1] >= size:
            return start + int(np.searchsorted(ends, size)) + 1
        before = int(ends[-1])
    return len(tokens)


def border_of(text: str, tokens: NDArray[np.integer[Any]], sizes: NDArray[np.integer[Any]], share: float) -> int:
    """Return the number of tokens for training, if their tokenizer was fitted to this share of the text alone."""
    return tokens_within(tokens, sizes, len(training_text(text, share).encode()))
