"""The table of the stages of one next token: a column for each filter, and the likeliest tokens as rows."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QHeaderView, QTableWidget, QTableWidgetItem, QVBoxLayout, QWidget

from lab.widgets.core.controls import label
from lab.widgets.core.glyphs import glyphs
from lab.widgets.core.i18n import number_text, tr
from lab.widgets.core.theme import px, themes, token_font
from lab.widgets.tokens.next_tokens import HEIGHT, percent


class StagesTable(QWidget):
    """The probabilities of a few tokens before the filters and after each, and how one of them was chosen.

    The token that a filter removes is struck through in the column of that filter, and has no cell after it.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table = QTableWidget()
        self.table.setAccessibleName(tr("Stages of the next token"))
        self.table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.table.setTabKeyNavigation(False)
        self.table.setShowGrid(False)
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.table.horizontalHeader().setHighlightSections(False)
        self.table.verticalHeader().hide()
        self.sentence = label("", "note")
        self.sentence.setWordWrap(True)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(6)
        rows.addWidget(self.sentence)
        rows.addWidget(self.table, 1)
        self._labels: tuple[str, ...] = ()
        self._stages: Sequence[tuple[str, int, Sequence[float]]] = ()
        self._picked = -1
        themes.changed.connect(self._draw)

    def show_stages(
        self, labels: Sequence[str], stages: Sequence[tuple[str, int, Sequence[float]]], picked: int, sentence: str
    ) -> None:
        """Show another token.

        Args:
            labels: The tokens.
            stages: (title, number of tokens left, probability of each of the tokens), the model first.
            picked: The index of the token that was chosen.
            sentence: How it was chosen.
        """
        self._labels, self._stages, self._picked = tuple(labels), stages, picked
        self.sentence.setText(sentence)
        self._draw()

    def _draw(self) -> None:
        table, count = self.table, len(self._labels)
        table.setColumnCount(1 + len(self._stages))
        table.setRowCount(count + 1 if self._stages else 0)
        table.setHorizontalHeaderLabels(["", *(title for title, _, _ in self._stages)])
        first = QTableWidgetItem(tr("token"))
        first.setTextAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        table.setHorizontalHeaderItem(0, first)
        table.verticalHeader().setDefaultSectionSize(px(HEIGHT))
        for row, name in enumerate(self._labels):
            self._put(row, 0, glyphs(name), is_token=True, is_strong=row == self._picked)
            before = 1.0
            for column, (_, _, shares) in enumerate(self._stages, start=1):
                share = shares[row]
                if share > 0:
                    self._put(row, column, percent(share), is_strong=row == self._picked)
                elif before > 0:
                    self._put(row, column, percent(before), is_removed=True)
                else:
                    self._put(row, column, "")
                before = share
        if self._stages:
            self._put(count, 0, tr("tokens left"), is_dim=True)
            for column, (_, left, _) in enumerate(self._stages, start=1):
                self._put(count, column, number_text(left), is_dim=True)

    def _put(
        self,
        row: int,
        column: int,
        text: str,
        *,
        is_token: bool = False,
        is_strong: bool = False,
        is_removed: bool = False,
        is_dim: bool = False,
    ) -> None:
        item = QTableWidgetItem(text)
        font = token_font() if is_token else item.font()
        font.setStrikeOut(is_removed)
        font.setBold(is_strong)
        item.setFont(font)
        item.setForeground(QColor(themes.now.dim if is_dim or is_removed else themes.now.text))
        if is_removed:
            item.setData(Qt.ItemDataRole.AccessibleTextRole, tr("removed"))
        sideways = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft
        item.setTextAlignment(sideways | Qt.AlignmentFlag.AlignVCenter)
        self.table.setItem(row, column, item)
