"""The table of runs: sortable columns, and rows of which several can be selected."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPoint,
    QPointF,
    QRect,
    Qt,
    Signal,
)
from PySide6.QtGui import QActionGroup, QColor, QContextMenuEvent, QKeyEvent, QMouseEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QMenu,
    QStyle,
    QStyleOptionHeader,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import px, themes
from lab.widgets.figures.table_head import TableHead
from lab.widgets.runs.delegate import LEFT, NARROW_ROW, RIGHT, NameDelegate, eye_rect, paint_dot, write
from lab.widgets.runs.list_model import ROW, Index, RunRow
from lab.widgets.runs.table_model import Column, TableModel, TableRow

NAME_WIDTH, NAME_WIDEST, WIDTH, WIDEST = 340, 480, 84, 240
"""Widths in pixels: smallest and largest of the first column, and smallest and largest of the others."""
MARKS = 60
"""Pixels for the marks next to a name, and for the space after it."""
INDENT = 50
"""Pixels before a name, for dot and eye."""


class _Head(TableHead):
    """A head whose arrow points down where the largest or newest value is at the top, as tables show it elsewhere."""

    def initStyleOptionForIndex(self, option: QStyleOptionHeader, index: int) -> None:
        """Turn the arrow, which Qt draws upwards for a descending order."""
        super().initStyleOptionForIndex(option, index)
        arrow = QStyleOptionHeader.SortIndicator
        turned = {arrow.SortUp: arrow.SortDown, arrow.SortDown: arrow.SortUp}
        option.sortIndicator = turned.get(option.sortIndicator, option.sortIndicator)


class RunTable(QTableView):
    """The table of runs.

    Args:
        parent: Its parent.
    """

    selection_changed = Signal()
    """The selection changed."""
    opened = Signal(str)
    """The key of the run that the user opened."""
    shown_changed = Signal(list, bool)
    """The keys of runs, and True if the charts are to show them."""
    menu_requested = Signal(QPoint)
    """The position on the screen of the menu of the selected runs."""
    renamed = Signal(str, str)
    """The key of a run and its new name."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table = TableModel(self)
        self.setHorizontalHeader(_Head(self))
        self.setModel(self.table)
        self._delegate = TableDelegate()
        self._delegate.setParent(self)
        self.setItemDelegate(self._delegate)
        self.setAccessibleName(tr("Table of runs"))
        self.setAccessibleDescription(
            tr("Return opens a run, E shows or hides the selected runs in the charts, F2 renames, Delete deletes")
        )
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.DoubleClicked)
        self.setShowGrid(False)
        self.setMouseTracking(True)
        self.setTabKeyNavigation(False)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        themes.changed.connect(self._resize_type)
        head = self.horizontalHeader()
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        head.setHighlightSections(False)
        head.setSectionsClickable(True)
        head.setSortIndicatorShown(True)
        head.setMinimumSectionSize(48)
        head.sortIndicatorChanged.connect(self._sort)
        self.table.renamed.connect(self.renamed, Qt.ConnectionType.QueuedConnection)  # once the field is gone
        self.selectionModel().selectionChanged.connect(self._on_selection_changed)
        self._following = False
        self._saved_selection: list[str] = []
        self._fitting, self._by_hand = False, False
        head.sectionResized.connect(self._on_section_resized)
        self._resize_type()

    def _resize_type(self) -> None:
        """Set the height of the rows for the size of the type."""
        self.verticalHeader().setDefaultSectionSize(px(NARROW_ROW))
        if self.table.columns:
            self._fit()

    # ---------------------------------------------------------------------------------------------------------- content

    def set_table(self, columns: Sequence[Column], rows: Sequence[TableRow]) -> None:
        """Update columns and rows; selection and scroll position stay with their runs."""
        others = list(columns) != self.table.columns
        self._preserving_selection(lambda: self.table.set_table(columns, rows))
        if others:
            self._by_hand = False
            self._fit()
            self._show_order()

    def order_by(self, key: str, *, down: bool) -> None:
        """Sort the rows by a column; "" is the name."""
        self.table.order_by(key, down=down)
        self._preserving_selection(self.table.sort_again)
        self._show_order()

    def offer_order(self, menu: QMenu) -> None:
        """Fill a menu with the columns and directions by which the rows can be sorted."""
        menu.clear()
        now, down = self.table.order
        columns, directions = QActionGroup(menu), QActionGroup(menu)
        for index in range(self.table.columnCount()):
            title = self.table.headerData(index, Qt.Orientation.Horizontal)
            sort = partial(self._choose_order, self.table.key_of(index), down)
            _add_choice(menu, columns, title, index == now, sort)
        menu.addSeparator()
        for title, wanted in ((tr("Ascending"), False), (tr("Descending"), True)):
            sort = partial(self._choose_order, self.table.key_of(now), wanted)
            _add_choice(menu, directions, title, wanted == down, sort)

    def _choose_order(self, key: str, down: bool) -> None:
        self.order_by(key, down=down)

    def _show_order(self) -> None:
        rect, down = self.table.order
        head = self.horizontalHeader()
        head.blockSignals(True)
        head.setSortIndicator(rect, Qt.SortOrder.DescendingOrder if down else Qt.SortOrder.AscendingOrder)
        head.blockSignals(False)
        head.viewport().update()

    @property
    def selected(self) -> list[str]:
        """Keys of the selected runs, from top to bottom."""
        ranges = list(self.selectionModel().selection())  # type: ignore[call-overload]
        rows = sorted({row for part in ranges for row in range(part.top(), part.bottom() + 1)})
        return [self.table.rows[row].run.key for row in rows]

    def select(self, keys: Sequence[str]) -> None:
        """Select runs without emitting anything."""
        self._following = True
        self._saved_selection = list(keys)
        model, wanted, rows, right = self.selectionModel(), set(keys), QItemSelection(), len(self.table.columns)
        numbers = [number for number, row in enumerate(self.table.rows) if row.run.key in wanted]
        for _, group in itertools.groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):  # neighbours together
            part = [number for _, number in group]
            rows.select(self.table.index(part[0], 0), self.table.index(part[-1], right))
        if numbers:
            model.setCurrentIndex(self.table.index(numbers[0], 0), QItemSelectionModel.SelectionFlag.NoUpdate)
        model.select(rows, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self._following = False

    def rename(self) -> None:
        """Edit the name of the current run in the table."""
        index = self.currentIndex().siblingAtColumn(0)
        if index.isValid():
            self.scrollTo(index)
            self.edit(index)

    def _preserving_selection(self, change: Any) -> None:
        saved, rect = self._saved_selection, self.verticalScrollBar().value()
        self._following = True
        if change():
            self.select(saved)
            self.verticalScrollBar().setValue(rect)
        self._following = False

    def _fit(self) -> None:
        """Give each column the width of its head and first cells, and a share of the remaining width."""
        metrics = self.fontMetrics()
        names = [metrics.horizontalAdvance(row.run.name) for row in self.table.rows[:40]]
        widths = [max(px(NAME_WIDTH), min(px(NAME_WIDEST), max(names, default=0) + INDENT + MARKS))]
        for number in range(len(self.table.columns)):
            cells = [row.cells[number][0] for row in self.table.rows[:40]]
            widest = max((metrics.horizontalAdvance(text) for text in cells), default=0) + 24
            head = self.horizontalHeader().sectionSizeHint(number + 1)
            widths.append(max(px(WIDTH), head, min(px(WIDEST), widest)))
        left = max(0, self.viewport().width() - sum(widths))
        share = left // (len(widths) + 1)  # the name gets two shares and the remainder
        self._fitting = True
        for number, width in enumerate(widths):
            self.setColumnWidth(number, width + (share if number else left - share * (len(widths) - 1)))
        self._fitting = False

    def _on_section_resized(self) -> None:
        self._by_hand = self._by_hand or not self._fitting

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the columns to the table, until the user resizes one."""
        super().resizeEvent(event)
        if not self._by_hand:
            self._fit()

    def _sort(self, section: int, order: Qt.SortOrder) -> None:
        self.table.order_by(self.table.key_of(section), down=order == Qt.SortOrder.DescendingOrder)
        self._preserving_selection(self.table.sort_again)

    def _on_selection_changed(self, _now: QItemSelection, _before: QItemSelection) -> None:
        if not self._following:
            self._saved_selection = self.selected
            self.selection_changed.emit()

    # ------------------------------------------------------------------------------------------------- mouse and keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open the current run by Return, toggle the eyes of the selected ones by E."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.opened.emit(self.currentIndex().data(ROW).key)
        elif event.key() == Qt.Key.Key_E and not event.modifiers() and self.selected:
            rows = [row.run for row in self.table.rows if row.run.key in set(self.selected)]
            self.shown_changed.emit([run.key for run in rows], not all(run.shown for run in rows))
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Do nothing: letters are shortcuts here, not the start of a name."""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Toggle an eye, or select; a right click inside the selection leaves it."""
        index, left = self.indexAt(event.position().toPoint()), event.button() == Qt.MouseButton.LeftButton
        if left and self._is_eye(index, event.position().toPoint()):
            run = index.data(ROW)
            self.shown_changed.emit([run.key], not run.shown)
        elif left or not self.selectionModel().isSelected(index):
            super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Edit a name; a double click on an eye only toggles it; anywhere else opens the run."""
        index = self.indexAt(event.position().toPoint())
        if self._is_eye(index, event.position().toPoint()):
            self.mousePressEvent(event)
        elif index.isValid() and index.column():
            self.opened.emit(index.data(ROW).key)
        else:
            super().mouseDoubleClickEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Highlight the eye under the mouse."""
        super().mouseMoveEvent(event)
        index = self.indexAt(event.position().toPoint())
        self._light(index.data(ROW).key if self._is_eye(index, event.position().toPoint()) else "")

    def leaveEvent(self, event: QEvent) -> None:
        """Highlight no eye."""
        super().leaveEvent(event)
        self._light("")

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Request the menu of the selected runs."""
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        rect = self.visualRect(self.currentIndex()).center() if by_key else event.pos()
        if self.selected:
            self.menu_requested.emit(self.viewport().mapToGlobal(rect))

    def _is_eye(self, index: QModelIndex, point: QPoint) -> bool:
        if not index.isValid() or index.column():
            return False
        return eye_rect(self.visualRect(index)).adjusted(-4, -4, 4, 4).contains(point)

    def _light(self, key: str) -> None:
        if key != self._delegate.lit:
            self._delegate.lit = key
            self.viewport().update()


def _add_choice(menu: QMenu, group: QActionGroup, title: str, selected: bool, choose: Callable[[], None]) -> None:
    action = menu.addAction(title.replace("&", "&&"))
    action.setCheckable(True)
    action.setChecked(selected)
    group.addAction(action)
    action.triggered.connect(lambda _checked=False: choose())


class TableDelegate(NameDelegate):
    """The delegate of the table of runs."""

    def name_rect(self, row: QRect) -> QRect:
        """Return the first column from the eye on."""
        return row.adjusted(INDENT, 0, -4, 0)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one cell; a selected or hovered row is highlighted over its full width."""
        run: RunRow = index.data(ROW)
        rect = QRect(option.rect)
        view = option.widget if hasattr(option, "widget") else None
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRect(rect)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, QColor(themes.now.line))
        if isinstance(view, QTableView) and view.hasFocus() and view.currentIndex().row() == index.row():
            painter.setPen(QPen(QColor(themes.now.accent), 1))
            painter.drawLine(rect.topLeft(), rect.topRight())
            painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        selected_row = bool(option.state & QStyle.StateFlag.State_Selected)
        if index.column() == 0:
            middle = QPointF(rect.left() + 14, rect.center().y() + 1)
            paint_dot(painter, middle, run.colour, run.state, run.dashes)
            self.paint_eye(painter, eye_rect(rect), run)
            self.paint_name(painter, rect.adjusted(INDENT, 0, -8, 0), run, themes.now.text, strong=selected_row)
        else:
            text, table = str(index.data()), index.model()
            number = isinstance(table, TableModel) and table.columns[index.column() - 1].number
            ink = themes.now.text if number else themes.now.dim
            inside = rect.adjusted(6, 0, -8, 0)
            write(painter, self.plain, ink, inside, text, RIGHT if number else LEFT)
        painter.restore()
