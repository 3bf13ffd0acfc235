"""Files and folders under temporary names while they are written, removed when their process is gone.

A temporary name tells its owner: the id and the start of the process, and the machine. Those of imports and
exports, which may be large and anywhere, are also recorded in the lab's folder, so that the next start finds them.
"""

from __future__ import annotations

import contextlib
import functools
import os
import platform
import re
import shutil
import threading
import zlib
from collections.abc import Iterator
from pathlib import Path

from lab.base.folders import home, runs_folder
from lab.base.processes import is_alive, start_of

LONGEST = 40
"""Most characters of a file's name in its temporary name: names may be as long as the file system allows."""

_NAME = re.compile(r"\..*\.(\d+)-(\d+)-([0-9a-f]{8})-\d+\.new(?:-.*)?", re.DOTALL)


@contextlib.contextmanager
def temporary_path(path: Path, *, recorded: bool = False) -> Iterator[Path]:
    """Yield a temporary path beside a path; what is there in the end is removed.

    Args:
        path: The path that it will be renamed to.
        recorded: True to let the next start of the lab remove it if this process is killed.
    """
    owner = f"{_owner(os.getpid())}-{threading.get_ident()}"
    temporary = path.with_name(f".{path.name[:LONGEST]}.{owner}.new")
    record = _records() / f"{owner}-{zlib.crc32(os.fsencode(temporary)):08x}" if recorded else None
    if record is not None:
        with contextlib.suppress(OSError):  # the lab's folder cannot be written to; the work can be done nevertheless
            record.parent.mkdir(parents=True, exist_ok=True)
            record.write_bytes(os.fsencode(path.absolute()))
    try:
        yield temporary
    finally:
        _remove(temporary)
        if record is not None:
            with contextlib.suppress(OSError):
                record.unlink()
                record.parent.rmdir()  # fails unless this was the last record
                home().rmdir()


def replaced_path(path: Path) -> Path:
    """Return the temporary path of a folder that is being replaced; if the process is killed then, it stays there."""
    return path.with_name(f".{path.name}.old")


def restore_replaced(path: Path) -> None:
    """Restore a folder whose replacement was interrupted, or remove it if the new folder is in place."""
    old = replaced_path(path)
    with contextlib.suppress(OSError):
        if os.path.lexists(path):
            shutil.rmtree(old)
        else:
            old.rename(path)


def sweep(folder: Path) -> None:
    """Remove the temporary files in a folder whose processes are gone; those of other machines stay."""
    with contextlib.suppress(OSError):
        for path in folder.iterdir():
            if _is_left(path.name):
                _remove(path)


def sweep_all() -> None:
    """Remove what killed processes left in the folders of the lab, and where they imported and exported."""
    for folder in (home(), runs_folder()):
        sweep(folder)
    with contextlib.suppress(OSError):
        for record in _records().iterdir():
            if _is_left(f"..{record.name.rpartition('-')[0]}.new"):
                path = Path(os.fsdecode(record.read_bytes()))
                sweep(path.parent)
                restore_replaced(path)
                record.unlink()


def _records() -> Path:
    return home() / "temporary"


def _is_left(name: str) -> bool:
    """Return True if this is a temporary name whose process on this machine is gone."""
    found = _NAME.fullmatch(name)
    return found is not None and found[3] == _machine() and not is_alive(int(found[1]), int(found[2]) / 100)


@functools.lru_cache(1)
def _owner(pid: int) -> str:
    return f"{pid}-{round(start_of(pid) * 100)}-{_machine()}"


@functools.cache
def _machine() -> str:
    return f"{zlib.crc32(platform.node().encode()):08x}"


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, ignore_errors=True)
    else:
        with contextlib.suppress(OSError):
            path.unlink()
