"""The one way files are written: aside, synced, renamed; a reader sees the old file or the new one, whole."""

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
    errno.EEXIST: "A file stands where the folder should be: choose another folder, with --out or LAB_HOME",
    errno.ENAMETOOLONG: "Choose a shorter path, with --out or LAB_HOME",
}


WINDOWS = os.name == "nt"
PATIENCE = 1.0
"""Seconds for which Windows is asked again to replace a file that somebody reads at this moment."""


def writing_problem(error: OSError, path: Path) -> Problem:
    """The problem an operating system's refusal to write stands for."""
    reason = error.strerror or str(error)
    return Problem(
        f"cannot write {path.name}: {reason}",
        field="folder",
        value=str(path.parent),
        remedy=REMEDIES.get(error.errno or 0, "Look at that disk and folder, or choose another with --out or LAB_HOME"),
    )


@contextlib.contextmanager
def write_errors_as_problems(path: Path) -> Iterator[None]:
    """Turns an OSError while writing `path` into a LabError that names the folder and the remedy."""
    try:
        yield
    except OSError as error:
        raise LabError(writing_problem(error, path)) from None


def make_folder(path: Path) -> Path:
    """Makes a folder and its parents and makes sure that something can be written into it.

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
    """Writes one file so that it is there whole or not at all, also after a crash or on a full disk.

    Raises:
        LabError: It could not be written; what stood at `path` is untouched.
    """
    data = content.encode(errors="backslashreplace") if isinstance(content, str) else content
    write_atomically(path, lambda aside: _write_synced(aside, data))


def write_json(path: Path, value: Any) -> None:
    """Writes a value as JSON (indented, no NaN), whole or not at all."""
    write_file(path, json.dumps(value, indent=2, allow_nan=False, ensure_ascii=False) + "\n")


def write_atomically(path: Path, write: Callable[[Path], None]) -> None:
    """Has `write` make a file or folder under a name aside, then renames it to `path` and syncs the folder.

    Raises:
        LabError: It could not be written; what was made aside is removed and `path` is untouched.
    """
    begin = path.name[:40]  # a name may be as long as the file system takes, and this one has more to it
    aside = path.with_name(f".{begin}.{os.getpid()}-{threading.get_ident()}.new")
    with write_errors_as_problems(path):
        try:
            write(aside)
            if aside.is_dir() and path.exists():
                _swap(aside, path)
            else:
                _replace(aside, path)
        except BaseException:
            if aside.is_dir():
                shutil.rmtree(aside, ignore_errors=True)
            else:
                with contextlib.suppress(OSError):
                    aside.unlink()
            raise
        _sync_folder(path.parent)


def replaced_path(path: Path) -> Path:
    """Where a folder stands for the moment in which another takes its place; after a kill just then it is there."""
    return path.with_name(f".{path.name}.old")


def _swap(aside: Path, path: Path) -> None:
    """Puts a folder in the place of another, which is there whole until the new one is."""
    old = replaced_path(path)
    shutil.rmtree(old, ignore_errors=True)
    try:
        _replace(path, old)
        _replace(aside, path)
    except BaseException:
        if not path.exists():
            _replace(old, path)
        raise
    shutil.rmtree(old, ignore_errors=True)


def sync_tree(folder: Path) -> None:
    """Syncs every file in a folder, so that a rename of it afterwards is safe against a crash."""
    for file in folder.rglob("*"):
        if file.is_file():
            with file.open("r+b") as handle:  # Windows syncs nothing that is open to be read only
                os.fsync(handle.fileno())


def _replace(aside: Path, path: Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            aside.replace(path)
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
    except OSError:  # some network drives refuse to sync a folder; the rename stands all the same
        pass
    finally:
        os.close(handle)
