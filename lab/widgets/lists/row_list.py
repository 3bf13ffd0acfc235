"""The base of lists of rows, which work with keys and screen readers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, Protocol, TypeVar

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from lab.widgets.core.controls import plain_tip
from lab.widgets.core.theme import px, themes

Index = QModelIndex | QPersistentModelIndex


class Row(Protocol):
    """A row."""

    @property
    def description(self) -> str:
        """Its full text, for tool tips and screen readers."""
        ...


R = TypeVar("R", bound=Row)
T = TypeVar("T")


class RowList(QListView, Generic[R]):
    """A list of rows, which a delegate paints.

    Args:
        name: The name of the list, for screen readers.
        painter: Paints a row.
        parent: Its parent.
    """

    def __init__(self, name: str, painter: RowPainter[R], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: _Rows[R] = _Rows(self)
        painter.setParent(self)
        self.setModel(self._rows)
        self.setItemDelegate(painter)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setAccessibleName(name)
        self.setProperty("role", "view")
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        themes.changed.connect(self._resize_type)

    def _resize_type(self) -> None:
        """Lay out the rows again for another size of the type."""
        self.scheduleDelayedItemsLayout()
        self.viewport().update()

    def set_rows(self, rows: Sequence[R]) -> None:
        """Show other rows."""
        self._rows.replace(rows)

    def rows(self) -> Sequence[R]:
        """Return the rows."""
        return self._rows.rows

    def sizeHint(self) -> QSize:
        """Return the minimum size; the layout sets the height."""
        return self.minimumSizeHint()

    def minimumSizeHint(self) -> QSize:
        """Return a little more than the size of a row."""
        return QSize(60, px(48))


class RowPainter(QStyledItemDelegate, Generic[R]):
    """The base of delegates that paint rows of one height.

    Args:
        height: Height of a row in pixels, at a size of the type of 100 percent.
    """

    def __init__(self, height: int) -> None:
        super().__init__()
        self.height = height

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the height of a row; it is as wide as the list."""
        del option, index
        return QSize(0, px(self.height))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint the background of a selected or hovered row, and the row."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = QRectF(option.rect)
        paint_background(painter, rect, option.state)
        self.paint_row(painter, rect.adjusted(4, 0, -4, 0), index.data(Qt.ItemDataRole.UserRole))
        painter.restore()

    def paint_row(self, painter: QPainter, rect: QRectF, row: R) -> None:
        """Paint one row into a rectangle."""
        raise NotImplementedError


class RowModel(QAbstractListModel, Generic[T]):
    """The model of a list whose delegate takes each row from the user role."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.rows: Sequence[T] = ()

    def replace(self, rows: Sequence[T]) -> None:
        """Show other rows."""
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        """Return the number of rows."""
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return a row, or its value in another role."""
        if not index.isValid():
            return None
        row = self.rows[index.row()]
        return row if role == Qt.ItemDataRole.UserRole else self.value(index.row(), row, role)

    def value(self, number: int, row: T, role: int) -> object:
        """Return the value of a row of this number in a role besides the user role; None for none."""
        raise NotImplementedError


class _Rows(RowModel[R]):
    def value(self, number: int, row: R, role: int) -> object:
        del number
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return row.description
        return plain_tip(row.description) if role == Qt.ItemDataRole.ToolTipRole else None


def paint_background(painter: QPainter, rect: QRectF, state: QStyle.StateFlag) -> None:
    """Paint the background of a row that has the focus or is hovered."""
    focused = state & QStyle.StateFlag.State_HasFocus
    if focused or state & QStyle.StateFlag.State_MouseOver:
        painter.setPen(QColor(themes.now.accent) if focused else Qt.PenStyle.NoPen)
        painter.setBrush(QColor(themes.now.card))
        painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
