"""Folders in the system's file manager."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from lab.base.notices import notify
from lab.base.problems import Problem
from lab.widgets.core.i18n import tr


def open_folder(folder: Path, *_: object) -> None:
    """Open a folder in the system's file manager; make it if nothing was put there yet."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        what = tr("the folder cannot be made: {reason}", reason=error.strerror or str(error))
        notify("error", Problem(what, value=str(folder), remedy=tr("Choose another folder with LAB_HOME")))
        return
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))
