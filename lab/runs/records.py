"""Plain data in the files of a run: JSON records and JSON lines that are the same on every machine."""

from __future__ import annotations

import contextlib
import io
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from lab.base.folders import home
from lab.base.problems import LabError, Problem
from lab.base.units import finite
from lab.base.writing import write_errors_as_problems

BUNDLE = ".lmlab"
"""The suffix of a bundle."""
LARGEST = 16 * 2**20  # bytes of a record: nobody's run.json is larger, and reading must not fill the memory
LONGEST = 64 * 2**20  # bytes of lines; a million steps with a sample at every hundredth stay below
# A folder at the head of an absolute path: /a/b/, C:\a\b\ or \\server\share\, not the middle of a URL or a fraction.
_FOLDERS = re.compile(r"""(?<![\w.:/\\~>…])(?:/|[A-Za-z]:[\\/]|\\\\)(?:[^/\\\s"'<>|:*?]+[/\\])+""")


def damaged(path: Path, why: object) -> Problem:
    """The problem of a file of a run that cannot be read."""
    return Problem(
        f"{path.name} cannot be read: {why}",
        field="run",
        value=path.absolute().parent.name,
        remedy="Restore this file from a copy; the rest of the run does not need it",
    )


def plain(value: Any, change: Callable[[str], str] = str) -> Any:
    """The value as JSON has it: NaN and infinities become None, arrays lists, and texts pass through `change`.

    Raises:
        TypeError: It holds something that is no plain data.
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
    """Plain data without absolute paths, so that a shared run says nothing about the machine and person it is from.

    Args:
        value: Plain data.
        run: The run's folder; its path becomes "<run>".
    """
    places = [(str(run.absolute()), "<run>"), (str(home()), "<lab>")]
    with contextlib.suppress(RuntimeError):  # a person without a home folder
        places.append((str(Path.home()), "~"))
    places = [(place, word) for place, word in places if Path(place) != Path(place).parent]

    def change(text: str) -> str:
        for place, word in places:
            text = re.sub(rf"{re.escape(place)}(?![\w-])", word, text)
        return _FOLDERS.sub("…/", text)

    return plain(value, change)


def read_text(path: Path) -> str:
    """The text of a small file.

    Raises:
        LabError: It is missing, too large, or no UTF-8; the problem names the file.
    """
    try:
        with _opened(path) as file:
            content = file.read(LARGEST + 1)
        text = content.decode()
    except (OSError, ValueError) as error:
        raise LabError(damaged(path, _reason(error))) from None
    if len(content) > LARGEST:
        raise LabError(damaged(path, f"it is larger than {LARGEST // 2**20} MiB"))
    return text


def read_record(path: Path) -> dict[str, Any]:
    """The JSON object in a file.

    Raises:
        LabError: It is missing or damaged; the problem names the file.
    """
    text = read_text(path)
    try:
        return parse_record(text)
    except (ValueError, RecursionError) as error:
        raise LabError(damaged(path, _reason(error))) from None


def append_line(path: Path, record: Mapping[str, Any]) -> None:
    """Adds one record as a line; it is with the operating system when this returns, so a killed process keeps it.

    Raises:
        LabError: It could not be written; the lines that stood there are untouched.
    """
    line = json.dumps(record, allow_nan=False, ensure_ascii=False).encode(errors="backslashreplace") + b"\n"
    with write_errors_as_problems(path), path.open("ab+", buffering=0) as file:
        _drop_torn_line(file)
        while line:
            line = line[file.write(line) :]


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The records of a file of lines, [] where there is none. A torn last line (its writer was killed) is left out.

    Raises:
        LabError: A line is damaged; the problem names file and line.
    """
    return read_new_lines(path, 0)[0]


def read_new_lines(path: Path, start: int) -> tuple[list[dict[str, Any]], int]:
    """The records of a file of lines from a byte on, and the byte at which to go on another time.

    Raises:
        LabError: A line is damaged; the problem names file and line, counted from `start`.
    """
    try:
        with _opened(path) as file:
            file.seek(start)
            content = file.read(LONGEST + 1)
    except FileNotFoundError:
        return [], start
    except OSError as error:
        raise LabError(damaged(path, _reason(error))) from None
    if len(content) > LONGEST:
        raise LabError(damaged(path, f"it is larger than {LONGEST // 2**20} MiB"))
    whole, newline, _ = content.rpartition(b"\n")
    records = []
    for number, line in enumerate(whole.split(b"\n") if newline else [], start=1):
        try:
            records.append(parse_record(line.decode()))
        except (ValueError, RecursionError) as error:
            raise LabError(damaged(path, f"line {number}: {_reason(error)}")) from None
    return records, start + len(whole) + len(newline)


def parse_record(text: str) -> dict[str, Any]:
    """The JSON object a text is.

    Raises:
        ValueError: It is none.
        RecursionError: It is nested too deep.
    """
    value = json.loads(text, parse_constant=_no_number)
    if not isinstance(value, dict):
        raise ValueError("it holds no JSON object")  # noqa: TRY004 - one kind of error for what a file holds
    return value


def _opened(path: Path) -> BinaryIO:
    """A file to read from, once it is none that would keep its reader waiting (a pipe)."""
    if path.exists() and not path.is_file():
        raise OSError("it is no plain file")
    return path.open("rb")


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON")


def _drop_torn_line(file: io.FileIO) -> None:
    """Cuts what a killed writer or a full disk left behind the last newline."""
    end = file.seek(0, io.SEEK_END)
    if end:
        file.seek(end - 1)
        if file.read(1) != b"\n":
            file.seek(0)
            file.truncate(file.readall().rfind(b"\n") + 1)


def _reason(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deep"
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
