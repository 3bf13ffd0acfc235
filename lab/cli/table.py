"""Tables in the terminal: aligned, and cut to its width so that no line wraps."""

from __future__ import annotations

import os
import shutil
import sys
import unicodedata
from collections.abc import Sequence

from lab.cli.output import print_text, visible

GAP = "  "
NARROWEST = 8
"""Least width, in characters, to which a column of text is cut."""


def print_table(titles: Sequence[str], rows: Sequence[Sequence[str]], *, right: Sequence[bool]) -> None:
    """Print a table; in a file or a pipe it is not cut. Columns that do not fit are named below it.

    Args:
        titles: The titles of the columns.
        rows: The cells of each row, as many as there are titles.
        right: True for each column that is aligned to the right.
    """
    lines = [[_one_line(cell) for cell in cells] for cells in (titles, *rows)]
    widths = [max(map(_width, cells)) for cells in zip(*lines, strict=True)]
    room = _room()
    if room is not None:
        widths = _fitted(widths, room, right)
    for cells in lines:
        line = GAP.join(_cell(*each) for each in zip(cells, widths, right, strict=False))
        print_text(line.rstrip() if room is None else _cut(line.rstrip(), room))
    if len(widths) < len(titles):
        note = f"not shown for lack of width: {', '.join(titles[len(widths) :])}"
        print_text(note if room is None else _cut(note, room))


def print_pairs(pairs: Sequence[tuple[str, str]]) -> None:
    """Print names and values, one pair below the other; further lines of a value are aligned below it."""
    wide = max((_width(name) for name, _ in pairs), default=0)
    for name, value in pairs:
        first, *others = value.split("\n")
        print_text(f"{name}{' ' * (wide - _width(name))}{GAP}{first}".rstrip())
        for line in others:
            print_text(f"{' ' * wide}{GAP}{line}".rstrip())


def _room() -> int | None:
    """Return the columns of the terminal; None if the output is not a terminal and COLUMNS is not set."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() or "COLUMNS" in os.environ else None


def _fitted(widths: Sequence[int], room: int, right: Sequence[bool]) -> list[int]:
    """Return the widths of as many first columns as fit; text may be cut, numbers may not."""
    left = [width if is_number else min(width, NARROWEST) for width, is_number in zip(widths, right, strict=True)]
    count = max((n for n in range(1, len(left) + 1) if sum(left[:n]) + len(GAP) * (n - 1) <= room), default=1)
    fitted, least = left[:count], room - len(GAP) * (count - 1)
    while sum(fitted) < least:  # widen the narrowest of the cut columns
        cut = [index for index in range(count) if fitted[index] < widths[index]]
        if not cut:
            break
        fitted[min(cut, key=lambda index: fitted[index])] += 1
    return fitted


def _cell(text: str, width: int, right: bool) -> str:
    text = _cut(text, width)
    blank = " " * (width - _width(text))
    return blank + text if right else text + blank


def _cut(text: str, width: int) -> str:
    if _width(text) <= width:
        return text
    while _width(text) > width - 1:
        text = text[:-1]
    return f"{text.rstrip()}…"


def _one_line(text: str) -> str:
    return visible(" ".join(text.split()))


def _width(text: str) -> int:
    """Return the columns that a text takes: two for wide characters such as Chinese, none for combining accents."""
    return sum(
        0 if unicodedata.combining(each) else 2 if unicodedata.east_asian_width(each) in "WF" else 1 for each in text
    )
