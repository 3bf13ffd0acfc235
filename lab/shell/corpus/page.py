"""The text page over the window: tabs about the corpus and the tokenizer of the draft."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRectF, Qt
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QProgressBar, QStackedWidget, QVBoxLayout, QWidget

from lab.api import Examples, Text
from lab.shell.session.corpus import DraftCorpus
from lab.widgets.core.card import title_row
from lab.widgets.core.controls import Button, follow_in_tab_order, label, tab_stops
from lab.widgets.core.i18n import tr
from lab.widgets.core.overlay import Overlay
from lab.widgets.core.theme import INSIDE, themes

if TYPE_CHECKING:
    from lab.shell.session.session import Session

MARGIN, TOP, FOOT = 10, 56, 36
"""Free margins of the window in pixels: at the sides, above and below."""
RADIUS = 10
PLAIN = Qt.KeyboardModifier.NoModifier | Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier


class TextPage(Overlay):
    """The text page, with one tab for each view of the corpus.

    Args:
        window: The window over which it opens.
        session: The session, whose draft names corpus and tokenizer.
        reveal: Shows a field of the draft.
    """

    def __init__(self, window: QWidget, session: Session, reveal: Callable[[str], object]) -> None:
        super().__init__(window, tr("Text"))
        self.setProperty("role", "")  # it paints its background itself, so that nothing below it is painted too
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self._session, self._reveal = session, reveal
        self.corpus = DraftCorpus(session.draft, session.background, self)
        self._note = label("", "note")
        self._tabs = QButtonGroup(self)
        self._tabs.idClicked.connect(self._open_tab)
        self._pages = QStackedWidget()
        self._keys: list[str] = []
        self._rows: list[QVBoxLayout] = []
        self._makers: list[Callable[[], QWidget] | None] = []  # for tabs that were not opened yet
        self._progress = QProgressBar()
        self._progress.setRange(0, 0)
        self._progress.setFixedWidth(96)
        self._progress.setTextVisible(False)
        self._progress.setAccessibleName(tr("The corpus is being read"))
        self._cancel = Button(tr("Cancel"), hint=tr("Stop waiting for the corpus"))
        self._cancel.clicked.connect(self.corpus.cancel)
        self.close_button = Button(hint=tr("Close (Esc)"), icon_name="close")
        self.close_button.clicked.connect(self.shut)
        self._row = QHBoxLayout()
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(4)
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, 0, 0)
        head.setSpacing(8)
        head.addWidget(label(tr("Text"), "title"))
        head.addSpacing(8)
        head.addLayout(self._row)
        head.addSpacing(8)
        head.addWidget(self._note, 1)
        for widget in (self._progress, self._cancel, self.close_button):
            head.addWidget(widget)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(INSIDE, 8, INSIDE, INSIDE)
        rows.setSpacing(8)
        rows.addWidget(title_row(head))
        rows.addWidget(self._make_refusal())
        rows.addWidget(self._pages, 1)
        self.add_tab("choose", tr("Corpora"), self._picker)
        self.add_tab("statistics", tr("Statistics"), self._statistics)
        self.add_tab("tokens", tr("Tokens"), self._tokens)
        self.add_tab("merges", tr("Merges"), self._merges)
        self.corpus.changed.connect(self._show_state)
        self._tabs.button(0).setChecked(True)
        self._show_state()

    # A tab is imported and made when it is first opened, so that the window opens sooner.

    def _picker(self) -> QWidget:
        from lab.shell.corpus.picker.tab import PickerTab

        return PickerTab(self._session, self.corpus)

    def _statistics(self) -> QWidget:
        from lab.shell.corpus.statistics.tab import StatisticsTab

        return StatisticsTab(self.corpus, self._session.background)

    def _tokens(self) -> QWidget:
        from lab.shell.corpus.tokens_tab import TokensTab

        return TokensTab(self.corpus, self._session.plugins, self._session.background)

    def _merges(self) -> QWidget:
        from lab.shell.corpus.merges_tab import MergesTab

        return MergesTab(self.corpus, self._session.background)

    def _make_refusal(self) -> QWidget:
        """Make the row with the problem of the corpus and its remedies."""
        self._problem = label("", "bad")
        self._problem.setWordWrap(True)
        self._field = Button(tr("Show field"), role="")
        self._field.clicked.connect(self._show_field)
        again = Button(tr("Read again"), role="")
        again.clicked.connect(self.corpus.read)
        self._refusal = QWidget()
        row = QHBoxLayout(self._refusal)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._problem, 1)
        row.addWidget(self._field)
        row.addWidget(again)
        return self._refusal

    def add_tab(self, key: str, title: str, make: Callable[[], QWidget]) -> None:
        """Add a tab at the right end.

        Args:
            key: Its key for `open`.
            title: The label of its button.
            make: Makes its content when the tab is first opened; the content works only while it is visible.
        """
        button = Button(title)
        button.setCheckable(True)
        before = self._tabs.button(len(self._keys) - 1) if self._keys else self
        self._tabs.addButton(button, len(self._keys))
        self._row.addWidget(button)
        QWidget.setTabOrder(before, button)
        self._keys.append(key)
        self._makers.append(make)
        page = QWidget()
        row = QVBoxLayout(page)
        row.setContentsMargins(0, 0, 0, 0)
        self._rows.append(row)
        self._pages.addWidget(page)

    def open(self, key: str = "") -> None:
        """Open the page with the tab of a key, or with the last one."""
        self._open_tab(self._keys.index(key) if key else self._pages.currentIndex())
        self.show_over(self._tabs.button(self._pages.currentIndex()))
        self.corpus.watch(True)

    def toggle(self) -> None:
        """Open or close the page."""
        if self.isHidden():
            self.open()
        else:
            self.shut()

    def place(self) -> None:
        """Cover most of the window."""
        width, height = self._window.width(), self._window.height()
        self.setGeometry(MARGIN, TOP, width - 2 * MARGIN, height - TOP - FOOT)

    def shut(self) -> None:
        """Close the page, and stop watching the corpus."""
        super().shut()
        self.corpus.watch(False)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the background of an overlay, and that of the window in its corners."""
        del event
        painter, theme = QPainter(self), themes.now
        painter.fillRect(self.rect(), QColor(theme.ground))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(theme.field))
        painter.setBrush(QColor(theme.card))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        painter.end()

    def event(self, event: QEvent) -> bool:
        """Handle all keys without Ctrl before shortcuts of the window, so that nothing starts below the page."""
        override = event.type() == QEvent.Type.ShortcutOverride
        if override and isinstance(event, QKeyEvent) and not event.modifiers() & ~PLAIN and not _is_function_key(event):
            event.accept()
            return True
        return super().event(event)

    def _open_tab(self, number: int) -> None:
        make = self._makers[number]
        if make is not None:
            self._makers[number] = None
            made = make()
            self._rows[number].addWidget(made)
            follow_in_tab_order(tab_stops(self._refusal)[-1], made)
        self._pages.setCurrentIndex(number)
        self._tabs.button(number).setChecked(True)

    def _show_field(self) -> None:
        problem = self.corpus.problem
        self.shut()
        if problem is not None and problem.field:
            self._reveal(problem.field)

    def _show_state(self) -> None:
        """Show the name of the corpus, the progress of reading it, or the problem."""
        corpus = self.corpus
        note = tr("Reading the corpus") if corpus.is_reading else corpus.name
        if corpus.beginning:
            count = f"{len(corpus.beginning):,}"
            if isinstance(corpus.source, Examples):
                note = tr("examples of {name}", name=corpus.name)
            elif isinstance(corpus.source, Text):
                note = tr("{name} · {n} characters", name=corpus.name, n=count)
            else:
                note = tr("{name} · its first {n} characters", name=corpus.name, n=count)
        self._note.setText(note)
        for widget in (self._progress, self._cancel):
            widget.setVisible(corpus.is_reading)
        problem = corpus.problem
        self._refusal.setVisible(problem is not None)
        self._problem.setText("" if problem is None else problem.line())
        self._field.setVisible(problem is not None and bool(problem.field))


def _is_function_key(event: QKeyEvent) -> bool:
    return Qt.Key.Key_F1 <= event.key() <= Qt.Key.Key_F35
