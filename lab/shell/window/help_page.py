"""The docs in the window: a panel over it that shows one page and follows its links."""

from __future__ import annotations

import re

from PySide6.QtCore import QUrl
from PySide6.QtGui import (
    QColor,
    QDesktopServices,
    QTextBlockFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextTable,
)
from PySide6.QtWidgets import QHBoxLayout, QTextBrowser, QVBoxLayout, QWidget

from lab.base.folders import resources
from lab.widgets.core.controls import Button, label
from lab.widgets.core.i18n import tr
from lab.widgets.core.overlay import Overlay
from lab.widgets.core.theme import INSIDE, SIZES, themes

WIDTH, MARGIN = 900, 48
"""Pixels: how wide a page is at most, and what stays free of the window above and below it."""
HEADINGS = {1: 18, 2: 15}
"""Pixels of type of headings by their level; others are as text."""
LEADING = 130
"""Height of a line in per cent of its type."""
PICTURE = "\ufffc"
"""What stands for a picture in the text of a page."""


class HelpPage(Overlay):
    """One page of the docs at a time.

    Args:
        window: The window it lies over.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window, tr("Help"))
        self._name = ""
        self._title = label(tr("Help"), "title")
        close = Button(hint=tr("Close (Esc)"), icon_name="close")
        close.clicked.connect(self.shut)
        head = QHBoxLayout()
        head.addWidget(self._title)
        head.addStretch()
        head.addWidget(close)
        self._pages = QTextBrowser()
        self._pages.setProperty("role", "reading")
        self._pages.setOpenLinks(False)
        self._pages.setSearchPaths([str(resources() / "docs")])  # of its pictures
        self._pages.anchorClicked.connect(self._follow)
        self._pages.setAccessibleName(tr("Page"))
        rows = QVBoxLayout(self)
        rows.setContentsMargins(2 * INSIDE, INSIDE, INSIDE, INSIDE)
        rows.setSpacing(INSIDE)
        rows.addLayout(head)
        rows.addWidget(self._pages, 1)
        themes.changed.connect(self._dress)

    def show_page(self, name: str) -> None:
        """Shows resources/docs/NAME.md."""
        self._name = name
        self._pages.document().setDefaultStyleSheet(f"a {{ color: {themes.now.accent}; }}")
        self._pages.setMarkdown((resources() / "docs" / f"{name}.md").read_text(encoding="utf-8"))
        set_type(self._pages.document())
        self._pages.verticalScrollBar().setValue(0)
        self.show_over(self._pages)

    def place(self) -> None:
        """Lies in the middle of the window."""
        width = min(WIDTH, self._window.width() - 2 * MARGIN)
        self.setGeometry((self._window.width() - width) // 2, MARGIN, width, self._window.height() - 2 * MARGIN)

    def _follow(self, link: QUrl) -> None:
        name = link.fileName().removesuffix(".md") or self._name  # a place in this very page
        if link.isRelative() and (resources() / "docs" / f"{name}.md").is_file():
            self.show_page(name)
            self._go_to(link.fragment())
        elif link.scheme() in ("http", "https"):
            QDesktopServices.openUrl(link)

    def _go_to(self, place: str) -> None:
        """Scrolls to the heading that a link names as GitHub does: small letters, hyphens for spaces."""
        page = self._pages.document()
        block = page.begin()
        while place and block.isValid():
            if block.blockFormat().headingLevel() and anchor_of(block.text()) == place:
                top = page.documentLayout().blockBoundingRect(block).top()
                self._pages.verticalScrollBar().setValue(int(top))
                return
            block = block.next()

    def _dress(self) -> None:
        if self.isVisible():
            self.show_page(self._name)


def anchor_of(heading: str) -> str:
    """What a link calls a heading."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def set_type(page: QTextDocument) -> None:
    """Gives a page its sizes of type, room between paragraphs and lines, and tables with hairlines."""
    page.setDocumentMargin(0)
    cursor = QTextCursor(page)
    block = page.begin()
    while block.isValid():
        form = block.blockFormat()
        level, code = form.headingLevel(), form.nonBreakableLines()
        cursor.setPosition(block.position())
        if level or code:
            cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
            letters = cursor.charFormat()
            letters.clearProperty(QTextFormat.Property.FontSizeAdjustment)  # it outweighs a size
            size = SIZES["note"] if code else HEADINGS.get(level, SIZES["text"])
            letters.setProperty(QTextFormat.Property.FontPixelSize, size)
            cursor.setCharFormat(letters)
        if level:
            form.setTopMargin(0 if block == page.begin() else 20)
            form.setBottomMargin(6)
        elif cursor.currentTable() is None:
            goes_on = code and block.next().isValid() and block.next().blockFormat().nonBreakableLines()
            form.setBottomMargin(0 if goes_on else 3 if block.textList() else 8)
        if not code and PICTURE not in block.text():
            form.setLineHeight(LEADING, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor.setPosition(block.position())
        cursor.setBlockFormat(form)
        block = block.next()
    for frame in page.rootFrame().childFrames():
        if isinstance(frame, QTextTable):
            lines = frame.format()
            lines.setBorderBrush(QColor(themes.now.line))
            lines.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
            lines.setBorderCollapse(True)
            lines.setCellPadding(5)
            lines.setBottomMargin(12)
            frame.setFormat(lines)
