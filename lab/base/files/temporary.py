"""Files and folders under temporary names while they are written, removed when their process is gone.

A temporary name tells its owner: the id and the start of the process, and the machine or container. Those of imports
and exports, which may be large and anywhere, are also recorded in the lab's folder, so that the next start finds them.
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

from lab.base.files.reading import is_link, read_bytes, read_text
from lab.base.folders import home, runs_folder
from lab.base.processes import is_alive, start_of

LONGEST = 40
"""Most characters of a file's name in its temporary name: names may be as long as the file system allows."""

MACHINE = Path("/etc/machine-id")
BOOT = Path("/proc/sys/kernel/random/boot_id")
NUMBERS = Path("/proc/self/ns/pid")
"""The namespace of Linux in which processes have their numbers."""
OUTSIDE = 0xEFFFFFFC
"""The inode of the namespace outside of all containers."""
_NAME = re.compile(r"\.(.*)\.(\d+)-(\d+)-([0-9a-f]{8})-\d+\.(?:new(?:-.*)?|(old))", re.DOTALL)


@contextlib.contextmanager
def temporary_path(path: Path, *, recorded: bool = False) -> Iterator[Path]:
    """Yield a temporary path beside a path; what is there in the end is removed.

    Args:
        path: The path that it will be renamed to.
        recorded: True to let the next start of the lab remove it if this process is killed.
    """
    owner = f"{_owner(os.getpid())}-{threading.get_ident()}"
    temporary = _temporary(path, owner)
    record = _records() / f"{owner}-{zlib.crc32(os.fsencode(temporary)):08x}" if recorded else None
    if record is not None:
        with contextlib.suppress(OSError):  # the lab's folder cannot be written to; the work can be done nevertheless
            record.parent.mkdir(parents=True, exist_ok=True)
            record.write_bytes(os.fsencode(path.absolute()))
    try:
        yield temporary
    finally:
        remove(temporary)
        if record is not None:
            with contextlib.suppress(OSError):
                record.unlink()
                record.parent.rmdir()  # fails unless this was the last record
                home().rmdir()


def replaced_path(temporary: Path) -> Path:
    """Return the path to which the file or folder is moved that the one at a temporary path replaces."""
    return temporary.with_suffix(".old")


def restore_replaced(old: Path, path: Path) -> None:
    """Restore what was being replaced when the process was killed, or remove it if the new one is in place.

    Args:
        old: Its path, as `replaced_path` returned it; there may be nothing.
        path: The path that it had.
    """
    if os.path.lexists(path):
        remove(old)
    else:
        with contextlib.suppress(OSError):
            old.rename(path)


def name_of(temporary: Path) -> str | None:
    """Return the name, cut to LONGEST, of what a temporary path is for; None if it is no temporary path of the lab."""
    found = _NAME.fullmatch(temporary.name)
    return found and found[1]


def remove(path: Path) -> None:
    """Remove a file, or a folder and what is in it, as far as the system allows it; of a link only the link."""
    try:
        if path.is_dir() and not is_link(path):
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink()
    except OSError:
        pass


def sweep(folder: Path) -> None:
    """Remove the temporary files in a folder whose processes are gone; those of other machines and containers stay."""
    with contextlib.suppress(OSError):
        for path in folder.iterdir():
            if _is_left(path.name):
                remove(path)


def sweep_all() -> None:
    """Remove what killed processes left in the folders of the lab, and where they imported and exported."""
    for folder in (home(), runs_folder()):
        sweep(folder)
    with contextlib.suppress(OSError):
        for record in _records().iterdir():
            owner = record.name.rpartition("-")[0]
            if _is_left(f"..{owner}.new"):
                with contextlib.suppress(OSError, ValueError):
                    path = Path(os.fsdecode(read_bytes(record)))
                    restore_replaced(replaced_path(_temporary(path, owner)), path)
                    sweep(path.parent)
                remove(record)


def _records() -> Path:
    return home() / "temporary"


def _temporary(path: Path, owner: str) -> Path:
    return path.with_name(f".{path.name[:LONGEST]}.{owner}.new")


def _is_left(name: str) -> bool:
    """Return True if this is the name of what was written by a process on this machine that is gone."""
    found = _NAME.fullmatch(name)
    if found is None or found[5] or found[4] != _machine():  # what was replaced is restored, never swept
        return False
    return not is_alive(int(found[2]), int(found[3]) / 100)


@functools.lru_cache(1)
def _owner(pid: int) -> str:
    return f"{pid}-{round(start_of(pid) * 100)}-{_machine()}"


@functools.cache
def _machine() -> str:
    """Return what distinguishes the machines, and the containers on them, whose processes have numbers of their own."""
    known = [platform.node(), _content(MACHINE)]
    with contextlib.suppress(OSError):  # another system than Linux
        space = NUMBERS.stat().st_ino
        if space != OUTSIDE:  # a container, whose identity holds until the machine starts again
            known += [_content(BOOT), str(space)]
    return f"{zlib.crc32('/'.join(known).encode()):08x}"


def _content(file: Path) -> str:
    try:
        return read_text(file).strip()
    except (OSError, ValueError):
        return ""
