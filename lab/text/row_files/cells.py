"""The cells of a table as texts, labels and numbers, with the problem of a cell that is none."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from lab.api import BadInput
from lab.text.row_files.tables import RowTable

MOST_CLASSES = 1000
"""Largest number of classes; a column with more is no label."""


def text_in(table: RowTable, number: int, value: Any, column: str) -> str:
    r"""Return the text of a cell with normalised newlines and without white space around it.

    Raises:
        BadRow: It is missing, blank or not text, or holds what UTF-8 cannot express.
    """
    if not isinstance(value, str | None):
        raise table.row_problem(number, f"the column {column!r} holds {str(value)[:40]!r}, which is not text")
    text = (value or "").replace("\r\n", "\n").replace("\r", "\n").strip()
    if not text:
        raise table.row_problem(number, f"the column {column!r} is empty", "Fill it in")
    if "\0" in text:
        raise table.row_problem(number, f"the column {column!r} holds the character NUL", "Remove that character")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise table.row_problem(number, f"the column {column!r} holds half of a surrogate pair") from None
    return text


def label_in(table: RowTable, number: int, value: Any, column: str) -> str:
    """Return the name of the class in a cell: text, or a whole number, which a data set may name.

    Raises:
        BadRow: It is missing, a number that a data set with names does not name, such as −1 for no class, or something
            else.
    """
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    names = table.classes.get(column)
    if names is not None and isinstance(value, int) and 0 <= value < len(names):
        return str(names[value])
    if names is not None and isinstance(value, int):
        what = f"the label {value} in the column {column!r} is none of its {len(names)} classes"
        raise table.row_problem(number, what, "Give the row a class, or leave it out")
    if isinstance(value, bool | int):
        return str(value).lower()
    if isinstance(value, str) and value.strip():
        return value.strip()
    if value is None or isinstance(value, str):
        raise table.row_problem(number, f"the label in the column {column!r} is missing", "Fill it in")
    raise table.row_problem(
        number, f"{str(value)[:40]!r} in the column {column!r} is no label", "Write text or a number"
    )


def number_in(table: RowTable, number: int, value: Any, column: str) -> float:
    """Return the finite number in a cell.

    Raises:
        BadRow: It is missing, text, or not finite.
    """
    if value is None or value == "":
        raise table.row_problem(number, f"the number in the column {column!r} is missing", "Fill it in")
    try:
        found = float(value)
    except (TypeError, ValueError):
        raise table.row_problem(number, f"{str(value)[:40]!r} in the column {column!r} is not a number") from None
    if not math.isfinite(found) or abs(found) > _LARGEST:
        raise table.row_problem(number, f"{str(value)[:40]!r} in the column {column!r} is not a finite number")
    return found


_LARGEST = 3e38  # of a 32-bit number


def classes_of(table: RowTable, labels: Sequence[str], setting_name: str, column: str) -> tuple[str, ...]:
    """Return the classes of labels in order: by number if all are whole numbers, else by alphabet.

    Raises:
        BadInput: There is but one, or there are too many.
    """
    found = set(labels)
    if len(found) < 2:
        _refuse(table, setting_name, column, f"all labels are {next(iter(found))!r}: there is nothing to learn")
    if len(found) > MOST_CLASSES or (len(found) == len(labels) and len(labels) > 2):
        _refuse(
            table,
            setting_name,
            column,
            f"has {len(found)} different labels in {len(labels)} rows: no class has examples",
        )
    named = table.classes.get(column)
    if named is not None and found <= set(named):
        return tuple(name for name in named if name in found)
    whole = all(label.removeprefix("-").isdecimal() for label in found)
    return tuple(sorted(found, key=int) if whole else sorted(found))


def _refuse(table: RowTable, setting_name: str, column: str, what: str) -> None:
    raise BadInput(
        what,
        field=f"corpus.{setting_name}",
        value=column,
        allowed=", ".join(table.columns),
        remedy="Choose the column with the class of each row",
    )
