"""Tables of runs that laws are fitted to: columns of a CSV file, found by their names."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from lab.base import BadInput
from lab.base.files.reading import LARGEST, read_text

Array: TypeAlias = NDArray[np.float64]

NAMES = {
    "N": ("n", "parameters", "params", "model size", "model parameters", "num params", "non embedding parameters"),
    "D": ("d", "tokens", "training tokens", "train tokens", "num tokens", "data"),
    "C": ("c", "flops", "flop", "training flop", "training flops", "compute"),
    "U": ("u", "unique", "unique tokens", "unique data"),
    "L": ("l", "loss", "validation loss", "val loss", "final loss", "test loss", "nats"),
}
"""Names of columns that are recognised, in lower case, with blanks for "_" and "-", and without what is in brackets."""
TITLES = {"N": "parameters", "D": "tokens", "C": "compute", "U": "unique tokens", "L": "loss"}
MOST_ROWS = 100_000
SMALLEST, LARGEST_AMOUNT = 1e-30, 1e60
"""Bounds of the numbers of a table, whose products and powers are then numbers too."""


@dataclass(frozen=True)
class ScalingTable:
    """Rows of runs.

    Args:
        columns: (n,) numbers by the symbols N, D, C, U and L, as far as they are known; all are above 0.
        rows: (n,) the number of each row in its file, from 1.
        left_out: The numbers of the rows that were left out.
    """

    columns: Mapping[str, Array]
    rows: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    left_out: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        columns = {name: np.asarray(column, float) for name, column in self.columns.items()}
        if not len(self.rows):
            object.__setattr__(self, "rows", np.arange(1, len(columns["L"]) + 1))
        if "C" not in columns and {"N", "D"} <= columns.keys():
            columns["C"] = 6 * columns["N"] * columns["D"]
        elif "D" not in columns and {"N", "C"} <= columns.keys():
            columns["D"] = columns["C"] / (6 * columns["N"])
        object.__setattr__(self, "columns", columns)

    @property
    def loss(self) -> Array:
        """The (n,) losses in nats."""
        return self.columns["L"]

    @property
    def logarithms(self) -> dict[str, Array]:
        """The (n,) logarithms of all columns but the losses."""
        return {name: np.log(column) for name, column in self.columns.items() if name != "L"}

    def needing(self, names: Sequence[str]) -> ScalingTable:
        """Return the table if it has these columns.

        Raises:
            BadInput: It lacks one; the problem names what would be recognised.
        """
        for name in names:
            if name not in self.columns:
                remedy = f"Name it: --column {name}=NAME"
                raise BadInput(
                    f"has no column of {TITLES[name]}", field="file", allowed=_recognised(name), remedy=remedy
                )
        return self

    def without(self, numbers: Sequence[int]) -> ScalingTable:
        """Return the table without some rows.

        Args:
            numbers: Their numbers.

        Raises:
            BadInput: There is no such row, or none is left.
        """
        missing = sorted(set(numbers) - set(self.rows.tolist()))
        if missing:
            allowed = f"{self.rows.min()} to {self.rows.max()}"
            raise BadInput("there is no such row", field="--leave-out", value=missing[0], allowed=allowed)
        stay = ~np.isin(self.rows, numbers)
        if not stay.any():
            raise BadInput("leaves no row", field="--leave-out")
        columns = {name: column[stay] for name, column in self.columns.items()}
        return ScalingTable(columns, self.rows[stay], (*self.left_out, *sorted(set(numbers))))


def read_table(file: Path, names: Mapping[str, str] | None = None) -> ScalingTable:
    """Read a table of runs from a CSV file whose first line names its columns.

    Rows without a number in a column that is used are left out.

    Args:
        file: The file: UTF-8, with commas, semicolons or tabs.
        names: The name of the column by symbol (N, D, C, U, L), where it is not recognised.

    Raises:
        BadInput: It cannot be read, or as of `parse_table`.
    """
    try:
        text = read_text(file, LARGEST)
    except FileNotFoundError:
        raise BadInput("there is no such file", field="file", value=str(file)) from None
    except UnicodeDecodeError:
        raise BadInput("is not a table: not a text file", field="file", value=str(file)) from None
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or error
        raise BadInput(f"cannot be read: {reason}", field="file", value=str(file)) from None
    return parse_table(text, names, name=str(file))


def parse_table(text: str, names: Mapping[str, str] | None = None, *, name: str = "table") -> ScalingTable:
    """Read a table of runs from the text of a CSV file, as `read_table` does.

    Args:
        text: The text.
        names: The name of the column by symbol, where it is not recognised.
        name: Its name in problems.

    Raises:
        BadInput: It lacks a column, or holds a number that is not above 0.
    """
    try:
        lines = [
            line for line in csv.reader(io.StringIO(text.removeprefix("\ufeff")), delimiter=_delimiter(text)) if line
        ]
    except csv.Error as error:
        raise BadInput(f"is not a CSV file: {error}", field="file", value=name) from None
    if len(lines) < 2:
        remedy = "Give a CSV file whose first line names its columns"
        raise BadInput("has no rows", field="file", value=name, remedy=remedy)
    if len(lines) > MOST_ROWS:
        raise BadInput("has too many rows", field="file", value=name, allowed=f"at most {MOST_ROWS:,}")
    positions = _positions([title.strip() for title in lines[0]], names or {})
    if "L" not in positions:
        remedy = "Name it: --column L=NAME"
        raise BadInput("has no column of loss", field="file", value=name, allowed=_recognised("L"), remedy=remedy)
    read = [
        [_number(line, positions[symbol], symbol, at) for symbol in positions] for at, line in enumerate(lines[1:], 1)
    ]
    values = np.array(read, float)
    complete = ~np.isnan(values).any(axis=1)
    if not complete.any():
        raise BadInput("has no row with a number in each column", field="file", value=name)
    numbers = np.arange(1, len(values) + 1)
    columns = {symbol: values[complete, index] for index, symbol in enumerate(positions)}
    return ScalingTable(columns, numbers[complete], tuple(numbers[~complete].tolist()))


def rows_of(text: str) -> list[int]:
    """Return the numbers of rows in a list such as "3,7-9".

    Raises:
        BadInput: It is no such list.
    """
    found: list[int] = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*(\d{1,6})(?:-(\d{1,6}))?\s*", part)
        if match is None or not int(match[1]) <= int(match[2] or match[1]) <= MOST_ROWS or len(found) > MOST_ROWS:
            raise BadInput("is not a list of rows", field="--leave-out", value=text, allowed="numbers such as 3,7-9")
        found += range(int(match[1]), int(match[2] or match[1]) + 1)
    return found


def _delimiter(text: str) -> str:
    head = text.partition("\n")[0]
    return max(",;\t", key=head.count)


def _plain(title: str) -> str:
    return " ".join(re.sub(r"\(.*?\)|\[.*?\]", " ", title).replace("_", " ").replace("-", " ").casefold().split())


def _recognised(name: str) -> str:
    return ", ".join(NAMES[name])


def _positions(titles: Sequence[str], names: Mapping[str, str]) -> dict[str, int]:
    """Return the position of each column by symbol; a name that was given wins, then the order of NAMES."""
    found = {}
    plain = [_plain(title) for title in titles]
    for symbol, known in NAMES.items():
        given = names.get(symbol)
        if given is not None:
            if given not in titles:
                allowed = ", ".join(titles)[:300]
                raise BadInput("the file has no such column", field=f"--column {symbol}", value=given, allowed=allowed)
            found[symbol] = titles.index(given)
            continue
        position = next((plain.index(each) for each in known if each in plain), None)
        if position is not None:
            found[symbol] = position
    return found


def _number(line: Sequence[str], position: int, name: str, row: int) -> float:
    """Return the number in a cell; NaN if the cell is empty."""
    text = line[position].strip() if position < len(line) else ""
    if not text:
        return math.nan
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if math.isnan(value):
        return value
    if not SMALLEST <= value <= LARGEST_AMOUNT:
        field = f"row {row}, {TITLES[name]}"
        allowed, remedy = f"{SMALLEST:g} ≤ x ≤ {LARGEST_AMOUNT:g}", "Correct it, or empty the cell to leave the row out"
        raise BadInput("is not a number above 0", field=field, value=text, allowed=allowed, remedy=remedy)
    return value
