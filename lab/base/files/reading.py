"""Bounded reading of files that anybody may have written: regular files of a bounded size, JSON of bounded content.

Every file that comes from elsewhere (a run, a bundle, a recipe, settings, a tokenizer) is read through this module, so
that no file hangs the lab, fills its memory, or brings a number that later code cannot compute with.
"""

from __future__ import annotations

import errno
import functools
import json
import math
import operator
import os
import stat
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

LARGEST = 16 * 2**20
"""Most bytes of a file of JSON or TOML: larger than any the lab writes, but small enough for memory."""
DEEPEST = 64
"""Most levels of lists and tables inside one another."""
CONTAINERS = 2**21
"""Most lists and tables of one file; each takes a hundred bytes of memory, and three of the file."""
DOTS = 10**7
"""Limit of the sum over lines of the dots squared, since tomllib's time for keys like a.a.a grows like that."""
LARGEST_INTEGER = 2**63 - 1
"""The largest integer of the files of the lab; the least is -LARGEST_INTEGER."""
_DIGITS = 309
"""Most digits of an integer that a float can hold."""
_FLAGS = ("O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_BINARY")  # each where the system has it
WITHOUT_WAITING = functools.reduce(operator.or_, (getattr(os, flag, 0) for flag in _FLAGS))
"""The flags of os.open that let it return at once, whatever a path names."""


def exists(path: Path) -> bool:
    """Return True if a path exists; False if it cannot be a path at all (too long, a null character)."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def is_link(path: Path) -> bool:
    """Return True if a path names a file or folder elsewhere: a symbolic link, or a junction of Windows.

    Raises:
        OSError: There is nothing, or it cannot be read.
    """
    about = path.lstat()
    junction = getattr(stat, "IO_REPARSE_TAG_MOUNT_POINT", None)
    return stat.S_ISLNK(about.st_mode) or (junction is not None and getattr(about, "st_reparse_tag", 0) == junction)


def open_regular(path: Path) -> BinaryIO:
    """Open a regular file for reading, without waiting: a pipe, a device or a folder is refused.

    Raises:
        OSError: It cannot be opened, or is not a regular file.
    """
    number = os.open(path, os.O_RDONLY | WITHOUT_WAITING)
    mode = os.fstat(number).st_mode  # of what was opened, whatever the path names meanwhile
    if stat.S_ISREG(mode):
        return os.fdopen(number, "rb")
    os.close(number)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    raise OSError(errno.EINVAL, "it is not a regular file", str(path))


def check_regular(path: Path) -> None:
    """Check that a library that opens a path itself finds a regular file there, and so does not wait for ever.

    Raises:
        OSError: It cannot be opened, or is not a regular file.
    """
    open_regular(path).close()


def read_bytes(path: Path, limit: int = LARGEST, start: int = 0) -> bytes:
    """Return the content of a regular file.

    Args:
        path: The file.
        limit: Most bytes to read.
        start: The offset of the first byte.

    Raises:
        OSError: It cannot be read, or is not a regular file.
        ValueError: It is larger.
    """
    with open_regular(path) as file:
        file.seek(start)
        left = max(os.fstat(file.fileno()).st_size - start, 0)
        content = file.read(min(left, limit) + 1)  # memory is taken for as many bytes as are asked for
        if left < len(content) <= limit:  # it has grown since, or the system states no size
            content += file.read(limit + 1 - len(content))
    if len(content) > limit:
        raise ValueError(f"it is larger than {limit / 2**20:.3g} MiB")
    return content


def read_text(path: Path, limit: int = LARGEST) -> str:
    """Return the text of a regular file in UTF-8; a byte order mark is left out.

    Raises:
        OSError: It cannot be read, or is not a regular file.
        ValueError: It is larger than the limit, or not UTF-8.
    """
    return read_bytes(path, limit).decode("utf-8-sig")


def parse_json(text: str, largest: float = LARGEST_INTEGER) -> Any:
    """Return the value of a JSON text.

    Args:
        text: The text.
        largest: The largest integer, and without its sign the least.

    Raises:
        ValueError: It is not JSON, holds a number beyond `largest` or beyond float64, or too many or too deep lists
            and tables; the message names the field.
    """
    value = load_json(text)
    check_plain(value, largest)
    return value


def load_json(text: str) -> Any:
    """Return the value of a JSON text, with any numbers; they are left to the caller to check.

    Raises:
        ValueError: It is not JSON, or holds too many or too deep lists and tables.
    """
    if text.count("[") + text.count("{") > CONTAINERS:
        raise ValueError(f"it holds more than {CONTAINERS:,} lists and tables")
    try:
        return json.loads(text, parse_int=_integer)
    except RecursionError:
        raise ValueError(f"it is nested too deeply, more than {DEEPEST} levels") from None


def read_json(path: Path, limit: int = LARGEST, largest: float = LARGEST_INTEGER) -> Any:
    """Return the value in a file of JSON.

    Raises:
        OSError: It cannot be read, or is not a regular file.
        ValueError: It is too large or not JSON, or a number in it is too large; see `parse_json`.
    """
    return parse_json(read_text(path, limit), largest)


def parse_toml(text: str) -> dict[str, Any]:
    """Return the tables of a TOML text; numbers are checked by the settings that they are given to.

    Raises:
        ValueError: It is not TOML, has too many dots in its keys, or is nested too deeply.
    """
    if sum(line.count(".") ** 2 for line in text.split("\n")) > DOTS:  # a line of TOML ends nowhere else
        raise ValueError("its keys have too many dots")
    try:
        tables = tomllib.loads(text)
    except RecursionError:
        raise ValueError(f"it is nested too deeply, more than {DEEPEST} levels") from None
    for _ in unfit_numbers(tables):  # only the depth is refused here
        pass
    return tables


def check_plain(value: Any, largest: float = LARGEST_INTEGER) -> None:
    """Refuse plain data, from JSON or TOML, that later code cannot compute with.

    Args:
        value: The data.
        largest: As in `parse_json`.

    Raises:
        ValueError: A number is not finite or is beyond `largest`, or the data is nested too deeply; the message names
            the field.
    """
    for path in unfit_numbers(value, largest):
        raise unfit(path)


def unfit_numbers(value: Any, largest: float = LARGEST_INTEGER) -> Iterator[tuple[Any, ...]]:
    """Yield the path of each number in plain data that later code cannot compute with, of a list only the first.

    Args:
        value: The data; it must not change meanwhile.
        largest: As in `parse_json`.

    Raises:
        ValueError: The data is nested too deeply.
    """
    level: list[tuple[Any, Any]] = [(None, value)]  # (path, value): a path is (path of the container, key)
    for _ in range(DEEPEST):
        below: list[tuple[Any, Any]] = []
        for path, container in level:
            items = container.items() if type(container) is dict else enumerate(_listed(container))
            found = False
            for key, item in items:
                kind = type(item)
                if kind is str:
                    continue
                if kind is dict or kind is list:
                    below.append(((path, key), item))
                elif (kind is int and not -largest <= item <= largest) or (kind is float and not math.isfinite(item)):
                    if not found or type(container) is dict:
                        yield _keys((path, key))
                    found = True
        if not below:
            return
        level = below
    raise ValueError(f"it is nested too deeply, more than {DEEPEST} levels")


def unfit(path: Iterable[Any]) -> ValueError:
    """Return the error for the number at a path."""
    field = ".".join(str(key)[:40] for key in path)
    return ValueError(f"{field} is not a number that the lab computes with")


def _listed(value: Any) -> list[Any]:
    return value if type(value) is list else [value]


def _integer(digits: str) -> float:
    return int(digits) if len(digits) <= _DIGITS else math.inf  # which no number of the lab may be


def _keys(path: Any) -> tuple[Any, ...]:
    keys = []
    while path is not None:
        path, key = path
        keys.append(key)
    return tuple(reversed(keys))
