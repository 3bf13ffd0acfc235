"""The head of a table, whose columns can be sorted and resized with the keyboard as well."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractItemView, QHeaderView

from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import px, themes

STEP = 16
"""Pixels by which one press of a key changes the width of a column."""
FRAME = 2
"""Pixels of the frame of the selected column."""


class TableHead(QHeaderView):
    """The columns of a table: a stop of the tab key, in which arrow keys select a column.

    Args:
        table: The table.
    """

    def __init__(self, table: QAbstractItemView) -> None:
        super().__init__(Qt.Orientation.Horizontal, table)
        self._table, self.column = table, 0
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(tr("Columns"))
        self.setAccessibleDescription(
            tr("Left and Right select a column, + and - change its width, Return sorts by it where it can be sorted")
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Select, widen, narrow or sort by a column."""
        keys = Qt.Key
        key = keys(event.key())
        if key in (keys.Key_Left, keys.Key_Right):
            self._select(self.column + (1 if key == keys.Key_Right else -1))
        elif key in (keys.Key_Plus, keys.Key_Minus):
            width = self.sectionSize(self.column) + (1 if key == keys.Key_Plus else -1) * px(STEP)
            self.resizeSection(self.column, max(self.minimumSectionSize(), width))
        elif key in (keys.Key_Return, keys.Key_Enter) and self.sectionsClickable():
            self._sort()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Name the selected column."""
        super().focusInEvent(event)
        self._select(self.column)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Remove the frame of the selected column."""
        super().focusOutEvent(event)
        self.viewport().update()

    def _select(self, column: int) -> None:
        self.column = max(0, min(self.count() - 1, column))
        title = self.model().headerData(self.column, Qt.Orientation.Horizontal) if self.count() else ""
        self.setAccessibleName(tr("Column {name}", name=str(title or "")))
        left, bar = self.sectionPosition(self.column), self._table.horizontalScrollBar()
        right = left + self.sectionSize(self.column)
        bar.setValue(min(left, max(bar.value(), right - self.viewport().width())))
        self.viewport().update()

    def _sort(self) -> None:
        down = self.sortIndicatorSection() == self.column and self.sortIndicatorOrder() == Qt.SortOrder.AscendingOrder
        self.setSortIndicator(self.column, Qt.SortOrder.DescendingOrder if down else Qt.SortOrder.AscendingOrder)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the columns, and a frame around the selected one while the head has the focus."""
        super().paintEvent(event)
        if self.hasFocus() and self.count():
            painter = QPainter(self.viewport())
            painter.setPen(QPen(QColor(themes.now.accent), FRAME))
            left, width = self.sectionViewportPosition(self.column), self.sectionSize(self.column)
            painter.drawRect(QRect(left, 0, width, self.height()).adjusted(1, 1, -FRAME, -FRAME))
            painter.end()
