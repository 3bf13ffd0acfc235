"""The place Data: tabs about the corpus and the tokenizer of the draft."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QHideEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QProgressBar, QStackedWidget, QVBoxLayout, QWidget

from lab.api import Examples, Rows, Text
from lab.shell.session.corpus.draft_corpus import DraftCorpus
from lab.widgets.core.card import Card, title_row
from lab.widgets.core.controls import Button, MenuChoices, follow_in_tab_order, label, tab_stops
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.i18n import number_text, tr
from lab.widgets.core.messages import problem_line
from lab.widgets.core.theme import BETWEEN, themes

if TYPE_CHECKING:
    from lab.recipes import Recipe
    from lab.shell.corpus.picker.tab import PickerTab
    from lab.shell.session.session import Session

PLAIN = Qt.KeyboardModifier.NoModifier | Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier


class DataPlace(QWidget):
    """The place Data, with one tab for each view of the corpus. It reads the corpus while it is visible.

    Args:
        session: The session, whose draft names corpus and tokenizer.
        reveal: Shows a field of the draft.
        train: Starts a run of the draft.
    """

    def __init__(self, session: Session, reveal: Callable[[str], object], train: Callable[[], object]) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # a click between its parts leaves the keys here
        self._session, self._reveal, self._train = session, reveal, train
        self._picked: PickerTab | None = None
        self._suggestion: tuple[Recipe, str] | None = None
        self.corpus = DraftCorpus(session.draft, session.background, self)
        self._note = label("", "note")
        self._tabs = QButtonGroup(self)
        self._tabs.idClicked.connect(self._open_tab)
        self._pages = QStackedWidget()
        self._keys: list[str] = []
        self._rows: list[QVBoxLayout] = []
        self._makers: list[Callable[[], QWidget] | None] = []  # for tabs that were not opened yet
        self._progress = QProgressBar()
        follow_type(self._progress, lambda bar: bar.setRange(0, int(themes.still)))  # no end is known
        self._progress.setFixedWidth(96)
        self._progress.setTextVisible(False)
        self._progress.setAccessibleName(tr("The corpus is being read"))
        self._cancel = Button(tr("Cancel"), hint=tr("Stop waiting for the corpus"))
        self._cancel.clicked.connect(self.corpus.cancel)
        self._row = QHBoxLayout()
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(4)
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, 0, 0)
        head.setSpacing(8)
        head.addLayout(self._row)
        head.addSpacing(8)
        head.addWidget(self._note, 1)
        for widget in (self._progress, self._cancel):
            head.addWidget(widget)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(BETWEEN, 4, BETWEEN, 0)
        rows.setSpacing(8)
        rows.addWidget(title_row(head))
        rows.addWidget(self._make_refusal())
        rows.addWidget(self._pages, 1)
        self.choices = MenuChoices()
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

        made = self._picked = PickerTab(self._session, self.corpus, self._train)
        if self._suggestion is not None:
            made.suggest(*self._suggestion)
        return made

    def suggest(self, recipe: Recipe, text: str) -> None:
        """Show a text about the settings that were chosen for a corpus, as long as the draft is this recipe."""
        self._suggestion = recipe, text
        if self._picked is not None:
            self._picked.suggest(recipe, text)

    def _statistics(self) -> QWidget:
        from lab.shell.corpus.statistics.tab import StatisticsTab

        return StatisticsTab(self.corpus, self._session.background, self.choices)

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
            key: Its key for `open_tab`.
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

    def open_tab(self, key: str) -> None:
        """Open the tab of a key."""
        self._open_tab(self._keys.index(key))

    @property
    def cards(self) -> list[Card]:
        """The cards of the tabs that were opened so far."""
        return self.findChildren(Card)

    def showEvent(self, event: QShowEvent) -> None:
        """Read the corpus of the draft, and watch it."""
        super().showEvent(event)
        if self._makers[self._pages.currentIndex()] is not None:
            self._open_tab(self._pages.currentIndex())
        self.corpus.watch(True)

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop watching the corpus."""
        super().hideEvent(event)
        self.corpus.watch(False)

    def event(self, event: QEvent) -> bool:
        """Handle all keys without Ctrl before shortcuts of the window: here Space opens a tab and starts no run."""
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
        if problem is not None and problem.field:
            self._reveal(problem.field)

    def _show_state(self) -> None:
        """Show the name of the corpus, the progress of reading it, or the problem."""
        corpus = self.corpus
        note = tr("Reading the corpus") if corpus.is_reading else corpus.name
        if isinstance(corpus.source, Rows):
            note = tr("{name} · {n} rows", name=corpus.name, n=number_text(len(corpus.source)))
        elif corpus.beginning:
            count = number_text(len(corpus.beginning))
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
        self._problem.setText("" if problem is None else problem_line(problem))
        self._field.setVisible(problem is not None and bool(problem.field))


def _is_function_key(event: QKeyEvent) -> bool:
    return Qt.Key.Key_F1 <= event.key() <= Qt.Key.Key_F35
