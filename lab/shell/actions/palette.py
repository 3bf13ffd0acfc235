"""The palette: a search over all commands, choices, runs, settings and pages of the help."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable
from enum import IntEnum, auto
from functools import lru_cache

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

from lab.shell.actions.entry import Entry
from lab.shell.actions.registry import Actions
from lab.widgets.core.controls import label
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.i18n import tr
from lab.widgets.core.overlay import Overlay
from lab.widgets.core.theme import ROW, control_height, interface_font, px, themes

WIDTH, TOP = 620, 56
"""Width of the palette, and its distance from the upper edge of the window, in pixels."""
ROWS = 9
"""Most entries visible at once."""
MOST = 60
"""Most entries listed at once."""
SHORTEST = 3
"""Fewest letters of a word that is searched in the sentences of an entry."""
RECENT = 8
"""Number of recently used entries that are listed first."""
DETAIL = Qt.ItemDataRole.UserRole
"""Role of the text at the right of an entry."""
Provider = Callable[[], Iterable[Entry]]
"""A function that returns more entries; called each time the palette opens."""
SearchElsewhere = Callable[[str], Entry]
"""A function that returns the entry that searches for a text elsewhere."""


class Quality(IntEnum):
    """How well an entry matches a typed text, the best first."""

    CALLED = auto()
    """This is its title, or the path of the setting that it shows."""
    BEGINNING = auto()
    """Its title begins so."""
    WORDS = auto()
    """Each typed word begins a word of its title."""
    LETTERS = auto()
    """The letters are beginnings of words of its title."""
    DETAIL = auto()
    """They are beginnings of words of its title and its detail."""
    TERMS = auto()
    """Only its sentences contain the words."""


class CommandPalette(Overlay):
    """A search field and a list of all commands that can be used now, and of further entries.

    Args:
        actions: The commands of the window.
        window: The window over which it opens.
    """

    def __init__(self, actions: Actions, window: QWidget) -> None:
        super().__init__(window, tr("Commands"))
        self._actions = actions
        self._providers: list[Provider] = []
        self._elsewhere: SearchElsewhere | None = None
        self._entries: list[Entry] = []
        self._found: list[Entry] = []
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
        self._nothing = label(tr("Nothing matches."), "dim")
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        follow_type(self._nothing, lambda nothing: nothing.setFixedHeight(control_height(ROW)))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.setSpacing(8)
        layout.addWidget(self.field)
        layout.addWidget(self.list)
        layout.addWidget(self._nothing)

    def add_provider(self, provide: Provider) -> None:
        """Add a provider of more entries, such as runs to select or settings to show."""
        self._providers.append(provide)

    def search_elsewhere(self, entry: SearchElsewhere) -> None:
        """List an entry below all that match, which searches for the typed text elsewhere."""
        self._elsewhere = entry

    @Slot()
    def toggle(self) -> None:
        """Open or close the palette."""
        if not self.isHidden():
            self.shut()
            return
        self._actions.refresh()
        self._entries = [
            Entry(
                command.key,
                command.title,
                command.shown_shortcut or command.group.title,
                action.trigger,
                f"{command.title}: {command.hint}" if command.hint else "",
            )
            for action in self._actions.all()
            if action.isEnabled() and (command := action.command)
        ]
        for provide in self._providers:
            self._entries += provide()
        self.field.clear()
        self._list()
        self.show_over(self.field)

    def shut(self) -> None:
        """Hide it, and let go of what it listed: some thousand entries."""
        super().shut()
        self._entries, self._found = [], []
        self.list.clear()

    def place(self) -> None:
        """Place it at the top of the window, centred, as high as its list."""
        width = min(px(WIDTH), self._window.width() - 40)
        room = (self._window.height() - TOP) // control_height(ROW) - 3
        rows = min(ROWS, room, self.list.count())
        self.list.setFixedHeight(rows * control_height(ROW))
        self.list.setVisible(rows > 0)
        self._nothing.setVisible(rows == 0)
        self.setGeometry((self._window.width() - width) // 2, TOP, width, self.sizeHint().height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Pass up, down and Enter in the field to the list; close the palette when it loses the focus."""
        if watched is self.field:
            if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
                return self._steer(event)
            if event.type() == QEvent.Type.FocusOut and self._lost_focus():
                self.shut()
            return False
        return super().eventFilter(watched, event)

    def _lost_focus(self) -> bool:
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
        """List the entries that match the typed text, the best matches first, of those recently used ones."""
        text = self.field.text().strip()
        typed = _words(text)
        recent = {key: position for position, key in enumerate(self._recent)}
        ranked = []
        for entry in self._entries:
            quality = _quality(entry, text.casefold(), typed)
            if quality is not None:
                shown = entry._replace(detail=excerpt(entry.terms, typed)) if quality is Quality.TERMS else entry
                ranked.append(((quality, recent.get(entry.key, RECENT), entry.kind), shown))
        found = [entry for _, entry in sorted(ranked, key=lambda pair: pair[0])]
        found = found[:MOST]
        if text and self._elsewhere is not None:
            found.append(self._elsewhere(text))
        self.list.clear()
        for entry in found:
            item = QListWidgetItem(entry.title)
            item.setData(DETAIL, entry.detail)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{entry.title}, {entry.detail}")
            self.list.addItem(item)
        self._found = found
        self.list.setCurrentRow(0)
        self.place()

    @Slot(QListWidgetItem)
    def _do(self, item: QListWidgetItem) -> None:
        entry = self._found[self.list.row(item)]
        if entry.key in self._recent:
            self._recent.remove(entry.key)
        self._recent.appendleft(entry.key)
        self.shut()  # first, so that the entry can move the focus
        entry.do()


def matches(letters: str, words: list[str]) -> bool:
    """Return True if letters match beginnings of words, in order: "str" and "run" match "start run", "art" does not.

    Args:
        letters: The letters, in lower case.
        words: The words, in lower case.
    """
    if not letters:
        return True
    for index, word in enumerate(words):
        common = next((n for n, (a, b) in enumerate(zip(letters, word, strict=False)) if a != b), None)
        longest = min(len(letters), len(word)) if common is None else common
        if any(matches(letters[taken:], words[index + 1 :]) for taken in range(longest, 0, -1)):
            return True
    return False


def contains(typed: list[str], terms: str) -> bool:
    """Return True if each typed word is the beginning of a word of some sentences.

    Args:
        typed: The words, in lower case; those of less than SHORTEST letters are in too many sentences to count.
        terms: The sentences.
    """
    words = _words(terms)
    long = [letters for letters in typed if len(letters) >= SHORTEST]
    return bool(long) and all(any(word.startswith(letters) for word in words) for letters in long)


def excerpt(terms: str, typed: list[str]) -> str:
    """Return the sentence that has the most of the typed words, from the clause with the first of them on.

    Args:
        terms: Some sentences.
        typed: The words, in lower case.
    """

    def first_hits(sentence: str) -> list[int]:
        found = (re.search(rf"\b{re.escape(letters)}", sentence.lower()) for letters in typed)
        return [hit.start() for hit in found if hit is not None]

    sentence = max(re.split(r"(?<=[.!?:;]) +", terms), key=lambda one: len(first_hits(one)))
    hits = first_hits(sentence)
    start = sentence.rfind(", ", 0, min(hits, default=0) + 1) + 2 if hits else 0
    return f"… {sentence[start:]}" if start > 1 else sentence


def _quality(entry: Entry, text: str, typed: list[str]) -> Quality | None:
    """Return how well an entry matches a typed text; None if it does not.

    Args:
        entry: The entry.
        text: The text, case-folded.
        typed: Its words, in lower case.
    """
    title, words = entry.title.casefold(), _words(entry.title)
    if text == title or ("." in text and text == entry.detail.casefold()):
        return Quality.CALLED
    if title.startswith(text):
        return Quality.BEGINNING
    if all(any(word.startswith(letters) for word in words) for letters in typed):
        return Quality.WORDS
    if all(matches(letters, words) for letters in typed):
        return Quality.LETTERS
    both = _words(f"{entry.title} {entry.detail}")
    if all(matches(letters, both) for letters in typed):
        return Quality.DETAIL
    return Quality.TERMS if entry.terms and typed and contains(typed, entry.terms) else None


@lru_cache(maxsize=8192)  # the same entries are searched after each letter
def _words(title: str) -> list[str]:
    return "".join(letter if letter.isalnum() else " " for letter in title.lower()).split()


class _Row(QStyledItemDelegate):
    """A delegate that paints an entry: its title at the left, its detail at the right."""

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Paint title and detail in the colours of the theme, with the accent behind the selected entry."""
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        rect: QRect = option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if selected:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(themes.now.accent))
            painter.drawRoundedRect(rect, 6, 6)
        inside, middle = rect.adjusted(10, 0, -10, 0), Qt.AlignmentFlag.AlignVCenter
        painter.setFont(interface_font("note"))
        detail = str(index.data(DETAIL))
        width = min(painter.fontMetrics().horizontalAdvance(detail) + 2, inside.width() // 2)
        painter.setPen(QColor(themes.now.on_accent if selected else themes.now.dim))
        shown = painter.fontMetrics().elidedText(detail, Qt.TextElideMode.ElideRight, width)
        painter.drawText(inside, middle | Qt.AlignmentFlag.AlignRight, shown)
        painter.setFont(interface_font())
        painter.setPen(QColor(themes.now.on_accent if selected else themes.now.text))
        inside.setRight(inside.right() - width - 16)
        title = painter.fontMetrics().elidedText(str(index.data()), Qt.TextElideMode.ElideRight, inside.width())
        painter.drawText(inside, middle, title)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """Return the size of a row."""
        del option, index
        return QSize(100, control_height(ROW))
