"""Byte pair encoding as in its papers: every merge with its pair and count, and a text after any number of merges.

Sennrich, Haddow and Birch 2016 (algorithm 1) count every pair of neighbouring symbols inside words, replace the most
frequent pair by a new symbol everywhere, and repeat. Radford et al. 2019 (GPT-2, section 2.2) start with bytes and cut
the text so that no merge crosses a word. Of equally frequent pairs the one with the smaller left symbol comes first,
then the one with the smaller right symbol: as in the `tokenizers` library, which gives the same merges.
"""

from __future__ import annotations

import heapq
import itertools
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lab.text.tokenizers.pretokens import BYTES, counted_runs, runs
from lab.text.tokenizers.vocabularies import check_encodable, empty_corpus, label_of

LEAST = 2
"""The least count of a pair: one that occurs once says nothing about the text."""

_NUMBER = {byte: number for number, byte in enumerate(BYTES)}
_POLL_EVERY = 16  # merges

Pair = tuple[int, int]
Run = bytes


@dataclass(frozen=True)
class Merge:
    """One step: a pair of symbols that became one.

    Args:
        left: The first of the pair.
        right: The second.
        token: The symbol of both. It may exist already, if another pair makes the same bytes.
        count: The count of the pair just before the merge.
    """

    left: int
    right: int
    token: int
    count: int


class Merges:
    """The merges of a text in the order in which they are made.

    Args:
        steps: The merges.
        spelled: The bytes of each symbol; the first 256 are BYTES.
    """

    def __init__(self, steps: list[Merge], spelled: list[Run]) -> None:
        self.steps = steps
        self._spelled = spelled
        self._ranks = {(step.left, step.right): rank for rank, step in enumerate(steps)}
        self._last: tuple[str, _Course] | None = None

    def bytes(self, token: int) -> Run:
        """Return the bytes of a symbol."""
        return self._spelled[token]

    def label(self, token: int) -> str:
        """Return a symbol for display, such as "␣the"."""
        return label_of(self._spelled[token])

    def pieces(self, text: str, k: int) -> list[int]:
        """Return the symbols of any text after the first k merges.

        The first call for a text computes all merges; further calls look them up.

        Raises:
            BadInput: The text holds half of a surrogate pair.
        """
        if self._last is None or self._last[0] != text:
            self._last = text, self._course(text)
        symbols: list[int] = self._last[1].after(k).tolist()
        return symbols

    def _course(self, text: str) -> _Course:
        symbols: list[int] = []
        replacements: list[_Replacement] = []
        known: dict[Run, list[_Replacement]] = {}
        check_encodable(text)
        for run in runs(text):
            if run not in known:
                known[run] = list(self._replacements(run))
            first = len(symbols)
            symbols += [_NUMBER[byte] for byte in run]
            replacements += [(rank, first + i, first + j, token) for rank, i, j, token in known[run]]
        return _Course(np.array(symbols, np.int64), np.array(replacements, np.int64).reshape(-1, 4))

    def _replacements(self, run: Run) -> Iterator[_Replacement]:
        """Yield the merges inside one run: always the one of the lowest rank, and of equal ones the leftmost."""
        symbols: list[int | None] = [_NUMBER[byte] for byte in run]
        n, reached = len(symbols), 0
        after, before = list(range(1, n + 1)), list(range(-1, n - 1))
        heap: list[tuple[int, int]] = []

        def rank_at(i: int) -> int | None:
            if i < 0 or after[i] >= n:
                return None
            left, right = symbols[i], symbols[after[i]]
            return None if left is None or right is None else self._ranks.get((left, right))

        def offer(i: int) -> None:
            rank = rank_at(i)
            if rank is not None:
                heapq.heappush(heap, (rank, i))

        for i in range(n):
            offer(i)
        while heap:
            rank, i = heapq.heappop(heap)
            if symbols[i] is None or rank_at(i) != rank:  # a neighbour was merged meanwhile
                continue
            j, token = after[i], self.steps[rank].token
            symbols[i], symbols[j] = token, None
            after[i] = after[j]
            if after[j] < n:
                before[after[j]] = i
            reached = max(reached, rank)
            yield reached, i, j, token
            offer(before[i])
            offer(i)


_Replacement = tuple[int, int, int, int]
"""(rank of the merge, index that takes the new symbol, index that is removed, the symbol)."""


class _Course:
    """The symbols of a text after any number of merges.

    Args:
        symbols: (N,) one symbol for each byte.
        replacements: (M, 4) in the order of each run.
    """

    def __init__(self, symbols: NDArray[np.int64], replacements: NDArray[np.int64]) -> None:
        self._symbols = symbols
        self._replacements = replacements[np.argsort(replacements[:, 0], kind="stable")]

    def after(self, k: int) -> NDArray[np.int64]:
        """Return the symbols that are left after the merges of ranks below k."""
        made = self._replacements[: np.searchsorted(self._replacements[:, 0], k)]
        symbols, remains = self._symbols.copy(), np.ones(len(self._symbols), bool)
        symbols[made[:, 1]] = made[:, 3]  # of several for one index the last one stays
        remains[made[:, 2]] = False
        return symbols[remains]


def learn_merges(
    text: str,
    count: int,
    progress: Callable[[int, int], object] = lambda *_: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Merges:
    """Learn merges from a text.

    Args:
        text: The text. Runs without white space are cut after some hundred characters.
        count: The number of merges; fewer if no pair occurs twice any more.
        progress: Called regularly with (merges made, count).
        cancelled: Called regularly; True returns the merges made so far.

    Raises:
        BadInput: The text is empty, or holds half of a surrogate pair.
    """
    if not text:
        raise empty_corpus("pairs")
    check_encodable(text)
    counted = counted_runs(text, cancelled)
    table = _Pairs([[_NUMBER[byte] for byte in run] for run in counted], list(counted.values()))
    spelled = [bytes([byte]) for byte in BYTES]
    numbers = {name: number for number, name in enumerate(spelled)}
    steps: dict[Pair, Merge] = {}
    while len(steps) < count:
        if len(steps) % _POLL_EVERY == 0:
            if cancelled():
                break
            progress(len(steps), count)
        best = table.best()
        if best is None:
            break
        (left, right), often = best
        name = spelled[left] + spelled[right]
        token = numbers.setdefault(name, len(spelled))
        if token == len(spelled):
            spelled.append(name)
        steps.pop((left, right), None)  # a pair that occurs again is moved to the end, as in the library
        steps[left, right] = Merge(left, right, token, often)
        table.merge(token)
    progress(len(steps), count)
    return Merges(list(steps.values()), spelled)


class _Pairs:
    """The count of each pair, updated with each merge, and the words that contain it.

    Args:
        spellings: The symbols of each different run; changed in place.
        counts: The count of each run.
    """

    def __init__(self, spellings: list[list[int]], counts: list[int]) -> None:
        self._spellings, self._counts = spellings, counts
        self._often: defaultdict[Pair, int] = defaultdict(int)
        self._queue: list[tuple[int, int, int, int]] = []  # (−count when it was added, left, right, its location)
        self._locations: list[set[int]] = []  # runs that contain a pair of the queue, or did
        self._top: tuple[int, int, int] | None = None
        fresh: defaultdict[Pair, set[int]] = defaultdict(set)
        for index, spelling in enumerate(spellings):
            for pair in itertools.pairwise(spelling):
                self._often[pair] += counts[index]
                fresh[pair].add(index)
        self._put(fresh)

    def best(self) -> tuple[Pair, int] | None:
        """Return the most frequent pair, the smallest of equal ones, and its count; None if none occurs LEAST times."""
        while self._queue:
            negative, left, right, location = heapq.heappop(self._queue)
            often = self._often[left, right]
            if often == -negative:
                self._top = left, right, location
                return ((left, right), often) if often >= LEAST else None
            heapq.heappush(self._queue, (-often, left, right, location))  # its count has fallen since
        return None

    def merge(self, token: int) -> None:
        """Replace the best pair by a symbol everywhere; only the pairs around it change."""
        if self._top is None:
            return
        left, right, location = self._top
        often, fresh = self._often, defaultdict[Pair, set[int]](set)
        for index in self._locations[location]:
            spelling, count = self._spellings[index], self._counts[index]
            i = 0
            while i < len(spelling) - 1:
                if spelling[i] == left and spelling[i + 1] == right:
                    spelling[i : i + 2] = [token]
                    if i > 0:
                        often[spelling[i - 1], left] -= count
                        often[spelling[i - 1], token] += count
                        fresh[spelling[i - 1], token].add(index)
                    if i + 1 < len(spelling):
                        often[right, spelling[i + 1]] -= count
                        often[token, spelling[i + 1]] += count
                        fresh[token, spelling[i + 1]].add(index)
                i += 1
        self._locations[location] = set()
        self._put(fresh)

    def _put(self, fresh: dict[Pair, set[int]]) -> None:
        for pair, location in fresh.items():
            if self._often[pair] > 0:
                heapq.heappush(self._queue, (-self._often[pair], *pair, len(self._locations)))
                self._locations.append(location)
