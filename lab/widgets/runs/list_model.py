"""The model of the list of runs, which updates only changed rows."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from lab.base.run_state import RunState
from lab.widgets.core.controls import plain_tip
from lab.widgets.core.i18n import tr

Badge = Literal["", "exact", "close", "not reproducible"]
WORDS = re.compile(r"[^\W\d_]+|\d+")
"""Words and numbers of a name."""
SHORT = 5
"""Most characters of the short form of a name."""
ROW = int(Qt.ItemDataRole.UserRole)
"""The role of the complete row in the model."""
AT_ONCE = 40
"""The largest number of rows that are inserted or removed one by one; with more, the model is reset once."""

Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True)
class RunRow:
    """The row of a run in the list.

    Args:
        key: The key of the run.
        name: Its name.
        colour: Its colour in every card, "#rrggbb".
        value: The compared value, "1.83".
        detail: Its activity, "running · step 1,240".
        state: Its state, for the dot.
        shown: Whether the charts show it.
        dashes: Index of its lines' dashes in lab.widgets.core.theme.DASHES.
        star: Whether it is starred.
        branched: Whether it started from a checkpoint of another run.
        badge: The result of verifying it; "" if it was not verified.
        more: Further lines of its tool tip: origin, tags, note.
        short: A short form of its name that no other row has; "" for the start of its name.
    """

    key: str
    name: str
    colour: str
    value: str
    detail: str
    state: RunState
    shown: bool
    dashes: int = 0
    star: bool = False
    branched: bool = False
    badge: Badge = ""
    more: tuple[str, ...] = ()
    short: str = ""

    @property
    def short_name(self) -> str:
        """A short form of its name: the start of its first word, followed by its first number, if it has one."""
        if self.short:
            return self.short
        pieces: list[str] = WORDS.findall(self.name)
        number = next((piece[:3] for piece in pieces if not piece.isalpha()), "")
        word = next((piece for piece in pieces if piece.isalpha()), "")[: SHORT - len(number)]
        return word[:1].upper() + word[1:] + number

    @property
    def lines(self) -> list[str]:
        """Lines of its tool tip."""
        badge = {
            "": "",
            "exact": tr("verified: exact"),
            "close": tr("verified: close"),
            "not reproducible": tr("verified: not reproducible"),
        }[self.badge]
        star = tr("starred") if self.star else ""
        return [line for line in (self.name, self.value, self.detail, star, badge, *self.more) if line]

    @property
    def description(self) -> str:
        """Its description for screen readers."""
        hidden = "" if self.shown else tr("hidden in the charts")
        return ", ".join([*self.lines, *([hidden] if hidden else [])])


def distinguished(rows: Sequence[RunRow]) -> list[RunRow]:
    """Return rows, newest first, of which those with equal short names have three letters and a number instead.

    Numbers are given from the oldest row on, so that they stay the same when runs are added.
    """
    count = Counter(row.short_name for row in rows)
    used, made = set(count), []
    for row in reversed(rows):
        if count[row.short_name] > 1:
            letters = next((word[:3].capitalize() for word in WORDS.findall(row.name) if word.isalpha()), "")
            numbered = (f"{letters}{number}" for number in itertools.count(1))
            short = next(one for one in numbered if one not in used)
            used.add(short)
            row = replace(row, short=short)
        made.append(row)
    return made[::-1]


class RunRows(QAbstractListModel):
    """The model of runs as rows; remaining rows keep their persistent index, and with it selection and position."""

    renamed = Signal(str, str)
    """The key of a run and its new name."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: list[RunRow] = []

    def set_rows(self, rows: Sequence[RunRow]) -> None:
        """Update the rows."""
        wanted, keys = list(rows), {row.key for row in rows}
        known = {row.key for row in self.rows}
        if len(known - keys) + len(keys - known) > AT_ONCE:
            self.beginResetModel()
            self.rows = wanted
            self.endResetModel()
            return
        for number in reversed(range(len(self.rows))):
            if self.rows[number].key not in keys:
                self.beginRemoveRows(QModelIndex(), number, number)
                del self.rows[number]
                self.endRemoveRows()
        self._sort([row.key for row in wanted if row.key in known])
        for number, row in enumerate(wanted):
            if number == len(self.rows) or self.rows[number].key != row.key:
                self.beginInsertRows(QModelIndex(), number, number)
                self.rows.insert(number, row)
                self.endInsertRows()
            elif self.rows[number] is not row and self.rows[number] != row:
                self.rows[number] = row
                self.dataChanged.emit(self.index(number), self.index(number))

    def number_of(self, key: str) -> int:
        """Return the row of a run, or -1."""
        return next((number for number, row in enumerate(self.rows) if row.key == key), -1)

    def rowCount(self, parent: Index | None = None) -> int:
        """Return the number of rows."""
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the data of a run, also for tool tips and screen readers."""
        return run_data(self.rows[index.row()], role)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Return the flags; the name can be edited."""
        return super().flags(index) | Qt.ItemFlag.ItemIsEditable

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Emit the new name of a run."""
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.EditRole and str(value).strip() != row.name:
            self.renamed.emit(row.key, str(value).strip())
        return True

    def _sort(self, keys: list[str]) -> None:
        if keys == [row.key for row in self.rows]:
            return
        self.layoutAboutToBeChanged.emit()
        old = self.persistentIndexList()
        held = [self.rows[index.row()].key for index in old]
        order = {key: number for number, key in enumerate(keys)}
        self.rows.sort(key=lambda row: order[row.key])
        self.changePersistentIndexList(old, [self.index(order[key]) for key in held])
        self.layoutChanged.emit()


def run_data(row: RunRow, role: int) -> Any:
    """Return the data of a run in a role."""
    if role == ROW:
        return row
    if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
        return row.name
    if role == Qt.ItemDataRole.ToolTipRole:
        return plain_tip("\n".join(row.lines))
    if role == Qt.ItemDataRole.AccessibleTextRole:
        return row.description
    return None
