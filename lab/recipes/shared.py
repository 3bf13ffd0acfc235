"""The recipes that an administrator shares with everybody who uses a machine."""

from __future__ import annotations

from pathlib import Path

from lab.base.files.reading import parse_toml, read_text
from lab.base.system.folders import report_unreadable, shared_files

_ENDING = ".toml"


def shared_recipes() -> dict[Path, str]:
    """Return the titles of the shared recipes by file; one that cannot be read is reported once, and left out."""
    found = {}
    for file in shared_files("recipes", _ENDING):
        try:
            found[file] = str(parse_toml(read_text(file)).get("title") or file.stem)
        except (OSError, ValueError) as error:
            report_unreadable(file, error)
    return found


def shared_recipe(name: str) -> Path | None:
    """Return the file of the shared recipe of this name; None if there is none."""
    return next((file for file in shared_recipes() if file.stem == name), None)
