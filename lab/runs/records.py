"""Plain data in the files of a run: JSON records and JSON lines that are the same on every machine."""

from __future__ import annotations

import errno
import io
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lab.base.files.reading import LARGEST, check_plain, load_json, read_bytes
from lab.base.files.reading import read_text as read_plain_text
from lab.base.files.writing import open_to_append, write_errors_as_problems
from lab.base.folders import home
from lab.base.problems import LabError, Problem
from lab.base.units import finite

if TYPE_CHECKING:
    from lab.runs.fields import Fields

BUNDLE = ".lmlab"
"""The suffix of a bundle's file name."""
LONGEST = 64 * 2**20  # bytes of lines; a million steps with a sample every hundred steps stay below
LINES = 500_000  # each of which takes a kilobyte of memory
# From the root of a path to the last separator in its line, as the names of folders may hold blanks and quotes; not the
# middle of a URL or a fraction, nor what follows <run>.
_ROOT = r"(?:file:/+|(?:~[\w-]*)?/(?=\S)|~[\w-]*\\|\.\.?[/\\]|[A-Za-z]:[\\/]|\\\\)"
_FOLDERS = re.compile(rf"(?<![\w.:/\\~>…]){_ROOT}[^\n]*[/\\]")


def damaged(path: Path, why: object) -> Problem:
    """Return the problem of a file of a run that cannot be read."""
    return Problem(
        f"{path.name} cannot be read: {why}",
        field="run",
        value=path.absolute().parent.name,
        remedy="Restore this file from a copy; the rest of the run does not need it",
    )


def plain(value: Any, change: Callable[[str], str] = str) -> Any:
    """Return the value as JSON data: NaN and infinities become None, arrays become lists, strings pass `change`.

    Raises:
        TypeError: The value contains something that is not plain data.
    """
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, str | Path):
        return change(str(value))
    if isinstance(value, float):
        return finite(value)
    if isinstance(value, Mapping):
        return {str(name): plain(part, change) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part, change) for part in value]
    if hasattr(value, "tolist"):  # numpy's scalars and arrays
        return plain(value.tolist(), change)
    raise TypeError(f"a run stores plain data, not a {type(value).__name__}")


def portable(value: Any, run: Path) -> Any:
    """Return plain data in which paths are cut to their last part: a shared run reveals nothing about machine and user.

    Args:
        value: Plain data.
        run: The run's folder; its path becomes "<run>", and that of the lab "<lab>".
    """
    replacements = [(str(run.absolute()), "<run>"), (str(home()), "<lab>")]
    replacements = [(path, label) for path, label in replacements if Path(path) != Path(path).parent]

    def change(text: str) -> str:
        for path, label in replacements:
            text = re.sub(rf"{re.escape(path)}(?![\w-])", label, text)
        return _FOLDERS.sub("…/", text)

    return plain(value, change)


def read_text(path: Path) -> str:
    """Return the text of a small file.

    Raises:
        LabError: The file is missing, too large, or not UTF-8; the problem names it.
    """
    try:
        return read_plain_text(path, LARGEST)
    except (OSError, ValueError) as error:
        raise LabError(damaged(path, _reason(error))) from None


def read_record(path: Path, fields: type[Fields] | None = None) -> dict[str, Any]:
    """Return the JSON object in a file.

    Args:
        path: The file.
        fields: The fields that are checked (`Fields.check`); None for no field: any plain data, all of it sound.

    Raises:
        LabError: The file is missing or damaged, or a needed field is not allowed; the problem names file and field.
    """
    text = read_text(path)
    try:
        return parse_record(text, fields)
    except ValueError as error:
        raise LabError(damaged(path, _reason(error))) from None


def append_line(path: Path, record: Mapping[str, Any]) -> None:
    """Append one record as a line, which survives a killed process after this call.

    Raises:
        LabError: It could not be written, or is a link or no regular file; the existing lines are unchanged.
    """
    line = json.dumps(record, allow_nan=False, ensure_ascii=False).encode(errors="backslashreplace") + b"\n"
    with write_errors_as_problems(path), open_to_append(path) as file:
        _drop_torn_line(file)
        while line:
            line = line[file.write(line) :]


def read_lines(path: Path, fields: type[Fields] | None = None) -> list[dict[str, Any]]:
    """Return the records in a file of lines, [] if there is no file. An incomplete last line is ignored.

    Args:
        path: The file.
        fields: As for `read_record`, of each line; a line that its check leaves empty is passed over.

    Raises:
        LabError: A line is damaged; the problem names file and line.
    """
    return read_new_lines(path, 0, fields)[0]


def read_new_lines(path: Path, start: int, fields: type[Fields] | None = None) -> tuple[list[dict[str, Any]], int]:
    """Return the records in a file of lines from a byte offset on, and the offset at which to continue next time.

    Raises:
        LabError: A line is damaged; the problem names file and line, counted from `start`.
    """
    try:
        content = read_bytes(path, LONGEST, start)
    except FileNotFoundError:
        return [], start
    except (OSError, ValueError) as error:
        raise LabError(damaged(path, _reason(error))) from None
    complete, newline, _ = content.rpartition(b"\n")
    if complete.count(b"\n") >= LINES:
        raise LabError(damaged(path, f"it has more than {LINES:,} lines"))
    records = []
    for number, line in enumerate(complete.split(b"\n") if newline else [], start=1):
        try:
            record = parse_record(line.decode(), fields)
        except ValueError as error:
            raise LabError(damaged(path, f"line {number}: {_reason(error)}")) from None
        if record or fields is None:
            records.append(record)
    return records, start + len(complete) + len(newline)


def parse_record(text: str, fields: type[Fields] | None = None) -> dict[str, Any]:
    """Return the JSON object in a text.

    Args:
        text: The text.
        fields: As for `read_record`.

    Raises:
        ValueError: The text is not a JSON object, or a needed field is not allowed.
    """
    value = load_json(text)
    if not isinstance(value, dict):
        raise ValueError("it is not a JSON object")  # noqa: TRY004 - one kind of error for any content
    if fields is None:
        check_plain(value)
    else:
        fields.check(value)
    return value


def _drop_torn_line(file: io.FileIO) -> None:
    """Remove an incomplete last line, left by a killed writer or a full disk."""
    end = file.seek(0, io.SEEK_END)
    if end:
        file.seek(end - 1)
        if file.read(1) != b"\n":
            start = max(end - LONGEST, 0)
            file.seek(start)
            newline = file.readall().rfind(b"\n")
            if start and newline < 0:
                raise OSError(errno.EFBIG, "its last line is too long")
            file.truncate(start + newline + 1)


def _reason(error: Exception) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
