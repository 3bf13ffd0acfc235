"""Weights of contexts for Jelinek and Mercer's interpolation, fitted on counted text by holding tokens out.

Every token is held out in turn, with its own sighting subtracted from the counts of all orders (leaving one out: Ney,
Essen & Kneser 1994), so no text has to be reserved and the counts are enough to fit the weights. Contexts of one order
share a weight if they were seen about equally often, within a power of two. EM treats the order that produced each
token as hidden, and converges to weights that maximise the likelihood of the held-out tokens.
"""

from __future__ import annotations

import numpy as np

from lab_ngram.counts import Counts, Floats, Ints

BUCKETS = 64
"""One for each power of two in 64 bits."""

ROUNDS = 20
"""Rounds of EM, from weights of one half: more change a loss in the fifth digit."""

LEAST, MOST = 0.001, 0.999
"""Bounds of a weight: no context gets all or nothing."""

EVIDENCE = 2**16
"""Most n-grams used; of more, as many are taken at even intervals."""


def weights_of_contexts(counts: Counts, order: int, fixed: float | None) -> list[Floats]:
    """Return the weights λ(h) of the contexts of each order from 1, (contexts + 1,); 0 where h was never seen.

    Args:
        counts: The counts.
        order: The highest order.
        fixed: One weight for all contexts; None means weights fitted on held-out tokens.
    """
    every = held_out(counts, order) if fixed is None else np.full((order, BUCKETS), fixed)
    totals = [grams.totals for grams in counts.grams[:order]]
    return [np.where(total > 0, own[bucket(total)], 0.0) for own, total in zip(every, totals, strict=True)]


def held_out(counts: Counts, order: int) -> Floats:
    """Return the weights (order, BUCKETS) of contexts seen 1, 2 to 3, 4 to 7 … times.

    A bucket without evidence has the weight of the nearest one below that has some, or else of the nearest above;
    without any evidence at all, one half.
    """
    weights = np.full((order, BUCKETS), 0.5)
    if not order or not len(counts.grams[order - 1]):
        return weights
    nodes = np.arange(0, len(counts.grams[order - 1]), -(-len(counts.grams[order - 1]) // EVIDENCE))
    times = counts.grams[order - 1].counts[nodes]
    buckets: list[Ints] = []  # of each order's context; −1 if it had no other sighting
    shares: list[Floats] = []  # relative frequency after the context
    for m in range(order, 0, -1):
        grams = counts.grams[m - 1]
        left = grams.totals[grams.parents[nodes]] - 1
        buckets.insert(0, np.where(left > 0, bucket(left), -1))
        shares.insert(0, (grams.counts[nodes] - 1) / np.maximum(1, left))
        nodes = counts.suffixes(m)[nodes]
    for _ in range(ROUNDS):
        weights = _em_round(weights, buckets, shares, times, 1 / counts.predicted)
    for own, own_buckets in zip(weights, buckets, strict=True):
        known = np.unique(own_buckets[own_buckets >= 0])
        if len(known):
            own[:] = own[known[np.maximum(0, np.searchsorted(known, np.arange(BUCKETS), side="right") - 1)]]
    return weights


def _em_round(weights: Floats, buckets: list[Ints], shares: list[Floats], times: Ints, uniform: float) -> Floats:
    """Return the weights after one round of EM: how often each order produces the tokens that reach it."""
    lower: list[Floats] = [np.full(len(times), uniform)]
    for own, own_buckets, share in zip(weights, buckets, shares, strict=True):
        share_here = np.where(own_buckets >= 0, own[own_buckets], 0.0)
        lower.append(share_here * share + (1 - share_here) * lower[-1])
    better, reached = weights.copy(), times / lower[-1]  # times the probability of reaching this order, over p
    for m in range(len(weights) - 1, -1, -1):
        share_here = np.where(buckets[m] >= 0, weights[m][buckets[m]], 0.0)
        there = np.maximum(buckets[m], 0)
        gave = np.bincount(there, weights=reached * share_here * shares[m], minlength=BUCKETS)
        handed = np.bincount(
            there, weights=reached * (1 - share_here) * lower[m] * (buckets[m] >= 0), minlength=BUCKETS
        )
        known = gave + handed > 0
        better[m, known] = np.clip(gave[known] / (gave + handed)[known], LEAST, MOST)
        reached = reached * (1 - share_here)
    return better


def bucket(totals: Ints) -> Ints:
    """Return ⌊log2⌋ of integers from 1; 0 for smaller ones."""
    return np.frexp(np.maximum(1, totals).astype(np.float64))[1].astype(np.int64) - 1
