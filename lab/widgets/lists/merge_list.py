"""The merges of a byte-pair encoding in the order in which they were learned, one of them marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import (
    QHBoxLayout,
    QListView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from lab.widgets.core.controls import label
from lab.widgets.core.fonts import Font, Metrics
from lab.widgets.core.i18n import number_text, tr
from lab.widgets.core.theme import mixed, px, themes
from lab.widgets.lists.row_list import Index, RowModel

LINE = 24
"""Height of a row."""
INSIDE = 8
"""Pixels between the columns and the borders of the list."""
NUMBER, COUNT = 52, 84
"""Pixels of a merge's number, and of its count."""


@dataclass(frozen=True, slots=True)
class ShownMerge:
    """A merge in the list, with labels for display.

    Args:
        left: Label of the first token of the pair.
        right: Label of the second token.
        new: Label of the merged token.
        count: The number of occurrences of the pair when it was merged.
    """

    left: str
    right: str
    new: str
    count: int


class MergeList(QWidget):
    """The list of merges with its head."""

    picked = Signal(int)
    """The number of the picked merge, from 1."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._merges = _Merges(self)
        self.view = QListView()
        self.view.setModel(self._merges)
        self._row = _Row(self.view)
        self.view.setItemDelegate(self._row)
        self.view.setUniformItemSizes(True)
        self.view.setAccessibleName(tr("Merges"))
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)  # the head must align
        self.view.selectionModel().currentChanged.connect(self._on_current_changed)
        self._following = False
        self._head = head = QHBoxLayout()
        head.setSpacing(0)
        self._number, pair, new, self._count = (
            label(text, "note") for text in (tr("no."), tr("pair"), tr("new token"), tr("count"))
        )
        self._count.setAlignment(Qt.AlignmentFlag.AlignRight)
        for text in (self._number, pair, new, self._count):
            head.addWidget(text)
        for column in (pair, new):  # both are as wide as `_half` says
            column.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            head.setStretchFactor(column, 1)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(4)
        rows.addLayout(head)
        rows.addWidget(self.view, 1)
        self.view.viewport().installEventFilter(self)
        themes.changed.connect(self._resize_type)
        self._resize_type()

    def _resize_type(self) -> None:
        """Lay out everything for the size of the type."""
        self._number.setFixedWidth(px(NUMBER))
        self._count.setFixedWidth(px(COUNT))
        self.view.scheduleDelayedItemsLayout()
        self._align()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Align the head with the columns, whose width changes later than the list's while nobody sees it."""
        if event.type() == QEvent.Type.Resize:
            self._align()
        return super().eventFilter(watched, event)

    def _align(self) -> None:
        scroll_bar = self.view.width() - self.view.viewport().width()
        self._head.setContentsMargins(INSIDE, 0, INSIDE + scroll_bar, 0)

    def set_merges(self, merges: Sequence[ShownMerge]) -> None:
        """Show other merges."""
        self._merges.replace(merges)

    def mark(self, number: int) -> None:
        """Mark the merge of a number, counted from 1, without emitting anything; 0 marks none."""
        self._following = True
        index = self._merges.index(number - 1)
        if index.isValid() and index != self.view.currentIndex():
            self.view.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
            self.view.scrollTo(index, QListView.ScrollHint.PositionAtCenter)
        elif index.isValid():
            self.view.selectionModel().select(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        else:
            self.view.selectionModel().clear()
            self.view.scrollToTop()
        self._following = False

    def _on_current_changed(self, now: QModelIndex, _before: QModelIndex) -> None:
        if not self._following and now.isValid():
            self.picked.emit(now.row() + 1)


def _half(width: int) -> int:
    """Return the width in pixels of the pair, and of the new token, in a list of this width."""
    return max(0, (width - 2 * INSIDE - px(NUMBER) - px(COUNT)) // 2)


class _Merges(RowModel[ShownMerge]):
    def value(self, number: int, row: ShownMerge, role: int) -> object:
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            values = {"left": row.left, "right": row.right, "new": row.new, "count": row.count}
            return tr("merge {n}: {left} + {right} → {new}, {count} times", n=number + 1, **values)
        return None


class _Row(QStyledItemDelegate):
    """The delegate that paints a merge: its number, its pair, the new token, its count."""

    _font, _tokens, _room = Font("note"), Font(tokens=True), Metrics(tokens=True)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        del option, index
        return QSize(0, px(LINE))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, rect = themes.now, QRect(option.rect)
        merge: ShownMerge = index.data(Qt.ItemDataRole.UserRole)
        state = option.state
        if state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, QColor(mixed(theme.accent, theme.panel, 0.3)))
            painter.fillRect(rect.adjusted(0, 0, 3 - rect.width(), 0), QColor(theme.accent))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, QColor(theme.card))
        middle = Qt.AlignmentFlag.AlignVCenter
        number = QRect(rect.left() + INSIDE, rect.top(), px(NUMBER), px(LINE))
        left, half = number.left() + number.width(), _half(rect.width())
        painter.setFont(self._font)
        painter.setPen(QColor(theme.text if state & QStyle.StateFlag.State_Selected else theme.dim))
        painter.drawText(number, middle, number_text(index.row() + 1))
        count = QRect(left + 2 * half, rect.top(), px(COUNT), px(LINE))
        painter.drawText(count, middle | Qt.AlignmentFlag.AlignRight, number_text(merge.count))
        painter.setFont(self._tokens)
        painter.setPen(QColor(theme.text))
        for x, text in ((left, f"{merge.left} + {merge.right}"), (left + half, merge.new)):
            shown = self._room.elidedText(text, Qt.TextElideMode.ElideRight, half - 8)
            painter.drawText(QRect(x, rect.top(), half - 4, px(LINE)), middle, shown)
