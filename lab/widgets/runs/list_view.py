"""The list of runs, and the rail of dots that replaces it in a narrow window."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QItemSelection, QItemSelectionModel, QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QHelpEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyledItemDelegate, QToolTip, QVBoxLayout, QWidget

from lab.widgets.core.controls import Button
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import themes
from lab.widgets.runs.delegate import ListDelegate, RailDelegate, eye_rect, rail_width
from lab.widgets.runs.list_model import ROW, RunRow, RunRows, distinguished

FEW = 8
"""With more runs than this, rows are narrow."""


class RowsView(QListView):
    """A list of runs, one of which is selected; inserted and removed rows do not move the selection.

    Args:
        row_delegate: The delegate that paints a row.
        parent: Its parent.
    """

    selected = Signal(str)
    """The key of the run that the user selected."""
    menu_requested = Signal(str, QPoint)
    """The key of a run, and the position of its menu on the screen."""

    def __init__(self, row_delegate: QStyledItemDelegate, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = RunRows(self)
        self._selected = ""
        self._following = False
        self.setModel(self.rows)
        row_delegate.setParent(self)
        self.setItemDelegate(row_delegate)
        self.setAccessibleName(tr("Runs"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.selectionModel().selectionChanged.connect(self._take_selection)
        themes.changed.connect(self.scheduleDelayedItemsLayout)

    def set_rows(self, rows: Sequence[RunRow]) -> None:
        """Update the rows; unchanged ones are not touched."""
        self._following = True
        self.rows.set_rows(rows)
        self._show_selected()

    def select(self, key: str) -> None:
        """Select a run without emitting anything."""
        self._selected = key
        self._show_selected()

    def _show_selected(self) -> None:
        self._following = True
        index = self.rows.index(self.rows.number_of(self._selected))
        if not index.isValid():
            if self.selectionModel().hasSelection():
                self.selectionModel().clear()
        elif index != self.currentIndex() or not self.selectionModel().isSelected(index):
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self._following = False

    def _take_selection(self, now: QItemSelection, _before: QItemSelection) -> None:
        if not self._following and now.indexes():
            self._selected = now.indexes()[0].data(ROW).key
            self.selected.emit(self._selected)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select a run; opening a menu selects nothing."""
        if event.button() != Qt.MouseButton.RightButton:
            super().mousePressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Request the menu of the run under the mouse, or of the current one."""
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        if index.isValid():
            spot = self.visualRect(index).center() if by_key else event.pos()
            self.menu_requested.emit(index.data(ROW).key, self.viewport().mapToGlobal(spot))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Select again on Return."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.select(self.currentIndex().data(ROW).key)
            self.selected.emit(self._selected)
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Do nothing: letters are shortcuts here, not the start of a name."""


class RunList(RowsView):
    """The list of runs: dot, name, value, and an eye that shows and hides a run in the charts."""

    shown_changed = Signal(str, bool)
    """The key of a run, and True if the charts are to show it."""
    renamed = Signal(str, str)
    """The key of a run and its new name."""

    deleted = Signal()
    """The user requested to delete the selected run."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._delegate = ListDelegate()
        super().__init__(self._delegate, parent)
        self.setEditTriggers(QAbstractItemView.EditTrigger.DoubleClicked)
        self.rows.renamed.connect(self.renamed, Qt.ConnectionType.QueuedConnection)  # once the field is gone
        self.setAccessibleDescription(
            tr("Up and down select a run, E shows or hides it in the charts, F2 renames, Delete deletes")
        )

    def set_rows(self, rows: Sequence[RunRow], total: int | None = None) -> None:
        """Update the rows; unchanged ones are not touched.

        Args:
            rows: The runs to list.
            total: The number of all runs, including those that are not listed; rows are narrow if there are many.
        """
        narrow = (len(rows) if total is None else total) > FEW
        relayout, self._delegate.narrow = narrow != self._delegate.narrow, narrow
        super().set_rows(rows)
        if relayout:
            self.doItemsLayout()

    def rename(self) -> None:
        """Edit the name of the selected run in the list."""
        index = self.rows.index(self.rows.number_of(self._selected))
        if index.isValid():
            self.scrollTo(index)
            self.setFocus()
            self.edit(index)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Toggle an eye, or select a run."""
        index = self._eye_at(event.position().toPoint())
        if index.isValid() and event.button() == Qt.MouseButton.LeftButton:
            self._turn(index)
        else:
            super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Edit a name; a double click on an eye only toggles it."""
        if self._eye_at(event.position().toPoint()).isValid():
            self.mousePressEvent(event)
        else:
            super().mouseDoubleClickEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Highlight the eye under the mouse."""
        super().mouseMoveEvent(event)
        self._light(self._eye_at(event.position().toPoint()))

    def viewportEvent(self, event: QEvent) -> bool:
        """Say what a click on the eye does."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            index = self._eye_at(event.pos())
            if index.isValid():
                QToolTip.showText(event.globalPos(), self.eye_hint(index), self)
                return True
        return super().viewportEvent(event)

    def eye_hint(self, index: QModelIndex) -> str:
        """Return what a click on the eye of a row does."""
        return tr("Hide from the charts (E)") if index.data(ROW).shown else tr("Show in the charts (E)")

    def leaveEvent(self, event: QEvent) -> None:
        """Highlight no eye."""
        super().leaveEvent(event)
        self._light(QModelIndex())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Toggle the eye of the current run by E, delete the run by Delete."""
        if event.key() == Qt.Key.Key_E and not event.modifiers() and self.currentIndex().isValid():
            self._turn(self.currentIndex())
        elif event.key() == Qt.Key.Key_Delete and not event.modifiers() and self.currentIndex().isValid():
            self.deleted.emit()
        else:
            super().keyPressEvent(event)

    def _eye_at(self, point: QPoint) -> QModelIndex:
        index = self.indexAt(point)
        near = index.isValid() and eye_rect(self.visualRect(index)).adjusted(-4, -4, 4, 4).contains(point)
        return index if near else QModelIndex()

    def _turn(self, index: QModelIndex) -> None:
        row = index.data(ROW)
        self.shown_changed.emit(row.key, not row.shown)

    def _light(self, index: QModelIndex) -> None:
        key = index.data(ROW).key if index.isValid() else ""
        if key != self._delegate.lit:
            self._delegate.lit = key
            self.viewport().update()


class RunRail(QWidget):
    """The runs as a narrow rail of dots, with a button that opens the list."""

    selected = Signal(str)
    """The key of the run that the user selected."""
    opened = Signal()
    """The user requested the list."""
    menu_requested = Signal(str, QPoint)
    """The key of a run, and the position of its menu on the screen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        follow_type(self, lambda rail: rail.setFixedWidth(rail_width()))
        opener = Button(hint=tr("Show the list of runs"), icon_name="list")
        opener.clicked.connect(self.opened)
        self._view = RowsView(RailDelegate())
        self._view.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._view.selected.connect(self.selected)
        self._view.menu_requested.connect(self.menu_requested)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4, 8, 4, 8)
        layout.setSpacing(8)
        layout.addWidget(opener, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addWidget(self._view, 1)

    def set_rows(self, rows: Sequence[RunRow]) -> None:
        """Update the rows, newest first."""
        self._view.set_rows(distinguished(rows))

    def select(self, key: str) -> None:
        """Select a run without emitting anything."""
        self._view.select(key)
