"""A panel over the window that is not a dialog: it follows the window's size and keeps its keys, and Esc closes it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import shiboken6
from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QVBoxLayout, QWidget

from lab.base.problems import Problem
from lab.widgets.core.controls import Button, MenuButton, label
from lab.widgets.core.i18n import tr
from lab.widgets.core.messages import problem_line
from lab.widgets.core.theme import STEP

DRAW = 200
"""Milliseconds between two drawings while work goes on."""


class Overlay(QFrame):
    """A panel over a window, hidden at first. Subclasses define its geometry in `place`.

    Args:
        window: The window below it.
        title: Its name for screen readers.
    """

    def __init__(self, window: QWidget, title: str) -> None:
        super().__init__(window)
        self.setProperty("role", "overlay")
        self.setAccessibleName(title)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # a click between its parts must not fall through
        self.hide()
        self._window = window
        self._before: QWidget | None = None

    def place(self) -> None:
        """Set its geometry over the window; called when it is shown and when the window is resized."""
        raise NotImplementedError

    def show_over(self, first: QWidget) -> None:
        """Show it on top and give one of its widgets the focus."""
        if self.isHidden():
            self._before = QApplication.focusWidget()
            self._window.installEventFilter(self)
        self.place()
        self.show()
        self.raise_()
        first.setFocus(Qt.FocusReason.PopupFocusReason)

    def shut(self) -> None:
        """Hide it and give the focus back."""
        if self.isHidden():
            return
        self._window.removeEventFilter(self)
        now = QApplication.focusWidget()
        had_focus = now is self or (now is not None and self.isAncestorOf(now))
        before, self._before = self._before, None
        self.hide()
        if had_focus and before is not None and shiboken6.isValid(before):
            before.setFocus(Qt.FocusReason.PopupFocusReason)

    def escaped(self) -> None:
        """React to Esc."""
        self.shut()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the window's size, and close on Esc wherever in the window the focus is."""
        if watched is not self._window:
            return False
        if event.type() == QEvent.Type.Resize:
            self.place()
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and is_escape(event):
            self.escaped()
            return True
        return False

    def event(self, event: QEvent) -> bool:
        """Claim Esc and all keys without Ctrl, Alt or Meta before shortcuts of the window, but function keys."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and _is_plain(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Close on Esc; no other key reaches the window."""
        if is_escape(event):
            self.escaped()
        event.accept()

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Keep the focus inside when Tab is pressed."""
        stops: list[QWidget] = []
        widget = self.nextInFocusChain()
        while widget is not None and widget is not self:
            reached = widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisible() and widget.isEnabled()
            if reached and self.isAncestorOf(widget):
                stops.append(widget)
            widget = widget.nextInFocusChain()
        if not stops:
            return False
        now = QApplication.focusWidget()
        at = stops.index(now) if now is not None and now in stops else -1 if forward else 0
        reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
        stops[(at + (1 if forward else -1)) % len(stops)].setFocus(reason)
        return True


def is_escape(event: QKeyEvent) -> bool:
    """Return True if the key is Esc alone."""
    return event.key() == Qt.Key.Key_Escape and event.modifiers() == Qt.KeyboardModifier.NoModifier


def _is_plain(event: QKeyEvent) -> bool:
    commands = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.MetaModifier
    return not event.modifiers() & commands and not Qt.Key.Key_F1 <= event.key() <= Qt.Key.Key_F35


class Worker(Protocol):
    """Runs work in threads."""

    def run(
        self,
        title: str,
        work: Callable[[Any], Any],
        done: Callable[[Any], object],
        failed: Callable[[Problem], object] | None = None,
        *,
        replaces: str = "",
    ) -> None:
        """Run `work` with its job, and call `done` with its result or `failed` in the main thread."""
        ...

    def cancel(self, key: str) -> None:
        """Cancel the work that was started with `replaces` = key, and drop its result."""
        ...


class WorkOverlay(Overlay):
    """A panel in which one of several kinds of work is started, drawn while it goes on, cancelled, and read.

    Closed meanwhile, it cancels the work. Subclasses say what a kind does: `select`, `start`, `draw`,
    `sentence` and `progress_label`.

    Args:
        window: The window below it.
        title: Its title.
        menu: The name of the menu of kinds, and (key, title) of each.
        worker: Runs the work.
        key: The key of the work.
        size: Its width and height, where the window has room for them.

    Attributes:
        found: The last result; None before there is one.
        head: The row of the title, to which controls are added.
        rows: All rows; what is drawn stands after the explanation.
        buttons: The row of buttons.
    """

    def __init__(
        self,
        window: QWidget,
        title: str,
        menu: tuple[str, Sequence[tuple[str, str]]],
        worker: Worker,
        key: str,
        size: tuple[int, int],
    ) -> None:
        super().__init__(window, title)
        self._worker, self._key, self._size = worker, key, size
        self.found: Any = None
        self._progress = (0.0, "")
        self._clock = QTimer(self, interval=DRAW)
        self._clock.timeout.connect(self._show_progress)
        self.menu = MenuButton(menu[0], list(menu[1]), self.select, steady=True)
        self.title, self.explanation, self.text = label(title, "title"), label("", "dim"), label("", "")
        for one in (self.explanation, self.text):
            one.setWordWrap(True)
        self.start_button = Button(tr("Start"), role="primary", icon_name="start")
        self.start_button.clicked.connect(self.start)
        self.cancel = Button(tr("Cancel"))
        self.cancel.clicked.connect(self.stop)
        self.close_button = Button(tr("Close"))
        self.close_button.clicked.connect(self.shut)
        self.head, self.buttons, self.rows = QHBoxLayout(), QHBoxLayout(), QVBoxLayout(self)
        self.head.addWidget(self.title, 1)
        self.head.addWidget(self.menu)
        self.buttons.setSpacing(2 * STEP)
        self.buttons.addStretch(1)
        for button in (self.cancel, self.start_button, self.close_button):
            self.buttons.addWidget(button)
        self.rows.setContentsMargins(5 * STEP, 4 * STEP, 5 * STEP, 4 * STEP)
        self.rows.setSpacing(2 * STEP)
        self.rows.addLayout(self.head)
        self.rows.addWidget(self.explanation)
        self.rows.addWidget(self.text)
        self.rows.addLayout(self.buttons)

    def set_content(self, content: QWidget) -> None:
        """Set what is drawn, between explanation and text."""
        self.rows.insertWidget(2, content, 1)

    def place(self) -> None:
        """Place it in the middle of the window."""
        width, height = (min(self._size[0], self._window.width() - 40), min(self._size[1], self._window.height() - 40))
        self.setGeometry((self._window.width() - width) // 2, (self._window.height() - height) // 2, width, height)

    @property
    def works(self) -> bool:
        """True while work goes on."""
        return self._clock.isActive()

    def select(self, key: str) -> None:
        """Select what to do."""
        raise NotImplementedError

    def start(self) -> None:
        """Start it."""
        raise NotImplementedError

    def draw(self) -> None:
        """Draw what was found so far, or the result."""
        raise NotImplementedError

    def sentence(self) -> str:
        """Return what the result says."""
        raise NotImplementedError

    def progress_label(self, share: float) -> str:
        """Return what is done now, of which a share is done."""
        raise NotImplementedError

    def show_buttons(self) -> None:
        """Show the buttons for what can be done now."""
        self.cancel.setVisible(self.works)
        self.start_button.setVisible(not self.works)
        self.close_button.setVisible(not self.works)

    def run_work(self, title: str, work: Callable[[Any], Any]) -> None:
        """Run work in a thread; its result is shown."""
        self.found, self._progress = None, (0.0, "")
        self._worker.run(title, work, self._take, self.fail, replaces=self._key)
        self._clock.start()
        self.show_buttons()
        self._show_progress()

    def note(self, share: float, doing: str) -> None:
        """Note the progress; in the thread."""
        self._progress = share, doing

    def stop(self) -> None:
        """Cancel the work, and drop what it found."""
        if self.works:
            self._worker.cancel(self._key)
            self._clock.stop()
            self.text.setText(tr("Cancelled."))
            self.show_buttons()

    def shut(self) -> None:
        """Cancel the work and close."""
        WorkOverlay.stop(self)
        super().shut()

    def fail(self, problem: Problem) -> None:
        """Show why there is no result."""
        self._clock.stop()
        self.text.setText(problem_line(problem))
        self.show_buttons()

    def _take(self, found: Any) -> None:
        self._clock.stop()
        self.found = found
        self.text.setText(self.sentence())
        self.draw()
        self.show_buttons()

    def _show_progress(self) -> None:
        self.text.setText(self.progress_label(self._progress[0]))
        self.draw()
