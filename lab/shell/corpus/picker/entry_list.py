"""The list of what a corpus can be chosen from: groups with headings, and a mark at the one that the draft names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import (
    QAbstractListModel,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QPainter
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from lab.widgets.core.controls import plain_tip
from lab.widgets.core.i18n import tr
from lab.widgets.core.icons import paint_icon
from lab.widgets.core.theme import interface_font, themes

HEIGHT, HEADING = 28, 34
"""Pixels of a row and of the heading of a group."""

Index = QModelIndex | QPersistentModelIndex
_ROW = Qt.ItemDataRole.UserRole


@dataclass(frozen=True)
class Row:
    """A row; a heading where the key is empty.

    Args:
        key: What is chosen by it.
        title: Its words.
        note: What stands at its right end.
        tip: More words, for its tool tip.
        marked: Whether the draft names it.
    """

    key: str
    title: str
    note: str = ""
    tip: str = ""
    marked: bool = False

    @property
    def description(self) -> str:
        """All of it in words."""
        mark = tr("the corpus of the draft") if self.marked else ""
        return ", ".join(part for part in (self.title, self.note, mark) if part)


class ChooseList(QListView):
    """The list. Up and down choose, Return or a double click takes what is chosen."""

    chosen = Signal(str)
    """The key of a row that a person chose."""
    taken = Signal(str)
    """The key of a row that a person wants as corpus."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = _Rows(self)
        self._shows = ""
        self.setModel(self._rows)
        self.setItemDelegate(_Looks(self))
        self.setMouseTracking(True)
        self.setAccessibleName(tr("What to learn from"))
        self.setAccessibleDescription(tr("Up and down choose, Return makes it the corpus of the next run"))
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.selectionModel().currentChanged.connect(self._choose)
        self.doubleClicked.connect(self._take)
        themes.changed.connect(self.viewport().update)

    def set_rows(self, rows: Sequence[Row]) -> None:
        """Lists other rows; what was chosen stays so where it is still there."""
        self._rows.replace(rows)
        self.show_chosen(self._shows)

    def rows(self) -> Sequence[Row]:
        """What is listed."""
        return self._rows.rows

    def show_chosen(self, key: str) -> None:
        """Shows a row as the chosen one and tells nobody; one that is not there chooses none."""
        self._shows = key
        number = next((at for at, row in enumerate(self._rows.rows) if key and row.key == key), -1)
        if number < 0:
            self.selectionModel().clear()
            return
        if number != self.currentIndex().row():
            flag = QItemSelectionModel.SelectionFlag.ClearAndSelect
            self.selectionModel().setCurrentIndex(self._rows.index(number), flag)
        self.scrollTo(self._rows.index(number))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return takes what is chosen."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self._take(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def _choose(self, now: QModelIndex) -> None:
        row = now.data(_ROW)
        if row is not None and row.key != self._shows:
            self._shows = row.key
            self.chosen.emit(row.key)

    def _take(self, index: QModelIndex) -> None:
        if index.data(_ROW).key:
            self.taken.emit(index.data(_ROW).key)

    def sizeHint(self) -> QSize:
        """Whoever lays it out says how large it is."""
        return QSize(200, 200)


class _Rows(QAbstractListModel):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.rows: Sequence[Row] = ()

    def replace(self, rows: Sequence[Row]) -> None:
        """Takes over what holds now; where only words changed, scroll and choice stay."""
        if [row.key for row in rows] == [row.key for row in self.rows]:
            before, self.rows = self.rows, rows
            for number, (one, other) in enumerate(zip(before, rows, strict=True)):
                if one != other:
                    self.dataChanged.emit(self.index(number), self.index(number))
            return
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self.rows)

    def flags(self, index: Index) -> Qt.ItemFlag:
        heading = index.isValid() and not self.rows[index.row()].key
        return Qt.ItemFlag.NoItemFlags if heading else super().flags(index)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        row = self.rows[index.row()]
        if role == _ROW:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return row.description
        return plain_tip(row.tip) if role == Qt.ItemDataRole.ToolTipRole and row.tip else None


class _Looks(QStyledItemDelegate):
    """Paints a row: its title, its note, and a tick where the draft names it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._font, self._note = interface_font(), interface_font("note")
        self._strong = interface_font("note")
        self._strong.setBold(True)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """As wide as the list."""
        del option
        return QSize(0, HEIGHT if index.data(_ROW).key else HEADING)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """The ground of a row that is chosen or pointed at, and the row."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        theme, place, row = themes.now, QRectF(option.rect), index.data(_ROW)
        if not row.key:
            painter.setFont(self._strong)
            painter.setPen(QColor(theme.dim))
            painter.drawText(place.adjusted(8, 8, -8, 0), Qt.AlignmentFlag.AlignVCenter, row.title)
            painter.restore()
            return
        chosen = option.state & QStyle.StateFlag.State_Selected
        focused = chosen and option.state & QStyle.StateFlag.State_HasFocus
        if chosen or option.state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(QColor(theme.accent if focused else theme.line) if chosen else Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.card))
            painter.drawRoundedRect(place.adjusted(0.5, 1.5, -0.5, -1.5), 6, 6)
        inside = place.adjusted(8, 0, -8, 0)
        if row.marked:
            paint_icon(painter, "check", QRectF(inside.right() - 14, inside.center().y() - 7, 14, 14), theme.accent)
            inside.setRight(inside.right() - 20)
        if row.note:
            painter.setFont(self._note)
            painter.setPen(QColor(theme.dim))
            right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
            painter.drawText(inside, right, row.note)
            inside.setRight(inside.right() - QFontMetricsF(self._note).horizontalAdvance(row.note) - 8)
        painter.setFont(self._font)
        painter.setPen(QColor(theme.text))
        words = QFontMetricsF(self._font).elidedText(row.title, Qt.TextElideMode.ElideRight, inside.width())
        painter.drawText(inside, Qt.AlignmentFlag.AlignVCenter, words)
        painter.restore()
