"""The button next to the field of a path, which opens the dialog of files or that of folders."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from lab.base.last_folder import last_folder, remember_folder
from lab.widgets.core.controls import Button
from lab.widgets.core.i18n import tr

PickRun: TypeAlias = "Callable[[str, Callable[[str], object]], Button]"
"""(title of a setting that names a run, what is called with a name) -> a button by which the user picks a run."""


class BrowseButton(Button):
    """A button with a menu that asks for a file or a folder.

    Args:
        name: The name of the setting, for screen readers.
        parent: Its parent.
    """

    picked = Signal(str)
    """The path that the user picked."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(tr("Browse…"), hint=tr("Pick a file or a folder"), parent=parent)
        self.setAccessibleName(tr("{name}: browse", name=name))
        self._menu = QMenu(self)
        self._menu.addAction(tr("File…")).triggered.connect(self._ask_for_file)
        self._menu.addAction(tr("Folder…")).triggered.connect(self._ask_for_folder)
        self.setMenu(self._menu)

    def _ask_for_file(self) -> None:
        file, _ = QFileDialog.getOpenFileName(self.window(), tr("Pick a file"), str(last_folder()))
        self._take(file)

    def _ask_for_folder(self) -> None:
        self._take(QFileDialog.getExistingDirectory(self.window(), tr("Pick a folder"), str(last_folder())))

    def _take(self, path: str) -> None:
        if path:
            remember_folder(Path(path).parent)
            self.picked.emit(str(Path(path)))
