"""Measures of written texts by which they are compared with human ones: repetition, diversity, and Zipf's law."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TypeVar

import numpy as np

T = TypeVar("T")
SHORTEST_PHRASE, TIMES = 2, 3
"""Least units of a phrase, and how often a text must end with it to count as repetitive."""
EPSILON = 0.1
"""Matches that stand for none in BLEU (method 1 of Chen and Cherry 2014, which Texygen uses)."""
MOST_RANKS = 5000
"""Ranks to which Zipf's law is fitted."""


def words_of(text: str) -> list[str]:
    """Return the words of a text, and each punctuation mark by itself; white space belongs to none."""
    return re.findall(r"\w+|[^\w\s]", text)


def ends_in_repetition(units: Sequence[object]) -> bool:
    """Return True if a text ends with a phrase of two units or more that comes three times in a row or more.

    The definition is that of Holtzman et al. 2020, section 5.2.
    """
    for period in range(SHORTEST_PHRASE, len(units) // TIMES + 1):
        last = units[-TIMES * period :]
        if all(last[index] == last[index + period] for index in range((TIMES - 1) * period)):
            return True
    return False


def repetition_share(texts: Sequence[Sequence[object]]) -> float:
    """Return the share of texts that end in a repetition; NaN of none."""
    return sum(map(ends_in_repetition, texts)) / len(texts) if texts else math.nan


def repeated_ngrams(texts: Sequence[Sequence[T]], n: int) -> float:
    """Return the mean over texts of the share of n-grams that came before in the same text.

    1 − distinct n-grams / n-grams, "seq-rep-n" of Welleck et al. 2020; texts shorter than n are left out.
    """
    shares = [1 - len(set(grams)) / len(grams) for text in texts if (grams := list(_ngrams(text, n)))]
    return sum(shares) / len(shares) if shares else math.nan


def distinct(texts: Sequence[Sequence[T]], n: int) -> float:
    """Return the share of distinct n-grams among those of all texts together (distinct-n, Li et al. 2016)."""
    grams = [gram for text in texts for gram in _ngrams(text, n)]
    return len(set(grams)) / len(grams) if grams else math.nan


def self_bleu(texts: Sequence[Sequence[T]], most: int = 4) -> float:
    """Return the mean BLEU of each text with all others as its references (Zhu et al. 2018): 1 if all are the same.

    Precisions of 1 to `most` units have equal weight; one without any match counts as EPSILON matches. The brevity
    penalty takes the reference whose length is nearest, of two equally near the shorter.

    Args:
        texts: At least two, of units such as words; empty ones count as 0.
        most: The longest n-grams that are compared.
    """
    if len(texts) < 2:
        return math.nan
    logs = np.zeros(len(texts))
    for n in range(1, most + 1):
        counts = [Counter(_ngrams(text, n)) for text in texts]
        best: dict[tuple[T, ...], tuple[int, int, int]] = {}  # largest count, its text, and the largest of the others
        for number, own in enumerate(counts):
            for gram, count in own.items():
                first, text, second = best.get(gram, (0, -1, 0))
                best[gram] = (count, number, first) if count > first else (first, text, max(second, count))
        for number, own in enumerate(counts):
            allowed = ((count, best[gram]) for gram, count in own.items())
            matches = sum(min(count, second if text == number else first) for count, (first, text, second) in allowed)
            logs[number] += math.log((matches or EPSILON) / max(1, own.total())) / most
    lengths = [len(text) for text in texts]
    each = (_brevity(at, lengths) * math.exp(logs[at]) if lengths[at] else 0.0 for at in range(len(texts)))
    return sum(each) / len(texts)


def _brevity(at: int, lengths: Sequence[int]) -> float:
    """Return the brevity penalty of a text against the others."""
    own = lengths[at]
    nearest = min((*lengths[:at], *lengths[at + 1 :]), key=lambda other: (abs(other - own), other))
    return 1.0 if own > nearest else math.exp(1 - nearest / own)


def zipf_coefficient(texts: Iterable[Sequence[T]]) -> float:
    """Return s in frequency ∝ rank^−s, fitted to the logarithms of both by least squares; NaN of a single unit.

    The first MOST_RANKS ranks count, each once, as in the code of Holtzman et al. 2020.
    """
    counts = sorted(Counter(unit for text in texts for unit in text).values(), reverse=True)[:MOST_RANKS]
    if len(counts) < 2:
        return math.nan
    x, y = np.log(np.arange(1, len(counts) + 1)), np.log(counts)
    x, y = x - x.mean(), y - y.mean()  # of y, too: counts that are equal then have a slope of zero on every machine
    return float(-(x @ y) / (x @ x)) + 0.0


def _ngrams(text: Sequence[T], n: int) -> Iterable[tuple[T, ...]]:
    return (tuple(text[start : start + n]) for start in range(len(text) - n + 1))
