"""The longest passages that a text repeats, found in a suffix array by prefix doubling."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lab.api import NoSettings
from lab.text.statistics.progress import SLICE, Step, unseen
from lab.text.tokenizers.units import fit_characters

LONGEST_TEXT = 2_000_000
"""The largest number of first characters that are searched: at worst this takes 5 s and 350 MB, for English 2 s."""
SHORTEST = 8
"""The smallest length in characters of a passage that is listed."""
SHOWN = 400
"""Number of characters of a passage that are stored."""

_LISTED = 10  # offsets of a passage
_TRIED = 50_000  # number of examined pairs; later ones are only pieces of passages found before

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Repeat:
    """A passage that occurs more than once in a text.

    Args:
        text: Its first SHOWN characters.
        length: Its length in characters.
        times: The number of occurrences that do not overlap.
        offsets: The offsets of its first ten occurrences in characters.
    """

    text: str
    length: int
    times: int
    offsets: tuple[int, ...]


@dataclass(frozen=True)
class Repeats:
    """The longest repeated passages.

    Args:
        passages: The passages, longest first. At most half of each is inside a longer one.
        read: The number of first characters that were searched.
    """

    passages: tuple[Repeat, ...]
    read: int


def longest_repeats(text: str, count: int = 20, *, step: Step = unseen) -> Repeats:
    """Return the longest passages that occur at least twice in a text without overlapping.

    Neighbours in the suffix array that differ in the character before them give a passage that cannot be extended on
    either side. If its two occurrences overlap, the text they cover is periodic, and the longest repeat without overlap
    inside it is used instead.

    Args:
        text: The text; of a longer one the first LONGEST_TEXT characters are searched.
        count: The largest number of passages.
        step: Called with the progress.
    """
    text = text[:LONGEST_TEXT]
    if len(text) < 2 * SHORTEST:
        return Repeats((), len(text))
    first, second, lengths = _pairs(text, step)
    taken = np.zeros(len(text), bool)  # characters within passages found before
    found: list[Repeat] = []
    for tried, pair in enumerate(np.argsort(-lengths, kind="stable")[:_TRIED].tolist()):
        if len(found) == count:
            break
        if tried % 256 == 0:
            step(90 + tried * 10 // _TRIED, 100)
        length = int(lengths[pair])
        if any(2 * int(taken[at : at + length].sum()) > length for at in (int(first[pair]), int(second[pair]))):
            continue
        start = int(first[pair])
        passage = text[start : start + length]
        if passage.isspace():
            continue
        offsets = list(_occurrences(text, passage))
        for offset in offsets:
            taken[offset : offset + length] = True
        found.append(Repeat(passage[:SHOWN], length, len(offsets), tuple(offsets[:_LISTED])))
    step(100, 100)
    return Repeats(tuple(found), len(text))


def suffix_array(codes: Integers, *, step: Step = unseen) -> tuple[Integers, Integers]:
    """Return the suffixes of a text in order, and the number of characters that neighbours have in common.

    Manber & Myers 1993 with as many characters as 62 bits hold in the first sort; later ones sort only unsettled
    suffixes, as in Larsson & Sadakane 2007. The common prefixes come from the ranks of each round, halving the length.

    Args:
        codes: (N,) symbol numbers from 0.
        step: Called with the progress.

    Returns:
        (N,) the starts of the suffixes in order; (N − 1,) the number of characters each has in common with the next.
    """
    N = len(codes)
    bits = int(codes.max(initial=0) + 1).bit_length()
    packed, width = codes + 1, 1  # 0 stands for the end
    while 2 * width * bits <= 62:
        packed = packed << (width * bits)
        packed[:-width] |= packed[width:] >> (width * bits)
        width *= 2
    order = np.argsort(packed)
    rank, rest = np.empty(N + 1, np.int32), np.arange(N)
    rank[N] = -1
    rest = _ranked(order, packed[order], rest, rank)
    levels: list[tuple[int, NDArray[np.int32]]] = []
    length = width
    while len(rest):
        step(min(60, 10 + 5 * len(levels)), 100)
        levels.append((length, rank.copy()))
        suffixes = order[rest]
        keys = rank[suffixes].astype(np.int64) * (N + 1) + rank[np.minimum(suffixes + length, N)] + 1
        by_key = np.argsort(keys)
        order[rest] = suffixes[by_key]
        rest = _ranked(suffixes[by_key], keys[by_key], rest, rank)
        length *= 2
    common = np.zeros(max(0, N - 1), np.int64)
    packed = np.append(packed, 0)
    for start in range(0, N - 1, SLICE):
        a, b = order[start : start + SLICE], order[start + 1 : start + 1 + SLICE]
        a, here = a[: len(b)], common[start : start + len(b)]
        for level, ranks in reversed(levels):
            here += level * (ranks[a + here] == ranks[b + here])
        for level in (width >> n for n in range(1, width.bit_length())):
            shift = (width - level) * bits
            here += level * (packed[a + here] >> shift == packed[b + here] >> shift)
        step(60 + 30 * start // N, 100)
    return order, common


def _ranked(suffixes: Integers, keys: Integers, positions: Integers, rank: NDArray[np.int32]) -> Integers:
    """Write the ranks of sorted suffixes at `positions` of the array; return the positions of those that tie."""
    is_first = np.append(True, keys[1:] != keys[:-1])
    starts = np.flatnonzero(is_first)
    sizes = np.diff(np.append(starts, len(keys)))
    rank[suffixes] = np.repeat(positions[starts], sizes)
    unsettled: Integers = positions[np.repeat(sizes > 1, sizes)]
    return unsettled


def _pairs(text: str, step: Step) -> tuple[Integers, Integers, Integers]:
    """Return (first offsets, second offsets, lengths) of repeats that neither overlap nor extend to the left."""
    codes = fit_characters(NoSettings(), text).encode(text)
    order, common = suffix_array(codes, step=step)
    rows = np.flatnonzero(common >= SHORTEST)
    first, second, common = (
        np.minimum(order[rows], order[rows + 1]),
        np.maximum(order[rows], order[rows + 1]),
        common[rows],
    )
    differ = (first == 0) | (codes[first - 1] != codes[second - 1])
    first, second, common = first[differ], second[differ], common[differ]
    period = second - first
    covered = period + common  # characters that both occurrences cover
    lengths = common.copy()
    for times in (covered // (2 * period), -(-covered // (2 * period))):
        distance = np.maximum(1, times) * period
        length = np.minimum(distance, covered - distance)
        better = (common > period) & ((length > lengths) | (lengths > second - first))
        lengths = np.where(better, length, lengths)
        second = np.where(better, first + distance, second)
    enough = lengths >= SHORTEST
    return first[enough], second[enough], lengths[enough]


def _occurrences(text: str, passage: str) -> Iterator[int]:
    at = text.find(passage)
    while at >= 0:
        yield at
        at = text.find(passage, at + len(passage))
