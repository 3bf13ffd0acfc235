"""The folder in which the user last opened or saved a file, where the next dialog starts."""

from __future__ import annotations

from pathlib import Path

import platformdirs

from lab.base.notices import notify
from lab.base.problems import LabError
from lab.base.settings import change_section, read_section

SECTION = "exports"
"""The section of the settings with the folder."""


def last_folder() -> Path:
    """Return the folder that was used last; if it is gone, the user's documents, or else the home folder."""
    last = read_section(SECTION).get("folder")
    folders = [Path(last)] if isinstance(last, str) and last else []
    folders.append(Path(platformdirs.user_documents_dir()))
    return next((folder for folder in folders if folder.is_dir()), Path.home())


def remember_folder(folder: Path) -> None:
    """Store the folder, so that the next dialog starts there; a failure is reported."""
    try:
        change_section(SECTION, lambda _: {"folder": str(folder.absolute())})
    except LabError as error:
        notify("warning", error.problem)
