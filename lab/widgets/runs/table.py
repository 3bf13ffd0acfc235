"""Many runs as a table: columns that are chosen, sorted by their heads, and rows of which several can be selected."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
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
from PySide6.QtGui import QColor, QContextMenuEvent, QKeyEvent, QMouseEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QStyle, QStyleOptionViewItem, QTableView, QWidget

from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import themes
from lab.widgets.runs.delegate import LEFT, NARROW_ROW, RIGHT, NameLooks, eye_place, paint_dot, write
from lab.widgets.runs.list_model import ROW, Index, RunRow
from lab.widgets.runs.table_model import Column, TableModel, TableRow

NAME_WIDTH, NAME_WIDEST, WIDTH, WIDEST = 340, 480, 84, 240
"""Pixels of the first column at least and at most, and of the narrowest and the widest of the others."""
MARKS = 60
"""Pixels of the marks beside a name, and of the room behind it."""
INDENT = 50
"""Pixels before a name: dot and eye."""


class RunTable(QTableView):
    """The table of runs.

    Args:
        parent: Its parent.
    """

    chosen = Signal()
    """Other rows are selected."""
    opened = Signal(str)
    """The key of the run that a person wants to see."""
    shown_changed = Signal(list, bool)
    """The keys of runs, and whether the charts are to show them."""
    asked = Signal(QPoint)
    """Where on the screen the menu of the selected runs is to open."""
    renamed = Signal(str, str)
    """The key of a run, and the name that a person gave it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table = TableModel(self)
        self.setModel(self.table)
        self._looks = TableLooks()
        self._looks.setParent(self)
        self.setItemDelegate(self._looks)
        self.setAccessibleName(tr("Table of runs"))
        self.setAccessibleDescription(
            tr("Return opens a run, E shows or hides those that are selected in the charts, F2 renames, Delete deletes")
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
        self.verticalHeader().setDefaultSectionSize(NARROW_ROW)
        head = self.horizontalHeader()
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        head.setHighlightSections(False)
        head.setSectionsClickable(True)
        head.setSortIndicatorShown(True)
        head.setMinimumSectionSize(48)
        head.sortIndicatorChanged.connect(self._sort)
        self.table.renamed.connect(self.renamed, Qt.ConnectionType.QueuedConnection)  # once the field is gone
        self.selectionModel().selectionChanged.connect(self._tell)
        self._following = False
        self._kept: list[str] = []
        self._fitting, self._by_hand = False, False
        head.sectionResized.connect(self._heed)

    # ---------------------------------------------------------------------------------------------------------- content

    def set_table(self, columns: Sequence[Column], rows: Sequence[TableRow]) -> None:
        """Shows what holds now; selection and place stay with their runs."""
        others = list(columns) != self.table.columns
        self._keeping(lambda: self.table.set_table(columns, rows))
        if others:
            self._by_hand = False
            self._fit()
            self._show_order()

    def order_by(self, key: str, *, down: bool) -> None:
        """Orders the rows by a column; "" is the name."""
        self.table.order_by(key, down=down)
        self._keeping(self.table.sort_again)
        self._show_order()

    def _show_order(self) -> None:
        place, down = self.table.order
        head = self.horizontalHeader()
        head.blockSignals(True)
        head.setSortIndicator(place, Qt.SortOrder.DescendingOrder if down else Qt.SortOrder.AscendingOrder)
        head.blockSignals(False)
        head.viewport().update()

    @property
    def selected(self) -> list[str]:
        """The keys of the selected runs, from top to bottom."""
        ranges = list(self.selectionModel().selection())  # type: ignore[call-overload]
        rows = sorted({row for part in ranges for row in range(part.top(), part.bottom() + 1)})
        return [self.table.rows[row].run.key for row in rows]

    def select(self, keys: Sequence[str]) -> None:
        """Selects runs without telling anybody."""
        self._following = True
        self._kept = list(keys)
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
        """Has a person edit the name of the current run in its place."""
        index = self.currentIndex().siblingAtColumn(0)
        if index.isValid():
            self.scrollTo(index)
            self.edit(index)

    def _keeping(self, change: Any) -> None:
        kept, place = self._kept, self.verticalScrollBar().value()
        self._following = True
        if change():
            self.select(kept)
            self.verticalScrollBar().setValue(place)
        self._following = False

    def _fit(self) -> None:
        """Gives each column the room that its head and its first cells take, and its part of what is left."""
        metrics = self.fontMetrics()
        names = [metrics.horizontalAdvance(row.run.name) for row in self.table.rows[:40]]
        widths = [max(NAME_WIDTH, min(NAME_WIDEST, max(names, default=0) + INDENT + MARKS))]
        for number in range(len(self.table.columns)):
            cells = [row.cells[number][0] for row in self.table.rows[:40]]
            widest = max((metrics.horizontalAdvance(words) for words in cells), default=0) + 24
            head = self.horizontalHeader().sectionSizeHint(number + 1)
            widths.append(max(WIDTH, head, min(WIDEST, widest)))
        left = max(0, self.viewport().width() - sum(widths))
        share = left // (len(widths) + 1)  # the name has two of them, and what is over
        self._fitting = True
        for number, width in enumerate(widths):
            self.setColumnWidth(number, width + (share if number else left - share * (len(widths) - 1)))
        self._fitting = False

    def _heed(self) -> None:
        self._by_hand = self._by_hand or not self._fitting

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The columns fill the table, until a person gave them widths."""
        super().resizeEvent(event)
        if not self._by_hand:
            self._fit()

    def _sort(self, section: int, order: Qt.SortOrder) -> None:
        key = self.table.columns[section - 1].key if 0 < section <= len(self.table.columns) else ""
        self.table.order_by(key, down=order == Qt.SortOrder.DescendingOrder)
        self._keeping(self.table.sort_again)

    def _tell(self, _now: QItemSelection, _before: QItemSelection) -> None:
        if not self._following:
            self._kept = self.selected
            self.chosen.emit()

    # ------------------------------------------------------------------------------------------------- mouse and keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return opens the current run, E turns the eyes of those that are selected."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.opened.emit(self.currentIndex().data(ROW).key)
        elif event.key() == Qt.Key.Key_E and not event.modifiers() and self.selected:
            rows = [row.run for row in self.table.rows if row.run.key in set(self.selected)]
            self.shown_changed.emit([run.key for run in rows], not all(run.shown for run in rows))
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Letters are shortcuts here, not the beginning of a name."""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Turns an eye, or selects; asking for a menu leaves a selection that is under the mouse."""
        index, left = self.indexAt(event.position().toPoint()), event.button() == Qt.MouseButton.LeftButton
        if left and self._is_eye(index, event.position().toPoint()):
            run = index.data(ROW)
            self.shown_changed.emit([run.key], not run.shown)
        elif left or not self.selectionModel().isSelected(index):
            super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Edits a name; an eye that is clicked fast only turns; anywhere else the run is opened."""
        index = self.indexAt(event.position().toPoint())
        if self._is_eye(index, event.position().toPoint()):
            self.mousePressEvent(event)
        elif index.isValid() and index.column():
            self.opened.emit(index.data(ROW).key)
        else:
            super().mouseDoubleClickEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Lights up the eye under the mouse."""
        super().mouseMoveEvent(event)
        index = self.indexAt(event.position().toPoint())
        self._light(index.data(ROW).key if self._is_eye(index, event.position().toPoint()) else "")

    def leaveEvent(self, event: QEvent) -> None:
        """Lights up no eye."""
        super().leaveEvent(event)
        self._light("")

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Asks for the menu of the selected runs."""
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        place = self.visualRect(self.currentIndex()).center() if by_key else event.pos()
        if self.selected:
            self.asked.emit(self.viewport().mapToGlobal(place))

    def _is_eye(self, index: QModelIndex, point: QPoint) -> bool:
        if not index.isValid() or index.column():
            return False
        return eye_place(self.visualRect(index)).adjusted(-4, -4, 4, 4).contains(point)

    def _light(self, key: str) -> None:
        if key != self._looks.lit:
            self._looks.lit = key
            self.viewport().update()


class TableLooks(NameLooks):
    """How a run is painted in the table."""

    def name_place(self, row: QRect) -> QRect:
        """The first column from the eye on."""
        return row.adjusted(INDENT, 0, -4, 0)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paints one cell; a row that is selected or under the mouse stands out as a whole."""
        run: RunRow = index.data(ROW)
        place = QRect(option.rect)
        view = option.widget if hasattr(option, "widget") else None
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setClipRect(place)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(place, QColor(themes.now.line))
        if isinstance(view, QTableView) and view.hasFocus() and view.currentIndex().row() == index.row():
            painter.setPen(QPen(QColor(themes.now.accent), 1))
            painter.drawLine(place.topLeft(), place.topRight())
            painter.drawLine(place.bottomLeft(), place.bottomRight())
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        if index.column() == 0:
            middle = QPointF(place.left() + 14, place.center().y() + 1)
            paint_dot(painter, middle, run.colour, run.state, run.dashes)
            self.paint_eye(painter, eye_place(place), run)
            self.paint_name(painter, place.adjusted(INDENT, 0, -8, 0), run, themes.now.text, strong=chosen)
        else:
            words, table = str(index.data()), index.model()
            number = isinstance(table, TableModel) and table.columns[index.column() - 1].number
            ink = themes.now.text if number else themes.now.dim
            inside = place.adjusted(6, 0, -8, 0)
            write(painter, self.plain, ink, inside, words, RIGHT if number else LEFT)
        painter.restore()
