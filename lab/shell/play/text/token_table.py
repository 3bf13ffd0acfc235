"""The table of a text: a row for each token with its numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QItemSelectionModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import QHeaderView, QTableView, QWidget

from lab.shell.play.text.export import rows_of
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.glyphs import glyphs
from lab.widgets.core.i18n import number_text, tr
from lab.widgets.core.theme import px, token_font
from lab.widgets.tokens.next_tokens import HEIGHT, percent
from lab.workbench.access.generation import Piece
from lab.workbench.texts.tree import log_probability

Index = QModelIndex | QPersistentModelIndex


class _Rows(QAbstractTableModel):
    """The rows of a text."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.rows: list[tuple[Any, ...]] = []
        self._heads = (
            "", tr("token"), tr("probability"), tr("surprisal, bits"), tr("entropy, bits"), tr("rank"),
            tr("sum of ln p"),
        )  # fmt: skip

    def take(self, pieces: Sequence[Piece]) -> None:
        """Show another text."""
        self.beginResetModel()
        self.rows = rows_of(pieces)
        self.endResetModel()

    def add(self, pieces: Sequence[Piece]) -> None:
        """Append tokens."""
        if not pieces:
            return
        first = len(self.rows)
        self.beginInsertRows(QModelIndex(), first, first + len(pieces) - 1)
        total = self.rows[-1][-1] if self.rows else 0.0
        self.rows += [(first + row[0], *row[1:-1], row[-1] + total) for row in rows_of(pieces)]
        self.endInsertRows()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        """Return the number of tokens."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        """Return the number of columns."""
        return 0 if parent.isValid() else len(self._heads)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the name of a column."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignLeft if section == 1 else Qt.AlignmentFlag.AlignRight
            return side | Qt.AlignmentFlag.AlignVCenter
        return self._heads[section] if role == Qt.ItemDataRole.DisplayRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the text, the font or the alignment of a cell."""
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignLeft if index.column() == 1 else Qt.AlignmentFlag.AlignRight
            return side | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.FontRole and index.column() == 1:
            return token_font()
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        position, name, _, share, bits, entropy, rank, total = self.rows[index.row()]
        cells = (
            number_text(position), glyphs(name), *(("",) * 4 if share is None else (
                percent(share), number_text(bits, ".2f"), number_text(entropy, ".2f"), number_text(rank))),
            number_text(total, ".2f").replace("-", "−"),
        )  # fmt: skip
        return cells[index.column()]


class TokenTable(QTableView):
    """The table of a text; the current row is that of the selected token."""

    selected = Signal(int)
    """The index of the token that the user selected."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Table of the tokens"))
        self._rows = _Rows(self)
        self.setModel(self._rows)
        self.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        follow_type(self, lambda table: table.verticalHeader().setDefaultSectionSize(px(HEIGHT)))
        head = self.horizontalHeader()
        head.setHighlightSections(False)
        head.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        head.setResizeContentsPrecision(50)
        self.selectionModel().currentRowChanged.connect(self._choose)

    def take(self, pieces: Sequence[Piece]) -> None:
        """Show another text."""
        self._rows.take(pieces)

    def add(self, pieces: Sequence[Piece]) -> None:
        """Append tokens to the text."""
        self._rows.add(pieces)

    def mark(self, token: int) -> None:
        """Show which token is selected; -1 for none."""
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
        selection = self.selectionModel()
        before = selection.blockSignals(True)
        if token < 0:
            selection.clear()
        else:
            selection.setCurrentIndex(self._rows.index(token, 0), flags)
            self.scrollTo(self._rows.index(token, 0))
        selection.blockSignals(before)
        self.viewport().update()

    def _choose(self, current: QModelIndex) -> None:
        if current.isValid():
            self.selected.emit(current.row())


def total_sentence(pieces: Sequence[Piece]) -> str:
    """Return number of tokens, sum of ln p and bits per token of a text."""
    rows = [row for row in rows_of(pieces) if row[3] is not None]
    if not rows:
        return tr("no token of a model")
    bits = sum(row[4] for row in rows) / len(rows)
    total = number_text(log_probability(pieces), ".1f").replace("-", "−")
    return tr(
        "{n} tokens · ln p {total} · {bits} bits/token",
        n=number_text(len(rows)),
        total=total,
        bits=number_text(bits, ".2f"),
    )
