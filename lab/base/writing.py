"""Atomic writing of files: write under a temporary name, sync, rename. A reader sees the old file or the new one."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from lab.base.problems import BadInput, LabError, Problem

REMEDIES = {
    errno.ENOSPC: "Free some space there, or choose another folder with --out or LAB_HOME",
    errno.EDQUOT: "Free some of your quota, or choose another folder with --out or LAB_HOME",
    errno.EACCES: "Choose a folder you may write to, with --out or LAB_HOME",
    errno.EPERM: "Choose a folder you may write to, with --out or LAB_HOME",
    errno.EROFS: "The disk is read-only: choose another folder, with --out or LAB_HOME",
    errno.ENOTDIR: "A part of the path is a file: choose another folder, with --out or LAB_HOME",
    errno.EEXIST: "A file is where the folder should be: choose another folder, with --out or LAB_HOME",
    errno.ENAMETOOLONG: "Choose a shorter path, with --out or LAB_HOME",
}


WINDOWS = os.name == "nt"
PATIENCE = 1.0
"""Seconds for which replacing a file is tried again on Windows while another process reads it."""


def writing_problem(error: OSError, path: Path) -> Problem:
    """Return the problem for an operating system's refusal to write."""
    reason = error.strerror or str(error)
    return Problem(
        f"cannot write {path.name}: {reason}",
        field="folder",
        value=str(path.parent),
        remedy=REMEDIES.get(error.errno or 0, "Check that disk and folder, or choose another with --out or LAB_HOME"),
    )


@contextlib.contextmanager
def write_errors_as_problems(path: Path) -> Iterator[None]:
    """Turn an OSError while `path` is written into a LabError that names the folder and the remedy."""
    try:
        yield
    except OSError as error:
        raise LabError(writing_problem(error, path)) from None


def make_folder(path: Path) -> Path:
    """Make a folder and its parents, and check that it can be written to.

    Raises:
        BadInput: The folder cannot be made or written to; the problem names it and the reason.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            pass
    except OSError as error:
        raise BadInput(writing_problem(error, path / "new files")) from None
    return path


def write_file(path: Path, content: bytes | str) -> None:
    """Write one file completely or not at all, also if the process crashes or the disk is full.

    Raises:
        LabError: It could not be written; the old file is untouched.
    """
    data = content.encode(errors="backslashreplace") if isinstance(content, str) else content
    write_atomically(path, lambda temporary: _write_synced(temporary, data))


def write_json(path: Path, value: Any) -> None:
    """Write a value as JSON (indented, no NaN), completely or not at all."""
    write_file(path, json.dumps(value, indent=2, allow_nan=False, ensure_ascii=False) + "\n")


def write_atomically(path: Path, write: Callable[[Path], None]) -> None:
    """Let `write` make a file or folder under a temporary name, rename it to `path` and sync the folder.

    Raises:
        LabError: It could not be written; the temporary file or folder is removed and `path` is untouched.
    """
    begin = path.name[:40]  # a name may be as long as the file system allows, and the temporary one is longer
    temporary = path.with_name(f".{begin}.{os.getpid()}-{threading.get_ident()}.new")
    with write_errors_as_problems(path):
        try:
            write(temporary)
            if temporary.is_dir() and path.exists():
                _swap(temporary, path)
            else:
                _replace(temporary, path)
        except BaseException:
            if temporary.is_dir():
                shutil.rmtree(temporary, ignore_errors=True)
            else:
                with contextlib.suppress(OSError):
                    temporary.unlink()
            raise
        _sync_folder(path.parent)


def replaced_path(path: Path) -> Path:
    """Return the temporary path of a folder that is being replaced; if the process is killed then, it stays there."""
    return path.with_name(f".{path.name}.old")


def _swap(temporary: Path, path: Path) -> None:
    """Replace a folder by another; the old one stays complete until the new one is in place."""
    old = replaced_path(path)
    shutil.rmtree(old, ignore_errors=True)
    try:
        _replace(path, old)
        _replace(temporary, path)
    except BaseException:
        if not path.exists():
            _replace(old, path)
        raise
    shutil.rmtree(old, ignore_errors=True)


def sync_tree(folder: Path) -> None:
    """Sync every file in a folder, so that a rename of it afterwards survives a crash."""
    for file in folder.rglob("*"):
        if file.is_file():
            with file.open("r+b") as handle:  # Windows cannot sync a file that is open for reading only
                os.fsync(handle.fileno())


def _replace(temporary: Path, path: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            temporary.replace(path)
        except PermissionError:
            if not WINDOWS or time.monotonic() > deadline:
                raise
            time.sleep(0.02)
        else:
            return


def _write_synced(path: Path, data: bytes) -> None:
    with path.open("wb") as handle:
        handle.write(data)
        handle.flush()
        os.fsync(handle.fileno())


def _sync_folder(folder: Path) -> None:
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError:  # some network drives refuse to sync a folder; the rename holds nevertheless
        pass
    finally:
        os.close(handle)
