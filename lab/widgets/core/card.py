"""The card: a titled view with its controls at the right of the title, never blank."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QHelpEvent, QResizeEvent, QTextLayout
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPlainTextEdit,
    QScrollArea,
    QSizePolicy,
    QStackedLayout,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from lab.base.problems import Problem
from lab.widgets.core.controls import Button, follow_in_tab_order, label, plain_tip, tab_stops
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.i18n import tr
from lab.widgets.core.messages import problem_line
from lab.widgets.core.theme import CONTROL, INSIDE, LARGE_TYPE, control_height, interface_font, px, themes, token_font

TITLE = 134
"""The smallest width of a title in pixels, unless it is shorter."""
SHORTEST_NOTE = 24
"""The smallest width of a note next to its title in pixels, unless it is shorter."""
NOTE = 1000
"""The stretch factor of a note next to its title, up to the width of its text."""
READABLE = 140
"""The smallest width in pixels of a shortened note next to its title; with less it stands below the title."""


class VerticalScroll(QScrollArea):
    """A frameless area, such as the content of a card, that scrolls a widget of its own width up and down.

    The focus goes to the widget and what is inside it, never to the area.

    Args:
        inside: The widget.
    """

    width_changed = Signal()
    """Its width changed."""

    def __init__(self, inside: QWidget) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(inside)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Report another width."""
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self.width_changed.emit()


class Card(QFrame):
    """A titled view.

    Its body has one of three states: the content; an empty state, with a message about what will appear here and a
    button that makes it appear; or the problem of a broken view.

    Args:
        title: Its title, also for screen readers.
        parent: Its parent.
    """

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self.setAccessibleName(title)
        self._title = _Title(title)
        self._note = _Title("", role="note", moves=True)
        self._caption_line, self._caption_text = _Caption("", role="note"), ""
        self._note.moved.connect(self._show_caption)
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
        below = QHBoxLayout()
        below.setContentsMargins(INSIDE, 0, INSIDE, 0)
        below.addWidget(self._caption_line, NOTE)
        below.addStretch(1)
        outer.addLayout(below)
        outer.addLayout(self._pages, 1)
        self._caption_line.hide()
        self._pages.addWidget(self.body)  # only now: a layout without a widget would show it as a window of its own
        self._other: QWidget | None = None

    @property
    def title(self) -> str:
        """Its title."""
        return self._title.full_text

    @property
    def note(self) -> str:
        """The note next to its title."""
        return self._note.full_text

    def set_title(self, title: str, note: str = "", hint: str = "") -> None:
        """Set the title, a note in dim type next to it or, without room for it, below it, and the note's tool tip."""
        changed = (title, note) != (self.title, self.note)
        self._title.set_full_text(title)
        self._note.set_full_text(note, hint)
        self.setAccessibleName(title)
        if changed:
            self.head.activate()  # so that the room of the note is known
            self._show_caption()

    def set_caption(self, caption: str) -> None:
        """Show a dim sentence below the title that says what the card shows; "" hides it.

        Where there is no room for the note next to the title, it stands in front of this sentence.
        """
        self._caption_text = caption
        self._note.set_movable(bool(caption))
        self._show_caption()

    def _show_caption(self) -> None:
        """Show the sentence below the title, after the note if that does not fit next to the title."""
        note = self.note if self._note.is_moved else ""
        text = " · ".join(filter(None, (note, self._caption_text)))
        self._caption_line.set_full_text(text)
        self._caption_line.setVisible(bool(text))

    def add_control(self, control: QWidget) -> None:
        """Add a quiet control at the right end of the title row; the tab key reaches it before the content."""
        self.head.addWidget(control, 0, Qt.AlignmentFlag.AlignRight)

    def set_content(self, content: QWidget, margin: int = INSIDE) -> None:
        """Put the view into the body; called once.

        Args:
            content: The view.
            margin: Free pixels at its left and right; charts have their own margins.
        """
        layout = QVBoxLayout(self.body)
        layout.setContentsMargins(margin, 0, margin, 0)
        layout.setSpacing(6)
        layout.addWidget(content, 1)

    def show_content(self) -> None:
        """Show the view."""
        self._show_other(None)

    def show_empty(self, text: str, action: str = "", do: Callable[[], object] | None = None) -> None:
        """Show a message about what will appear here, with a button that makes it appear.

        Args:
            text: One or two sentences.
            action: The label of the button; "" for no button.
            do: Called by the button; use a bound method.
        """
        if isinstance(self._other, _Empty) and self._other.shown_text == (text, action):
            return
        self._show_other(_Empty(text, action, do))

    def show_broken(self, problem: Problem) -> None:
        """Show the problem of a view and its traceback instead of the view."""
        self._show_other(_Broken(problem))

    @property
    def state(self) -> str:
        """The state of its body: "content", "empty" or "broken"."""
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
    """Return a widget with the row of title and controls, of equal height in every card and panel."""
    made = QWidget()
    made.setLayout(row)
    follow_type(made, lambda made: made.setFixedHeight(control_height(CONTROL)))
    return made


class _Title(QWidget):
    """A text in one line, elided if necessary, with the full text in the tool tip; a note requests no space."""

    moved = Signal()
    """There is room for the text now, or it has to be shown elsewhere."""

    def __init__(self, text: str, role: str = "title", *, moves: bool = False) -> None:
        super().__init__()
        self._moves = moves  # it is shown elsewhere where no readable part of it has room
        self._label = label("", role)
        self._is_note = role == "note"
        self._is_movable = self._is_laid_out = self.is_moved = False
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._label)
        self._label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.full_text, self._hint = text, ""
        follow_type(self, lambda title: title.set_full_text(title.full_text, title._hint))

    @property
    def _metrics(self) -> QFontMetrics:
        """The metrics of its font; the label has the font once the style sheet reaches it."""
        return QFontMetrics(interface_font("note" if self._is_note else "title"))

    def set_full_text(self, text: str, hint: str = "") -> None:
        """Change the text, and the tool tip that explains it."""
        self.full_text, self._hint = text, hint
        width = self._metrics.horizontalAdvance(text) + 2  # a fraction of a pixel less would elide it
        self._label.setMinimumWidth(min(width, SHORTEST_NOTE if self._is_note else px(TITLE)))
        self.setMaximumWidth(width)
        self.updateGeometry()
        self._elide()

    def set_movable(self, movable: bool) -> None:
        """Set whether the text is shown elsewhere if there is no room for all of it, and not elided here."""
        self._is_movable = movable
        self._elide()

    def sizeHint(self) -> QSize:
        """Return the size of the full title; a note takes what is left, so that it is elided first."""
        hint = super().sizeHint()
        return hint if self._is_note else QSize(self.maximumWidth(), hint.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Elide the text to the width."""
        super().resizeEvent(event)
        self._is_laid_out = True
        self._elide()

    def _elided(self, width: int) -> str:
        """Return as much of the text as has room in a width."""
        return self._metrics.elidedText(self.full_text, Qt.TextElideMode.ElideRight, width)

    def _elide(self) -> None:
        room = min(self.width(), self.maximumWidth())
        whole = room >= self.maximumWidth()
        elided = self._elided(max(0, room - 2))
        shown = self.full_text if whole else elided if room > 0 else ""
        is_cut = shown.replace("\n", " ") != self.full_text
        is_unreadable = self._moves and self._is_laid_out and room < px(READABLE)
        is_moved = is_cut and (self._is_movable or is_unreadable)
        self._label.setText("" if is_moved else shown)
        if self._is_note:  # one that stands elsewhere leaves its room to the title
            self._label.setMinimumWidth(0 if is_moved else min(self.maximumWidth(), SHORTEST_NOTE))
        hint = self._hint or (self.full_text if is_cut else "")
        self.setToolTip(plain_tip(hint) if hint else "")
        if is_moved != self.is_moved:
            self.is_moved = is_moved
            self.moved.emit()


class TermTips:
    """What the terms of captions mean.

    Attributes:
        explain: Returns what the term at a position of a text means, "" for none; None explains nothing.
    """

    explain: Callable[[str, int], str] | None = None


term_tips = TermTips()
"""The one of this process; the window sets it."""


class _Caption(_Title):
    """A text in up to two lines, the second one elided if necessary; in one line where large type leaves no room.

    Pointing at a term shows what it means.
    """

    def event(self, event: QEvent) -> bool:
        """Show what the term under the mouse means in a tool tip; the full text if there is none."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            tip = self.term_at(self._label.mapFromGlobal(event.globalPos()))
            if tip:
                QToolTip.showText(event.globalPos(), plain_tip(tip), self)
                return True
        return super().event(event)

    def term_at(self, position: QPoint) -> str:
        """Return what the term at a position of its label means; "" for none."""
        if term_tips.explain is None:
            return ""
        lines = self._label.text().split("\n")
        line = position.y() * len(lines) // max(1, self._label.height())
        if not 0 <= line < len(lines) or not 0 <= position.x() <= self._metrics.horizontalAdvance(lines[line]):
            return ""
        ends = (self._metrics.horizontalAdvance(lines[line][:count]) for count in range(len(lines[line]) + 1))
        letters = next((count for count, end in enumerate(ends) if end > position.x()), len(lines[line]))
        before = sum(len(one) + 1 for one in lines[:line])
        return term_tips.explain(" ".join(lines), before + max(0, letters - 1))

    def _elided(self, width: int) -> str:
        first = self._beginning(width)
        if themes.scale > LARGE_TYPE or not 0 < len(first) < len(self.full_text):
            return super()._elided(width)
        rest = self._metrics.elidedText(self.full_text[len(first) :], Qt.TextElideMode.ElideRight, width)
        return f"{first.rstrip()}\n{rest}"

    def _beginning(self, width: int) -> str:
        """Return the words that have room in the first line."""
        layout = QTextLayout(self.full_text, interface_font("note"))
        layout.beginLayout()
        line = layout.createLine()
        line.setLineWidth(width)
        layout.endLayout()
        return self.full_text[: line.textLength()]


class _Empty(QWidget):
    """The page of a card that has nothing to show yet."""

    def __init__(self, text: str, action: str, do: Callable[[], object] | None) -> None:
        super().__init__()
        self.shown_text = (text, action)
        sentence = label(text, "dim")
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
    """The page of a card whose view failed."""

    def __init__(self, problem: Problem) -> None:
        super().__init__()
        sentence = label(tr("This view failed: {what}", what=problem_line(problem)), "bad")
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
