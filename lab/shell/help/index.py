"""The left column of the help: a search field, and the index or the pages found."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStackedWidget,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from lab.shell.help.library import Hit, Library
from lab.widgets.core.controls import label
from lab.widgets.core.i18n import tr, tr_n
from lab.widgets.core.theme import SIZES, interface_font, px, themes

ROW, SECTION_ROW, HIT_ROW = 24, 28, 58
"""Heights in pixels: of a page's row, of a section's row and of a hit."""
REST = 200
"""Milliseconds after the last letter until the first hit is shown."""
LINES = 2
"""Most lines of text shown for a hit."""
NAME = Qt.ItemDataRole.UserRole
"""Role of a page's name in the index, and of a Hit in the results."""
Index = QModelIndex | QPersistentModelIndex


class HelpIndex(QWidget):
    """A search field, and below it the index or the pages found.

    Signals: `page_selected` (name of a page), `hit_selected` (a Hit, and the query), `first_found` (the first Hit of a
    search that rests, and the query), `search_ended` (the field was emptied).
    """

    page_selected = Signal(str)
    hit_selected = Signal(object, str)
    first_found = Signal(object, str)
    search_ended = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._library: Library | None = None
        self.field = _SearchField()
        self.field.setPlaceholderText(tr("Search the help (Ctrl+F)"))
        self.field.setAccessibleName(tr("Search the help"))
        self.field.setClearButtonEnabled(True)
        self.field.textChanged.connect(self._search)
        self._resting = QTimer(self)
        self._resting.setSingleShot(True)
        self._resting.setInterval(REST)
        self._resting.timeout.connect(self._show_first)
        self.field.returnPressed.connect(self._open_current)
        self.field.moved.connect(self._move)
        self.tree = QTreeWidget()
        self.tree.setHeaderHidden(True)
        self.tree.setIndentation(14)
        self.tree.setProperty("role", "view")
        self.tree.setAccessibleName(tr("Index"))
        self.tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.tree.itemClicked.connect(self._open_item)
        self.tree.itemActivated.connect(self._open_item)
        self.hits = QListWidget()
        self.hits.setItemDelegate(_HitDelegate(self.hits))
        self.hits.setProperty("role", "view")
        self.hits.setAccessibleName(tr("Pages found"))
        self.hits.setMouseTracking(True)
        self.hits.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.hits.itemClicked.connect(self._open_hit)
        self.hits.itemActivated.connect(self._open_hit)
        self._found = label("", "note")
        self._found.setWordWrap(True)
        self._found.hide()
        self._stack = QStackedWidget()
        self._stack.addWidget(self.tree)
        self._stack.addWidget(self.hits)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.addWidget(self.field)
        rows.addWidget(self._found)
        rows.addWidget(self._stack, 1)
        themes.changed.connect(self._resize_type)

    def show_library(self, library: Library) -> None:
        """Show the index of a library; sections that the user closed stay closed."""
        closed = {section.text(0) for section in self._sections() if not section.isExpanded()}
        known = {section.text(0) for section in self._sections()}
        self._library = library
        self.tree.clear()
        for number, (title, pages) in enumerate(library.sections().items()):
            section = QTreeWidgetItem([title])
            section.setSizeHint(0, QSize(0, px(SECTION_ROW)))
            font = interface_font("text")
            font.setBold(True)
            section.setFont(0, font)
            self.tree.addTopLevelItem(section)
            for page in pages:
                item = QTreeWidgetItem([page.title])
                item.setData(0, NAME, page.name)
                item.setToolTip(0, page.title)
                item.setSizeHint(0, QSize(0, px(ROW)))
                section.addChild(item)
            section.setExpanded(number == 0 if title not in known else title not in closed)

    def search(self, text: str) -> None:
        """List the pages that contain all words of a text."""
        self.field.setText(text)

    def _resize_type(self) -> None:
        """Make the index again for another size of the type."""
        if self._library is not None:
            self.show_library(self._library)
        self.hits.scheduleDelayedItemsLayout()

    def show_current(self, name: str) -> None:
        """Mark the current page, and open its section."""
        for section in self._sections():
            for number in range(section.childCount()):
                item = section.child(number)
                if item is not None and item.data(0, NAME) == name:
                    section.setExpanded(True)
                    self.tree.setCurrentItem(item)
                    self.tree.scrollToItem(item)
                    return
        self.tree.setCurrentItem(None)  # type: ignore[call-overload]  # Qt takes None as no item
        self.tree.scrollToTop()

    def _sections(self) -> list[QTreeWidgetItem]:
        found = (self.tree.topLevelItem(number) for number in range(self.tree.topLevelItemCount()))
        return [section for section in found if section is not None]

    def _search(self, query: str) -> None:
        self._found.setVisible(bool(query.strip()))
        self._stack.setCurrentWidget(self.hits if query.strip() else self.tree)
        self.hits.clear()
        self._resting.stop()
        if not query.strip():
            self.search_ended.emit()
        if self._library is None or not query.strip():
            return
        hits = self._library.search(query)
        for hit in hits:
            item = QListWidgetItem(f"{hit.page.title}\n{hit.snippet}")
            item.setData(NAME, hit)
            self.hits.addItem(item)
        if hits:
            self.hits.setCurrentRow(0)
            self._resting.start()
        count = tr_n("1 page", "{n} pages", len(hits))
        self._found.setText(count if hits else tr("No page has all of these words."))

    def _move(self, rows: int) -> None:
        if self._stack.currentWidget() is self.hits and self.hits.count():
            self.hits.setCurrentRow(max(0, min(self.hits.count() - 1, self.hits.currentRow() + rows)))
        elif rows > 0:
            self.tree.setFocus(Qt.FocusReason.TabFocusReason)

    def _show_first(self) -> None:
        """Show the first hit once typing pauses; typesetting a page for each letter would delay it."""
        item = self.hits.item(0)
        if item is not None and self.isVisible():
            self.first_found.emit(item.data(NAME), self.field.text())

    def _open_current(self) -> None:
        self._resting.stop()
        item = self.hits.currentItem()
        if self._stack.currentWidget() is self.hits and item is not None:
            self._open_hit(item)

    def _open_item(self, item: QTreeWidgetItem) -> None:
        name = item.data(0, NAME)
        if name is None:
            item.setExpanded(not item.isExpanded())
        else:
            self.page_selected.emit(name)

    def _open_hit(self, item: QListWidgetItem) -> None:
        self._resting.stop()
        self.hit_selected.emit(item.data(NAME), self.field.text())


class _SearchField(QLineEdit):
    """A search field whose arrow keys move through the results. Signal: `moved` (rows)."""

    moved = Signal(int)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let the arrow keys move through the results."""
        steps = {Qt.Key.Key_Down.value: 1, Qt.Key.Key_Up.value: -1}
        if event.key() in steps:
            self.moved.emit(steps[event.key()])
        else:
            super().keyPressEvent(event)


class _HitDelegate(QStyledItemDelegate):
    """A delegate that paints a found page: its title, and below it the text around the hit."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the size of a row."""
        del option, index
        return QSize(0, px(HIT_ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint a row."""
        hit = index.data(NAME)
        if not isinstance(hit, Hit):
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        row = QRectF(option.rect).adjusted(0.5, 0.5, -0.5, -0.5)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if selected or option.state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(QColor(themes.now.accent) if selected else Qt.PenStyle.NoPen)
            painter.setBrush(QColor(themes.now.panel))
            painter.drawRoundedRect(row, 4, 4)
        text = row.adjusted(8, 5, -8, -4)
        font = interface_font("text")
        font.setBold(True)
        painter.setFont(font)
        painter.setPen(QColor(themes.now.text))
        title = painter.fontMetrics().elidedText(hit.page.title, Qt.TextElideMode.ElideRight, int(text.width()))
        painter.drawText(text, int(Qt.AlignmentFlag.AlignTop), title)
        painter.setFont(interface_font("note"))
        painter.setPen(QColor(themes.now.dim))
        below = QRectF(
            text.left(), text.top() + px(SIZES["text"]) + 5, text.width(), LINES * painter.fontMetrics().lineSpacing()
        )
        painter.setClipRect(below)
        painter.drawText(below, int(Qt.TextFlag.TextWordWrap.value | Qt.AlignmentFlag.AlignTop.value), hit.snippet)
        painter.restore()
