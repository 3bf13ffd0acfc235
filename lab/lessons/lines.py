"""The lines of a TOML file on which tables and keys stand, for problems that name file and line."""

from __future__ import annotations

import re
from collections.abc import Sequence

_TABLE = re.compile(r"^\s*(\[\[?)\s*([\w.\"'-]+)\s*\]\]?")
_KEY = re.compile(r"^\s*([\w.\"'-]+)\s*=\s*(.*)$")
_QUOTES = ('"""', "'''")


def toml_lines(text: str) -> dict[tuple[str | int, ...], int]:
    """Return the line, from 1, of each table and key of a TOML text, by its path: ("runs", 0, "recipe").

    Keys inside inline tables and lists have the line of the key that holds them.
    """
    found: dict[tuple[str | int, ...], int] = {(): 1}
    counts: dict[tuple[str, ...], int] = {}
    table: tuple[str | int, ...] = ()
    quote = ""
    for number, line in enumerate(text.split("\n"), start=1):
        if quote:
            quote = "" if quote in line else quote
            continue
        if header := _TABLE.match(line):
            names = _names(header[2])
            path: tuple[str | int, ...] = ()
            for depth in range(len(names)):
                path = (*path, names[depth])
                key = names[: depth + 1]
                if depth == len(names) - 1 and header[1] == "[[":
                    counts[key] = counts.get(key, -1) + 1
                if key in counts:
                    path = (*path, counts[key])
            table = path
            found.setdefault(table, number)
            continue
        if pair := _KEY.match(line):
            found.setdefault((*table, *_names(pair[1])), number)
            quote = next((mark for mark in _QUOTES if pair[2].count(mark) == 1), "")
    return found


def line_of(lines: dict[tuple[str | int, ...], int], path: Sequence[str | int]) -> int:
    """Return the line of a path, or else that of the innermost table or key around it."""
    parts = tuple(path)
    while parts not in lines:
        parts = parts[:-1]
    return lines[parts]


def _names(dotted: str) -> tuple[str, ...]:
    return tuple(part.strip("\"' ") for part in dotted.split("."))
