"""Work in the main thread, piece by piece between events, and at once as soon as the user does something."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer
from PySide6.QtGui import QWindow

ACTIONS = frozenset(
    {
        QEvent.Type.MouseButtonPress,
        QEvent.Type.Wheel,
        QEvent.Type.KeyPress,
        QEvent.Type.ShortcutOverride,
        QEvent.Type.ContextMenu,
        QEvent.Type.TouchBegin,
        QEvent.Type.DragEnter,
        QEvent.Type.Close,
    }
)
"""Events of the user, before which all pieces are done."""


class Gradually(QObject):
    """Does the pieces of a work one after the other, each between two rounds of events.

    A piece that raises ends the application: what it should have made is missing.

    Args:
        pieces: Does the next piece whenever it is advanced.
        done: Called after the last piece.
        parent: Its parent; it must live in the main thread.
    """

    def __init__(self, pieces: Iterator[None], done: Callable[[], object], parent: QObject) -> None:
        super().__init__(parent)
        self._pieces: Iterator[None] | None = pieces
        self._done = done
        self._watched: QWindow | None = None
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._do_next)

    def watch(self, window: QWindow) -> None:
        """Do all remaining pieces before the first action of the user reaches a widget of a window.

        The window of the system gets each action first, and little else: a filter of the application would be called
        for every event of every widget that is made.
        """
        if self._pieces is not None:
            self._watched = window
            window.installEventFilter(self)

    @property
    def is_finished(self) -> bool:
        """True once all pieces are done."""
        return self._pieces is None

    def start(self) -> None:
        """Do the pieces between events from now on."""
        if self._pieces is not None:
            self._timer.start(0)

    def finish(self) -> None:
        """Do all remaining pieces now."""
        pieces, self._pieces = self._pieces, None
        if pieces is None:
            return
        try:
            for _ in pieces:
                pass
        except Exception:
            self._give_up()
            raise
        self._end()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Do all remaining pieces before an action."""
        if event.type() in ACTIONS:
            self.finish()
        return super().eventFilter(watched, event)

    def _do_next(self) -> None:
        if self._pieces is None:
            return
        try:
            next(self._pieces)
        except StopIteration:
            self._pieces = None
            self._end()
        except Exception:
            self._give_up()
            raise

    def _end(self) -> None:
        self._stop()
        self._done()

    def _give_up(self) -> None:
        """End the application, since what is half made cannot be used."""
        self._stop()
        QCoreApplication.exit(1)

    def _stop(self) -> None:
        self._timer.stop()
        if self._watched is not None:
            self._watched.removeEventFilter(self)
