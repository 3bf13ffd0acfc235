"""Files in and out of the window: dialogues, the clipboard, and what is dropped on it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QObject, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication, QFileDialog

from lab.widgets.words import text

if TYPE_CHECKING:
    from lab.shell.window import Window


class Files(QObject):
    """The files of a window.

    Args:
        window: The window.
    """

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window, self._session = window, window.session

    def open(self) -> None:
        """Asks for files: text for the corpus, recipes, or bundles of runs."""
        kinds = text("Texts, recipes and bundles (*.txt *.md *.text *.rst *.toml *.lmlab);;All files (*)")
        files, _ = QFileDialog.getOpenFileNames(
            self._window, text("Open a text, a recipe or a bundle of a run"), "", kinds
        )
        self._session.open_paths(files)

    def save_recipe(self) -> None:
        """Asks where to, and writes the draft there."""
        title, kinds = text("Save the recipe"), text("Recipes (*.toml)")
        file, _ = QFileDialog.getSaveFileName(self._window, title, "recipe.toml", kinds)
        if file:
            self._session.save_recipe(Path(file))

    def paste_corpus(self) -> None:
        """Makes the clipboard's text the corpus."""
        self._session.paste(QApplication.clipboard().text())

    def show_folder(self) -> None:
        """Opens the selected run's folder in the system's file manager."""
        view = self._session.selected
        if view is not None and view.path is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(view.path)))

    def can_take(self, dropped: QMimeData) -> bool:
        """Whether something that is dragged over the window can be opened: files here, or text."""
        return bool(_paths(dropped)) or (dropped.hasText() and not dropped.hasUrls())

    def take(self, dropped: QMimeData) -> None:
        """Opens what was dropped."""
        files = _paths(dropped)
        if files:
            self._session.open_paths(files)
        else:
            self._session.paste(dropped.text())


def _paths(dropped: QMimeData) -> list[str]:
    return [url.toLocalFile() for url in dropped.urls() if url.isLocalFile()]
