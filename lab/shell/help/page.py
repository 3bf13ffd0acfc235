"""The help page: a panel over the window with index and search, a page, and the headings of that page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QDesktopServices,
    QHelpEvent,
    QKeyEvent,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QHBoxLayout, QTextBrowser, QTextEdit, QToolTip, QVBoxLayout, QWidget

from lab.base.folders import resources
from lab.base.notices import notify
from lab.base.problems import Problem
from lab.lessons.glossary import tip_at
from lab.lessons.markdown import EXPLORABLE
from lab.shell.actions.entry import Entry, Kind
from lab.shell.help.about import about_page
from lab.shell.help.headings import HeadingList
from lab.shell.help.index import HelpIndex
from lab.shell.help.library import INDEX, SETTINGS, Hit, Library, Page, anchor_of, docs_pages, settings_section
from lab.shell.help.typesetting import set_type
from lab.shell.runtime.background import Background
from lab.widgets.core.controls import Button, label, plain_tip
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.i18n import language, tr
from lab.widgets.core.overlay import Overlay
from lab.widgets.core.theme import INSIDE, mixed, px, themes
from lab.widgets.explorables.embedding import EmbeddedExplorables, MakeExplorable
from lab.workbench.settings_pages import SettingsPage

if TYPE_CHECKING:
    from lab.base.jobs import Job

WIDTH, MARGIN, COLUMN = 1200, 48, 264
"""The largest width, the free margins of the window above and below, and the width of the index, in pixels."""
MARKED = 200
"""Most hits that are marked on a page."""


class HelpPage(Overlay):
    """The panel of the help.

    Args:
        window: The window over which it opens.
        background: Runs the making of the pages about settings in a thread.
        settings_pages: Returns the pages about settings; called in a thread when the help is opened.
        make_explorable: Makes the explorables that pages name; None leaves their titles.
    """

    def __init__(
        self,
        window: QWidget,
        background: Background,
        settings_pages: Callable[[], Sequence[SettingsPage]],
        make_explorable: MakeExplorable | None = None,
    ) -> None:
        super().__init__(window, tr("Help"))
        self._background, self._settings_pages = background, settings_pages
        self._folder = resources() / "docs"
        self._library = Library(())
        self._wanted: tuple[str, str] | None = None  # a page about settings, and its anchor, until it is made
        self._is_loading = False
        self._name = ""
        self._history: list[tuple[str, int]] = []  # pages with their scroll positions
        self._current = -1
        self._is_preview = False  # the newest page of the history is a hit that nobody opened
        self.index = HelpIndex()
        follow_type(self.index, lambda index: index.setFixedWidth(px(COLUMN)))
        self.index.page_selected.connect(self.show_page)
        self.index.hit_selected.connect(self._show_hit)
        self.index.first_found.connect(self._preview)
        self.index.search_ended.connect(self._end_preview)
        self._back = Button(hint=tr("Back (Alt+Left)"), icon_name="left")
        self._back.clicked.connect(self._go_back)
        self._forward = Button(hint=tr("Forward (Alt+Right)"), icon_name="right")
        self._forward.clicked.connect(self._go_forward)
        contents = Button(tr("Contents"), hint=tr("Show the page that lists all pages"))
        contents.clicked.connect(self._show_contents)
        self._where = label("", "note")
        close = Button(hint=tr("Close (Esc)"), icon_name="close")
        close.clicked.connect(self.shut)
        head = QHBoxLayout()
        for widget in (self._back, self._forward, contents, self._where):
            head.addWidget(widget)
        head.addStretch()
        head.addWidget(close)
        self._pages = _Reader(make_explorable)
        self._pages.setProperty("role", "reading")
        self._pages.setOpenLinks(False)
        self._pages.anchorClicked.connect(self._follow)
        self._pages.stepped.connect(self._step)
        self._pages.setAccessibleName(tr("Page"))
        self.headings = HeadingList()
        self.headings.heading_selected.connect(self._scroll_to_heading)
        right = QVBoxLayout()
        right.addLayout(head)
        self.language_note = label(tr("This page is in English only."), "note")
        self.language_note.hide()
        right.addWidget(self.language_note)
        reading = QHBoxLayout()
        reading.setSpacing(2 * INSIDE)
        reading.addWidget(self._pages, 1)
        reading.addWidget(self.headings)
        right.addLayout(reading, 1)
        columns = QHBoxLayout(self)
        columns.setContentsMargins(INSIDE, INSIDE, INSIDE, INSIDE)
        columns.setSpacing(2 * INSIDE)
        columns.addWidget(self.index)
        columns.addLayout(right, 1)
        themes.changed.connect(self._restyle)

    def show_index(self) -> None:
        """Show the page that lists all pages, and focus the search field."""
        self.show_page(INDEX)
        self.focus_search()

    def show_page(self, name: str, anchor: str = "") -> None:
        """Show a page.

        Args:
            name: Its path below the docs, without suffix ("using/window").
            anchor: That of the heading to scroll to, on this page or the English one; "" for the start of the page.
        """
        if self.isHidden():
            self._load_library()
        missing = name not in self._library.pages
        self._wanted = (name, anchor) if missing and name.startswith(SETTINGS) and self._is_loading else None
        if missing and self._wanted is None:
            return
        if missing:  # it is shown once it is made
            name, anchor = INDEX, ""
        self._remember_scroll()
        self._is_preview = False
        if name != self._name or self._current < 0:
            self._history = [*self._history[: self._current + 1], (name, 0)]
            self._current = len(self._history) - 1
        self._render(name)
        if self.isHidden():
            self.show_over(self._pages)
        self._scroll_to_heading(self._library.pages[name].anchor(anchor))

    def focus_search(self) -> None:
        """Focus the search field and select its text."""
        self.index.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.index.field.selectAll()

    def prepare(self) -> None:
        """Read the pages in a thread, so that they can be found before the help is opened."""
        if not self._library.pages and not self._is_loading:
            about, code = about_page(), language.code
            self._make_library(lambda: [*docs_pages(self._folder, code), about])

    def entries(self) -> list[Entry]:
        """Return entries of the palette, none before `prepare`.

        There is one for each page, and one for each heading of the docs; the headings about settings are settings
        that the palette lists itself.
        """
        pages = [page for page in self._library.pages.values() if page.section]
        found = [
            Entry(f"help {page.name}", page.title, tr("Help · {section}", section=page.section),
                  partial(self.show_page, page.name), kind=Kind.HELP)
            for page in pages
        ]  # fmt: skip
        for page in pages:
            if not page.name.startswith(SETTINGS):
                where = tr("Help · {section}", section=page.title)
                for heading in page.headings:
                    anchor = anchor_of(heading)
                    show = partial(self.show_page, page.name, anchor)
                    found.append(Entry(f"help {page.name}#{anchor}", heading, where, show, kind=Kind.HELP))
        return found

    def search_entry(self, text: str) -> Entry:
        """Return the entry of the palette that searches the help for a text."""
        title = tr("Search the help for “{text}”", text=text)
        return Entry("help search", title, tr("Help"), partial(self.search, text))

    def search(self, text: str) -> None:
        """Open the help, and list the pages that contain all words of a text."""
        self.show_page(INDEX)
        self.index.search(text)
        self.focus_search()

    def place(self) -> None:
        """Place the panel in the centre of the window."""
        width = min(WIDTH, self._window.width() - 2 * MARGIN)
        self.setGeometry((self._window.width() - width) // 2, MARGIN, width, self._window.height() - 2 * MARGIN)

    def escaped(self) -> None:
        """Clear the search, or close the help if there is none."""
        if self.index.field.text():
            self.index.field.clear()
        else:
            self.shut()

    def event(self, event: QEvent) -> bool:
        """Handle the keys of the help before shortcuts of the window."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._action_of(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Search, or go back or forward."""
        action = self._action_of(event)
        if action is None:
            super().keyPressEvent(event)
        else:
            action()
            event.accept()

    def _action_of(self, event: QKeyEvent) -> Callable[[], object] | None:
        key, modifiers = event.key(), event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if key == Qt.Key.Key_F and modifiers == Qt.KeyboardModifier.ControlModifier:
            return self.focus_search
        if modifiers == Qt.KeyboardModifier.AltModifier:
            return {Qt.Key.Key_Left.value: self._go_back, Qt.Key.Key_Right.value: self._go_forward}.get(key)
        return None

    def _load_library(self) -> None:
        """Read the docs if they were not read yet, and make the pages about settings again, which plugins may add."""
        if not self._library.pages:
            self._library = Library([*docs_pages(self._folder, language.code), about_page()])
            self.index.show_library(self._library)
        docs = [page for page in self._library.pages.values() if not page.name.startswith(SETTINGS)]
        self._make_library(lambda: docs)

    def _make_library(self, docs: Callable[[], Sequence[Page]]) -> None:
        self._is_loading = True
        work = partial(_complete_library, docs, self._settings_pages, tr("Settings"))
        self._background.run(tr("Preparing the help"), work, self._take_library, self._no_settings, replaces="help")

    def _take_library(self, library: Library) -> None:
        self._is_loading = False
        is_new = library.pages != self._library.pages
        self._library = library
        if is_new:
            self.index.show_library(library)
            self.index.show_current(self._name)
        wanted, self._wanted = self._wanted, None
        if wanted is not None:
            self.show_page(*wanted)
        elif is_new and self._name == INDEX:
            self._restyle()

    def _no_settings(self, problem: Problem) -> None:
        self._is_loading, self._wanted = False, None
        notify("error", problem)

    def _render(self, name: str) -> None:
        self._name = name
        page = self._library.pages[name]
        self._pages.setSearchPaths([str(self._folder.joinpath(*name.split("/")[:-1]))])  # for its pictures
        self._pages.show_document(self._typeset(self._library.text(name)))
        self._pages.setExtraSelections([])
        self._pages.verticalScrollBar().setValue(0)
        self._where.setText(page.section)
        self.language_note.setVisible(page.language != language.code)
        self.headings.show_headings(self._headings() if name != INDEX else [])
        self.index.show_current(name)
        self._back.setEnabled(self._current > 0)
        self._forward.setEnabled(self._current < len(self._history) - 1)

    def _headings(self) -> list[tuple[int, str]]:
        """Return the level and the text of the headings of the page below its title."""
        found, block = [], self._pages.document().begin().next()
        while block.isValid():
            if level := block.blockFormat().headingLevel():
                found.append((level, block.text()))
            block = block.next()
        return found

    def _typeset(self, text: str) -> QTextDocument:
        """Return a document made of Markdown; without a view it is not laid out at each change."""
        made = QTextDocument(self._pages)
        made.setDefaultFont(self._pages.font())
        made.setUndoRedoEnabled(False)
        made.setDefaultStyleSheet(f"a {{ color: {themes.now.accent}; }}")
        made.setMarkdown(text)
        set_type(made)
        return made

    def _go_back(self) -> None:
        self._step(-1)

    def _go_forward(self) -> None:
        self._step(1)

    def _show_contents(self) -> None:
        self.show_page(INDEX)

    def _step(self, pages: int) -> None:
        """Go back (−1) or forward (1) in the history of pages."""
        target = self._current + pages
        if 0 <= target < len(self._history):
            self._remember_scroll()
            self._current = target
            name, scroll = self._history[target]
            self._render(name)
            self._pages.verticalScrollBar().setValue(scroll)

    def _remember_scroll(self) -> None:
        if self._current >= 0:
            self._history[self._current] = (self._name, self._pages.verticalScrollBar().value())

    def _follow(self, link: QUrl) -> None:
        if link.scheme() in ("http", "https"):
            QDesktopServices.openUrl(link)
            return
        text = link.toString()
        target = self._library.resolve("", text[1:]) if text.startswith("/") else None
        target = target or self._library.resolve(self._name, text)
        if link.isRelative() and target is not None:
            self.show_page(*target)

    def _preview(self, hit: Hit, query: str) -> None:
        """Show the first hit of a search; further letters replace it, and Back leads to the page before the search."""
        if self._is_preview and hit.page.name != self._name:
            self._history.pop()
            self._current -= 1
        is_other = self._is_preview or hit.page.name != self._name
        self._show_hit(hit, query)
        self._is_preview = is_other

    def _end_preview(self) -> None:
        """Show the page before the search again, unless the user opened one since."""
        if self._is_preview:
            self._is_preview = False
            self._go_back()

    def _show_hit(self, hit: Hit, query: str) -> None:
        """Show a found page, and mark the words of the query on it."""
        self.show_page(hit.page.name, hit.anchor)
        words = query.split()
        marks = [cursor for word in words for cursor in self._all(word)][:MARKED]
        marked = QTextCharFormat()
        marked.setBackground(QColor(mixed(themes.now.accent, themes.now.card, 0.3)))
        selections = []
        for cursor in marks:
            selection = QTextEdit.ExtraSelection()
            selection.cursor, selection.format = cursor, marked
            selections.append(selection)
        self._pages.setExtraSelections(selections)
        adjacent = self._all(" ".join(words), first=True) if len(words) > 1 else []
        first = min(adjacent or marks, key=QTextCursor.selectionStart, default=None)
        if first is not None and not hit.anchor:
            self._scroll_to(first.selectionStart())

    def _all(self, word: str, *, first: bool = False) -> list[QTextCursor]:
        """Return all positions of a word on the page, or only the first one."""
        document: QTextDocument = self._pages.document()
        found: list[QTextCursor] = []
        cursor = document.find(word)
        while not cursor.isNull() and len(found) < (1 if first else MARKED):
            found.append(cursor)
            cursor = document.find(word, cursor)
        return found

    def _scroll_to_heading(self, anchor: str) -> None:
        page = self._pages.document()
        page.documentLayout().documentSize()  # this lays out all of the page, so that the bar reaches as far
        block = page.begin()
        while anchor and block.isValid():
            if block.blockFormat().headingLevel() and anchor_of(block.text()) == anchor:
                top = page.documentLayout().blockBoundingRect(block).top()
                self._pages.verticalScrollBar().setValue(int(top))
                return
            block = block.next()

    def _scroll_to(self, position: int) -> None:
        """Scroll so that a position of the text is at a third of the height."""
        cursor = QTextCursor(self._pages.document())
        cursor.setPosition(position)
        bar = self._pages.verticalScrollBar()
        top = self._pages.cursorRect(cursor).top() + bar.value()
        bar.setValue(int(top - self._pages.viewport().height() / 3))

    def _restyle(self) -> None:
        if self.isVisible():
            scroll = self._pages.verticalScrollBar().value()
            self._render(self._name)
            self._pages.verticalScrollBar().setValue(scroll)


def _complete_library(
    docs: Callable[[], Sequence[Page]], settings_pages: Callable[[], Sequence[SettingsPage]], title: str, job: Job
) -> Library:
    """Return the library of the docs and the pages about settings, ready to be searched; in a thread."""
    del job
    library = Library([*docs(), *settings_section(settings_pages(), title)])
    library.search(title)  # this makes the texts that are searched
    return library


def explain_term(text: str, position: int) -> str:
    """Return what the term of the glossary at a position of a text means, in the window's language; "" for none."""
    return tip_at(text, position, language.code)


class _Reader(QTextBrowser):
    """The browser of a page. Signal: `stepped` (−1 or 1, for the keys that go back and forward)."""

    stepped = Signal(int)

    def __init__(self, make_explorable: MakeExplorable | None) -> None:
        super().__init__()
        self._shown: QTextDocument | None = None
        self.explorables = EmbeddedExplorables(self, make_explorable, EXPLORABLE)

    def show_document(self, document: QTextDocument) -> None:
        """Show another document, and delete the previous one."""
        previous, self._shown = self._shown, document
        self.setDocument(document)
        self.explorables.show_document()
        if previous is not None:
            previous.deleteLater()

    def event(self, event: QEvent) -> bool:
        """Show what a term of the glossary means in a tool tip."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            cursor = self.cursorForPosition(self.viewport().mapFromGlobal(event.globalPos()))
            tip = explain_term(cursor.block().text(), cursor.positionInBlock())
            if tip:
                QToolTip.showText(event.globalPos(), plain_tip(tip), self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)

    def backward(self) -> None:
        """Go back."""
        self.stepped.emit(-1)

    def forward(self) -> None:
        """Go forward."""
        self.stepped.emit(1)
