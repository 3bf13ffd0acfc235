"""Runs or groups of runs as rows of a table, for Qt's view, which asks for visible cells alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True)
class Cell:
    """A cell.

    Args:
        text: What it shows.
        sort: What it is sorted by; None comes last.
    """

    text: str
    sort: float | str | None = None


class ArmsModel(QAbstractTableModel):
    """Rows of cells, sorted by a column."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._titles: list[str] = []
        self._numbers: set[int] = set()
        self._rows: list[Sequence[Cell]] = []

    def set_rows(self, titles: Sequence[str], rows: Sequence[Sequence[Cell]]) -> None:
        """Show other rows, in their order.

        Args:
            titles: The titles of the columns.
            rows: The cells of each row, as many as there are titles.
        """
        self.beginResetModel()
        self._titles, self._rows = list(titles), list(rows)
        self._numbers = {
            column for column in range(len(titles)) if any(isinstance(row[column].sort, float) for row in rows[:50])
        }
        self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        """Return the number of rows."""
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index | None = None) -> int:
        """Return the number of columns."""
        return 0 if parent is not None and parent.isValid() else len(self._titles)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the text of a cell, which is its tool tip, too, and how it is aligned."""
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._rows[index.row()][index.column()].text
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._alignment(index.column())
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the title of a column."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return self._titles[section]
        return self._alignment(section) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort the rows by a column; those without a value come last in both directions."""
        if not 0 <= column < len(self._titles):
            return
        known = [row for row in self._rows if _is_known(row[column].sort)]
        unknown = [row for row in self._rows if not _is_known(row[column].sort)]
        known.sort(key=lambda row: _rank(row[column].sort), reverse=order == Qt.SortOrder.DescendingOrder)
        self.layoutAboutToBeChanged.emit()
        self._rows = [*known, *unknown]
        self.layoutChanged.emit()

    def _alignment(self, column: int) -> int:
        side = Qt.AlignmentFlag.AlignRight if column in self._numbers else Qt.AlignmentFlag.AlignLeft
        return int(side | Qt.AlignmentFlag.AlignVCenter)


def _is_known(value: float | str | None) -> bool:
    return value is not None and not (isinstance(value, float) and math.isnan(value))


def _rank(value: float | str | None) -> tuple[bool, float, str]:
    """Return a key that sorts numbers before texts."""
    return (True, 0.0, value.casefold()) if isinstance(value, str) else (False, float(value or 0.0), "")
