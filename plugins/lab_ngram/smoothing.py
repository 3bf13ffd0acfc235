"""Smoothings: each turns counts into a table of probabilities and a factor for unseen n-grams.

p(w|h) = seen[hw] if hw was seen, else rest[h] · p(w|h'); h' is h without its oldest token, p without any context is
1 / V, and rest is 1 for a context that was never seen. This is the form of Katz 1987 and of ARPA files; a smoothing
that interpolates, seen[hw] = own[hw] + rest[h] · p(w|h'), has it too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from lab_ngram.counts import Counts, Floats, Ints, tally
from lab_ngram.held_out import weights_of_contexts

FALLBACK = np.array([0.0, 0.5, 1.0, 1.5])
"""KenLM's discounts of 0, 1, 2, 3 or more sightings if counts of counts give none (lmplz --discount_fallback)."""

ONE_FALLBACK = 0.75
"""The single discount if counts of counts give none: about what Church & Gale 1991 found."""

KATZ_K = 5
"""Katz 1987: counts above this are not discounted."""


class Settings(Protocol):
    """The settings of the model that smoothings read."""

    @property
    def smoothing(self) -> str:
        """The name of the smoothing."""
        ...

    weight: float | None
    k: float
    backoff: float


@dataclass(frozen=True, eq=False)
class Level:
    """The probabilities of the n-grams h·w of one order.

    Args:
        seen: (K + 1,) the probability of w after h for each n-gram; the last is 0.
        rest: (contexts + 1,) the factor on the order below for tokens not seen after h; 1 where h was never seen.
        decides: (contexts + 1,) the share of the distribution after h that this order decides; 0 where h was never
            seen. If orders are interpolated it is 1 − rest, otherwise the total of the tokens seen after h.
        fell_back: Whether counts of counts gave no discounts, so that fixed ones are used.
    """

    seen: Floats
    rest: Floats
    decides: Floats
    fell_back: bool = False

    @classmethod
    def of(
        cls, seen: Floats, rest: Floats, decides: Floats | None, totals: NDArray[np.number], fell_back: bool = False
    ) -> Level:
        """Return the level of (K,) seen and (contexts + 1,) rest; rest becomes 1 where nothing followed."""
        rest = np.where(totals > 0, rest, 1.0)
        decides = np.where(totals > 0, 1 - rest if decides is None else decides, 0.0)
        return cls(np.append(seen, 0.0), rest, decides, fell_back)


@dataclass(frozen=True, eq=False)
class Smoothed:
    """All orders of a smoothing.

    Args:
        levels: The levels of order 1, 2, …
        backs_off: Whether unseen n-grams are left to the order below. Otherwise, as with add-k, only the longest
            context is used, and the tokens not seen after it share the rest evenly.
    """

    levels: tuple[Level, ...]
    backs_off: bool = True

    def __deepcopy__(self, memo: object) -> Smoothed:
        return self

    def combined(self, below: Floats, level: Level, nodes: Ints, contexts: Ints, longest: NDArray[np.bool_]) -> Floats:
        """Return probabilities of tokens with one more order: p(w|h) from p(w|h').

        Args:
            below: Probabilities from the orders below; 1 / V below order 1.
            level: This order.
            nodes: The nodes of h·w, −1 where never seen.
            contexts: The nodes of h, −1 where never seen.
            longest: True where no order above has a context.
        """
        p = np.where(nodes >= 0, level.seen[nodes], level.rest[contexts] * below)
        return p if self.backs_off else np.where(longest, p, below)


def smoothed(counts: Counts, order: int, settings: Settings) -> Smoothed:
    """Return the probabilities that a smoothing gives to the n-grams up to an order.

    Args:
        counts: Counts of that order or a higher one.
        order: The length of the longest n-gram used. It is the highest order of the smoothing, as if no higher one had
            been counted.
        settings: The name of the smoothing, and its parameters.
    """
    name = settings.smoothing
    if name == "maximum-likelihood":
        return added(counts, order, 0.0)
    if name in ("laplace", "add-k"):
        return added(counts, order, 1.0 if name == "laplace" else settings.k)
    if name in ("witten-bell", "jelinek-mercer"):
        found = (
            by_what_followed(counts) if name == "witten-bell" else weights_of_contexts(counts, order, settings.weight)
        )
        return weighted(counts, found[:order])
    if name == "katz":
        return katz(counts, order)
    if name == "stupid-backoff":
        return stupid(counts, order, settings.backoff)
    return discounted(counts, order, modified if name == "modified-kneser-ney" else one, name != "absolute-discounting")


def below(counts: Counts, m: int, levels: list[Level]) -> Floats:
    """Return p(w|h') for each n-gram h·w of order m, (K,)."""
    if m == 1:
        return np.full(len(counts.grams[0]), 1 / counts.predicted)
    return levels[-1].seen[counts.suffixes(m)]


def added(counts: Counts, order: int, k: float) -> Smoothed:
    """Return (c(hw) + k) / (c(h) + kV) of the longest context alone (Lidstone 1920); uniform after an unseen context.

    With k = 1 this is Laplace's rule; for k = 0 it is the relative frequency, which maximises the likelihood.
    """
    levels = []
    for grams in counts.grams[:order]:
        totals = grams.totals + k * counts.predicted
        safe = np.maximum(totals, 1e-300)
        seen = (grams.counts[:-1] + k) / safe[grams.parents]
        levels.append(Level.of(seen, k * counts.predicted / safe, None, grams.totals))
    return Smoothed(tuple(levels), backs_off=False)


def weighted(counts: Counts, weights: Sequence[Floats]) -> Smoothed:
    """Return λ(h) c(hw)/c(h) + (1 − λ(h)) p(w|h').

    Args:
        counts: The counts.
        weights: λ of each order's contexts, (contexts + 1,), 0 where never seen; one array per order used.
    """
    levels: list[Level] = []
    for m, share in enumerate(weights, 1):
        grams = counts.grams[m - 1]
        per_sighting = share / np.maximum(1, grams.totals)
        own = per_sighting[grams.parents] * grams.counts[:-1]
        seen = own + (1 - share)[grams.parents] * below(counts, m, levels)
        levels.append(Level.of(seen, 1 - share, None, grams.totals))
    return Smoothed(tuple(levels))


def by_what_followed(counts: Counts) -> list[Floats]:
    """Return the weights of Witten & Bell 1991, method C: many different followers make a new one likely."""
    return [grams.totals / np.maximum(1, grams.totals + grams.distinct) for grams in counts.grams]


def discounted(
    counts: Counts, order: int, discounts: Callable[[Ints], tuple[Floats, bool]], continuations: bool
) -> Smoothed:
    """Return max(a(hw) − D, 0) / Σ_w a(hw) + γ(h) p(w|h'), where γ passes the discounted mass on.

    Args:
        counts: The counts.
        order: The highest order.
        discounts: From counts of counts to D of 0, 1, 2, 3 or more sightings, and whether it fell back.
        continuations: Whether a, below the highest order, is how many different tokens stood before (Kneser & Ney) and
            not how often the n-gram was seen (absolute discounting).
    """
    levels: list[Level] = []
    for m, grams in enumerate(counts.grams[:order], 1):
        sightings = counts.adjusted(m) if continuations and m < order else grams.counts[:-1]
        if m == 1 and counts.start is not None:
            sightings = np.where(grams.tokens == counts.start, 0, sightings)
        seen_so_often = sightings if counts.start is None or m == order else _as_kenlm(counts, m, sightings)
        D, fell_back = discounts(tally(np.minimum(seen_so_often, 5), 6))
        kinds = np.minimum(sightings, 3)
        totals = grams.sums(sightings)
        taken = sum(D[r] * grams.sums((kinds == r).astype(np.int64)) for r in (1, 2, 3))
        rest = taken / np.maximum(1, totals)
        own = np.maximum(0.0, sightings - D[kinds]) / np.maximum(1, totals)[grams.parents]
        seen = own + rest[grams.parents] * below(counts, m, levels)
        levels.append(Level.of(seen, rest, None, totals, fell_back))
    return Smoothed(tuple(levels))


def _as_kenlm(counts: Counts, m: int, sightings: Ints) -> Ints:
    """Return the values that KenLM counts: the last n-gram, sorted by its last word first, has its plain count."""
    last = np.lexsort(counts.texts(m).T)[-1:]
    changed = sightings.copy()
    changed[last] = counts.grams[m - 1].counts[last]
    return changed


def one(found: Ints) -> tuple[Floats, bool]:
    """Return the discount of Ney, Essen & Kneser 1994: D = n1 / (n1 + 2 n2) for every count.

    Args:
        found: (6,) n0 … n5: how many n-grams were seen 0 … 5 times.
    """
    n1, n2 = found[1:3].tolist()
    D, fell_back = (n1 / (n1 + 2 * n2), False) if n1 and n2 else (ONE_FALLBACK, True)
    return np.array([0.0, D, D, D]), fell_back


def modified(found: Ints) -> tuple[Floats, bool]:
    """Return the discounts of Chen & Goodman 1998, equation 26, with KenLM's fallback.

    Args:
        found: (6,) n0 … n5: how many n-grams were seen 0 … 5 times.
    """
    n1, n2, n3, n4 = found[1:5].tolist()
    if not (n1 and n2 and n3):
        return FALLBACK, True
    Y = n1 / (n1 + 2 * n2)
    D = np.array([0.0, 1 - 2 * Y * n2 / n1, 2 - 3 * Y * n3 / n2, 3 - 4 * Y * n4 / n3])
    sound = bool((D >= 0).all() and (D - np.arange(4) <= 0).all())
    return (D, False) if sound else (FALLBACK, True)


def good_turing(found: Ints) -> tuple[Floats, bool]:
    """Return Good and Turing's factors on counts of 0, 1, … KATZ_K or more sightings (Katz 1987).

    If counts of counts give none between 0 and 1, the factors are those of the absolute discount.

    Args:
        found: (KATZ_K + 2,) n0, n1, …: how many n-grams were seen 0, 1, … times.
    """
    r, n = np.arange(KATZ_K + 2), found.astype(np.float64)
    factors = np.ones(KATZ_K + 2)
    if (found[1:] > 0).all():
        beyond = (KATZ_K + 1) * n[-1] / n[1]
        if beyond != 1:
            factors[1:-1] = ((r[1:-1] + 1) * n[2:] / n[1:-1] / r[1:-1] - beyond) / (1 - beyond)
            if ((factors[1:-1] > 0) & (factors[1:-1] < 1)).all():
                return factors, False
    factors[1:-1] = 1 - one(found)[0][1] / r[1:-1]
    return factors, True


def katz(counts: Counts, order: int) -> Smoothed:
    """Return d(c(hw)) c(hw)/c(h) where seen, and α(h) p(w|h') where not, with Good and Turing's d.

    If no n-gram after a context was seen KATZ_K times or less, nothing would be left to unseen ones: one sighting is
    then added to c(h), as SRILM does. If every symbol was seen after h, nothing is discounted.
    """
    levels: list[Level] = []
    for m, grams in enumerate(counts.grams[:order], 1):
        c, parents, contexts = grams.counts[:-1], grams.parents, grams.contexts + 1
        factors, fell_back = good_turing(tally(np.minimum(c, KATZ_K + 2), KATZ_K + 3)[: KATZ_K + 2])
        totals = np.maximum(1, grams.totals)
        seen = factors[np.minimum(c, KATZ_K + 1)] * c / totals[parents]
        mass = tally(parents, contexts, seen)
        room = 1 - tally(parents, contexts, below(counts, m, levels))
        full = grams.distinct >= counts.predicted
        sure = ~full & (grams.sums((c <= KATZ_K).astype(np.int64)) == 0)
        scale = np.where(full, 1 / np.where(mass > 0, mass, 1.0), np.where(sure, totals / (totals + 1), 1.0))
        seen *= scale[parents]
        mass = np.where(sure, totals / (totals + 1), mass * scale)
        rest = np.where(full, 0.0, np.maximum(0.0, 1 - mass) / np.maximum(room, 1e-15))
        levels.append(Level.of(seen, rest, mass, grams.totals, fell_back))
    return Smoothed(tuple(levels))


def stupid(counts: Counts, order: int, factor: float) -> Smoothed:
    """Return S(w|h) / Σ_w S(w|h), S = c(hw)/c(h) where seen, else factor · S(w|h') (Brants et al. 2007).

    The paper leaves out the sum, so its scores are not probabilities; a loss needs them. The sum is computed from the
    shortest context up: S sums to 1 over the tokens seen after h, and the rest is the sum after h' without these
    tokens.
    """
    levels: list[Level] = []
    sums = np.ones(2)  # of the contexts of the order below; at first, of the uniform distribution
    for m, grams in enumerate(counts.grams[:order], 1):
        totals, parents = np.maximum(1, grams.totals), grams.parents
        scores = grams.counts[:-1] / totals[parents]
        if m == 1:
            lower, base = np.full(len(scores), 1 / counts.predicted), np.ones(2)
        else:
            under = counts.grams[m - 2]
            frequencies = under.counts[:-1] / np.maximum(1, under.totals)[under.parents]
            lower, base = frequencies[counts.suffixes(m)], np.append(sums[counts.shorter(m)], 1.0)
        seen_below = tally(parents, grams.contexts + 1, lower)
        left = np.where(grams.distinct >= counts.predicted, 0.0, np.maximum(0.0, base - seen_below))
        sums = np.where(grams.totals > 0, 1 + factor * left, base)
        rest = factor * base / sums
        levels.append(Level.of(scores / sums[parents], rest, 1 / sums, grams.totals))
    return Smoothed(tuple(levels))
