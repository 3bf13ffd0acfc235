"""Files in and out of the window: dialogues, the clipboard, and what is dropped on it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QObject, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication, QFileDialog

from lab.shell.runs.pretrained_dialog import PretrainedDialogue
from lab.shell.runtime.file_dialogs import ask_for_files, ask_for_folder
from lab.widgets.core.i18n import tr

if TYPE_CHECKING:
    from lab.shell.window.main_window import Window


class Files(QObject):
    """The files of a window.

    Args:
        window: The window.

    Attributes:
        pretrained: Opens pretrained models.
    """

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window, self._session = window, window.session
        self.pretrained = PretrainedDialogue(window, window.session)

    def open(self) -> None:
        """Asks for files: text for the corpus, recipes, or bundles of runs."""
        self._session.open_paths(ask_for_files(self._window))

    def open_folder(self) -> None:
        """Asks for a folder, whose texts become the corpus; that of a run or of a pretrained model is opened."""
        self._open(ask_for_folder(self._window))

    def save_recipe(self) -> None:
        """Asks where to, and writes the draft there."""
        title, kinds = tr("Save the recipe"), tr("Recipes (*.toml)")
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
            self._open(files)
        else:
            self._session.paste(dropped.text())

    def _open(self, paths: list[str]) -> None:
        models = [path for path in paths if self._session.warm_up.ready and _is_model(Path(path))]
        self._session.open_paths([path for path in paths if path not in models])
        for model in models[-1:]:  # one dialogue at a time
            self.pretrained.look_at(Path(model))


def _is_model(folder: Path) -> bool:
    """Whether a folder holds a pretrained model as Hugging Face writes it."""
    return (folder / "config.json").is_file() and any(folder.glob("*.safetensors"))


def _paths(dropped: QMimeData) -> list[str]:
    return [url.toLocalFile() for url in dropped.urls() if url.isLocalFile()]
