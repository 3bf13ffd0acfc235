"""The words of a text as numbers, counted slice by slice."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lab.text.statistics.progress import SLICE, Step, unseen

_WORD = re.compile(r"\w+(?:['’]\w+)*")
_SPACE = re.compile(r"\s")


@dataclass(frozen=True)
class Words:
    """The words of a text: runs of letters, digits and underscores, with apostrophes inside, in lower case.

    Args:
        names: The different words in order of first occurrence.
        numbers: (N,) int32: the words of the text as indices of `names`.
    """

    names: tuple[str, ...]
    numbers: NDArray[np.int32]

    def counts(self) -> NDArray[np.int64]:
        """Return (V,) the count of each different word."""
        return np.bincount(self.numbers, minlength=len(self.names))

    def shown(self, numbers: NDArray[np.int32]) -> str:
        """Return words joined by spaces."""
        return " ".join(self.names[number] for number in numbers.tolist())


def words_of(text: str, *, step: Step = unseen) -> Words:
    """Return the words of a text.

    Args:
        text: The text.
        step: Called with the characters that are done.
    """
    table: defaultdict[str, int] = defaultdict()
    table.default_factory = table.__len__
    found = [np.zeros(0, np.int32)]
    for start, end in _slices(text):
        words = _WORD.findall(text[start:end].lower())
        found.append(np.fromiter(map(table.__getitem__, words), np.int32, len(words)))
        step(end, len(text))
    return Words(tuple(table), np.concatenate(found))


def _slices(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of slices, between words if there is white space."""
    start = 0
    while start < len(text):
        space = _SPACE.search(text, start + SLICE)
        end = space.start() if space and start + SLICE < len(text) else len(text)
        yield start, end
        start = end
