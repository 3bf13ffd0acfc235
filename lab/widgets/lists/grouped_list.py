"""A list whose rows stand in groups with headings; a row may have a note and a tick."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QPainter
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from lab.widgets.core.controls import plain_tip
from lab.widgets.core.fonts import Font
from lab.widgets.core.icons import paint_icon
from lab.widgets.core.theme import px, themes
from lab.widgets.lists.row_list import Index, RowModel

HEIGHT, HEADING = 28, 34
"""Heights in pixels: of a row and of the heading of a group."""

_ROW = Qt.ItemDataRole.UserRole


@dataclass(frozen=True)
class Row:
    """A row of a grouped list; a heading if the key is empty.

    Args:
        key: The key of its entry.
        title: Its text.
        note: The text at its right end.
        tip: Its tool tip.
        mark: What its tick says to screen readers; "" for no tick.
        is_bad: True if its note tells of a failure.
    """

    key: str
    title: str
    note: str = ""
    tip: str = ""
    mark: str = ""
    is_bad: bool = False

    @property
    def accessible_text(self) -> str:
        """Its text for screen readers."""
        return ", ".join(filter(None, (self.title, self.note, self.mark)))


class GroupedList(QListView):
    """A list of groups. Up and down select a row, Return or a double click takes it.

    Args:
        name: Its name, for screen readers.
        description: What the keys do, for screen readers.
        parent: Its parent.
    """

    selection_changed = Signal(str)
    """The key of a row that the user selected."""
    taken = Signal(str)
    """The key of a row that the user took."""

    def __init__(self, name: str, description: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = _Rows(self)
        self._selected = ""
        self.setModel(self._rows)
        self.setItemDelegate(_Delegate(self))
        self.setMouseTracking(True)
        self.setAccessibleName(name)
        self.setAccessibleDescription(description)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.selectionModel().currentChanged.connect(self._select)
        self.doubleClicked.connect(self._take)
        themes.changed.connect(self.viewport().update)
        themes.changed.connect(self.scheduleDelayedItemsLayout)

    def set_rows(self, rows: Sequence[Row]) -> None:
        """Set the rows; the selected one stays selected if it is still there."""
        self._rows.replace(rows)
        self.show_selected(self._selected)

    def rows(self) -> Sequence[Row]:
        """Return the rows."""
        return self._rows.rows

    def show_selected(self, key: str) -> None:
        """Select a row without a signal; an unknown key selects none."""
        self._selected = key
        number = next((index for index, row in enumerate(self._rows.rows) if key and row.key == key), -1)
        if number < 0:
            self.selectionModel().clear()
            return
        index, model = self._rows.index(number), self.selectionModel()
        if not model.isSelected(index):  # the focus makes a row the current one without selecting it
            model.setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self.scrollTo(index)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let Return take the selected row."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self._take(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def _select(self, now: QModelIndex) -> None:
        row = now.data(_ROW)
        if row is not None and row.key != self._selected:
            self._selected = row.key
            self.selection_changed.emit(row.key)

    def _take(self, index: QModelIndex) -> None:
        if index.data(_ROW).key:
            self.taken.emit(index.data(_ROW).key)

    def sizeHint(self) -> QSize:
        """Return a size for layouts that do not set one."""
        return QSize(200, 200)


class _Rows(RowModel[Row]):
    def replace(self, rows: Sequence[Row]) -> None:
        """Replace the rows; if only texts changed, scroll position and selection stay."""
        if [row.key for row in rows] != [row.key for row in self.rows]:
            super().replace(rows)
            return
        before, self.rows = self.rows, rows
        for number, (old, new) in enumerate(zip(before, rows, strict=True)):
            if old != new:
                self.dataChanged.emit(self.index(number), self.index(number))

    def flags(self, index: Index) -> Qt.ItemFlag:
        heading = index.isValid() and not self.rows[index.row()].key
        return Qt.ItemFlag.NoItemFlags if heading else super().flags(index)

    def value(self, number: int, row: Row, role: int) -> object:
        del number
        if role == Qt.ItemDataRole.DisplayRole:
            return row.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return row.accessible_text
        return plain_tip(row.tip) if role == Qt.ItemDataRole.ToolTipRole and row.tip else None


class _Delegate(QStyledItemDelegate):
    """A delegate that paints a row: its title, its note, and its tick."""

    _font, _note, _strong = Font(), Font("note"), Font("note", strong=True)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the height of a row; the width is that of the list."""
        del option
        return QSize(0, px(HEIGHT if index.data(_ROW).key else HEADING))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint the row, with a background if it is selected or hovered."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme, rect, row = themes.now, QRectF(option.rect), index.data(_ROW)
        if not row.key:
            painter.setFont(self._strong)
            painter.setPen(QColor(theme.dim))
            painter.drawText(rect.adjusted(8, 8, -8, 0), Qt.AlignmentFlag.AlignVCenter, row.title)
            painter.restore()
            return
        selected = option.state & QStyle.StateFlag.State_Selected
        focused = selected and option.state & QStyle.StateFlag.State_HasFocus
        if selected or option.state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(QColor(theme.accent if focused else theme.line) if selected else Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.card))
            painter.drawRoundedRect(rect.adjusted(0.5, 1.5, -0.5, -1.5), 6, 6)
        inside = rect.adjusted(8, 0, -8, 0)
        if row.mark:
            paint_icon(painter, "check", QRectF(inside.right() - 14, inside.center().y() - 7, 14, 14), theme.accent)
            inside.setRight(inside.right() - 20)
        if row.note:
            painter.setFont(self._note)
            painter.setPen(QColor(theme.bad if row.is_bad else theme.dim))
            right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
            painter.drawText(inside, right, row.note)
            inside.setRight(inside.right() - QFontMetricsF(self._note).horizontalAdvance(row.note) - 8)
        painter.setFont(self._font)
        painter.setPen(QColor(theme.text))
        title = QFontMetricsF(self._font).elidedText(row.title, Qt.TextElideMode.ElideRight, inside.width())
        painter.drawText(inside, Qt.AlignmentFlag.AlignVCenter, title)
        painter.restore()
