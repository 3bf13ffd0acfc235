"""The check of the folders: whether they can be read and written, and how much space is left."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from lab.base.files.reading import read_json
from lab.base.folders import cache_folder, downloads_folder, home, plugins_folder, runs_folder, settings_file
from lab.base.units import short
from lab.workbench.doctor.findings import Finding, Level
from lab.workbench.doctor.subject import Subject

FULL, SCARCE = 200 * 2**20, 2**30
"""Free bytes below which a folder counts as full, and below which that is noted."""
ANOTHER = "Let the lab use another folder: set the variable LAB_HOME to a folder of your own"


class Folder(NamedTuple):
    """A folder of the lab: what it holds, and its path."""

    what: str
    path: Callable[[], Path]


FOLDERS = (
    Folder("the settings", home),
    Folder("recorded runs", runs_folder),
    Folder("added plugins", plugins_folder),
    Folder("downloaded texts", downloads_folder),
    Folder("cached data", cache_folder),
    Folder("temporary files", lambda: Path(tempfile.gettempdir())),
)


def folders(subject: Subject) -> Iterator[Finding]:
    """Report for each folder whether it can be written, and how much space is left; and damaged settings."""
    del subject
    refused: set[Path] = set()
    for folder in FOLDERS:
        try:
            path = folder.path()
        except OSError as error:  # there is no folder for temporary files
            yield _refused(folder.what, error, "")
            continue
        present = next(one for one in (path, *path.parents) if os.path.lexists(one))
        if present in refused:  # those that would be made in it are refused for the same reason
            continue
        try:
            _try_writing(present)
            yield _free(folder.what, path, shutil.disk_usage(present).free)
        except OSError as error:
            refused.add(present)
            yield _refused(folder.what, error, str(path))
    if not refused & {home(), *home().parents}:
        yield from _settings(settings_file())


def _try_writing(folder: Path) -> None:
    """List a folder, and write a file into it that has no name.

    Raises:
        OSError: The system refuses.
    """
    with os.scandir(folder) as entries:
        next(entries, None)
    with tempfile.TemporaryFile(dir=folder) as file:
        file.write(b"lab" * 4096)


def _free(what: str, path: Path, free: int) -> Finding:
    """Return the finding about a folder that can be written.

    Args:
        what: What it holds.
        path: Its path.
        free: The free bytes of its disk.
    """
    if free < FULL:
        return Finding(
            f"the disk of the folder for {what} is full: {short(free)}B free",
            Level.WRONG,
            remedy="Delete runs you do not need and empty the bin, or move the lab's folder with LAB_HOME",
            detail=str(path),
        )
    if free < SCARCE:
        return Finding(
            f"the disk of the folder for {what} has little room: {short(free)}B free",
            Level.NOTE,
            remedy="Delete runs and downloads that you do not need",
            detail=str(path),
        )
    return Finding(f"the folder for {what} can be written, {short(free)}B free", detail=str(path))


def _refused(what: str, error: OSError, path: str) -> Finding:
    """Return the finding about a folder that cannot be used."""
    why = os.strerror(error.errno) if error.errno else type(error).__name__
    remedies = {
        errno.ENOSPC: "Free some space on that disk, or move the lab's folder with LAB_HOME",
        errno.EDQUOT: "Free some of your quota, or move the lab's folder with LAB_HOME",
        errno.ENOTDIR: "A file is where the folder should be: rename it",
    }
    remedy = remedies.get(error.errno or 0, ANOTHER)
    return Finding(f"the folder for {what} cannot be used: {why}", Level.WRONG, remedy=remedy, detail=path)


def _settings(file: Path) -> Iterator[Finding]:
    """Report settings that cannot be read, and those that were damaged before."""
    try:
        read_json(file)
        yield Finding("the settings can be read")
    except FileNotFoundError:
        yield Finding("there are no settings yet")
    except (OSError, ValueError) as error:
        name = type(error).__name__
        yield Finding(
            f"the settings cannot be read ({name}), so the defaults are used",
            Level.WRONG,
            remedy="Rename the file settings.json; the lab makes a new one",
            detail=str(file),
        )
    if file.with_name(f"{file.name}.damaged").is_file():
        yield Finding(
            "earlier settings were damaged and set aside",
            Level.NOTE,
            remedy="Delete settings.json.damaged if you miss nothing",
        )
