"""Dialogs that ask for files and folders to open."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from lab.base.last_folder import last_folder, remember_folder
from lab.runs.records import BUNDLE
from lab.widgets.core.i18n import tr

RECIPES = (".toml", BUNDLE)
"""Suffixes of the files that can be opened besides texts: recipes and bundles of runs."""


def ask_for_files(parent: QWidget) -> list[str]:
    """Ask for files of all kinds that can be opened, and return them; [] if the dialog is cancelled."""
    from lab.text.readers.table import CODE, READERS, TABLES, TEXT  # imported here, so that the window opens sooner

    code = tuple(CODE.split())
    documents = tuple(end for end in READERS if end not in (*TEXT, *TABLES, *code))
    kinds = (
        tr("All supported files ({ends})", ends=_patterns((*READERS, *RECIPES))),
        tr("Texts ({ends})", ends=_patterns(TEXT)),
        tr("Code ({ends})", ends=_patterns(code)),
        tr("Tables ({ends})", ends=_patterns(TABLES)),
        tr("Pages and documents ({ends})", ends=_patterns(documents)),
        tr("Recipes and bundles of runs ({ends})", ends=_patterns(RECIPES)),
        tr("All files (*)"),
    )
    title = tr("Open a text, a table, a document, a recipe or a bundle of a run")
    files, _ = QFileDialog.getOpenFileNames(parent, title, str(last_folder()), ";;".join(kinds))
    if files:
        remember_folder(Path(files[0]).parent)
    return files


def ask_for_folder(parent: QWidget) -> list[str]:
    """Ask for a folder, and return it in a list; [] if the dialog is cancelled."""
    folder = QFileDialog.getExistingDirectory(parent, tr("Open a folder of texts as corpus"), str(last_folder()))
    if not folder:
        return []
    remember_folder(Path(folder).parent)
    return [folder]


def _patterns(ends: Iterable[str]) -> str:
    return " ".join(f"*{end}" for end in ends)
