"""Tables with named columns, opened from CSV, JSON lines, Parquet or a data set, whose bad rows are named by line."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, TypeVar

from lab.api import BadInput, ModelConfig, Problem, setting
from lab.base.files.reading import load_json
from lab.text.corpora.datasets import load_split
from lab.text.readers.base import Given, encoding_facts
from lab.text.readers.table import suffix_of
from lab.text.readers.tables import csv_rows, in_parquet, json_rows, separator_of

T = TypeVar("T")

LARGEST = 512 << 20
"""Largest size of a file in bytes: rows are held in memory."""

MOST_ROWS = 2_000_000
"""Largest number of rows."""

_FIELD = "corpus.path"
_SAMPLED = 100  # rows that show which columns there are and which hold numbers
_NAMED = 20  # rows left out that the facts name; others are counted
_BATCH = 256


class RowsConfig(ModelConfig):
    """The path of a table, and how its rows are read."""

    path: str = setting(
        path=True,
        min_length=1,
        help="A file of CSV, TSV, JSON lines or Parquet; or a data set of Hugging Face: a local folder, or a name on "
        "the hub such as owner/name, which is downloaded when it is first read.",
    )
    header: Literal["auto", "yes", "no"] = setting(
        "auto",
        names={"auto": "found out", "yes": "yes", "no": "no"},
        help="Whether the first line of a CSV file names its columns. Without names they are called 1, 2 and so on.",
    )
    bad_rows: Literal["refuse", "skip"] = setting(
        "refuse",
        help="What to do with a row that cannot be used: name it and stop, or leave it out and count it.",
    )


class TableConfig(RowsConfig):
    """A table, which may be that of a data set."""

    subset: str = setting("", help="The subset of a data set. Empty: the only one.")
    split: str = setting("", help="The split of a data set. Empty: train, or the only one.")

    @classmethod
    def unused(cls, values: Mapping[str, Any]) -> frozenset[str]:
        """Return the settings that the kind of file does not have."""
        suffix = suffix_of(str(values.get("path", "")))
        without_header = frozenset() if suffix in (".csv", ".tsv") else frozenset({"header"})
        return without_header | (frozenset({"subset", "split"}) if suffix in _OPENERS else frozenset())


class BadRow(BadInput):
    """A row of a table that cannot be used; the problem names its file and line."""


@dataclass(frozen=True)
class RowTable:
    """An opened table.

    Args:
        given: The file, and the field of its problems.
        columns: The names of its columns.
        rows: Names of columns -> the number of each row and its values of these columns, None where it has none.
        by_line: Whether the numbers are those of lines, not of rows.
        classes: The names of the classes of columns that hold their numbers.
        facts: What was found when it was opened.
    """

    given: Given
    columns: tuple[str, ...]
    rows: Callable[[Sequence[str]], Iterator[tuple[int, list[Any]]]]
    by_line: bool = False
    classes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The name of its file, or of its data set."""
        return self.given.path.name if self.given.path.exists() else self.given.value

    def row_problem(self, number: int, what: str, remedy: str = "Correct it") -> BadRow:
        """Return a problem with a row; `number` is that of its line, if it has lines."""
        where = f"{self.name}, line {number}: {what}" if self.by_line else f"{self.name}, row no. {number}: {what}"
        return BadRow(
            Problem(where, field=_FIELD, value=self.given.value, remedy=f"{remedy}, or set corpus.bad_rows to skip")
        )

    def column(
        self, setting_name: str, requested: str, usual: Sequence[str], position: int | None = None, taken: str = ""
    ) -> str:
        """Return the column that a setting means: the requested one, one with a usual name, or one by its position.

        Args:
            setting_name: The setting that names the column ("source").
            requested: Its value; "" finds the column.
            usual: Names that such a column usually has.
            position: Its index in a table of two columns; None if it cannot be known by position.
            taken: The column that another setting names, which is found for this one only if it is requested.

        Raises:
            BadInput: There is no such column, or none can be found; the problem names all columns.
        """
        if requested in self.columns:
            return requested
        free = [name for name in self.columns if name != taken]
        names = {name.lower(): name for name in reversed(free)}
        found = next((names[name] for name in usual if name in names), None)
        if not requested and found is not None:
            return found
        if not requested and position is not None and len(self.columns) == 2:
            return free[0] if len(free) == 1 else self.columns[position]
        what = "there is no such column" if requested else "it must be named: no column has a name by which it is known"
        raise BadInput(
            what,
            field=f"corpus.{setting_name}",
            value=requested or None,
            allowed=", ".join(self.columns),
            remedy="Name one of these columns",
        )

    def collect(
        self, config: RowsConfig, columns: Sequence[str], read: Callable[[int, list[Any]], T]
    ) -> tuple[list[T], dict[str, Any]]:
        """Read all rows.

        Args:
            config: What to do with bad rows.
            columns: The columns to read.
            read: (number of the row, its values) -> what is made of it; raises BadRow for a bad one.

        Returns:
            The rows, and the facts about the table.

        Raises:
            BadInput: A row is bad and none may be left out, there is no good one, or there are too many.
        """
        rows: list[T] = []
        skipped: list[str] = []
        for number, values in self.rows(columns):
            try:
                rows.append(read(number, values))
            except BadRow as error:
                if config.bad_rows == "refuse":
                    raise
                skipped.append(error.problem.what)
            if len(rows) > MOST_ROWS:
                remedy = "Use a part of it"
                raise self.given.problem("has too many rows", remedy, f"at most {MOST_ROWS} rows")
        if not rows:
            what = (
                f"has no row that can be used; the first of {len(skipped)}: {skipped[0]}" if skipped else "has no rows"
            )
            raise self.given.problem(what, "Choose another table")
        facts = {**self.facts, "columns": list(columns), "rows": len(rows)}
        return rows, facts | ({"skipped": len(skipped), "skipped_rows": skipped[:_NAMED]} if skipped else {})


def open_table(config: TableConfig, names: Iterable[str]) -> RowTable:
    """Open the table of a config, which may be a data set.

    Args:
        config: Its path and settings.
        names: Names that its columns may have; a first line of CSV with one of them is a header.

    Raises:
        BadInput: It is not there, is not a table, or is too large; or a library is missing.
        OSError: It cannot be read.
    """
    given = Given(Path(config.path).expanduser(), _FIELD, config.path)
    if given.path.is_file() or (suffix_of(given.path.name) in _OPENERS and not given.path.is_dir()):
        return open_file(given, config, names)
    return open_data_set(given, config.subset, config.split)


def open_file(given: Given, config: RowsConfig, names: Iterable[str]) -> RowTable:
    """Open a file; the arguments are those of `open_table`.

    Raises:
        BadInput: It is not a table, or is too large; or a library is missing.
        OSError: It cannot be read.
    """
    opener = _OPENERS.get(suffix_of(given.path.name))
    if opener is None:
        raise given.problem("is not a table of a known kind", "Choose another file", ", ".join(_OPENERS))
    size = given.path.stat().st_size
    if size > LARGEST:
        what = f"is too large to be read as rows: {size / 1e6:.0f} MB"
        raise given.problem(what, "Use a part of it", f"at most {LARGEST / 1e6:.0f} MB")
    if not size:
        raise given.problem("is empty", "Choose another table")
    return opener(given, config, {name.lower() for name in names if name})


def _open_csv(given: Given, config: RowsConfig, known: set[str]) -> RowTable:
    text = given.encoded()
    separator = separator_of(given, text)
    first = [row for _, row in itertools.islice(csv_rows(given, text, separator), _SAMPLED)]
    if not first:
        raise given.problem("has no rows", "Choose another table")
    headed = config.header == "yes" or (config.header == "auto" and _is_header(first[0], first[1:], known))
    names = first[0] if headed else [str(number) for number in range(1, len(first[0]) + 1)]
    repeated = next((name for name in names if names.count(name) > 1), None)
    if repeated is not None:
        what = f"two columns are called {repeated!r}"
        raise given.problem(what, "Rename one of them, or set corpus.header to no if the first line is a row")

    def rows(columns: Sequence[str]) -> Iterator[tuple[int, list[Any]]]:
        indices = [names.index(column) for column in columns]
        for line, row in itertools.islice(csv_rows(given, text, separator), int(headed), None):
            yield line, [row[index] for index in indices]

    facts = encoding_facts("csv", text) | {"header": headed, "separator": separator}
    return RowTable(given, tuple(names), rows, by_line=True, facts=facts)


def _is_header(first: Sequence[str], others: Sequence[Sequence[str]], known: set[str]) -> bool:
    """Return True if the first line names columns: by names that are looked for, or above a column of numbers."""
    if any(name.lower() in known for name in first):
        return True
    if any(_is_number(name) for name in first):
        return False
    return any(others and all(_is_number(row[index]) for row in others) for index in range(len(first)))


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _open_json_lines(given: Given, config: RowsConfig, known: set[str]) -> RowTable:
    del config, known  # names stand in each line
    text = given.encoded()
    names: dict[str, None] = {}
    for _, row in itertools.islice(json_rows(given, text), _SAMPLED):
        names |= dict.fromkeys(row if isinstance(row, dict) else ())
    table = RowTable(given, tuple(names), lambda _: iter(()), by_line=True, facts=encoding_facts("json lines", text))

    def rows(columns: Sequence[str]) -> Iterator[tuple[int, list[Any]]]:
        for line, row in json_rows(given, text):
            if not isinstance(row, dict):
                raise table.row_problem(line, "is a string without columns", "Write an object with named columns")
            yield line, [row.get(column) for column in columns]

    return RowTable(given, table.columns, rows, by_line=True, facts=table.facts)


def _open_parquet(given: Given, config: RowsConfig, known: set[str]) -> RowTable:
    del config, known  # the file names its columns

    def names(file: Any) -> Iterator[str]:
        yield from file.schema_arrow.names

    def rows(columns: Sequence[str]) -> Iterator[tuple[int, list[Any]]]:
        def values(file: Any) -> Iterator[list[Any]]:
            for batch in file.iter_batches(_BATCH, columns=list(columns), use_threads=False):
                yield from map(list, zip(*(batch.column(name).to_pylist() for name in columns), strict=True))

        yield from enumerate(in_parquet(given, values), 1)

    def classes(file: Any) -> Iterator[tuple[str, list[str]]]:
        yield from _classes_in(file.schema_arrow.metadata or {})

    classes_by_column = dict(in_parquet(given, classes))
    facts = {"reader": "parquet"}
    return RowTable(given, tuple(in_parquet(given, names)), rows, classes=classes_by_column, facts=facts)


def _classes_in(metadata: Mapping[bytes, bytes]) -> Iterator[tuple[str, list[str]]]:
    """Yield each column of numbers whose classes Hugging Face named in the metadata of a file, and their names."""
    try:
        features = load_json(metadata.get(b"huggingface", b"{}").decode())["info"]["features"]
        named = {name: _inner_of(kind).get("names") for name, kind in features.items()}
    except (ValueError, KeyError, TypeError, AttributeError):  # others may use that name
        return
    for name, names in named.items():
        if isinstance(names, list) and all(isinstance(one, str) for one in names):
            yield name, names


def _inner_of(feature: Any) -> Any:
    """Return the description of the elements of a list, or the description itself."""
    return feature.get("feature", feature)


def open_data_set(given: Given, subset: str, split: str) -> RowTable:
    """Open a split of a data set; the arguments are those of `load_split`. Pictures stay bytes.

    Raises:
        BadInput: It is not there, cannot be loaded, or has no such subset or split; or datasets is missing.
    """
    table, split = load_split(given, subset, split)
    for name, kind in table.features.items():
        if getattr(kind, "decode", False):
            table = table.cast_column(name, replace(kind, decode=False))

    def rows(columns: Sequence[str]) -> Iterator[tuple[int, list[Any]]]:
        selected = table.with_format(None).select_columns(list(columns))
        values = (
            row for batch in selected.iter(_BATCH) for row in zip(*(batch[name] for name in columns), strict=True)
        )
        yield from enumerate(map(list, values), 1)

    classes = {
        name: feature.names for name, kind in table.features.items() if hasattr(feature := _inner(kind), "names")
    }
    return RowTable(
        given, tuple(table.column_names), rows, classes=classes, facts={"reader": "datasets", "split": split}
    )


def _inner(feature: Any) -> Any:
    """Return the feature of the elements of a list of a data set, or the feature itself."""
    return getattr(feature, "feature", feature)


_OPENERS: Mapping[str, Callable[[Given, RowsConfig, set[str]], RowTable]] = {
    ".csv": _open_csv,
    ".tsv": _open_csv,
    ".jsonl": _open_json_lines,
    ".ndjson": _open_json_lines,
    ".parquet": _open_parquet,
}
