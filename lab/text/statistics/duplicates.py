"""Lines, paragraphs and documents that occur more than once in a text."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lab.text.statistics.progress import Step, unseen

BREAK = "<|endoftext|>"
"""A line that ends a document, as do a form feed and two or more empty lines."""
EXAMPLES = 5
SHOWN = 200
"""Characters of an example that are stored."""


@dataclass(frozen=True)
class Duplicates:
    """The share of a text that occurred before, for one kind of unit.

    Args:
        unit: "lines", "paragraphs" or "documents".
        count: The number of units, without blank ones.
        repeated: The number that occurred before.
        characters: The share of repeated units in the characters of all units.
        examples: (start of the unit, number of occurrences), those with the most repeated characters first.
    """

    unit: str
    count: int
    repeated: int
    characters: float
    examples: tuple[tuple[str, int], ...]

    @property
    def share(self) -> float:
        """The share of units that occurred before."""
        return self.repeated / self.count if self.count else 0.0


class _Units:
    """Units of one kind: the position of each, and a hash that shows whether two are equal."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.starts, self.ends, self.hashes = array("q"), array("q"), array("q")
        self._start, self._end, self._hash = -1, -1, 0

    def add(self, start: int, end: int, hashed: int) -> None:
        """Add one more line to the open unit."""
        if self._start < 0:
            self._start, self._hash = start, 0
        self._end, self._hash = end, hash((self._hash, hashed))

    def close(self) -> None:
        """End the open unit, if there is one."""
        if self._start >= 0:
            self.starts.append(self._start)
            self.ends.append(self._end)
            self.hashes.append(self._hash)
            self._start = -1

    def duplicates(self, text: str) -> Duplicates:
        """Return the duplicates among them."""
        _, first, counts = np.unique(np.array(self.hashes, np.int64), return_index=True, return_counts=True)
        lengths = np.array(self.ends, np.int64) - np.array(self.starts, np.int64)
        extra = (counts - 1) * lengths[first]  # characters of the repetitions
        best = [number for number in np.argsort(-extra, kind="stable")[:EXAMPLES].tolist() if counts[number] > 1]
        starts = [(self.starts[first[number]], self.ends[first[number]]) for number in best]
        examples = [text[start : min(end, start + SHOWN)] for start, end in starts]
        return Duplicates(
            self.name,
            len(lengths),
            len(lengths) - len(counts),
            float(extra.sum() / max(1, lengths.sum())),
            tuple(zip(examples, counts[best].tolist(), strict=True)),
        )


def duplicates(
    text: str, starts: Sequence[int] = (), *, step: Step = unseen
) -> tuple[Duplicates, Duplicates, Duplicates]:
    """Return the duplicates among lines, paragraphs (between empty lines) and documents.

    White space around lines is ignored.

    Args:
        text: The text.
        starts: The position of the first character of each document; () finds their ends by BREAK.
        step: Called with the characters that are done.
    """
    borders = frozenset(starts)
    lines, paragraphs, documents = kinds = (_Units("lines"), _Units("paragraphs"), _Units("documents"))
    start, number, blank = 0, 0, 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        line = text[start:end]
        content = line.strip()
        blank = 0 if content else blank + 1
        ends = content == BREAK or "\f" in line
        if not content or ends or start in borders:
            paragraphs.close()
        if start in borders if borders else blank == 2 or ends:
            documents.close()
        if content and (borders or content != BREAK):
            hashed = hash(content)
            for unit in kinds:
                unit.add(start, end, hashed)
            lines.close()
        start, number = end + 1, number + 1
        if number % 2048 == 0:
            step(start, len(text))
    for unit in kinds:
        unit.close()
    step(len(text), len(text))
    return lines.duplicates(text), paragraphs.duplicates(text), documents.duplicates(text)
