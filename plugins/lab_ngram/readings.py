"""Readings of the counts of an n-gram model: coverage of a text, the curse of dimensionality, continuations."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from lab.api import BadInput, Reading
from lab_ngram.counts import Counts, Ints

NAME = "n-grams"


def probe(config: Any) -> Callable[[Any, Any], list[Reading]]:
    """Return the probe: a function (model, tokens (1, T)) -> readings."""
    del config
    return readings


def readings(model: Any, tokens: Any) -> list[Reading]:
    """Return readings of an n-gram model; index i of an axis "order" means n-grams of i + 1 tokens, or contexts of i.

    Args:
        model: The model.
        tokens: (1, T) text.

    Raises:
        BadInput: The model does not count n-grams.
    """
    counts = getattr(model, "counts", None)
    if not isinstance(counts, Counts):
        raise BadInput("this probe reads n-gram models", field="readings.probes", value=NAME)
    text = tokens.cpu().numpy()
    by_order = ("order",)
    return [
        Reading("n-grams seen", by_order, np.array([len(grams) for grams in counts.grams])),
        Reading("n-grams seen once", by_order, np.array([int((g.counts == 1).sum()) for g in counts.grams])),
        Reading("n-grams possible", by_order, possible(counts), units="powers of ten"),
        Reading("contexts covered", by_order, coverage(counts, text), units="share"),
        Reading("followed by", ("order", "vocabulary"), continuations(counts, text[0]), units="sightings"),
    ]


def possible(counts: Counts) -> np.ndarray:
    """Return log10 of |V|^n (orders,), the number of possible n-grams: except for short ones, few are ever seen."""
    return np.arange(1, counts.order + 1) * math.log10(counts.vocabulary_size)


def coverage(counts: Counts, text: Ints) -> np.ndarray:
    """Return the share of contexts in a (1, T) text that were counted, by length, up to the longest that it has."""
    shares = []
    for m, nodes in enumerate(counts.contexts_in(text, counts.order)):
        inside = nodes[:, max(0, m - 1) :]
        if inside.size:
            shares.append(float((counts.grams[m].totals[inside] > 0).mean()))
    return np.array(shares)


def continuations(counts: Counts, text: Ints) -> np.ndarray:
    """Return how often each token followed the last 0, 1, 2, … tokens of a (T,) text, (orders, V)."""
    found = np.zeros((counts.order, counts.vocabulary_size), np.int64)
    for m, nodes in enumerate(counts.contexts_in(text[None], counts.order)):
        grams = counts.grams[m]
        _, after = grams.continuations(nodes[0, -1:])
        found[m, grams.tokens[after]] = grams.counts[after]
    return found
