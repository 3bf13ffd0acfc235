"""Measures of a split before any training: symbol counts, and the losses of the simplest models."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.text.streams import Tokens

_SLICE = 1 << 17  # bincount makes an int64 copy of its input


def symbol_counts(tokens: Tokens, vocabulary_size: int) -> NDArray[np.int64]:
    """Return (V,) the count of each symbol; negative numbers, after the end of a row, are not counted."""
    counts = np.zeros(vocabulary_size, np.int64)
    flat = tokens.reshape(-1)
    for start in range(0, flat.size, _SLICE):
        piece = flat[start : start + _SLICE]
        counts += np.bincount(piece[piece >= 0], minlength=vocabulary_size)
    return counts


def floors(train: Tokens, validation: Tokens, vocabulary_size: int) -> dict[str, float]:
    """Return the losses of the simplest models on the validation targets, in nats per token.

    "uniform" is ln V: no knowledge. "unigram" is the cross-entropy of the validation targets (all tokens but the
    first) under the training frequencies: the best loss of a model that ignores the context. If a target never
    occurs in training, every count is raised by one, since its loss would be infinite.
    """
    learned, targets = symbol_counts(train, vocabulary_size), symbol_counts(validation[1:], vocabulary_size)
    return {"uniform": math.log(vocabulary_size), "unigram": cross_entropy(learned, targets)}


def cross_entropy(learned: NDArray[Any], targets: NDArray[Any]) -> float:
    """Return the mean loss of targets under the shares that were learned, in nats per target.

    If a target was never learned, every count is raised by one, since its loss would be infinite.

    Args:
        learned: (V,) how often each symbol or class occurs in training; the sum of its probabilities, if targets are
            probabilities.
        targets: (V,) how often each is a target of validation.
    """
    met = targets > 0
    if not learned[met].all():
        learned = learned + 1
    share = learned[met] / learned.sum()
    return abs(float(-(targets[met] @ np.log(share)) / targets.sum()))
