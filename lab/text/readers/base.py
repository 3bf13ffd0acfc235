"""What a reader of files is given and what it gives; plain text, the reader that most others build on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lab.api import BadInput
from lab.text.readers.encodings import Encoded, encoded

BLOCK = 1 << 20
"""Bytes that are read at a time, and characters of a piece of text, about."""

LONGEST = 1 << 24
"""Characters of one line or field of a table, at most."""


@dataclass(frozen=True)
class Given:
    """A file to read, and what problems with it are about.

    Args:
        path: The file.
        field: The recipe path of where it lies.
        value: What stands there.
        column: Which column of a table is the text; empty where the table shall tell.
    """

    path: Path
    field: str
    value: str
    column: str = ""

    def problem(self, what: str, remedy: str, allowed: str | None = None) -> BadInput:
        """A problem with the file."""
        return BadInput(what, field=self.field, value=self.value, remedy=remedy, allowed=allowed)

    def column_problem(self, what: str, names: Iterable[str]) -> BadInput:
        """A problem with the choice of a column."""
        column_field = f"{self.field.rpartition('.')[0]}.column"
        allowed = ", ".join(map(str, names)) or None
        return BadInput(
            what, field=column_field, value=self.column, allowed=allowed, remedy="Name the column of the text"
        )

    def blocks(self) -> Iterator[bytes]:
        """Its bytes.

        Raises:
            OSError: It cannot be read.
        """
        with self.path.open("rb") as file:
            while block := file.read(BLOCK):
                yield block

    def encoded(self, *, declares: bool = False) -> Encoded:
        """Its bytes as text, looked at to the end.

        Args:
            declares: Whether it may name its encoding as HTML does.

        Raises:
            BadInput: It is no text.
            OSError: It cannot be read.
        """
        return encoded(self.blocks, field=self.field, value=self.value, declares=declares)


@dataclass(frozen=True)
class Reading:
    """A file that was opened and looked at.

    Args:
        pieces: Its text in pieces, the same ones at each call; what it counts ("rows") is in the Counter at the end.
        facts: What is known of it: "reader" and, as far as they apply, "encoding", "normalised", "column", "pages".
    """

    pieces: Callable[[Counter[str]], Iterator[str]]
    facts: dict[str, Any] = field(default_factory=dict)


def read_text(given: Given) -> Reading:
    """Plain text of any kind, code too, as it stands.

    Raises:
        BadInput: It is no text.
        OSError: It cannot be read.
    """
    text = given.encoded()
    return Reading(lambda _: text.pieces(), encoding_facts("text", text))


def encoding_facts(reader: str, text: Encoded) -> dict[str, Any]:
    """The facts of what was decoded."""
    return {"reader": reader, "encoding": text.name, "normalised": list(text.changes)}


def lines_of(given: Given, text: Encoded) -> Iterator[str]:
    r"""The lines of a text without their \n.

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
            raise given.problem(what, "Look at that line: an end of line or a quotation mark may be missing")
    if rest:
        yield rest


def documents(rows: Iterable[str], counts: Counter[str]) -> Iterator[str]:
    """Texts of rows, a blank line between them, in pieces of about BLOCK characters; blank rows are left out.

    Args:
        rows: The texts.
        counts: Gets "rows" and, where there are any, "blank_rows".
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
