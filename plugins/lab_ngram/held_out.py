"""Weights of contexts for Jelinek and Mercer's interpolation, found on counted text that is held out.

Every token is held out in turn, with its own sighting taken from the counts of all orders (leaving one out: Ney, Essen
& Kneser 1994), so that no text is set aside and what was counted is enough to find the weights. Contexts of one order
share a weight where they were seen about equally often, within a power of two. EM takes the order that gave each token
as hidden, and climbs to weights under which what is held out is likeliest.
"""

from __future__ import annotations

import numpy as np

from lab_ngram.counts import Counts, Floats, Ints

BUCKETS = 64
"""One for each power of two below the largest whole number."""

ROUNDS = 20
"""Of EM, from weights of one half: more change a loss in the fifth digit."""

LEAST, MOST = 0.001, 0.999
"""Bounds of a weight: a context is never given all or nothing."""

EVIDENCE = 2**16
"""N-grams looked at; of more, as many spread evenly."""


def weights_of_contexts(counts: Counts, order: int, fixed: float | None) -> list[Floats]:
    """Return the (contexts + 1,) λ(h) of each order from 1; 0 where h was never seen.

    Args:
        counts: What was counted.
        order: The highest order.
        fixed: One weight for all contexts; None means those found on held-out text.
    """
    every = held_out(counts, order) if fixed is None else np.full((order, BUCKETS), fixed)
    totals = [grams.totals for grams in counts.grams[:order]]
    return [np.where(total > 0, own[bucket(total)], 0.0) for own, total in zip(every, totals, strict=True)]


def held_out(counts: Counts, order: int) -> Floats:
    """Return (order, BUCKETS) weights of contexts seen 1, 2 to 3, 4 to 7 … times.

    A bucket without evidence has the weight of the nearest below it, or else of the nearest above; without any
    evidence at all, one half.
    """
    weights = np.full((order, BUCKETS), 0.5)
    if not order or not len(counts.grams[order - 1]):
        return weights
    nodes = np.arange(0, len(counts.grams[order - 1]), -(-len(counts.grams[order - 1]) // EVIDENCE))
    times = counts.grams[order - 1].counts[nodes]
    buckets: list[Ints] = []  # the bucket of each order's context, −1 where it is gone with the sighting
    shares: list[Floats] = []  # the frequency after it
    for m in range(order, 0, -1):
        grams = counts.grams[m - 1]
        left = grams.totals[grams.parents[nodes]] - 1
        buckets.insert(0, np.where(left > 0, bucket(left), -1))
        shares.insert(0, (grams.counts[nodes] - 1) / np.maximum(1, left))
        nodes = counts.suffixes(m)[nodes]
    for _ in range(ROUNDS):
        weights = _once_more(weights, buckets, shares, times, 1 / counts.predicted)
    for own, own_buckets in zip(weights, buckets, strict=True):
        known = np.unique(own_buckets[own_buckets >= 0])
        if len(known):
            own[:] = own[known[np.maximum(0, np.searchsorted(known, np.arange(BUCKETS), side="right") - 1)]]
    return weights


def _once_more(weights: Floats, buckets: list[Ints], shares: list[Floats], times: Ints, uniform: float) -> Floats:
    """Return one round of EM: how often each order is expected to have given the token, of the times it was reached."""
    lower: list[Floats] = [np.full(len(times), uniform)]
    for own, own_buckets, share in zip(weights, buckets, shares, strict=True):
        share_here = np.where(own_buckets >= 0, own[own_buckets], 0.0)
        lower.append(share_here * share + (1 - share_here) * lower[-1])
    better, reached = weights.copy(), times / lower[-1]  # times the probability of having come so far down, over p
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
    """⌊log2⌋ of whole numbers from 1; 0 for those below."""
    return np.frexp(np.maximum(1, totals).astype(np.float64))[1].astype(np.int64) - 1
