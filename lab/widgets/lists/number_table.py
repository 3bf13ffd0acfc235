"""A table of names and numbers: the first column is text, the others are aligned to the right."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from lab.widgets.core.controls import plain_tip
from lab.widgets.core.theme import px, themes

HEIGHT = 24
"""Height of a row in pixels."""


class NumberTable(QTableWidget):
    """A table without a grid, whose rows can be selected.

    Args:
        name: Its name for screen readers.
    """

    row_selected = Signal(int)
    """The index of the row that the user selected, or -1."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setWordWrap(False)
        head = self.horizontalHeader()
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head.setHighlightSections(False)
        self.verticalHeader().hide()
        self._given: tuple[Sequence[str], Sequence[Sequence[str]], Collection[tuple[int, int]], Sequence[str]]
        self._given = (), (), (), ()
        self.itemSelectionChanged.connect(self._report)
        themes.changed.connect(self._draw)

    def show_rows(
        self,
        heads: Sequence[str],
        rows: Sequence[Sequence[str]],
        *,
        marked: Collection[tuple[int, int]] = (),
        hints: Sequence[str] = (),
    ) -> None:
        """Show other rows; the selection stays where it was.

        Args:
            heads: The titles of the columns.
            rows: The cells of each row, as many as there are titles.
            marked: (row, column) of cells in bold type.
            hints: The tool tip of each column's title.
        """
        self._given = heads, rows, marked, hints
        self._draw()

    def height_of_rows(self, count: int) -> int:
        """Return the height in pixels that shows so many rows below the titles."""
        return self.horizontalHeader().sizeHint().height() + count * px(HEIGHT) + 2 * self.frameWidth()

    def _report(self) -> None:
        rows = self.selectionModel().selectedRows()
        self.row_selected.emit(rows[0].row() if rows else -1)

    def _draw(self) -> None:
        heads, rows, marked, hints = self._given
        self.setColumnCount(len(heads))
        self.setRowCount(len(rows))
        self.verticalHeader().setDefaultSectionSize(px(HEIGHT))
        for column, head in enumerate(heads):
            item = QTableWidgetItem(head)
            item.setTextAlignment(_alignment(column))
            if column < len(hints) and hints[column]:
                item.setToolTip(plain_tip(hints[column]))
            self.setHorizontalHeaderItem(column, item)
        for row, cells in enumerate(rows):
            for column, text in enumerate(cells):
                self._put(row, column, text, is_strong=(row, column) in marked)

    def _put(self, row: int, column: int, text: str, *, is_strong: bool) -> None:
        item = self.item(row, column)
        if item is None:
            item = QTableWidgetItem()
            item.setTextAlignment(_alignment(column))
            self.setItem(row, column, item)
        item.setText(text)
        font = self.font()
        font.setBold(is_strong)
        item.setFont(font)
        item.setForeground(QColor(themes.now.text))


def _alignment(column: int) -> Qt.AlignmentFlag:
    sideways = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft
    return sideways | Qt.AlignmentFlag.AlignVCenter
