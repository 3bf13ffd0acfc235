"""Files of charts and maps: where to is asked, and what is written there is made off the main thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QObject, Slot
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget

from lab.base.jobs import Job
from lab.base.notices import notify
from lab.base.problems import LabError
from lab.base.settings import change_section, read_section
from lab.base.writing import write_file
from lab.shell.runtime.background import Background
from lab.widgets.core.card import Card
from lab.widgets.core.i18n import tr
from lab.widgets.figures.csv_table import csv_of
from lab.widgets.figures.export import Export
from lab.widgets.figures.script import script_of
from lab.widgets.figures.vector import printed
from lab.widgets.figures.view import ExportButton, FigureView, exporting, forms

SECTION = "exports"
KEYWORD = "Title"
"""Under which a PNG holds its title."""
LONGEST = 100
"""Letters of a file's name that is offered."""


class ExportFiles(QObject):
    """Exports the charts and maps of a window.

    Args:
        window: The window.
        background: Brings the writing off the main thread.
        cards: Returns every card of the window.
    """

    def __init__(self, window: QWidget, background: Background, cards: Callable[[], Sequence[Card]]) -> None:
        super().__init__(window)
        self._window, self._background, self._cards = window, background, cards
        exporting.requested.connect(self._ask)

    def view_at_hand(self) -> FigureView | None:
        """What a person would mean by the chart: the one in whose card the focus is, else the first in sight."""
        cards = [card for card in self._cards() if card.isVisible() and card.state == "content"]
        focus = QApplication.focusWidget()
        cards.sort(key=lambda card: focus is None or not card.isAncestorOf(focus))
        buttons = [button for card in cards for button in card.findChildren(ExportButton) if button.isVisible()]
        return buttons[0].view if buttons else None

    def export_at_hand(self) -> None:
        """Exports that one."""
        self._export(self.view_at_hand(), "png")

    @Slot(object, str)
    def _ask(self, view: FigureView, suffix: str) -> None:
        if view.window() is self._window:
            self._export(view, suffix)

    def _export(self, view: FigureView | None, suffix: str) -> None:
        """Asks where to, and has a file made of what the view shows at this moment."""
        export = None if view is None else view.exported()
        if export is None:
            notify("info", tr("There is nothing to export here yet."))
            return
        kinds = {f"{words} (*.{each})": each for each, words in forms().items()}
        offered = next(words for words, each in kinds.items() if each == suffix)
        start = str(last_folder() / f"{file_name(export.figure.title)}.{suffix}")
        title = tr("Export {title}", title=export.figure.title)
        file, chosen = QFileDialog.getSaveFileName(self._window, title, start, ";;".join(kinds), offered)
        if not file:
            return
        path = Path(file)
        if path.suffix.lower().removeprefix(".") not in forms():
            path = unused(path.with_name(f"{path.name}.{kinds.get(chosen, suffix)}"))
        remember_folder(path.parent)
        making = _Making(export, path)
        self._background.run(tr("Exporting {file}", file=path.name), making.work, self._tell)

    def _tell(self, path: Path) -> None:
        notify("info", tr("Saved {file} in {folder}", file=path.name, folder=path.parent))


class _Making:
    """One file of a view; what only the main thread may paint is painted at once.

    Args:
        export: The view.
        path: Of the file.
    """

    def __init__(self, export: Export, path: Path) -> None:
        self._path = path
        suffix, figure = path.suffix.lower(), export.figure
        self._make: Callable[[], bytes | str]
        match suffix:
            case ".png":
                slide = export.slide()
                self._make = lambda: _png(slide, figure.title)
            case ".svg":
                self._make = lambda: printed(figure, "svg")
            case ".pdf":
                self._make = lambda: printed(figure, "pdf")
            case ".csv":
                self._make = lambda: csv_of(figure)
            case _:
                self._make = lambda: script_of(figure)

    def work(self, job: Job) -> Path:
        """Makes and writes it; in a thread of its own."""
        del job
        content = self._make()
        try:
            write_file(self._path, content)
        except LabError as error:
            remedy = tr("Make room there or choose another folder, and export once more")
            raise LabError(replace(error.problem, remedy=remedy)) from None
        return self._path


def _png(picture: QImage, title: str) -> bytes:
    picture.setText(KEYWORD, title)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    picture.save(buffer, "PNG")  # type: ignore[call-overload]
    return bytes(buffer.data().data())


def file_name(title: str) -> str:
    """A title as the name of a file on every system."""
    kept = "".join(sign if sign.isprintable() and sign not in '\\/:*?"<>|' else " " for sign in title)
    return " ".join(kept.replace("·", "-").split())[:LONGEST].strip(" .") or tr("chart")


def last_folder() -> Path:
    """Where the last file went, while that is still there."""
    last = read_section(SECTION).get("folder")
    return Path(last) if isinstance(last, str) and Path(last).is_dir() else Path.home()


def remember_folder(folder: Path) -> None:
    """Offers this folder for the next file."""
    try:
        change_section(SECTION, lambda _: {"folder": str(folder)})
    except LabError as error:
        notify("warning", error.problem)


def unused(path: Path) -> Path:
    """The path, or one with a number behind its name where a person has agreed to replace no file of this name."""
    number, free = 1, path
    while free.exists():
        number += 1
        free = path.with_name(f"{path.stem} {number}{path.suffix}")
    return free
