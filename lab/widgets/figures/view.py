"""A view that can be exported: a chart or a map, its context menu, and the button for it in a card's head."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QAction, QContextMenuEvent, QFocusEvent, QGuiApplication
from PySide6.QtWidgets import QMenu, QWidget

from lab.widgets.core.card import Card
from lab.widgets.core.controls import Button
from lab.widgets.core.i18n import tr
from lab.widgets.figures.export import Export
from lab.widgets.figures.sentence import sentence_of


def forms() -> dict[str, str]:
    """Return the labels of the formats of an export, by suffix."""
    return {
        "png": tr("Picture for slides (PNG)"),
        "svg": tr("Vector picture (SVG)"),
        "pdf": tr("Vector picture (PDF)"),
        "pgf": tr("Picture for LaTeX (pgf)"),
        "csv": tr("Table (CSV)"),
        "py": tr("Python script with its data"),
    }


TABLE = "table"
"""The entry of the menu of an export that opens the table."""
SPOKEN = 1000
"""Milliseconds between two descriptions of a view that changes, while a screen reader listens."""


class Exporting(QObject):
    """The requests for exports and sounds: views emit them, and the window writes the file or plays the line."""

    requested = Signal(object, str)
    """The view and the suffix."""
    sound_requested = Signal(object, object)
    """The view, and the line of its figure that is to be heard."""


exporting = Exporting()
"""The only instance."""


class FigureView(QWidget):
    """A chart or a map that can be exported as a figure.

    Args:
        parent: Its parent.

    Attributes:
        caption: An addition to the title of its card, for the title of a figure: a run, a head; "" for none.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.caption = ""
        self._describing: QTimer | None = None

    def export(self, title: str) -> Export | None:
        """Return an export of the current contents with a title; None if there are none."""
        raise NotImplementedError

    def entries(self) -> Sequence[tuple[str, Callable[[], object]]]:
        """Return its own entries for the context menu: labels and actions."""
        return ()

    def exported(self) -> Export | None:
        """Return an export with the title of its card and its caption; None if the view shows nothing."""
        above = self.parentWidget()
        while above is not None and not isinstance(above, Card):
            above = above.parentWidget()
        card = (above.title, above.note) if above is not None else ()
        return self.export(" · ".join(filter(None, (*card, self.caption))))

    def sentence(self) -> str:
        """Return its contents in words; "" if there are none. It is made when it is requested."""
        export = self.exported()
        return "" if export is None else sentence_of(export.figure)

    def show_table(self) -> None:
        """Show its numbers as a table over the window."""
        from lab.widgets.figures.table import DataTable  # late: nobody needs it before the first paint

        export = self.exported()
        if export is not None:
            table = DataTable(export.figure, self.window())
            table.save_requested.connect(self._request_table)
            table.open()

    def _request_table(self) -> None:
        exporting.requested.emit(self, "csv")

    def describe(self) -> None:
        """Let screen readers read its contents in words."""
        self.setAccessibleDescription(self.sentence())

    def note_change(self) -> None:
        """Describe the new contents soon, if a screen reader listens; otherwise the focus does it."""
        if QAccessible.isActive() and self.hasFocus():
            if self._describing is None:
                self._describing = QTimer(self, singleShot=True, interval=SPOKEN)
                self._describing.timeout.connect(self.describe)
            if not self._describing.isActive():
                self._describing.start()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Describe the contents in words."""
        super().focusInEvent(event)
        if event.reason() != Qt.FocusReason.MouseFocusReason or QAccessible.isActive():
            self.describe()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Open the context menu."""
        menu = QMenu(self)
        menu.aboutToHide.connect(menu.deleteLater)
        for text, do in self.entries():
            menu.addAction(text, do)
        if self.entries():
            menu.addSeparator()
        shows_something = self.exported() is not None
        menu.addAction(tr("Data as a table"), self.show_table).setEnabled(shows_something)
        menu.addAction(tr("Copy picture"), self._copy).setEnabled(shows_something)
        menu.addMenu(ExportMenu(self, menu))
        menu.popup(event.globalPos())

    def _copy(self) -> None:
        export = self.exported()
        if export is not None:
            QGuiApplication.clipboard().setImage(export.slide())


class ExportMenu(QMenu):
    """The menu of the formats of an export.

    Args:
        view: The view.
        parent: Its parent.
    """

    def __init__(self, view: FigureView, parent: QWidget) -> None:
        super().__init__(tr("Export"), parent)
        self._view = view
        self.aboutToShow.connect(self._update_enabled)
        self.triggered.connect(self._request)
        self.addAction(tr("Data as a table")).setData(TABLE)
        self.addSeparator()
        for suffix, text in forms().items():
            self.addAction(f"{text}…").setData(suffix)

    def _update_enabled(self) -> None:
        enabled = self._view.exported() is not None
        for action in self.actions():
            action.setEnabled(enabled)

    def _request(self, action: QAction) -> None:
        if action.data() == TABLE:
            self._view.show_table()
            return
        exporting.requested.emit(self._view, action.data())


class ExportButton(Button):
    """A quiet button with the export menu, for a card's head.

    Args:
        view: The view to export.
    """

    def __init__(self, view: FigureView) -> None:
        super().__init__(hint=tr("Export as picture, table or script"), icon_name="export")
        self.view = view
        self.setMenu(ExportMenu(view, self))
