"""Export of charts and maps to files: a dialog asks for the file, a thread writes it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QObject, Slot
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget

from lab.base.files.writing import write_file
from lab.base.jobs import Job
from lab.base.last_folder import last_folder, remember_folder
from lab.base.notices import notify
from lab.base.problems import LabError
from lab.shell.runtime.background import Background
from lab.widgets.core.card import Card
from lab.widgets.core.i18n import tr
from lab.widgets.figures.csv_table import csv_of
from lab.widgets.figures.export import Export
from lab.widgets.figures.script import script_of
from lab.widgets.figures.vector import printed
from lab.widgets.figures.view import ExportButton, FigureView, exporting, forms

KEYWORD = "Title"
"""Key under which a PNG file stores the title."""
LONGEST = 100
"""Most characters of a proposed file name."""


class ExportFiles(QObject):
    """Exports the charts and maps of a window to files.

    Args:
        window: The window.
        background: Runs the writing in threads.
        cards: Returns all cards of the window.
    """

    def __init__(self, window: QWidget, background: Background, cards: Callable[[], Sequence[Card]]) -> None:
        super().__init__(window)
        self._window, self._background, self._cards = window, background, cards
        exporting.requested.connect(self._export_own)

    def current_view(self) -> FigureView | None:
        """Return the view in the focused card, or the first visible one; None if there is none."""
        cards = [card for card in self._cards() if card.isVisible() and card.state == "content"]
        focus = QApplication.focusWidget()
        cards.sort(key=lambda card: focus is None or not card.isAncestorOf(focus))
        buttons = [button for card in cards for button in card.findChildren(ExportButton) if button.isVisible()]
        return buttons[0].view if buttons else None

    def export_current(self) -> None:
        """Ask for a file and export the current view."""
        self._export(self.current_view(), "png")

    @Slot(object, str)
    def _export_own(self, view: FigureView, suffix: str) -> None:
        """Export a view if it belongs to this window."""
        if view.window() is self._window:
            self._export(view, suffix)

    def _export(self, view: FigureView | None, suffix: str) -> None:
        """Ask for a file, and write the current content of the view to it."""
        export = None if view is None else view.exported()
        if export is None:
            notify("info", tr("There is nothing to export here yet."))
            return
        kinds = {f"{name} (*.{each})": each for each, name in forms().items()}
        proposed = next(name for name, each in kinds.items() if each == suffix)
        start = str(last_folder() / f"{file_name(export.figure.title)}.{suffix}")
        title = tr("Export {title}", title=export.figure.title)
        file, selected = QFileDialog.getSaveFileName(self._window, title, start, ";;".join(kinds), proposed)
        if not file:
            return
        path = Path(file)
        if path.suffix.lower().removeprefix(".") not in forms():
            path = unused(path.with_name(f"{path.name}.{kinds.get(selected, suffix)}"))
        remember_folder(path.parent)
        work = partial(_write, path, _content_of(export, path.suffix.lower()))
        self._background.run(tr("Exporting {file}", file=path.name), work, self._report)

    def _report(self, path: Path) -> None:
        notify("info", tr("Saved {file} in {folder}", file=path.name, folder=path.parent))


def _content_of(export: Export, suffix: str) -> Callable[[], bytes | str]:
    """Return a function that makes the content of a file in a thread; painting for the main thread is done here."""
    figure = export.figure
    match suffix:
        case ".png":
            return partial(png_of, export.slide(), figure.title)
        case ".svg":
            return partial(printed, figure, "svg")
        case ".pdf":
            return partial(printed, figure, "pdf")
        case ".pgf":
            return partial(printed, figure, "pgf")
        case ".csv":
            return partial(csv_of, figure)
    return partial(script_of, figure)


def _write(path: Path, make: Callable[[], bytes | str], job: Job) -> Path:
    """Make the content of a file and write it; called in a thread."""
    del job
    content = make()
    try:
        write_file(path, content)
    except LabError as error:
        remedy = tr("Make room there or choose another folder, and export again")
        raise LabError(replace(error.problem, remedy=remedy)) from None
    return path


def png_of(picture: QImage, title: str) -> bytes:
    """Return a picture as a PNG file with a title."""
    picture.setText(KEYWORD, title)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    picture.save(buffer, "PNG")  # type: ignore[call-overload]
    return bytes(buffer.data().data())


def file_name(title: str) -> str:
    """Return a file name made from a title that is allowed on every system."""
    allowed = "".join(sign if sign.isprintable() and sign not in '\\/:*?"<>|' else " " for sign in title)
    return " ".join(allowed.replace("·", "-").split())[:LONGEST].strip(" .") or tr("chart")


def unused(path: Path) -> Path:
    """Return the path, with a number added to its name if there is already such a file."""
    number, free = 1, path
    while free.exists():
        number += 1
        free = path.with_name(f"{path.stem} {number}{path.suffix}")
    return free
