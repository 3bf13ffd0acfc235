"""A view that can be exported: a chart or a map, its context menu, and the button for it in a card's head."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QContextMenuEvent, QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from lab.widgets.core.card import Card
from lab.widgets.core.controls import Button
from lab.widgets.core.i18n import tr
from lab.widgets.figures.export import Export


def forms() -> dict[str, str]:
    """Return the formats a view can be exported as, by suffix."""
    return {
        "png": tr("Picture for slides (PNG)"),
        "svg": tr("Vector picture (SVG)"),
        "pdf": tr("Vector picture (PDF)"),
        "csv": tr("Table (CSV)"),
        "py": tr("Python script with its data"),
    }


class Exporting(QObject):
    """Where views say that a file of them is wanted; their window hears it, asks where to, and writes."""

    requested = Signal(object, str)
    """The view and the suffix."""


exporting = Exporting()
"""The one of this process."""


class FigureView(QWidget):
    """A chart or a map, from which a figure can be made.

    Args:
        parent: Its parent.

    Attributes:
        caption: What of its card it shows, for the title of a figure: a run, a head; "" for nothing to add.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.caption = ""

    def export(self, title: str) -> Export | None:
        """Return what it shows now, under a title; None where it shows nothing."""
        raise NotImplementedError

    def entries(self) -> Sequence[tuple[str, Callable[[], object]]]:
        """Return the entries of its own in the context menu: labels and what they do."""
        return ()

    def exported(self) -> Export | None:
        """Return what it shows now, under the title of its card and its caption; None where it shows nothing."""
        above = self.parentWidget()
        while above is not None and not isinstance(above, Card):
            above = above.parentWidget()
        card = (above.title, above.note) if above is not None else ()
        return self.export(" · ".join(filter(None, (*card, self.caption))))

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open the context menu."""
        menu = QMenu(self)
        menu.aboutToHide.connect(menu.deleteLater)
        for text, do in self.entries():
            menu.addAction(text, do)
        if self.entries():
            menu.addSeparator()
        menu.addAction(tr("Copy picture"), self._copy).setEnabled(self.exported() is not None)
        menu.addMenu(ExportMenu(self, menu))
        menu.popup(event.globalPos())

    def _copy(self) -> None:
        export = self.exported()
        if export is not None:
            QGuiApplication.clipboard().setImage(export.slide())


class ExportMenu(QMenu):
    """The forms that a view can be exported as.

    Args:
        view: The view.
        parent: Its parent.
    """

    def __init__(self, view: FigureView, parent: QWidget) -> None:
        super().__init__(tr("Export"), parent)
        self._view = view
        self.aboutToShow.connect(self._update_enabled)
        self.triggered.connect(self._request)
        for suffix, text in forms().items():
            self.addAction(f"{text}…").setData(suffix)

    def _update_enabled(self) -> None:
        there = self._view.exported() is not None
        for action in self.actions():
            action.setEnabled(there)

    def _request(self, action: QAction) -> None:
        exporting.requested.emit(self._view, action.data())


class ExportButton(Button):
    """A quiet button with the menu of forms, for a card's head.

    Args:
        view: What is exported.
    """

    def __init__(self, view: FigureView) -> None:
        super().__init__(hint=tr("Export as picture, table or script"), icon_name="export")
        self.view = view
        self.setMenu(ExportMenu(view, self))
