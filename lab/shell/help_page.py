"""The docs in the window: a panel over it that shows one page and follows its links."""

from __future__ import annotations

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QHBoxLayout, QTextBrowser, QVBoxLayout, QWidget

from lab.base.folders import resources
from lab.shell.overlay import Overlay
from lab.widgets.controls import Button, label
from lab.widgets.theme import INSIDE, themes
from lab.widgets.words import text

WIDTH, MARGIN = 860, 48
"""Pixels: how wide a page is at most, and what stays free of the window above and below it."""


class HelpPage(Overlay):
    """One page of the docs at a time.

    Args:
        window: The window it lies over.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window, text("Help"))
        self._name = ""
        self._title = label(text("Help"), "title")
        close = Button(hint=text("Close (Esc)"), icon_name="close")
        close.clicked.connect(self.shut)
        head = QHBoxLayout()
        head.addWidget(self._title)
        head.addStretch()
        head.addWidget(close)
        self._pages = QTextBrowser()
        self._pages.setProperty("role", "reading")
        self._pages.setOpenLinks(False)
        self._pages.anchorClicked.connect(self._follow)
        self._pages.setAccessibleName(text("Page"))
        rows = QVBoxLayout(self)
        rows.setContentsMargins(2 * INSIDE, INSIDE, INSIDE, INSIDE)
        rows.addLayout(head)
        rows.addWidget(self._pages, 1)
        themes.changed.connect(self._dress)

    def show_page(self, name: str) -> None:
        """Shows resources/docs/NAME.md."""
        self._name = name
        self._pages.document().setDefaultStyleSheet(f"a {{ color: {themes.now.accent}; }}")
        self._pages.setMarkdown((resources() / "docs" / f"{name}.md").read_text(encoding="utf-8"))
        self._pages.verticalScrollBar().setValue(0)
        self.show_over(self._pages)

    def place(self) -> None:
        """Lies in the middle of the window."""
        width = min(WIDTH, self._window.width() - 2 * MARGIN)
        self.setGeometry((self._window.width() - width) // 2, MARGIN, width, self._window.height() - 2 * MARGIN)

    def _follow(self, link: QUrl) -> None:
        name = link.fileName().removesuffix(".md")
        if link.isRelative() and (resources() / "docs" / f"{name}.md").is_file():
            self.show_page(name)
        elif link.scheme() in ("http", "https"):
            QDesktopServices.openUrl(link)

    def _dress(self) -> None:
        if self.isVisible():
            self.show_page(self._name)
