"""A panel over the window that is not a dialog: it follows the window's size and keeps its keys, and Esc closes it."""

from __future__ import annotations

import shiboken6
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QWidget


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
