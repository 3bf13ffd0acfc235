"""File dialogs: which files and folders to open."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtWidgets import QFileDialog, QWidget

from lab.runs.records import BUNDLE
from lab.widgets.core.i18n import tr

RECIPES = (".toml", BUNDLE)
"""What else than text can be opened: recipes and bundles of runs."""


def ask_for_files(parent: QWidget) -> list[str]:
    """The files that a person chooses of all kinds that can be opened; none where the dialogue is cancelled."""
    from lab.text.readers.table import CODE, READERS, TABLES, TEXT  # late: a window opens sooner without

    code = tuple(CODE.split())
    documents = tuple(end for end in READERS if end not in (*TEXT, *TABLES, *code))
    kinds = (
        tr("All that can be opened ({ends})", ends=_patterns((*READERS, *RECIPES))),
        tr("Texts ({ends})", ends=_patterns(TEXT)),
        tr("Code ({ends})", ends=_patterns(code)),
        tr("Tables ({ends})", ends=_patterns(TABLES)),
        tr("Pages and documents ({ends})", ends=_patterns(documents)),
        tr("Recipes and bundles of runs ({ends})", ends=_patterns(RECIPES)),
        tr("All files (*)"),
    )
    files, _ = QFileDialog.getOpenFileNames(
        parent, tr("Open a text, a table, a document, a recipe or a bundle of a run"), "", ";;".join(kinds)
    )
    return files


def ask_for_folder(parent: QWidget) -> list[str]:
    """The folder that a person chooses; none where the dialogue is cancelled."""
    folder = QFileDialog.getExistingDirectory(parent, tr("Open a folder of texts as corpus"))
    return [folder] if folder else []


def _patterns(ends: Iterable[str]) -> str:
    return " ".join(f"*{end}" for end in ends)
