"""The layout of tokens in lines: breaks at white space if possible, else between tokens or letters."""

from __future__ import annotations

import bisect
import re
from collections.abc import Callable
from dataclasses import dataclass

from lab.widgets.core.glyphs import glyphs

PROMPT = -1
"""The token of parts that belong to the prompt."""

_PIECES = re.compile(r"\s|\S{1,4}")
"""Parts so short that they fit into every line and are never broken."""


@dataclass(slots=True)
class Part:
    """A part of one token in one line: some letters, or one white space.

    Args:
        token: Number of the token, or PROMPT.
        start: Its offset in the complete text, in characters.
        length: Its number of characters; 0 for a token that adds none.
        shown: The painted text.
        mark: Whether it is a sign for an invisible character.
        x: Left edge in pixels.
        width: Width in pixels.
    """

    token: int
    start: int
    length: int
    shown: str
    mark: bool
    x: float
    width: float


class TokenLines:
    """The lines of parts; adding a token takes constant time.

    Parts are stored as columns, and of a line only its first part is stored: a new width takes one search per line.

    Args:
        measure: Returns the width of a string in pixels.
    """

    def __init__(self, measure: Callable[[str], float]) -> None:
        self._measure = measure
        self._widths: dict[str, float] = {}
        self._cell = measure("0")
        self._width = 4 * self._cell
        self.clear()

    def clear(self) -> None:
        """Remove all parts."""
        self._token: list[int] = []
        self._start: list[int] = []
        self._shown: list[str] = []
        self._mark: list[bool] = []
        self._word_start: list[int] = []  # the first part of the word of each part
        self._edge = [0.0]  # the total width of all parts before each part
        self._last: list[int] = []  # the parts that end a line of the text
        self._first = [0]  # the first part of each line
        self.length = 0

    def set_width(self, width: float) -> None:
        """Break all lines again.

        Args:
            width: Width of a line in pixels; white space at its end may exceed it by one sign.
        """
        self._width = max(width, 4 * self._cell)
        self._first = [0]
        self._break()

    def add(self, token: int, text: str) -> None:
        """Append a token, or the prompt."""
        for piece in _PIECES.findall(text) or [""]:
            shown = glyphs(piece) or "·"
            if piece == "\n":
                self._last.append(len(self._token))
            self._word_start.append(self._word_start[-1] if self._mark and not self._mark[-1] else len(self._token))
            self._token.append(token)
            self._start.append(self.length)
            self._shown.append(shown)
            self._mark.append(not piece or piece.isspace())
            self._edge.append(self._edge[-1] + self._width_of(shown))
            self.length += len(piece)
        self._break()

    @property
    def count(self) -> int:
        """The number of lines."""
        return len(self._first)

    def line(self, number: int) -> list[Part]:
        """Return the parts of a line, from the left."""
        first = self._first[number]
        after = self._first[number + 1] if number + 1 < self.count else len(self._token)
        return [self._part(part, self._edge[first]) for part in range(first, after)]

    def line_of(self, token: int) -> int:
        """Return the line in which a token starts."""
        return self._line_with(bisect.bisect_left(self._token, token))

    def line_at(self, start: int) -> int:
        """Return the line that contains an offset of the text."""
        return self._line_with(bisect.bisect_right(self._start, start) - 1)

    def _line_with(self, part: int) -> int:
        return max(0, bisect.bisect_right(self._first, part) - 1)

    def _part(self, number: int, left: float) -> Part:
        start, edge = self._start[number], self._edge[number]
        after = self._start[number + 1] if number + 1 < len(self._start) else self.length
        return Part(
            token=self._token[number],
            start=start,
            length=after - start,
            shown=self._shown[number],
            mark=self._mark[number],
            x=edge - left,
            width=self._edge[number + 1] - edge,
        )

    def _width_of(self, shown: str) -> float:
        width = self._widths.get(shown)
        if width is None:
            width = self._widths[shown] = self._measure(shown)
        return width

    def _break(self) -> None:
        """Break the text from the last line on."""
        ends, edge, end = self._last, self._edge, len(self._token)
        first = self._first[-1]
        paragraph = bisect.bisect_left(ends, first)
        while first < end:
            after = ends[paragraph] + 1 if paragraph < len(ends) else end  # the text has a line break here
            if edge[after] > edge[first] + self._width:
                cut = self._cut(first, after)
                if cut < after:
                    self._first.append(cut)
                    first = cut
                    continue
            if paragraph == len(ends):
                return
            self._first.append(after)
            first, paragraph = after, paragraph + 1

    def _cut(self, first: int, after: int) -> int:
        """Return the part that starts the next line; `after` if all parts fit."""
        room = self._edge[first] + self._width
        fits = bisect.bisect_right(self._edge, room, lo=first, hi=after + 1) - 1
        if self._mark[fits] and self._edge[fits + 1] <= room + self._cell:
            fits += 1  # white space may exceed the width
        if fits == after:
            return after
        start_of_word = self._word_start[fits]
        return start_of_word if start_of_word > first else max(fits, first + 1)
