"""The card: one titled view in a place, with its controls at the right of its title, and never blank."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPlainTextEdit, QSizePolicy, QStackedLayout, QVBoxLayout, QWidget

from lab.base.problems import Problem
from lab.widgets.core.controls import Button, follow_in_tab_order, label, plain_tip, tab_stops
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import CONTROL, INSIDE, interface_font, token_font

TITLE = 104
"""Pixels that a title keeps, where it has so many."""
NOTE = 1000
"""Share of the room beside a title that its note takes, up to its width; the rest stays free."""


class Card(QFrame):
    """A titled view.

    Its body is in one of three states: the content, an empty state that says what will appear here and offers the
    action that makes it appear, or what a broken view said.

    Args:
        title: What it shows, in its title and for screen readers.
        parent: Its parent.
    """

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self.setAccessibleName(title)
        self._title = _Title(title)
        self._note = _Title("", role="note")
        self.head = QHBoxLayout()
        self.head.setContentsMargins(INSIDE, 0, 8, 0)
        self.head.setSpacing(4)
        self.head.addWidget(self._title)
        self.head.addWidget(self._note, NOTE)
        self.head.addStretch(1)
        self._pages = QStackedLayout()
        self.body = QWidget()
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 8, 0, INSIDE)
        outer.setSpacing(6)
        outer.addWidget(title_row(self.head))
        outer.addLayout(self._pages, 1)
        self._pages.addWidget(self.body)  # only now: what a layout without a widget shows is a window of its own
        self._other: QWidget | None = None

    @property
    def title(self) -> str:
        """Its title."""
        return self._title.whole

    @property
    def note(self) -> str:
        """The note beside its title."""
        return self._note.whole

    def set_title(self, title: str, note: str = "") -> None:
        """Gives it another title, and a note in dim type beside it."""
        self._title.set_whole(title)
        self._note.set_whole(note)
        self.setAccessibleName(title)

    def add_control(self, control: QWidget) -> None:
        """Puts a quiet control at the right end of the title row; before the content, as the tab key comes to it."""
        self.head.addWidget(control, 0, Qt.AlignmentFlag.AlignRight)

    def set_content(self, content: QWidget, margin: int = INSIDE) -> None:
        """Puts the view into the body; to be called once.

        Args:
            content: The view.
            margin: Pixels left free at its left and right; charts bring their own.
        """
        layout = QVBoxLayout(self.body)
        layout.setContentsMargins(margin, 0, margin, 0)
        layout.setSpacing(6)
        layout.addWidget(content, 1)

    def show_content(self) -> None:
        """Shows the view."""
        self._show_other(None)

    def show_empty(self, words: str, action: str = "", do: Callable[[], object] | None = None) -> None:
        """Says what will appear here, with a button that makes it appear.

        Args:
            words: One or two sentences.
            action: On the button; "" for none.
            do: What the button does; keep it a bound method.
        """
        if isinstance(self._other, _Empty) and self._other.said == (words, action):
            return
        self._show_other(_Empty(words, action, do))

    def show_broken(self, problem: Problem) -> None:
        """Shows what a view raised, with its trace, in the view's own place; the window goes on."""
        self._show_other(_Broken(problem))

    @property
    def state(self) -> str:
        """What its body shows: "content", "empty" or "broken"."""
        return "content" if self._other is None else "empty" if isinstance(self._other, _Empty) else "broken"

    def _show_other(self, page: QWidget | None) -> None:
        old, self._other = self._other, page
        if page is not None:
            before = tab_stops(self)
            self._pages.addWidget(page)
            if before:
                follow_in_tab_order(before[-1], page)
        self._pages.setCurrentWidget(page or self.body)
        if old is not None:
            self._pages.removeWidget(old)
            old.hide()
            old.deleteLater()


def title_row(row: QHBoxLayout) -> QWidget:
    """A row of title and controls, as high in every card and panel, so that titles stand on one line."""
    made = QWidget()
    made.setFixedHeight(CONTROL)
    made.setLayout(row)
    return made


class _Title(QWidget):
    """Words in one line that give way with an ellipsis, and then are whole in the tool tip; a note asks for no room."""

    def __init__(self, words: str, role: str = "title") -> None:
        super().__init__()
        self._label = label("", role)
        self._is_note = role == "note"
        self._metrics = QFontMetrics(interface_font(role))  # the label has its font once the style sheet reaches it
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._label)
        self._label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.whole = ""
        self.set_whole(words)

    def set_whole(self, words: str) -> None:
        """Shows other words."""
        self.whole = words
        width = self._metrics.horizontalAdvance(words) + 2  # the ellipsis comes with a fraction of a pixel
        self._label.setMinimumWidth(min(width, 24 if self._is_note else TITLE))
        self.setMaximumWidth(width)
        self.updateGeometry()
        self._elide()

    def sizeHint(self) -> QSize:
        """Room for all the words of a title; a note takes what is left, so that it gives way first."""
        hint = super().sizeHint()
        return hint if self._is_note else QSize(self.maximumWidth(), hint.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fits the words to the width."""
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        shown = self._metrics.elidedText(self.whole, Qt.TextElideMode.ElideRight, max(0, self.width()))
        self._label.setText(shown)
        self.setToolTip(plain_tip(self.whole) if shown != self.whole else "")


class _Empty(QWidget):
    """What a card says before it has something to show."""

    def __init__(self, words: str, action: str, do: Callable[[], object] | None) -> None:
        super().__init__()
        self.said = (words, action)
        sentence = label(words, "dim")
        sentence.setWordWrap(True)
        sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        middle = QHBoxLayout()
        middle.addStretch(1)
        middle.addWidget(sentence, 6)
        middle.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(INSIDE, INSIDE, INSIDE, INSIDE)
        layout.addStretch()
        layout.addLayout(middle)
        if action and do is not None:
            button = Button(action, role="")
            button.clicked.connect(do)
            layout.addSpacing(8)
            layout.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addStretch()


class _Broken(QWidget):
    """What a view said when it broke."""

    def __init__(self, problem: Problem) -> None:
        super().__init__()
        sentence = label(tr("This view failed: {what}", what=problem.line()), "bad")
        sentence.setWordWrap(True)
        trace = QPlainTextEdit(problem.trace or "")
        trace.setReadOnly(True)
        trace.setFont(token_font("note"))
        trace.setAccessibleName(tr("Trace"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(INSIDE, 0, INSIDE, 0)
        layout.addWidget(sentence)
        layout.addWidget(trace, 1)
        trace.setVisible(bool(problem.trace))
