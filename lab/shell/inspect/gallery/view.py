"""The gallery in the panel of Inspect: a search field, and a list of entries below their questions, with switches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from PySide6.QtCore import QAbstractItemModel, QEvent, QModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QKeyEvent, QPainter
from PySide6.QtWidgets import QListView, QScrollArea, QStyledItemDelegate, QStyleOptionViewItem, QVBoxLayout, QWidget

from lab.shell.inspect.gallery.entries import OWN, Entry, grouped
from lab.shell.inspect.gallery.labels import description, question_label, short_cost
from lab.widgets.core.controls import label, plain_tip
from lab.widgets.core.i18n import tr, tr_registered
from lab.widgets.core.icons import paint_icon
from lab.widgets.core.search_field import SearchField
from lab.widgets.core.theme import interface_font, px, themes
from lab.widgets.lists.row_list import Index, RowModel, paint_background

Row = Entry | str
"""An entry, or the question that stands above some."""
HEADING, ENTRY = 30, 40
"""Heights of rows in pixels."""
BOX, TEXT = 16, 24
"""Pixels: the size of a check box, and where the text beside it begins."""
TOGGLE = (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Select)


class Gallery(QWidget):
    """The searchable list of what Inspect can show. It shows entries and says what the user switches."""

    switched = Signal(object, bool)
    """The user switched an entry."""

    def __init__(self) -> None:
        super().__init__()
        self._entries: Sequence[Entry] = ()
        self._view = OWN
        self.search = SearchField(tr("Search: title, formula, kind"), tr("Search readings and probes"))
        self.list = EntryList()
        self._nothing = label("", "note")
        self._nothing.setWordWrap(True)
        self._nothing.hide()
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(4)
        rows.addWidget(label(tr("Readings and probes"), "strong"))
        rows.addWidget(self.search)
        rows.addWidget(self._nothing)
        rows.addWidget(self.list)
        self.search.textChanged.connect(self._refresh)
        self.search.left.connect(self.list.enter)
        self.list.switched.connect(self.switched)

    @property
    def entries(self) -> list[Entry]:
        """The entries that are listed, without those that the search or the question leaves out."""
        return [row for row in self.list.rows if isinstance(row, Entry)]

    def show_entries(self, entries: Sequence[Entry], view: str) -> None:
        """Show entries below their questions.

        Args:
            entries: All entries.
            view: The selected question, to which the list is limited; OWN or ALL for no limit.
        """
        if (entries, view) != (self._entries, self._view):
            self._entries, self._view = entries, view
            self._refresh()

    def _refresh(self) -> None:
        text = self.search.text()
        rows: list[Row] = []
        for group, members in grouped(self._entries, self._view, text):
            rows += [group, *members]
        self.list.set_rows(rows)
        self.list.setVisible(bool(rows))
        self._nothing.setVisible(not rows)
        searched = tr("No reading or probe contains “{text}”.", text=text.strip())
        self._nothing.setText(searched if text.strip() else tr("Nothing has been read of a model yet."))


class EntryList(QListView):
    """The list, as high as its rows, so that only the panel around it scrolls."""

    switched = Signal(object, bool)

    def __init__(self) -> None:
        super().__init__()
        self._model = _Rows(self)
        self.setModel(self._model)
        self.setItemDelegate(_EntryPainter(self))
        self.setAccessibleName(tr("Readings and probes"))
        self.setProperty("role", "view")
        self.setMouseTracking(True)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.clicked.connect(self._toggle)
        self._model.switched.connect(self.switched)
        themes.changed.connect(self._fit)

    @property
    def rows(self) -> Sequence[Row]:
        """The rows, from top to bottom."""
        return self._model.rows

    def set_rows(self, rows: Sequence[Row]) -> None:
        """Show other rows; the current entry stays current, or the one that takes its place."""
        current = self.currentIndex()
        row = current.row()
        before = self.rows[row] if 0 <= row < len(self.rows) else None
        if not self._model.update_rows(rows):
            return
        self._fit()
        if not isinstance(before, Entry):
            return
        same = [at for at, one in enumerate(rows) if isinstance(one, Entry) and one.identity == before.identity]
        near = same[0] if same else min(row, len(rows) - 1)
        self.setCurrentIndex(self._model.index(near))

    def enter(self) -> None:
        """Take the focus, at the first entry."""
        self.setFocus(Qt.FocusReason.TabFocusReason)
        first = next((at for at, row in enumerate(self.rows) if isinstance(row, Entry)), -1)
        self.setCurrentIndex(self._model.index(first))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Switch the current entry with the space bar or Return."""
        if event.key() in TOGGLE and self.currentIndex().isValid():
            self._toggle(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        """Claim the space bar, which elsewhere is a shortcut of the window."""
        is_override = event.type() == QEvent.Type.ShortcutOverride
        if is_override and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Space:
            event.accept()
            return True
        return super().event(event)

    def currentChanged(self, current: Index, previous: Index) -> None:
        """Scroll the panel to the current entry while the keys move it."""
        super().currentChanged(current, previous)
        if self.hasFocus():
            self._show_row(current)

    def sizeHint(self) -> QSize:
        """Return the size of all rows."""
        heights = sum(px(ENTRY if isinstance(row, Entry) else HEADING) for row in self.rows)
        return QSize(60, heights + 2 * self.frameWidth() + 8)

    def minimumSizeHint(self) -> QSize:
        """Return the size of all rows."""
        return self.sizeHint()

    def _fit(self) -> None:
        self.scheduleDelayedItemsLayout()
        self.setFixedHeight(self.sizeHint().height())

    def _toggle(self, index: Index) -> None:
        state = index.data(Qt.ItemDataRole.CheckStateRole)
        if state is not None:
            off = Qt.CheckState(state) != Qt.CheckState.Checked
            self._model.setData(index, Qt.CheckState.Checked if off else Qt.CheckState.Unchecked, CHECK)

    def _show_row(self, index: Index) -> None:
        area = self.parentWidget()
        while area is not None and not isinstance(area, QScrollArea):
            area = area.parentWidget()
        inside = None if area is None else area.widget()
        if area is not None and inside is not None and index.isValid():
            rect = self.visualRect(cast("QModelIndex", index))
            middle = self.viewport().mapTo(inside, rect.center())
            area.ensureVisible(middle.x(), middle.y(), 0, rect.height())


CHECK = Qt.ItemDataRole.CheckStateRole


class _Rows(RowModel[Row]):
    switched = Signal(object, bool)

    def update_rows(self, rows: Sequence[Row]) -> bool:
        """Show other rows. Return True if they are not the same entries as before."""
        if [_identity(row) for row in rows] != [_identity(row) for row in self.rows]:
            self.replace(rows)
            return True
        self.rows = rows
        if rows:
            self.dataChanged.emit(self.index(0), self.index(len(rows) - 1))
        return False

    def flags(self, index: Index) -> Qt.ItemFlag:
        row = self.rows[index.row()] if index.isValid() else ""
        if not isinstance(row, Entry):
            return Qt.ItemFlag.NoItemFlags
        shown = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable | Qt.ItemFlag.ItemNeverHasChildren
        return shown | Qt.ItemFlag.ItemIsEnabled if row.is_enabled else shown

    def value(self, number: int, row: Row, role: int) -> object:
        del number
        if not isinstance(row, Entry):
            return question_label(row) if role == Qt.ItemDataRole.DisplayRole else None
        if role == CHECK:
            return Qt.CheckState.Checked if row.is_on else Qt.CheckState.Unchecked
        texts = {
            Qt.ItemDataRole.DisplayRole: tr_registered(row.title),
            Qt.ItemDataRole.AccessibleTextRole: f"{tr_registered(row.title)}, {short_cost(row.cost)}",
            Qt.ItemDataRole.AccessibleDescriptionRole: description(row),
            Qt.ItemDataRole.ToolTipRole: plain_tip(f"{tr_registered(row.title)}\n{description(row)}"),
        }
        return texts.get(Qt.ItemDataRole(role))

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        row = self.rows[index.row()] if index.isValid() else None
        if role != CHECK or not isinstance(row, Entry) or not row.is_enabled:
            return False
        self.switched.emit(row, Qt.CheckState(value) == Qt.CheckState.Checked)
        return True


def _identity(row: Row) -> tuple[object, ...]:
    return (row.is_probe, *row.identity) if isinstance(row, Entry) else (row,)


class _EntryPainter(QStyledItemDelegate):
    """Paints an entry: its switch, title and cost, and below them what it shows."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the height of a row; it is as wide as the list."""
        del option
        return QSize(0, px(ENTRY if isinstance(index.data(Qt.ItemDataRole.UserRole), Entry) else HEADING))

    def editorEvent(self, event: QEvent, model: QAbstractItemModel, option: QStyleOptionViewItem, index: Index) -> bool:
        """Leave clicks and keys to the list, which takes them on the whole row."""
        del event, model, option, index
        return False

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint a row."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        row, rect = index.data(Qt.ItemDataRole.UserRole), QRectF(option.rect)
        if isinstance(row, Entry):
            paint_background(painter, rect, option.state)
            _paint_entry(painter, rect.adjusted(4, 2, -4, -2), row)
        else:
            font = interface_font("note")
            font.setWeight(QFont.Weight.DemiBold)
            painter.setFont(font)
            painter.setPen(QColor(themes.now.dim))
            bottom = rect.adjusted(4, 0, -4, -px(4))
            flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom
            painter.drawText(bottom, flags, _elided(font, question_label(row), bottom.width()))
        painter.restore()


def _paint_entry(painter: QPainter, rect: QRectF, entry: Entry) -> None:
    theme, line = themes.now, rect.height() / 2
    _paint_box(painter, QRectF(rect.left(), rect.top() + (line - px(BOX)) / 2, px(BOX), px(BOX)), entry)
    text = rect.adjusted(px(TEXT), 0, 0, 0)
    note, font, cost = interface_font("note"), interface_font("text"), short_cost(entry.cost)
    taken = QFontMetricsF(note).horizontalAdvance(cost)
    painter.setFont(note)
    painter.setPen(QColor(theme.dim))
    middle = Qt.AlignmentFlag.AlignVCenter
    painter.drawText(QRectF(text.right() - taken - 1, text.top(), taken + 1, line), middle, cost)
    caption, colour = (entry.problem, theme.bad) if entry.problem else (tr_registered(entry.caption), theme.dim)
    painter.setPen(QColor(colour))
    below = QRectF(text.left(), text.top() + line, text.width(), line)
    painter.drawText(below, middle, _elided(note, caption, below.width()))
    painter.setFont(font)
    painter.setPen(QColor(theme.text if entry.is_enabled else theme.dim))
    title = QRectF(text.left(), text.top(), text.width() - taken - 8, line)
    painter.drawText(title, middle, _elided(font, tr_registered(entry.title), title.width()))


def _paint_box(painter: QPainter, box: QRectF, entry: Entry) -> None:
    theme = themes.now
    is_strong = entry.is_on and entry.is_enabled
    painter.setPen(QColor(theme.accent if is_strong else theme.field if entry.is_enabled else theme.line))
    painter.setBrush(QColor(theme.accent if is_strong else theme.card))
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
    if entry.is_on:
        paint_icon(painter, "check", box.adjusted(2, 2, -2, -2), theme.on_accent if is_strong else theme.dim)


def _elided(font: QFont, text: str, width: float) -> str:
    return QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, width)
