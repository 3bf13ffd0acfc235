"""Lines, paragraphs and documents that stand in a text more than once."""

from __future__ import annotations

from array import array
from dataclasses import dataclass

import numpy as np

from lab.text.statistics.progress import Step, unseen

BREAK = "<|endoftext|>"
"""A line that ends a document, as a form feed and two empty lines or more do."""
EXAMPLES = 5
SHOWN = 200
"""Characters of an example that are kept to be shown."""


@dataclass(frozen=True)
class Duplicates:
    """How much of a text came before, in one kind of unit.

    Args:
        unit: "lines", "paragraphs" or "documents".
        count: How many there are, blank ones left out.
        repeated: Those that stood before.
        characters: Share of the characters of all units that repeated ones take.
        examples: (beginning of the unit, how often it stands there), those that take most characters first.
    """

    unit: str
    count: int
    repeated: int
    characters: float
    examples: tuple[tuple[str, int], ...]

    @property
    def share(self) -> float:
        """Of the units, those that stood before."""
        return self.repeated / self.count if self.count else 0.0


class _Units:
    """Units of one kind: where each lies, and a hash of it, which says whether two are equal."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.starts, self.ends, self.hashes = array("q"), array("q"), array("q")
        self._start, self._end, self._hash = -1, -1, 0

    def add(self, start: int, end: int, hashed: int) -> None:
        """One more line of the unit that is open."""
        if self._start < 0:
            self._start, self._hash = start, 0
        self._end, self._hash = end, hash((self._hash, hashed))

    def close(self) -> None:
        """The open unit ends, if there is one."""
        if self._start >= 0:
            self.starts.append(self._start)
            self.ends.append(self._end)
            self.hashes.append(self._hash)
            self._start = -1

    def duplicates(self, text: str) -> Duplicates:
        """What of them stood before."""
        _, first, counts = np.unique(np.array(self.hashes, np.int64), return_index=True, return_counts=True)
        lengths = np.array(self.ends, np.int64) - np.array(self.starts, np.int64)
        extra = (counts - 1) * lengths[first]  # characters that are there once more
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


def duplicates(text: str, *, step: Step = unseen) -> tuple[Duplicates, Duplicates, Duplicates]:
    """Lines, paragraphs (between empty lines) and documents (see BREAK) that stood before.

    White space around lines makes no difference.

    Args:
        text: The text.
        step: Told the characters that are done.
    """
    lines, paragraphs, documents = kinds = (_Units("lines"), _Units("paragraphs"), _Units("documents"))
    start, number, blank = 0, 0, 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        line = text[start:end]
        content = line.strip()
        blank = 0 if content else blank + 1
        ends = content == BREAK or "\f" in line
        if not content or ends:
            paragraphs.close()
        if blank == 2 or ends:
            documents.close()
        if content and content != BREAK:
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
