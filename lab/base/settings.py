"""The user's settings: one versioned JSON file. A damaged file is renamed, one of another version copied first."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any

from lab.base.files.reading import read_json
from lab.base.files.writing import make_folder, open_to_append, write_errors_as_problems, write_json, writing_problem
from lab.base.folders import settings_file
from lab.base.notices import notify
from lab.base.problems import LabError, Problem

VERSION = 1
MIGRATIONS: Mapping[int, Callable[[dict[str, Any]], dict[str, Any]]] = {}
"""For each earlier version, the function that migrates its sections to the next one."""
_lock = threading.RLock()


def read_settings(file: Path | None = None) -> dict[str, Any]:
    """Return all settings by section; {} if there are none or the file is damaged (it is renamed, with a notice).

    Settings of an earlier version are migrated, and those of a later one replaced by the last ones of this version; a
    copy named by its version is kept, which that version takes back.
    """
    path = file or settings_file()
    try:
        content = read_json(path)
        version = content.get("version") if isinstance(content, dict) else None
        if version == VERSION:
            return _sections(content)
        if type(version) is int and (version > VERSION or version in MIGRATIONS):
            return _of_this_version(path, content)
        reason = f"not settings of version {VERSION}"
    except FileNotFoundError:
        return {}
    except PermissionError:  # another person's, who may read it; writing to it is refused with a remedy
        return {}
    except (OSError, ValueError) as error:
        reason = str((error.strerror if isinstance(error, OSError) else None) or error)
    _rename_damaged(path, reason)
    return {}


def _sections(content: dict[str, Any]) -> dict[str, Any]:
    return {name: section for name, section in content.items() if name != "version"}


def _of_this_version(path: Path, content: dict[str, Any]) -> dict[str, Any]:
    """Store settings of another version beside the file, and those of this version in it; return the latter."""
    version, sections = content["version"], _sections(content)
    copied = _copy(path, version)
    if version > VERSION:
        sections = _copied_before(_copy(path, VERSION))
        what = f"the settings are those of a later version of the lab, whose format is {version}"
        problem = Problem(
            what, field=path.name, remedy=f"Those of this version are used, the others kept in {copied.name}"
        )
    else:
        for step in range(version, VERSION):
            sections = MIGRATIONS[step](sections)
        what = f"the settings were taken over from an earlier version of the lab, whose format is {version}"
        problem = Problem(what, field=path.name, remedy=f"Those of the earlier version are kept in {copied.name}")
    try:
        with _lock:
            write_json(copied, content)
            write_json(path, {"version": VERSION, **sections})
    except LabError:  # a home that cannot be written to: the same happens at the next start
        return sections
    notify("warning" if version > VERSION else "info", problem)
    return sections


def _copied_before(file: Path) -> dict[str, Any]:
    try:
        content = read_json(file)
    except (OSError, ValueError):
        return {}
    return _sections(content) if isinstance(content, dict) and content.get("version") == VERSION else {}


def _copy(path: Path, version: int) -> Path:
    return path.with_name(f"{path.stem}.v{version}{path.suffix}")


def _rename_damaged(path: Path, reason: str) -> None:
    damaged = path.with_name(path.name + ".damaged")
    try:
        path.replace(damaged)
        remedy = f"The defaults are used; the old file was renamed to {damaged.name}"
    except OSError:
        remedy = "The defaults are used"
    notify("warning", Problem(f"the settings could not be read: {reason}", field=path.name, remedy=remedy))


def read_section(name: str) -> dict[str, Any]:
    """Return one section of the settings; {} if it was never written or is not a table."""
    section = read_settings().get(name)
    return section if isinstance(section, dict) else {}


def change_section(name: str, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    """Replace one section by what `change` returns for it; no other thread or process writes in between.

    Raises:
        LabError: The file could not be written.
    """
    path = settings_file()
    make_folder(path.parent)
    with _exclusive(path):
        if path.exists() and not os.access(path, os.R_OK):  # or the settings of another person would be replaced
            raise LabError(writing_problem(PermissionError(errno.EACCES, os.strerror(errno.EACCES)), path))
        settings = read_settings(path)
        section = settings.get(name)
        changed = change(section if isinstance(section, dict) else {})
        write_json(path, {"version": VERSION, **settings, name: changed})


@contextlib.contextmanager
def _exclusive(path: Path) -> Iterator[None]:
    """Exclude other threads and processes, by a lock that the system releases if the process dies."""
    lock_file = path.with_name(path.name + ".lock")
    with _lock, contextlib.ExitStack() as stack:
        with write_errors_as_problems(path):
            file = stack.enter_context(open_to_append(lock_file))
        with contextlib.suppress(OSError):  # some network drives have no locks
            _lock_file(file)
        yield


def _lock_file(file: IO[bytes]) -> None:
    """Wait for the lock; closing the file releases it."""
    if sys.platform == "win32":
        import msvcrt

        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX)
