"""Atomic writing of files: write under a temporary name, sync, rename. A reader sees the old file or the new one."""

from __future__ import annotations

import contextlib
import errno
import io
import json
import os
import stat
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from lab.base.files.reading import WITHOUT_WAITING, exists
from lab.base.files.temporary import remove, replaced_path, temporary_path
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


@contextlib.contextmanager
def named_by_user() -> Iterator[None]:
    """Word the remedies of failures to write for files that the user named, which no option moves elsewhere."""
    try:
        yield
    except LabError as error:
        remedy = (error.problem.remedy or "").removesuffix(" with --out or LAB_HOME").rstrip(",")
        raise type(error)(replace(error.problem, remedy=remedy or None)) from None


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


def check_writable(path: Path) -> None:
    """Check that files can be written to a folder, or to where it would be made. Nothing is left there.

    Raises:
        BadInput: They cannot; the problem names the folder and the reason.
    """
    try:
        there = next(folder for folder in (path, *path.parents) if folder.exists())
        with tempfile.TemporaryFile(dir=there):
            pass
    except OSError as error:
        raise BadInput(writing_problem(error, path / "new files")) from None


@contextlib.contextmanager
def folder_for(path: Path) -> Iterator[Path]:
    """Make a folder for what is written inside; if that fails, remove the folders that were made for it.

    Raises:
        BadInput: See `make_folder`.
    """
    missing = [folder for folder in (path, *path.parents) if not exists(folder)]
    try:
        yield make_folder(path)
    except BaseException:
        for folder in missing:
            with contextlib.suppress(OSError, ValueError):  # another process writes there, or it cannot be a path
                folder.rmdir()
        raise


def check_output(file: Path, *, overwrite: bool, read: Iterable[Path] = (), field: str = "file") -> None:
    """Check that a file, or folder, may be written where the user asked for it.

    Args:
        file: The file or folder.
        overwrite: True if an existing one may be replaced.
        read: The files that the content is made from; they are never replaced.
        field: The name of the file in a problem.

    Raises:
        BadInput: It exists and may not be replaced, is one of those that are read, or is a device or a link.
    """
    with write_errors_as_problems(file):
        found = file.lstat() if os.path.lexists(file) else None
        if found is None:
            return
        same = any(source.exists() and source.samefile(file) for source in read if file.exists())
    if same:
        raise BadInput(
            "is read for this, so it cannot be written", field=field, value=str(file), remedy="Choose another name"
        )
    if not (stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)):
        raise BadInput("is a link or a device", field=field, value=str(file), remedy="Choose another name")
    if not overwrite:
        raise BadInput("already exists", field=field, value=str(file), remedy="Choose another name, or add --overwrite")


def write_file(path: Path, content: bytes | str, *, recorded: bool = False) -> None:
    """Write one file completely or not at all, also if the process crashes or the disk is full.

    Args:
        path: The file.
        content: Its content; a text is encoded as UTF-8.
        recorded: See `write_atomically`.

    Raises:
        LabError: It could not be written; the old file is untouched.
    """
    write_atomically(path, lambda temporary: _write_synced(temporary, _encoded(content)), recorded=recorded)


def write_files(contents: Mapping[Path, bytes | str]) -> None:
    """Write several files; none of them appears, or is replaced, before all are written under temporary names.

    Raises:
        LabError: One could not be written; the old files are untouched.
    """
    with contextlib.ExitStack() as entered:
        written = {}
        for path, content in contents.items():
            entered.enter_context(write_errors_as_problems(path))
            written[path] = entered.enter_context(temporary_path(path, recorded=True))
            _write_synced(written[path], _encoded(content))
        for path, temporary in written.items():
            _replace(temporary, path)
            _sync_folder(path.parent)


def open_to_append(path: Path) -> io.FileIO:
    """Open a regular file to read it and to append to it, without waiting; it is made if there is none.

    Raises:
        OSError: It cannot be opened, or is a link, a hard link, a folder, a pipe or a device.
    """
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | WITHOUT_WAITING | getattr(os, "O_NOFOLLOW", 0)
    number = os.open(path, flags, 0o666)
    about = os.fstat(number)
    if stat.S_ISREG(about.st_mode) and about.st_nlink <= 1:
        return io.FileIO(number, "a+")
    os.close(number)
    raise OSError(errno.EINVAL, "it is a link, or not a regular file", str(path))


def write_json(path: Path, value: Any) -> None:
    """Write a value as JSON (indented, no NaN), completely or not at all."""
    write_file(path, json.dumps(value, indent=2, allow_nan=False, ensure_ascii=False) + "\n")


def write_atomically(path: Path, write: Callable[[Path], None], *, recorded: bool = False) -> None:
    """Let `write` make a file or folder under a temporary name, rename it to `path` and sync the folder.

    Args:
        path: The file or folder.
        write: Makes it under the path it is given.
        recorded: True for long writing: if the process is killed, the next start of the lab removes what it left.

    Raises:
        LabError: It could not be written; the temporary file or folder is removed and `path` is untouched.
    """
    with write_errors_as_problems(path), temporary_path(path, recorded=recorded) as temporary:
        write(temporary)
        if temporary.is_dir() and os.path.lexists(path):
            _swap(temporary, path)
        else:
            _replace(temporary, path)
        _sync_folder(path.parent)


def place(temporary: Path, path: Path) -> Path:
    """Rename a complete folder to a path that nobody has, and sync the folder around it.

    Args:
        temporary: The folder, beside the path.
        path: The path; a number is added to its name if it is taken.

    Returns:
        Its new path.

    Raises:
        LabError: It could not be renamed.
    """
    free, number = path, 1
    with write_errors_as_problems(path):
        while True:
            try:
                if not os.path.lexists(free):
                    _replace(temporary, free)  # fails if another process meanwhile put a folder with content there
                    break
            except OSError:
                if not os.path.lexists(free):
                    raise
            number += 1
            free = path.with_name(f"{path.name}-{number}")
        _sync_folder(path.parent)
    return free


def place_file(temporary: Path, path: Path) -> Path:
    """Rename a complete file to a path that nobody has, and sync the folder around it.

    Args:
        temporary: The file, beside the path.
        path: The path; a number is added to its name if it is taken.

    Returns:
        Its new path.

    Raises:
        OSError: It could not be renamed.
    """
    free, number = path, 1
    while True:
        try:
            free.open("xb").close()  # only one process can
            break
        except FileExistsError:
            number += 1
            free = path.with_name(f"{path.stem}-{number}{path.suffix}")
    try:
        _replace(temporary, free)
    except BaseException:
        free.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)
    return free


def _swap(temporary: Path, path: Path) -> None:
    """Replace a file or folder by a folder; the old one stays complete until the new one is in place."""
    old = replaced_path(temporary)
    try:
        _replace(path, old)
        _replace(temporary, path)
    except BaseException:
        if not os.path.lexists(path):
            _replace(old, path)
        raise
    remove(old)


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


def _encoded(content: bytes | str) -> bytes:
    return content.encode(errors="backslashreplace") if isinstance(content, str) else content


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
