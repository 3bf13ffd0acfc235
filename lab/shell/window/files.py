"""Opening and saving of files in the window: by dialogs, the clipboard, and drag and drop."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, QObject, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget

from lab.base.last_folder import last_folder, remember_folder
from lab.recipes import is_link
from lab.shell.runs.pretrained_dialog import PretrainedDialog
from lab.shell.runtime.file_dialogs import ask_for_files, ask_for_folder
from lab.shell.session.session import Session
from lab.widgets.core.i18n import tr


class Files(QObject):
    """Opens and saves the files of a window.

    Args:
        window: The window over which dialogs open.
        session: The session, which opens and saves them.

    Attributes:
        pretrained: The dialog that opens pretrained models.
    """

    def __init__(self, window: QWidget, session: Session) -> None:
        super().__init__(window)
        self._window, self._session = window, session
        self.pretrained = PretrainedDialog(window, session)

    def open(self) -> None:
        """Ask for files and open them: texts for the corpus, recipes, or bundles of runs."""
        self._session.open_paths(ask_for_files(self._window))

    def open_folder(self) -> None:
        """Ask for a folder and open it: texts for the corpus, a run, or a pretrained model."""
        self.open_paths(ask_for_folder(self._window))

    def save_recipe(self) -> None:
        """Ask for a file and write the draft to it."""
        title, kinds = tr("Save the recipe"), tr("Recipes (*.toml)")
        file, _ = QFileDialog.getSaveFileName(self._window, title, str(last_folder() / "recipe.toml"), kinds)
        if file:
            remember_folder(Path(file).parent)
            self._session.save_recipe(Path(file))

    def paste_corpus(self) -> None:
        """Use the text of the clipboard as the corpus, or show it if it is a link."""
        self._session.opener.paste(QApplication.clipboard().text())

    def paste_link(self) -> bool:
        """Show the link in the clipboard. Return False if there is none."""
        text = QApplication.clipboard().text()
        if is_link(text):
            self._session.opener.paste(text)
        return is_link(text)

    def show_folder(self) -> None:
        """Open the folder of the selected run in the system's file manager."""
        run = self._session.selected
        if run is not None and run.path is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(run.path)))

    def can_take(self, dropped: QMimeData) -> bool:
        """Return True if the dragged data can be opened: local files, or text."""
        return bool(dropped_paths(dropped)) or (dropped.hasText() and not dropped.hasUrls())

    def take(self, dropped: QMimeData) -> None:
        """Open the dropped files or text."""
        files = dropped_paths(dropped)
        if files:
            self.open_paths(files)
        else:
            self._session.opener.paste(dropped.text())

    def open_paths(self, paths: list[str]) -> None:
        """Open files and folders: texts for the corpus, recipes, bundles, runs, or pretrained models."""
        models = [path for path in paths if self._session.warm_up.ready and _is_model(Path(path))]
        self._session.open_paths([path for path in paths if path not in models])
        for model in models[-1:]:  # one dialog at a time
            self.pretrained.inspect(Path(model))


def _is_model(folder: Path) -> bool:
    """Return True if a folder has a pretrained model in the format of Hugging Face."""
    return (folder / "config.json").is_file() and any(folder.glob("*.safetensors"))


def dropped_paths(dropped: QMimeData) -> list[str]:
    """Return the paths of dropped files and folders."""
    return [url.toLocalFile() for url in dropped.urls() if url.isLocalFile()]
