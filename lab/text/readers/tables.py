"""Tables of texts: CSV, JSON lines and Parquet, one document per row."""

from __future__ import annotations

import csv
import itertools
import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn, TypeVar

from lab.api import BadInput
from lab.base.extras import need
from lab.text.readers.base import LONGEST, Given, Reading, encoding_facts, lines_of
from lab.text.readers.encodings import Encoded

T = TypeVar("T")

_USUAL = ("text", "content", "body")
_SAMPLED_ROWS = 100  # rows that show which columns hold text
_BATCH = 256  # rows of Parquet in memory at once
_SEPARATORS = ",\t;|"
_QUOTED = re.compile(r'"[^"]*"')


def column_of(given: Given, names: Sequence[str], texts: Sequence[str]) -> str | None:
    """Return the column with the text: the requested one, one with a usual name, or the only one that holds text.

    Args:
        given: The file with the requested column.
        names: The names of all columns.
        texts: The names of the columns that hold text.

    Returns:
        The name; None if several columns are possible.

    Raises:
        BadInput: There is no such column.
    """
    if given.column:
        if given.column not in names:
            raise given.column_problem("there is no such column", names)
        return given.column
    usual = [name for called in _USUAL for name in texts if name.lower() == called]
    return usual[0] if usual else texts[0] if len(texts) == 1 else None


def cell(given: Given, text: str, where: str) -> str:
    r"""Return the text of one row with normalised newlines.

    Raises:
        BadInput: It holds the character NUL or half of a surrogate pair.
    """
    if "\0" in text:
        raise given.problem(f"{where} holds the character NUL", "Remove that character")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        half = f"half of a surrogate pair, U+{ord(text[error.start]):04X}"
        raise given.problem(f"{where} holds {half}", "Remove that character") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_csv(given: Given) -> Reading:
    """Read CSV whose first line names the columns; the separator is the most frequent of comma, tab, semicolon, bar.

    Raises:
        BadInput: It is not text, breaks the rules of CSV, or has no such column.
        OSError: It cannot be read.
    """
    text = given.encoded()
    separator = separator_of(given, text)
    rows = csv_rows(given, text, separator)
    _, names = next(rows, (1, []))
    sample = [row for _, row in itertools.islice(rows, _SAMPLED_ROWS)]
    texts = [name for at, name in enumerate(names) if any(not _is_number(row[at]) for row in sample)]
    column = column_of(given, names, texts)

    def texts_of_rows() -> Iterator[str]:
        for line, row in itertools.islice(csv_rows(given, text, separator), 1, None):
            selected = "\t".join(row) if column is None else row[names.index(column)]
            yield cell(given, selected, f"the row at line {line}")

    facts = encoding_facts("csv", text) | {"column": column or "all (joined by tabs)", "separator": separator}
    return Reading.of_rows(texts_of_rows, facts)


def separator_of(given: Given, text: Encoded) -> str:
    """Return what separates the columns of a CSV file, by its first line: comma, tab, semicolon or bar."""
    first = _QUOTED.sub("", next(lines_of(given, text), ""))
    return max(_SEPARATORS, key=first.count)


def csv_rows(given: Given, text: Encoded, separator: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each row of a CSV file with the number of its last line, all as long as the first one.

    Raises:
        BadInput: A row is longer or shorter, or breaks the rules of CSV.
    """
    csv.field_size_limit(LONGEST)  # for the process: nothing here needs a smaller limit
    remedy = "Correct that line, or save the table again as CSV"
    reader = csv.reader((line + "\n" for line in lines_of(given, text)), delimiter=separator, strict=True)
    width = None
    try:
        for row in reader:
            if not row:
                continue
            width = width or len(row)
            if len(row) != width:
                what = f"line {reader.line_num} has {len(row)} columns, the first line names {width}"
                raise given.problem(what, remedy)
            yield reader.line_num, row
    except csv.Error as error:
        raise given.problem(f"is not CSV at line {reader.line_num}: {error}", remedy) from None


def _is_number(text: str) -> bool:
    try:
        float(text or "0")
    except ValueError:
        return False
    return True


def read_json_lines(given: Given) -> Reading:
    """Read lines that are each a JSON object with a field of text, or a JSON string; blank lines are skipped.

    Raises:
        BadInput: It is not text, a line is something else, or there is no such field.
        OSError: It cannot be read.
    """
    text = given.encoded()
    _, first = next(json_rows(given, text), (1, {}))
    column = None
    if isinstance(first, dict):
        texts = [name for name, value in first.items() if isinstance(value, str)]
        column = column_of(given, list(first), texts)
        if first and column is None:
            _refuse_open(given, [name for name, value in first.items() if value is None or isinstance(value, str)])
    elif given.column:
        raise given.column_problem("each line is a string, there are no columns", [])

    def texts_of_rows() -> Iterator[str]:
        for line, row in json_rows(given, text):
            if column is None:
                value: Any = row
            elif isinstance(row, dict) and column in row:
                value = row[column]
            else:
                raise given.problem(f"line {line} has no field {column!r}", "Let all lines be alike, or take it out")
            if not isinstance(value, str | None):
                what = f"line {line} holds {json.dumps(value)[:40]}, which is not text"
                raise given.problem(what, "Choose a column of text, or take that line out")
            yield cell(given, value or "", f"line {line}")

    facts = encoding_facts("json lines", text) | ({} if column is None else {"column": column})
    return Reading.of_rows(texts_of_rows, facts)


def json_rows(given: Given, text: Encoded) -> Iterator[tuple[int, dict[str, Any] | str]]:
    """Yield each row of a file of JSON lines with the number of its line.

    Raises:
        BadInput: A line is neither a JSON object nor a JSON string.
    """
    remedy = "Correct that line, or take it out"
    for number, line in enumerate(lines_of(given, text), 1):
        if not line or line.isspace():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            why = f"is not JSON: {error.msg if isinstance(error, json.JSONDecodeError) else error}"
            what = "is nested too deep" if isinstance(error, RecursionError) else why
            raise given.problem(f"line {number} {what}", remedy) from None
        if not isinstance(row, dict | str):
            raise given.problem(f"line {number} is {line[:20]}, no JSON object and no string", remedy)
        yield number, row


def read_parquet(given: Given) -> Reading:
    """Read a column of a Parquet file.

    Raises:
        BadInput: It is not a Parquet file or damaged, pyarrow is not installed, or there is no such column.
    """

    def find_column(file: Any) -> Iterator[str]:
        yield arrow_column(given, file.schema_arrow)

    column = next(in_parquet(given, find_column))

    def texts_of_rows(file: Any) -> Iterator[str]:
        batches = file.iter_batches(_BATCH, columns=[column], use_threads=False)
        texts = itertools.chain.from_iterable(batch.column(0).to_pylist() for batch in batches)
        for number, text in enumerate(texts, 1):
            yield cell(given, text or "", f"row {number}")

    facts = {"reader": "parquet", "column": column}
    return Reading.of_rows(lambda: in_parquet(given, texts_of_rows), facts)


def in_parquet(given: Given, work: Callable[[Any], Iterator[T]]) -> Iterator[T]:
    """Yield what is found in an opened Parquet file, with Arrow's errors, also about UTF-8, as problems.

    Raises:
        BadInput: It is not a Parquet file or damaged, or pyarrow is not installed.
    """
    arrow = need("pyarrow", "documents", "A Parquet file")
    parquet = need("pyarrow.parquet", "documents", "A Parquet file")
    try:
        with parquet.ParquetFile(given.path) as file:
            yield from work(file)
    except (arrow.ArrowException, UnicodeDecodeError) as error:  # some are OSError, some ValueError
        why = str(error).partition("\n")[0]
        raise given.problem(f"is not a readable Parquet file: {why}", "Write it again") from None


def arrow_column(given: Given, schema: Any) -> str:
    """Return the column of an Arrow schema that is the text.

    Raises:
        BadInput: There is no such column, it does not hold text, or several are possible.
    """
    types = need("pyarrow", "documents", "A Parquet file").types

    def is_text(kind: Any) -> bool:
        kind = kind.value_type if types.is_dictionary(kind) else kind
        return bool(types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind))

    texts = [one.name for one in schema if is_text(one.type)]
    column = column_of(given, schema.names, texts)
    if column is None:
        _refuse_open(given, texts)
    if column not in texts:
        raise given.column_problem(f"holds {schema.field(column).type}, not text", texts)
    return column


def _refuse_open(given: Given, names: Sequence[str]) -> NoReturn:
    if names:
        raise given.column_problem("several columns may be the text, and none is named", names)
    raise BadInput("has no column of text", field=given.field, value=given.value, remedy="Choose another table")
