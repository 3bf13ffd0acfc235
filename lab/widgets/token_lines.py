"""Breaks tokens into lines as they come: at white space where it can, between tokens or letters where it must."""

from __future__ import annotations

import bisect
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from lab.widgets.glyphs import glyphs

PROMPT = -1
"""The token of parts that belong to the prompt."""

_PIECES = re.compile(r"\s|\S+")


@dataclass(slots=True)
class Part:
    """What stands of one token in one line: a word, a piece of one, or one white space.

    Args:
        token: Number of the token, or PROMPT.
        start: Where it begins in the whole text, in characters.
        length: How many characters of the text it is; 0 for a token that adds none.
        shown: What is drawn.
        mark: Whether it is a sign for something that is not seen.
        x: Left edge in pixels.
        width: Pixels.
    """

    token: int
    start: int
    length: int
    shown: str
    mark: bool
    x: float
    width: float


class TokenLines:
    """Lines of parts; adding a token costs the same however many there are.

    Args:
        measure: Pixels that a string is wide.
    """

    def __init__(self, measure: Callable[[str], float]) -> None:
        self._measure = measure
        self._widths: dict[str, float] = {}
        self._cell = measure("0")
        self.reset(0)

    def reset(self, width: float) -> None:
        """Begins anew.

        Args:
            width: Pixels of a line; white space at its end may stand out of it by one sign.
        """
        self._width = max(width, 4 * self._cell)
        self.lines: list[list[Part]] = [[]]
        self.length = 0

    def add(self, token: int, words: str) -> None:
        """Puts a token, or the prompt, after what stands there."""
        for piece in _PIECES.findall(words) or [""]:
            shown = glyphs(piece) or "·"
            mark = not piece or piece.isspace()
            self._put(Part(token, self.length, len(piece), shown, mark, 0.0, self._width_of(shown)))
            self.length += len(piece)
            if piece == "\n":
                self.lines.append([])

    def line_of(self, token: int) -> int:
        """The line in which a token begins."""
        return self._first(lambda part: part.token >= token)

    def line_at(self, start: int) -> int:
        """The line in which a place of the text stands."""
        return self._first(lambda part: part.start + part.length > start)

    def _first(self, reached: Callable[[Part], bool]) -> int:
        """The line of the first part for which `reached` holds, as it does for all after that one."""
        lines = self.lines
        last = len(lines) - 1  # the only one that can be empty
        return bisect.bisect_left(lines, True, hi=last, key=lambda line: reached(line[-1]))

    def _width_of(self, shown: str) -> float:
        width = self._widths.get(shown)
        if width is None:
            width = self._widths[shown] = self._measure(shown)
        return width

    def _put(self, part: Part) -> None:
        while not self._fits(part):
            line = self.lines[-1]
            if line:
                self._break(line)
            else:
                head, part = self._cut(part)
                line.append(head)
                self.lines.append([])
        self._append(part)

    def _fits(self, part: Part) -> bool:
        end = _end(self.lines[-1]) + part.width
        return end <= self._width + (self._cell if part.mark else 0)

    def _append(self, part: Part) -> None:
        part.x = _end(self.lines[-1])
        self.lines[-1].append(part)

    def _break(self, line: list[Part]) -> None:
        """Begins a new line, with the word that the full one ends with; a word as long as the line is broken."""
        word = next((number + 1 for number in reversed(range(len(line))) if line[number].mark), len(line))
        moved = line[word:]
        del line[word:]
        self.lines.append([])
        for part in moved:
            self._append(part)

    def _cut(self, part: Part) -> tuple[Part, Part]:
        """What fits into an empty line, and the rest."""
        sizes = range(1, min(part.length, int(4 * self._width / self._cell)))
        fits = bisect.bisect_right(sizes, self._width, key=lambda size: self._measure(part.shown[:size]))
        size = max(1, fits)
        head, rest = part.shown[:size], part.shown[size:]
        return (
            replace(part, length=size, shown=head, x=0.0, width=self._width_of(head)),
            replace(
                part,
                start=part.start + size,
                length=part.length - size,
                shown=rest,
                width=part.width - self._width_of(head),
            ),
        )


def _end(line: list[Part]) -> float:
    return line[-1].x + line[-1].width if line else 0.0
