"""The palette: type a few letters, and do any command, select any run or jump to any setting."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import NamedTuple

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt, Slot
from PySide6.QtGui import QColor, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QApplication,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from lab.shell.actions.registry import Actions
from lab.widgets.core.controls import label
from lab.widgets.core.i18n import tr
from lab.widgets.core.overlay import Overlay
from lab.widgets.core.theme import ROW, interface_font, themes

WIDTH, TOP = 620, 56
"""Pixels: how wide it is, and how far below the window's upper edge."""
ROWS = 9
"""Entries seen at once."""
MOST = 60
"""Entries listed at once."""
RECENT = 8
"""Entries that are remembered as done last."""
DETAIL = Qt.ItemDataRole.UserRole
"""Role of the words at the right of an entry."""


class Entry(NamedTuple):
    """One thing that the palette offers.

    Args:
        title: In its row.
        detail: Dim at the right of the row: a shortcut, a state, a value.
        do: What it does.
    """

    title: str
    detail: str
    do: Callable[[], object]


Provider = Callable[[], Iterable[tuple[str, str, Callable[[], object]]]]
"""Gives more entries (title, detail, do), asked each time the palette opens."""


class CommandPalette(Overlay):
    """A field and a list of all that can be done now.

    Args:
        actions: The commands of the window.
        window: The window it lies over.
    """

    def __init__(self, actions: Actions, window: QWidget) -> None:
        super().__init__(window, tr("Commands"))
        self._actions = actions
        self._providers: list[Provider] = []
        self._entries: list[Entry] = []
        self._recent: deque[str] = deque(maxlen=RECENT)
        self.field = QLineEdit()
        self.field.setPlaceholderText(tr("What do you want to do?"))
        self.field.setAccessibleName(tr("Find a command, a run or a setting"))
        self.field.setMaxLength(80)
        self.field.textEdited.connect(self._list)
        self.field.installEventFilter(self)
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Commands found"))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setUniformItemSizes(True)
        self.list.setItemDelegate(_Row(self.list))
        self.list.itemClicked.connect(self._do)
        self._nothing = label(tr("Nothing here has these words."), "dim")
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._nothing.setFixedHeight(ROW)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.setSpacing(8)
        layout.addWidget(self.field)
        layout.addWidget(self.list)
        layout.addWidget(self._nothing)

    def add_provider(self, provide: Provider) -> None:
        """Has more entries offered: runs to select, settings to jump to."""
        self._providers.append(provide)

    @Slot()
    def toggle(self) -> None:
        """Opens it, or shuts it when it is open."""
        if not self.isHidden():
            self.shut()
            return
        self._actions.refresh()
        self._entries = [
            Entry(action.command.title, action.command.shown_shortcut or action.command.group, action.trigger)
            for action in self._actions.all()
            if action.isEnabled()
        ]
        for provide in self._providers:
            self._entries += [Entry(*entry) for entry in provide()]
        self.field.clear()
        self._list()
        self.show_over(self.field)

    def place(self) -> None:
        """At the top in the middle, as high as its list."""
        width = min(WIDTH, self._window.width() - 40)
        rows = min(ROWS, self.list.count())
        self.list.setFixedHeight(rows * ROW)
        self.list.setVisible(rows > 0)
        self._nothing.setVisible(rows == 0)
        self.setGeometry((self._window.width() - width) // 2, TOP, width, self.sizeHint().height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Up, down and Enter in the field act on the list; whoever clicks elsewhere has left the palette."""
        if watched is self.field:
            if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
                return self._steer(event)
            if event.type() == QEvent.Type.FocusOut and self._focus_left():
                self.shut()
            return False
        return super().eventFilter(watched, event)

    def _focus_left(self) -> bool:
        now = QApplication.focusWidget()
        return now is not None and now is not self and not self.isAncestorOf(now)

    def _steer(self, event: QKeyEvent) -> bool:
        key, count = event.key(), self.list.count()
        steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: ROWS, Qt.Key.Key_PageUp: -ROWS}
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if (item := self.list.currentItem()) is not None:
                self._do(item)
            return True
        step = steps.get(Qt.Key(key))
        if step is None or not count:
            return False
        row = self.list.currentRow() + step
        self.list.setCurrentRow(row % count if abs(step) == 1 else max(0, min(count - 1, row)))
        return True

    @Slot()
    def _list(self) -> None:
        """Lists what has the words, what was done last first."""
        typed = self.field.text().lower().split()
        found = [e for e in self._entries if all(runs_along(word, _words(f"{e.title} {e.detail}")) for word in typed)]
        recent = list(self._recent)
        found.sort(key=lambda entry: recent.index(entry.title) if entry.title in recent else RECENT)
        self.list.clear()
        for entry in found[:MOST]:
            item = QListWidgetItem(entry.title)
            item.setData(DETAIL, entry.detail)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{entry.title}, {entry.detail}")
            self.list.addItem(item)
        self._found = found[:MOST]
        self.list.setCurrentRow(0)
        self.place()

    @Slot(QListWidgetItem)
    def _do(self, item: QListWidgetItem) -> None:
        entry = self._found[self.list.row(item)]
        if entry.title in self._recent:
            self._recent.remove(entry.title)
        self._recent.appendleft(entry.title)
        self.shut()  # first, so that what is done may give the focus to something else
        entry.do()


def runs_along(letters: str, words: list[str]) -> bool:
    """Whether letters run along the beginnings of words, in order: "str" along "start run", "run" too, "art" not.

    Args:
        letters: In lower case.
        words: In lower case.
    """
    if not letters:
        return True
    for at, word in enumerate(words):
        common = next((n for n, (a, b) in enumerate(zip(letters, word, strict=False)) if a != b), None)
        longest = min(len(letters), len(word)) if common is None else common
        if any(runs_along(letters[taken:], words[at + 1 :]) for taken in range(longest, 0, -1)):
            return True
    return False


def _words(title: str) -> list[str]:
    return "".join(letter if letter.isalnum() else " " for letter in title.lower()).split()


class _Row(QStyledItemDelegate):
    """Paints an entry: its title at the left, its detail at the right."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Both in the colours of the theme; what is chosen on the accent."""
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        place: QRect = option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if chosen:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(themes.now.accent))
            painter.drawRoundedRect(place, 6, 6)
        inside, middle = place.adjusted(10, 0, -10, 0), Qt.AlignmentFlag.AlignVCenter
        painter.setFont(interface_font("note"))
        detail = str(index.data(DETAIL))
        width = min(painter.fontMetrics().horizontalAdvance(detail) + 2, inside.width() // 2)
        painter.setPen(QColor(themes.now.on_accent if chosen else themes.now.dim))
        shown = painter.fontMetrics().elidedText(detail, Qt.TextElideMode.ElideRight, width)
        painter.drawText(inside, middle | Qt.AlignmentFlag.AlignRight, shown)
        painter.setFont(interface_font())
        painter.setPen(QColor(themes.now.on_accent if chosen else themes.now.text))
        inside.setRight(inside.right() - width - 16)
        title = painter.fontMetrics().elidedText(str(index.data()), Qt.TextElideMode.ElideRight, inside.width())
        painter.drawText(inside, middle, title)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """One row."""
        del option, index
        return QSize(100, ROW)
