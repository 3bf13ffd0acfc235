"""The rows of the list of runs as a model that changes only what changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from lab.widgets.controls import plain_tip
from lab.widgets.words import text

State = Literal[
    "queued", "preparing", "running", "paused", "saving", "finished", "stopped", "failed", "interrupted"
]  # fmt: skip
ROW = int(Qt.ItemDataRole.UserRole)
"""The role of the whole row in the model."""

Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True)
class RunRow:
    """A run as the list shows it.

    Args:
        key: What the run is known by.
        name: Its name.
        colour: Its colour in every card, "#rrggbb".
        value: What is compared, "1.83".
        detail: What it does, "running · step 1,240".
        state: What it does, for its dot.
        shown: Whether the charts show it.
    """

    key: str
    name: str
    colour: str
    value: str
    detail: str
    state: State
    shown: bool


class RunRows(QAbstractListModel):
    """Runs as rows; those that stay keep their index, and with it selection and place."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: list[RunRow] = []
        self.all: list[RunRow] = []
        self._words: list[str] = []

    def set_rows(self, rows: Sequence[RunRow]) -> None:
        """Takes over what holds now."""
        self.all = list(rows)
        self._follow()

    def filter(self, words: str) -> None:
        """Keeps only runs whose name holds all of the words."""
        self._words = words.casefold().split()
        self._follow()

    def number_of(self, key: str) -> int:
        """The row of a run, or -1."""
        return next((number for number, row in enumerate(self.rows) if row.key == key), -1)

    def rowCount(self, parent: Index | None = None) -> int:
        """How many runs are listed."""
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """A run, also in words for tool tips and screen readers."""
        row = self.rows[index.row()]
        if role == ROW:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.name
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tip("\n".join(part for part in (row.name, row.value, row.detail) if part))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            hidden = "" if row.shown else text("hidden in the charts")
            return ", ".join(part for part in (row.name, row.value, row.detail, hidden) if part)
        return None

    def _follow(self) -> None:
        wanted = [row for row in self.all if all(word in row.name.casefold() for word in self._words)]
        keys = {row.key for row in wanted}
        for number in reversed(range(len(self.rows))):
            if self.rows[number].key not in keys:
                self.beginRemoveRows(QModelIndex(), number, number)
                del self.rows[number]
                self.endRemoveRows()
        known = {row.key for row in self.rows}
        self._sort([row.key for row in wanted if row.key in known])
        for number, row in enumerate(wanted):
            if number == len(self.rows) or self.rows[number].key != row.key:
                self.beginInsertRows(QModelIndex(), number, number)
                self.rows.insert(number, row)
                self.endInsertRows()
            elif self.rows[number] != row:
                self.rows[number] = row
                self.dataChanged.emit(self.index(number), self.index(number))

    def _sort(self, keys: list[str]) -> None:
        if keys == [row.key for row in self.rows]:
            return
        self.layoutAboutToBeChanged.emit()
        old = self.persistentIndexList()
        held = [self.rows[index.row()].key for index in old]
        places = {key: number for number, key in enumerate(keys)}
        self.rows.sort(key=lambda row: places[row.key])
        self.changePersistentIndexList(old, [self.index(places[key]) for key in held])
        self.layoutChanged.emit()
