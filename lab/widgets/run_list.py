"""The list of runs, and the rail of dots that stands for it where the window is narrow."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPoint,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QContextMenuEvent, QFont, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QVBoxLayout, QWidget

from lab.widgets.controls import Button
from lab.widgets.icons import paint_icon
from lab.widgets.run_rows import ROW, Index, RunRow, RunRows, State
from lab.widgets.theme import interface_font, themes
from lab.widgets.words import text

FEW = 8
"""From one run more on, rows are narrow."""
WIDE_ROW, NARROW_ROW, RAIL_ROW = 46, 28, 32
"""Heights of rows in pixels."""
RAIL = 48
"""Width of the rail in pixels."""
EYE = 16
"""Pixels of the eye."""


def paint_dot(painter: QPainter, middle: QPointF, colour: str, state: State) -> None:
    """Paints a run's dot, 12 pixels wide: full while it works, a ring when it has ended, with a sign where it broke."""
    ink = QColor(colour)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(ink, 2))
    if state in ("preparing", "running", "saving"):
        painter.setBrush(ink)
        painter.drawEllipse(middle, 4, 4)
    elif state == "paused":
        painter.setPen(QPen(ink, 3))
        for side in (-2.5, 2.5):
            painter.drawLine(middle + QPointF(side, -3.5), middle + QPointF(side, 3.5))
    elif state == "queued":
        painter.setPen(QPen(ink, 2, Qt.PenStyle.DotLine))
        painter.drawEllipse(middle, 4, 4)
    elif state in ("finished", "stopped"):
        painter.drawEllipse(middle, 4, 4)
    else:
        painter.drawEllipse(middle, 5, 5)
        painter.setPen(QPen(QColor(themes.now.bad if state == "failed" else themes.now.warn), 1.8))
        painter.drawLine(middle + QPointF(0, -2.6), middle + QPointF(0, 0.4))
        painter.drawPoint(middle + QPointF(0, 2.6))


class RowsView(QListView):
    """Runs as rows, one of which is selected; rows that come and go do not move the selection.

    Args:
        looks: Paints a row.
        parent: Its parent.
    """

    selected = Signal(str)
    """The key of the run that a person selected."""

    def __init__(self, looks: QStyledItemDelegate, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = RunRows(self)
        self._selected = ""
        self._following = False
        self.setModel(self.rows)
        looks.setParent(self)
        self.setItemDelegate(looks)
        self.setAccessibleName(text("Runs"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.selectionModel().selectionChanged.connect(self._take_selection)

    def set_rows(self, rows: Sequence[RunRow]) -> None:
        """Shows what holds now; what did not change is not touched."""
        were_few = len(self.rows.all) <= FEW
        self._following = True
        self.rows.set_rows(rows)
        self._show_selected()
        if were_few != (len(rows) <= FEW):
            self.doItemsLayout()

    def select(self, key: str) -> None:
        """Marks a run as selected without telling anybody."""
        self._selected = key
        self._show_selected()

    def _show_selected(self) -> None:
        self._following = True
        index = self.rows.index(self.rows.number_of(self._selected))
        if not index.isValid():
            if self.selectionModel().hasSelection():
                self.selectionModel().clear()
        elif index != self.currentIndex() or not self.selectionModel().isSelected(index):
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        self._following = False

    def _take_selection(self, now: QItemSelection, _before: QItemSelection) -> None:
        if not self._following and now.indexes():
            self._selected = now.indexes()[0].data(ROW).key
            self.selected.emit(self._selected)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return selects once more."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.select(self.currentIndex().data(ROW).key)
            self.selected.emit(self._selected)
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Letters are shortcuts here, not the beginning of a name."""


class RunList(RowsView):
    """The list of runs: dot, name, value, and an eye that shows and hides a run in the charts."""

    shown_changed = Signal(str, bool)
    """The key of a run, and whether the charts are to show it."""
    asked = Signal(str, QPoint)
    """The key of a run, and where on the screen its menu is to open."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._looks = _ListLooks()
        super().__init__(self._looks, parent)
        self.setAccessibleDescription(text("Up and down select a run, E shows or hides it in the charts"))

    def filter(self, words: str) -> None:
        """Lists only runs whose name holds all of the words."""
        self._following = True
        self.rows.filter(words)
        self._show_selected()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Turns an eye, or selects a run."""
        index = self._eye_at(event.position().toPoint())
        if index.isValid() and event.button() == Qt.MouseButton.LeftButton:
            self._turn(index)
        elif event.button() != Qt.MouseButton.RightButton:  # asking for a menu selects nothing
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Lights up the eye under the mouse."""
        super().mouseMoveEvent(event)
        self._light(self._eye_at(event.position().toPoint()))

    def leaveEvent(self, event: QEvent) -> None:
        """Lights up no eye."""
        super().leaveEvent(event)
        self._light(QModelIndex())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """E turns the eye of the current run."""
        if event.key() == Qt.Key.Key_E and not event.modifiers() and self.currentIndex().isValid():
            self._turn(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Asks for the menu of the run under the mouse, or of the current one."""
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        index = self.currentIndex() if by_key else self.indexAt(event.pos())
        if index.isValid():
            place = self.visualRect(index).center() if by_key else event.pos()
            self.asked.emit(index.data(ROW).key, self.viewport().mapToGlobal(place))

    def _eye_at(self, point: QPoint) -> QModelIndex:
        index = self.indexAt(point)
        near = index.isValid() and _eye_place(self.visualRect(index)).adjusted(-4, -4, 4, 4).contains(point)
        return index if near else QModelIndex()

    def _turn(self, index: QModelIndex) -> None:
        row = index.data(ROW)
        self.shown_changed.emit(row.key, not row.shown)

    def _light(self, index: QModelIndex) -> None:
        key = index.data(ROW).key if index.isValid() else ""
        if key != self._looks.lit:
            self._looks.lit = key
            self.viewport().update()


class RunRail(QWidget):
    """The runs as a narrow rail of dots, with a button that opens the list."""

    selected = Signal(str)
    """The key of the run that a person selected."""
    opened = Signal()
    """The list is to be opened."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedWidth(RAIL)
        opener = Button(hint=text("Show the list of runs"), icon_name="list")
        opener.clicked.connect(self.opened)
        self._view = RowsView(_RailLooks())
        self._view.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._view.selected.connect(self.selected)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4, 8, 4, 8)
        layout.setSpacing(8)
        layout.addWidget(opener, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addWidget(self._view, 1)

    def set_rows(self, rows: Sequence[RunRow]) -> None:
        """Shows what holds now."""
        self._view.set_rows(rows)

    def select(self, key: str) -> None:
        """Marks a run as selected without telling anybody."""
        self._view.select(key)


def _eye_place(row: QRect) -> QRect:
    """Where the eye of a row is: before the name in narrow rows, in the second line of wide ones."""
    if row.height() == NARROW_ROW:
        return QRect(row.left() + 24, row.top() + 6, EYE, EYE)
    return QRect(row.right() - 8 - EYE, row.top() + 25, EYE, EYE)


def _paint_ground(painter: QPainter, place: QRect, state: QStyle.StateFlag) -> None:
    """Selected and pointed-at rows stand out; the one with the focus has a ring."""
    theme = themes.now
    chosen = bool(state & QStyle.StateFlag.State_Selected)
    focused = bool(state & QStyle.StateFlag.State_HasFocus)
    if chosen or focused or state & QStyle.StateFlag.State_MouseOver:
        line = theme.accent if focused else theme.line if chosen else theme.card
        painter.setPen(QPen(QColor(line), 1))
        painter.setBrush(QColor(theme.card))
        painter.drawRoundedRect(QRectF(place).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)


class _ListLooks(QStyledItemDelegate):
    """How a run is painted in the list."""

    def __init__(self) -> None:
        super().__init__()
        self.lit = ""
        self._plain, self._strong, self._small = interface_font(), interface_font(), interface_font("note")
        self._strong.setWeight(QFont.Weight.DemiBold)

    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
        """Wide rows for a few runs, narrow ones for many."""
        rows = index.model()
        few = isinstance(rows, RunRows) and len(rows.all) <= FEW
        return QSize(100, WIDE_ROW if few else NARROW_ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paints one run."""
        row: RunRow = index.data(ROW)
        place, state = QRect(option.rect), option.state
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        _paint_ground(painter, place, state)
        narrow, eye = place.height() == NARROW_ROW, _eye_place(place)
        line = place if narrow else QRect(place.left(), place.top() + 5, place.width(), 18)
        paint_dot(painter, QPointF(place.left() + 14, line.center().y() + 1), row.colour, row.state)
        over = bool(state & (QStyle.StateFlag.State_MouseOver | QStyle.StateFlag.State_Selected))
        if narrow or over or not row.shown:
            ink = themes.now.text if self.lit == row.key else themes.now.dim
            paint_icon(painter, "eye" if row.shown else "eye closed", QRectF(eye), ink)
        words = line.adjusted(48 if narrow else 28, 0, -8, 0)
        chosen = bool(state & QStyle.StateFlag.State_Selected)
        font = self._strong if chosen else self._plain
        ink = themes.now.text if row.shown else themes.now.dim
        left = self._write(painter, font, ink, words, row.value, Qt.AlignmentFlag.AlignRight)
        self._write(painter, font, ink, words.adjusted(0, 0, -left - 8, 0), row.name, Qt.AlignmentFlag.AlignLeft)
        if not narrow:
            second = QRect(words.left(), place.top() + 24, eye.left() - words.left() - 6, 17)
            self._write(painter, self._small, themes.now.dim, second, row.detail, Qt.AlignmentFlag.AlignLeft)
        painter.restore()

    def _write(
        self, painter: QPainter, font: QFont, colour: str, place: QRect, words: str, side: Qt.AlignmentFlag
    ) -> int:
        """Writes words with an ellipsis where they do not fit; gives their width."""
        metrics = QFontMetrics(font)
        shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, place.width())
        painter.setFont(font)
        painter.setPen(QColor(colour))
        painter.drawText(place, side | Qt.AlignmentFlag.AlignVCenter, shown)
        return metrics.horizontalAdvance(shown)


class _RailLooks(QStyledItemDelegate):
    """How a run is painted in the rail."""

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        """A square for each run."""
        return QSize(RAIL - 8, RAIL_ROW)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paints one run."""
        row: RunRow = index.data(ROW)
        place, state = QRect(option.rect), option.state
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        _paint_ground(painter, place.adjusted(2, 0, -2, 0), state)
        paint_dot(painter, QRectF(place).center(), row.colour, row.state)
        painter.restore()
