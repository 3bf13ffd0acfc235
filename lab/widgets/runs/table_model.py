"""The model of the table of runs, sorted by one of its columns."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QObject, Qt, Signal

from lab.widgets.core.i18n import tr
from lab.widgets.runs.delegate import LEFT, RIGHT
from lab.widgets.runs.list_model import ROW, Index, RunRow, run_data


@dataclass(frozen=True)
class Column:
    """A column in addition to the name.

    Args:
        key: Its key.
        title: Its title.
        number: Whether its cells are numbers, which are aligned at the right.
    """

    key: str
    title: str
    number: bool = False


@dataclass(frozen=True)
class TableRow:
    """A run in the table.

    Args:
        run: The run, as in every list.
        cells: Text and sort key of each column; None sorts last. The sequence may compute them on access, and is equal
            to another one if nothing changed.
    """

    run: RunRow
    cells: Sequence[tuple[str, Any]]


class TableModel(QAbstractTableModel):
    """The model of runs as rows, in the order of one column."""

    renamed = Signal(str, str)
    """The key of a run and its new name."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.columns: list[Column] = []
        self.rows: list[TableRow] = []
        self._given: list[TableRow] = []
        self._by, self._down = "", False

    def set_table(self, columns: Sequence[Column], rows: Sequence[TableRow]) -> bool:
        """Update columns and rows. Return True if there are other rows or columns than before."""
        self._given = list(rows)
        wanted = self._sorted(columns, rows)
        same = list(columns) == self.columns and [r.run.key for r in wanted] == [r.run.key for r in self.rows]
        if not same:
            self.beginResetModel()
            self.columns, self.rows = list(columns), wanted
            self.endResetModel()
            return True
        for number, row in enumerate(wanted):
            if row is not self.rows[number] and row != self.rows[number]:
                self.rows[number] = row
                self.dataChanged.emit(self.index(number, 0), self.index(number, len(columns)))
        return False

    def order_by(self, key: str, *, down: bool) -> None:
        """Set the column that sorts the rows from the next update; "" is the name."""
        self._by, self._down = key, down

    @property
    def order(self) -> tuple[int, bool]:
        """The index of the sorting column, and True if it is descending."""
        keys = ["", *(column.key for column in self.columns)]
        return (keys.index(self._by) if self._by in keys else 0), self._down

    def key_of(self, section: int) -> str:
        """Return the key of the column at an index, "" for the name."""
        return self.columns[section - 1].key if 0 < section <= len(self.columns) else ""

    def sort_again(self) -> bool:
        """Sort the current rows. Return True if that changed anything."""
        return self.set_table(self.columns, self._given)

    def _sorted(self, columns: Sequence[Column], rows: Sequence[TableRow]) -> list[TableRow]:
        number_of = next((number for number, column in enumerate(columns) if column.key == self._by), None)
        if number_of is None:
            return list(rows) if self._by else sorted(rows, key=_name_of, reverse=self._down)
        known = [row for row in rows if row.cells[number_of][1] is not None]
        known.sort(key=lambda row: _sortable(row.cells[number_of][1]), reverse=self._down)
        return known + [row for row in rows if row.cells[number_of][1] is None]

    def rowCount(self, parent: Index | None = None) -> int:
        """Return the number of rows."""
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index | None = None) -> int:
        """Return the number of columns."""
        return 0 if parent is not None and parent.isValid() else 1 + len(self.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a run in the first column, text in the others."""
        row = self.rows[index.row()]
        if index.column() == 0 or role == ROW:
            return run_data(row.run, role)
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return row.cells[index.column() - 1][0]
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the heads of the columns."""
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self.columns[section - 1].title if section else tr("name")
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.TextAlignmentRole and section:
            side = RIGHT if self.columns[section - 1].number else LEFT
            return int(side | Qt.AlignmentFlag.AlignVCenter)
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Return the flags; the name can be edited."""
        editable = Qt.ItemFlag.ItemIsEditable if index.column() == 0 else Qt.ItemFlag.NoItemFlags
        return super().flags(index) | editable

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Emit the new name of a run."""
        run = self.rows[index.row()].run
        if role == Qt.ItemDataRole.EditRole and str(value).strip() != run.name:
            self.renamed.emit(run.key, str(value).strip())
        return True


def _name_of(row: TableRow) -> Any:
    return _sortable(row.run.name)


def _sortable(value: Any) -> Any:
    return _sort_key(value) if isinstance(value, str) else value


@functools.lru_cache(maxsize=20_000)
def _sort_key(text: str) -> tuple[tuple[int, Any], ...]:
    """Return the sort key of a text, which compares numbers by value, so that "run 9" comes before "run 10"."""
    pieces = re.split(r"(\d{1,15})", text.casefold())
    return tuple((0, int(piece)) if number % 2 else (1, piece) for number, piece in enumerate(pieces) if piece)
