"""Notices in a corner of the window: no dialog, no stolen focus; the same one again is counted."""

from __future__ import annotations

import re
import threading
import time
from collections import deque
from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QEnterEvent, QIcon
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from lab.base.notices import Level, Notice, listen
from lab.base.problems import Problem
from lab.widgets.core.controls import Button, label
from lab.widgets.core.i18n import tr
from lab.widgets.core.icons import SIZE, icon
from lab.widgets.core.theme import INSIDE, themes

WIDTH, EDGE, FOOT = 400, 16, 40
"""Pixels: how wide a notice is, and how far it stays from the right and the lower edge, where the status stands."""
SHOWN = 3
"""Notices seen at once; the log has all."""
SECONDS: dict[Level, float] = {"info": 6.0, "warning": 12.0}
"""How long a notice stays that the mouse is not over; errors stay until they are closed."""
LONGEST = 320
"""Characters of a notice; the log has the rest."""
AT_ONCE, PAUSE = 50, 30
"""Notices taken over at once, and milliseconds until the next ones are."""
WAITING = 1000
"""Notices that may wait to be taken over; a flood loses its oldest."""


class Toasts(QWidget):
    """Shows what the lab has to tell, and hands every notice on in the main thread.

    Signals: `came` (Notice), `field_asked` (str: Problem.field), `details_asked` (Notice).

    Args:
        window: The window it lies over.
        has_field: Whether the window can show a field by this name; asked before a button offers it.
        beside: What stands at the right and is not to be covered, as it has a button that people press; None for
            nothing.
    """

    came = Signal(object)
    field_asked = Signal(str)
    details_asked = Signal(object)
    _woken = Signal()

    def __init__(
        self,
        window: QWidget,
        has_field: Callable[[str], bool] | None = None,
        beside: QWidget | None = None,
    ) -> None:
        super().__init__(window)
        self._window, self._has_field, self._beside = window, has_field, beside
        self.setAccessibleName(tr("Notices"))
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(8)
        self._older: deque[Notice] = deque(maxlen=1)
        self._more = Button(tr("Earlier ones are in the log"), role="")
        self._more.clicked.connect(self._ask_older)
        self._more.hide()
        self._layout.addWidget(self._more, 0, Qt.AlignmentFlag.AlignRight)
        self.toasts: list[Toast] = []
        self._waiting: deque[Notice] = deque(maxlen=WAITING)
        self._lock = threading.Lock()
        self._asleep = True
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE)
        self._pause.timeout.connect(self._take)
        self._woken.connect(self._pause.start, Qt.ConnectionType.QueuedConnection)
        self._silence = listen(self._hear)
        self.hide()

    def offer(self, words: str, face: str, do: Callable[[], object]) -> None:
        """Tells something that can be answered with one click; called in the main thread.

        Args:
            words: What is told.
            face: On the button.
            do: What it does; keep it a bound method or an object of its own.
        """
        notice = Notice("info", Problem(words), time.time())
        self._put(Toast(notice, self, (face, do)))
        self._place()
        self.came.emit(notice)

    def stop(self) -> None:
        """Hears no more; what waited is handed on."""
        self._silence()
        self._pause.stop()
        while self._waiting:
            self.came.emit(self._waiting.popleft())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follows the window's size."""
        if event.type() == QEvent.Type.Resize and watched is self._window:
            self._place()
        return False

    def _hear(self, notice: Notice) -> None:
        """Called in whichever thread had something to tell."""
        with self._lock:
            self._waiting.append(notice)
            wake, self._asleep = self._asleep, False
        if wake:
            self._woken.emit()

    @Slot()
    def _take(self) -> None:
        with self._lock:
            notices = [self._waiting.popleft() for _ in range(min(AT_ONCE, len(self._waiting)))]
            self._asleep = not self._waiting
        for notice in notices:
            if notice.level != "debug":
                self._show(notice)
            self.came.emit(notice)
        if not self._asleep:
            self._pause.start()
        self._place()

    def _show(self, notice: Notice) -> None:
        for toast in self.toasts:
            if toast.is_same(notice):
                toast.count_up(notice)
                return
        self._put(Toast(notice, self))

    def _put(self, toast: Toast) -> None:
        self.toasts.append(toast)
        self._layout.addWidget(toast)
        toast.show()
        while len(self.toasts) > SHOWN:
            order: tuple[Level, ...] = ("debug", "info", "warning", "error")
            least = min(self.toasts[:-1], key=lambda one: order.index(one.notice.level))
            self._older.append(least.notice)
            self._remove(least)
        toast.announce()

    def leave(self, toast: Toast) -> None:
        """Takes a notice away."""
        if toast in self.toasts:
            self._remove(toast)
            self._place()

    def offers_field(self, notice: Notice) -> bool:
        """Whether there is a field of the window to show for a notice."""
        field = notice.problem.field
        return bool(field) and (self._has_field is None or self._has_field(str(field)))

    def _remove(self, toast: Toast) -> None:
        self.toasts.remove(toast)
        self._layout.removeWidget(toast)
        toast.hide()
        toast.deleteLater()
        if not self.toasts:
            self._older.clear()

    @Slot()
    def _ask_older(self) -> None:
        self.details_asked.emit(self._older[-1])

    def _place(self) -> None:
        """In the lower right corner of what is free, no larger than what it shows."""
        self._more.setVisible(bool(self._older))
        self.setVisible(bool(self.toasts))
        self._window.removeEventFilter(self)
        if not self.toasts:
            return
        self._window.installEventFilter(self)  # only now: each event of the window then waits for Python
        width = min(WIDTH, self._window.width() - 2 * EDGE)
        for toast in self.toasts:
            toast.setFixedWidth(width)
        self._layout.activate()
        height = self._layout.totalHeightForWidth(width) if self._layout.hasHeightForWidth() else self.height()
        free = self._window.width()
        if self._beside is not None and self._beside.isVisible():
            free = self._beside.mapTo(self._window, QPoint()).x()
        self.setGeometry(max(0, free - width - EDGE), self._window.height() - height - FOOT, width, height)
        self.raise_()


class Toast(QFrame):
    """One notice.

    Args:
        notice: What it tells.
        toasts: Where it stands.
        offer: The words of a button that answers it, and what that does.
    """

    def __init__(self, notice: Notice, toasts: Toasts, offer: tuple[str, Callable[[], object]] | None = None) -> None:
        super().__init__(toasts)
        self.notice, self._toasts, self._count, self._offer = notice, toasts, 1, offer
        self.setProperty("role", "overlay")
        self._icon = QLabel()
        self._icon.setFixedSize(SIZE, SIZE + 4)
        self._icon.setContentsMargins(0, 4, 0, 0)  # as high as the first line of the words
        words = notice.problem.line()
        sentence = words if notice.problem.field else words[:1].upper() + words[1:]
        shown = sentence if len(words) <= LONGEST else f"{sentence[:LONGEST].rstrip()} …"
        self.words = label(breakable(shown))
        self.words.setWordWrap(True)
        self.words.setContentsMargins(0, 4, 0, 0)
        self.words.setAccessibleName(words)
        self.setAccessibleName(f"{level_name(notice.level)}: {words}")
        self._times = label("", "dim")
        self._times.setContentsMargins(0, 4, 0, 0)
        self._times.hide()
        close = Button(hint=tr("Close"), icon_name="close", parent=self)
        close.clicked.connect(self._leave)
        upper = QHBoxLayout()
        upper.setSpacing(8)
        top = Qt.AlignmentFlag.AlignTop
        upper.addWidget(self._icon, 0, top)
        upper.addWidget(self.words, 1, top)
        upper.addWidget(self._times, 0, top)
        upper.addWidget(close, 0, top)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(INSIDE, 10, 8, 8)
        layout.setSpacing(4)
        layout.addLayout(upper)
        lower = QHBoxLayout()
        lower.addStretch(1)
        if offer is not None:
            answer = Button(offer[0], role="", parent=self)
            answer.clicked.connect(self._answer)
            lower.addWidget(answer)
        if toasts.offers_field(notice):
            show = Button(tr("Show field"), parent=self)
            show.clicked.connect(self._ask_field)
            lower.addWidget(show)
        if notice.problem.trace or len(words) > LONGEST:
            details = Button(tr("Details"), parent=self)
            details.clicked.connect(self._ask_details)
            lower.addWidget(details)
        if lower.count() > 1:
            layout.addLayout(lower)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._leave)
        self._draw_icon()
        themes.changed.connect(self._draw_icon)
        self._wait()

    def is_same(self, notice: Notice) -> bool:
        """Whether a notice tells what this one does."""
        return (
            self._offer is None
            and notice.level == self.notice.level
            and notice.problem.line() == self.notice.problem.line()
        )

    def count_up(self, notice: Notice) -> None:
        """The same was told again."""
        self.notice = notice
        self._count += 1
        self._times.setText(tr("{count}×", count=self._count))
        self._times.show()
        self._wait()

    def announce(self) -> None:
        """Tells it to screen readers."""
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, self.accessibleName()))

    def enterEvent(self, event: QEnterEvent) -> None:
        """Stays while the mouse is over it."""
        super().enterEvent(event)
        self._timer.stop()

    def leaveEvent(self, event: QEvent) -> None:
        """Begins to wait anew."""
        super().leaveEvent(event)
        self._wait()

    def _wait(self) -> None:
        seconds = SECONDS.get(self.notice.level if self._offer is None else "warning")
        if seconds is not None and not self.underMouse():
            self._timer.start(round(1000 * seconds))

    @Slot()
    def _leave(self) -> None:
        self._toasts.leave(self)

    @Slot()
    def _answer(self) -> None:
        assert self._offer is not None
        self._leave()
        self._offer[1]()

    @Slot()
    def _ask_field(self) -> None:
        self._toasts.field_asked.emit(self.notice.problem.field)

    @Slot()
    def _ask_details(self) -> None:
        self._toasts.details_asked.emit(self.notice)

    @Slot()
    def _draw_icon(self) -> None:
        self._icon.setPixmap(level_icon(self.notice.level).pixmap(QSize(SIZE, SIZE), self.devicePixelRatioF()))


def level_icon(level: Level) -> QIcon:
    """The icon of a level, in its colour."""
    if level == "debug":
        return QIcon()
    colours = {"info": themes.now.accent, "warning": themes.now.warn, "error": themes.now.bad}
    made = QIcon(icon(level, colours[level]))
    made.addPixmap(icon(level, themes.now.on_accent).pixmap(SIZE), QIcon.Mode.Selected)
    return made


def level_name(level: Level) -> str:
    """The word for a level."""
    return {"debug": tr("Debug"), "info": tr("Note"), "warning": tr("Warning"), "error": tr("Error")}[level]


def clock(notice: Notice) -> str:
    """When a notice was given, "14:03:27", in local time."""
    return time.strftime("%H:%M:%S", time.localtime(notice.time))


def breakable(words: str) -> str:
    """Words in which a line can also end inside a long path or name."""
    return re.sub(r"(?:[/\\_=:]|,(?!\d))+(?=\S)|[^\s/\\_=:,]{24}(?=\S)", "\\g<0>\u200b", words)
