"""The input and output of a reader of files, and the reader of plain text, on which most others build."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lab.api import BadInput
from lab.base.files.reading import open_regular
from lab.text.readers.encodings import Encoded, encoded

BLOCK = 1 << 20
"""Bytes read at once, and about the characters of a piece of text."""

LONGEST = 1 << 24
"""The largest number of characters of a line or of a field of a table."""


@dataclass(frozen=True)
class Given:
    """A file to read, and the field of its problems.

    Args:
        path: The file.
        field: The field of the recipe with its path.
        value: The value of that field.
        column: The column of a table with the text; empty to find it in the table.
    """

    path: Path
    field: str
    value: str
    column: str = ""

    def problem(self, what: str, remedy: str, allowed: str | None = None) -> BadInput:
        """Return a problem with the file."""
        return BadInput(what, field=self.field, value=self.value, remedy=remedy, allowed=allowed)

    def column_problem(self, what: str, names: Iterable[str]) -> BadInput:
        """Return a problem with the choice of a column."""
        column_field = f"{self.field.rpartition('.')[0]}.column"
        allowed = ", ".join(map(str, names)) or None
        return BadInput(
            what, field=column_field, value=self.column, allowed=allowed, remedy="Name the column of the text"
        )

    def blocks(self) -> Iterator[bytes]:
        """Yield its bytes.

        Raises:
            OSError: It cannot be read.
        """
        with open_regular(self.path) as file:
            while block := file.read(BLOCK):
                yield block

    def encoded(self, *, declares: bool = False) -> Encoded:
        """Return its bytes as text, after reading all of them.

        Args:
            declares: True if it may name its encoding as HTML does.

        Raises:
            BadInput: It is not text.
            OSError: It cannot be read.
        """
        return encoded(self.blocks, field=self.field, value=self.value, declares=declares)


@dataclass(frozen=True)
class Reading:
    """A file that was opened and checked.

    Args:
        pieces: Yields its text in pieces, the same at each call; counts such as "rows" are in the Counter at the end.
        facts: Its facts: "reader" and, where they apply, "encoding", "normalised", "column", "pages".
        rows: Yields the rows of a table, each a document, the same at each call; None if it is one document.
    """

    pieces: Callable[[Counter[str]], Iterator[str]]
    facts: dict[str, Any] = field(default_factory=dict)
    rows: Callable[[], Iterator[str]] | None = None

    @classmethod
    def of_rows(cls, rows: Callable[[], Iterator[str]], facts: dict[str, Any]) -> Reading:
        """Return a table that was opened: as a text its rows are separated by blank lines."""
        return cls(lambda counts: documents(rows(), counts), facts, rows)

    def documents(self) -> Iterator[str]:
        """Yield its documents without the ends of lines behind them: the rows of a table, or all of its text."""
        whole = () if self.rows else ("".join(self.pieces(Counter())),)
        for document in self.rows() if self.rows else whole:
            yield document.rstrip("\n")


def read_text(given: Given) -> Reading:
    """Read plain text of any kind, also code, unchanged.

    Raises:
        BadInput: It is not text.
        OSError: It cannot be read.
    """
    text = given.encoded()
    return Reading(lambda _: text.pieces(), encoding_facts("text", text))


def encoding_facts(reader: str, text: Encoded) -> dict[str, Any]:
    """Return the facts of decoded text."""
    return {"reader": reader, "encoding": text.name, "normalised": list(text.changes)}


def lines_of(given: Given, text: Encoded) -> Iterator[str]:
    r"""Yield the lines of a text without their newlines.

    Raises:
        BadInput: One is longer than LONGEST.
    """
    rest, number = "", 1
    for piece in text.pieces():
        *complete, rest = (rest + piece).split("\n")
        yield from complete
        number += len(complete)
        if len(rest) > LONGEST:
            what = f"line {number} is longer than {LONGEST} characters"
            raise given.problem(what, "Check that line: an end of line or a quotation mark may be missing")
    if rest:
        yield rest


def documents(rows: Iterable[str], counts: Counter[str]) -> Iterator[str]:
    """Yield the texts of rows, separated by blank lines, in pieces of about BLOCK characters, without blank rows.

    Args:
        rows: The texts.
        counts: Receives "rows" and, if there are any, "blank_rows".
    """
    gathered: list[str] = []
    size = rows_seen = blank = 0
    for row in rows:
        if not row or row.isspace():
            blank += 1
            continue
        body = row.rstrip("\n")
        gathered.append(f"\n{body}\n" if rows_seen else f"{body}\n")
        rows_seen += 1
        size += len(body)
        if size >= BLOCK:
            yield "".join(gathered)
            gathered, size = [], 0
    if gathered:
        yield "".join(gathered)
    counts["rows"] += rows_seen
    if blank:
        counts["blank_rows"] += blank
