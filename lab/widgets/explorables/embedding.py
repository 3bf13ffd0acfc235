"""Explorables inside a text, where a picture of it names one: `![Softmax](explorable:softmax)`."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QUrl
from PySide6.QtGui import QImage, QTextCharFormat, QTextCursor, QTextDocument, QTextFormat, QTextImageFormat
from PySide6.QtWidgets import QTextBrowser, QWidget

from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import px

LEAST_HEIGHT, WIDEST = 430, 900
"""The least height of an explorable in a text, and its largest width, in pixels."""
MakeExplorable = Callable[[str], QWidget | None]
"""The type of what makes an explorable by its key; None if there is none."""


class EmbeddedExplorables(QObject):
    """The explorables of the document of a browser.

    Args:
        browser: The browser.
        make: Makes them; None leaves their titles.
        scheme: What the name of such a picture begins with, such as "explorable:".
    """

    def __init__(self, browser: QTextBrowser, make: MakeExplorable | None, scheme: str) -> None:
        super().__init__(browser)
        self.make, self._scheme = make, scheme
        self._browser = browser
        self._cards: dict[str, QWidget] = {}
        self._width = 0
        browser.viewport().installEventFilter(self)
        browser.verticalScrollBar().valueChanged.connect(self.place)

    @property
    def cards(self) -> list[QWidget]:
        """The explorables that are shown."""
        return list(self._cards.values())

    def show_document(self) -> None:
        """Make the explorables of another document, and leave room for them; those of the previous one go."""
        previous, self._cards = self._cards, {}
        for name in _names_in(self._browser.document(), self._scheme):
            key = name.removeprefix(self._scheme)
            card = previous.pop(key, None) or (None if self.make is None else self.make(key))
            if card is None:
                self._replace_by_text(name, key)
            else:
                self._cards[key] = card
                card.setParent(self._browser.viewport())
                card.show()
        for card in previous.values():
            card.hide()
            card.deleteLater()
        self._width = 0
        self.fit()

    def fit(self) -> None:
        """Fit the room for the explorables to the width of the browser."""
        width = min(self._browser.viewport().width(), px(WIDEST))
        if self._cards and width != self._width:
            self._width = width
            document = self._browser.document()
            for key, card in self._cards.items():
                card.resize(width, max(px(LEAST_HEIGHT), card.minimumSizeHint().height()))
                self._leave_room(document, f"{self._scheme}{key}", card)
        self.place()

    def place(self) -> None:
        """Put each explorable where the document leaves room for it."""
        if not self._cards:
            return
        document, top = self._browser.document(), self._browser.verticalScrollBar().value()
        for key, card in self._cards.items():
            cursor = image_cursor(document, f"{self._scheme}{key}")
            if cursor is not None:
                area = document.documentLayout().blockBoundingRect(cursor.block())
                card.move(int(area.left()), int(area.top()) - top)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Fit them when the browser is resized."""
        if event.type() == QEvent.Type.Resize:
            self.fit()
        return super().eventFilter(watched, event)

    def _leave_room(self, document: QTextDocument, name: str, card: QWidget) -> None:
        cursor = image_cursor(document, name)
        if cursor is None:
            return
        empty = QImage(1, 1, QImage.Format.Format_ARGB32_Premultiplied)
        empty.fill(0)
        document.addResource(QTextDocument.ResourceType.ImageResource.value, QUrl(name), empty)
        form = QTextImageFormat()
        form.setName(name)
        form.setWidth(card.width())
        form.setHeight(card.height())
        form.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignBottom)
        cursor.setCharFormat(form)

    def _replace_by_text(self, name: str, key: str) -> None:
        cursor = image_cursor(self._browser.document(), name)
        if cursor is not None:
            title = cursor.charFormat().stringProperty(QTextFormat.Property.ImageAltText)
            none = tr("There is no explorable “{key}” here.", key=key)
            cursor.insertText(title or key if self.make is None else none, QTextCharFormat())


def _names_in(document: QTextDocument, scheme: str) -> list[str]:
    """Return the names of the pictures of explorables in a document, each once."""
    found = []
    block = document.begin()
    while block.isValid():
        iterator = block.begin()
        while not iterator.atEnd():
            form = iterator.fragment().charFormat()
            if form.isImageFormat() and form.toImageFormat().name().startswith(scheme):
                found.append(form.toImageFormat().name())
            iterator += 1
        block = block.next()
    return list(dict.fromkeys(found))


def image_cursor(document: QTextDocument, name: str) -> QTextCursor | None:
    """Return a cursor that selects a picture of a document by its name; None if it is not there."""
    block = document.begin()
    while block.isValid():
        iterator = block.begin()
        while not iterator.atEnd():
            fragment = iterator.fragment()
            form = fragment.charFormat()
            if form.isImageFormat() and form.toImageFormat().name() == name:
                cursor = QTextCursor(document)
                cursor.setPosition(fragment.position())
                cursor.setPosition(fragment.position() + fragment.length(), QTextCursor.MoveMode.KeepAnchor)
                return cursor
            iterator += 1
        block = block.next()
    return None
