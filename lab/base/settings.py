"""The user's settings: one versioned JSON file. A damaged file is renamed, never overwritten."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

from lab.base.files.reading import read_json
from lab.base.files.writing import make_folder, open_to_append, write_errors_as_problems, write_json
from lab.base.folders import settings_file
from lab.base.notices import notify
from lab.base.problems import Problem

VERSION = 1
_lock = threading.RLock()


def read_settings(file: Path | None = None) -> dict[str, Any]:
    """Return all settings by section; {} if there are none or the file is damaged (it is renamed, with a notice)."""
    path = file or settings_file()
    try:
        content = read_json(path)
        if isinstance(content, dict) and content.get("version") == VERSION:
            return {name: section for name, section in content.items() if name != "version"}
        reason = f"not settings of version {VERSION}"
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        reason = str((error.strerror if isinstance(error, OSError) else None) or error)
    _rename_damaged(path, reason)
    return {}


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
