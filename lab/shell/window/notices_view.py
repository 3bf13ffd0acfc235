"""Notices below the place that is open, which shrinks for them; they take no focus, and equal ones are counted."""

from __future__ import annotations

import re
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QEnterEvent, QIcon
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from lab.base.notices import Level, Notice, listen
from lab.base.problems import Problem
from lab.widgets.core.controls import Button, label
from lab.widgets.core.i18n import tr
from lab.widgets.core.icons import SIZE, icon
from lab.widgets.core.messages import capitalized, problem_line
from lab.widgets.core.theme import INSIDE, themes

APART = 4
"""Pixels between the content of the area and the notices."""
SHOWN = 3
"""Most notices visible at once; the log has all of them."""
SECONDS: dict[Level, float] = {"warning": 12.0}
"""Seconds that a notice stays unless the mouse is over it; errors stay until they are closed."""
LONGEST = 200
"""Most characters shown of what happened, and of what to do about it; the log has the full text."""
AT_ONCE, PAUSE = 50, 30
"""Most notices added at once, and milliseconds until the next ones are."""
WAITING = 1000
"""Most notices that wait to be shown; if there are more, the oldest are lost."""


class Toasts(QWidget):
    """Shows warnings and errors, and emits every notice in the main thread.

    Signals: `received` (Notice), `informed` (str: a message of level "info", for the status line), `field_requested`
    (str: Problem.field), `details_requested` (Notice).

    Args:
        window: The window over which notices appear.
        area: The widget inside it whose content makes room for notices at its lower edge.
        has_field: Returns True if the window can show a field of this name; None means that all can be shown.
    """

    received = Signal(object)
    informed = Signal(str)
    field_requested = Signal(str)
    details_requested = Signal(object)
    _added = Signal()

    def __init__(
        self,
        window: QWidget,
        area: QWidget,
        has_field: Callable[[str], bool] | None = None,
    ) -> None:
        super().__init__(window)
        self._window, self._area, self._has_field = window, area, has_field
        self.setAccessibleName(tr("Notices"))
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(4)
        self._older: deque[Notice] = deque(maxlen=1)
        self._more = Button(tr("Earlier notices are in the log"), role="")
        self._more.clicked.connect(self._request_older)
        self._more.hide()
        self._layout.addWidget(self._more, 0, Qt.AlignmentFlag.AlignRight)
        self.toasts: list[Toast] = []
        self._waiting: deque[Notice] = deque(maxlen=WAITING)
        self._lock = threading.Lock()
        self._is_idle = True
        self._stopped = False
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE)
        self._pause.timeout.connect(self._take)
        self._added.connect(self._begin, Qt.ConnectionType.QueuedConnection)
        self._stop_listening = listen(self._receive)
        self.hide()

    def offer(self, message: str, button: str, do: Callable[[], object]) -> None:
        """Show a message with a button that does something; called in the main thread.

        Args:
            message: The message.
            button: Label of the button.
            do: Called when the button is clicked.
        """
        notice = Notice("info", Problem(message), time.time())
        self._put(Toast(notice, self, (button, do)))
        self._place()
        self.received.emit(notice)

    def stop(self) -> None:
        """Stop listening, and emit the notices that still wait."""
        self._stop_listening()
        self._stopped = True
        self._pause.stop()
        while self._waiting:
            self.received.emit(self._waiting.popleft())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Place the notices again when their area is moved or resized."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move) and watched is self._area:
            self._place()
        return False

    def _receive(self, notice: Notice) -> None:
        """Store a notice for the main thread; called in the thread that reported it."""
        with self._lock:
            self._waiting.append(notice)
            begins, self._is_idle = self._is_idle, False
        if begins:
            self._added.emit()

    @Slot()
    def _begin(self) -> None:
        if not self._stopped:
            self._pause.start()

    @Slot()
    def _take(self) -> None:
        with self._lock:
            notices = [self._waiting.popleft() for _ in range(min(AT_ONCE, len(self._waiting)))]
            self._is_idle = not self._waiting
        for notice in notices:
            if notice.level == "info":
                self.informed.emit(sentence(notice.problem))
            elif notice.level != "debug":
                self._show(notice)
            self.received.emit(notice)
        if not self._is_idle:
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

    def dismiss(self, toast: Toast) -> None:
        """Remove a notice."""
        if toast in self.toasts:
            self._remove(toast)
            self._place()

    def offers_field(self, notice: Notice) -> bool:
        """Return True if the window can show the field of a notice."""
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
    def _request_older(self) -> None:
        self.details_requested.emit(self._older[-1])

    def _place(self) -> None:
        """Place the notices at the lower edge of their area, and let its content make room for them."""
        self._more.setVisible(bool(self._older))
        self._area.removeEventFilter(self)
        if not self.toasts:
            self.hide()
            self._area.setContentsMargins(0, 0, 0, 0)
            return
        self._area.installEventFilter(self)  # only while needed, since it slows each event of the area down
        width = self._area.width()
        for toast in self.toasts:
            toast.setFixedWidth(width)
        self._layout.activate()
        height = self._layout.totalHeightForWidth(width) if self._layout.hasHeightForWidth() else self.height()
        corner = self._area.mapTo(self._window, QPoint(0, self._area.height() - height))
        self.setGeometry(corner.x(), corner.y(), width, height)
        spare = self._area.height() - self._area.minimumSizeHint().height() + self._area.contentsMargins().bottom()
        self._area.setContentsMargins(0, 0, 0, max(0, min(height + APART, spare - 1)))  # a dock may lack one
        self.show()  # in its place, or a mouse elsewhere would enter it
        self.raise_()


class Toast(QFrame):
    """One notice.

    Args:
        notice: The notice.
        toasts: Its parent.
        offer: Label of a button, and the function that it calls; None for no button.
    """

    def __init__(self, notice: Notice, toasts: Toasts, offer: tuple[str, Callable[[], object]] | None = None) -> None:
        super().__init__(toasts)
        self.notice, self._toasts, self._count, self._offer = notice, toasts, 1, offer
        self.setProperty("role", "overlay")
        self._icon = QLabel()
        self._icon.setFixedSize(SIZE, SIZE + 4)
        self._icon.setContentsMargins(0, 4, 0, 0)  # as high as the first line of the text
        message = problem_line(notice.problem)
        shown = _shortened(notice.problem)
        self.text = label(breakable(shown))
        self.text.setWordWrap(True)
        self.text.setContentsMargins(0, 4, 0, 0)
        self.text.setAccessibleName(message)
        self.setAccessibleName(f"{level_name(notice.level)}: {message}")
        self._times = label("", "dim")
        self._times.setContentsMargins(0, 4, 0, 0)
        self._times.hide()
        row = QHBoxLayout(self)
        row.setContentsMargins(INSIDE, 4, 8, 4)
        row.setSpacing(8)
        top = Qt.AlignmentFlag.AlignTop
        row.addWidget(self._icon, 0, top)
        row.addWidget(self.text, 1)
        row.addWidget(self._times, 0, top)
        if offer is not None:
            answer = Button(offer[0], parent=self)
            answer.clicked.connect(self._answer)
            row.addWidget(answer, 0, top)
        if toasts.offers_field(notice):
            show = Button(tr("Show field"), parent=self)
            show.clicked.connect(self._request_field)
            row.addWidget(show, 0, top)
        if notice.problem.trace or shown != sentence(notice.problem):
            details = Button(tr("Details"), parent=self)
            details.clicked.connect(self._request_details)
            row.addWidget(details, 0, top)
        close = Button(hint=tr("Close"), icon_name="close", parent=self)  # the last one for the tab key, too
        close.clicked.connect(self._dismiss)
        row.addWidget(close, 0, top)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._dismiss)
        self._draw_icon()
        themes.changed.connect(self._draw_icon)
        self._wait()

    def is_same(self, notice: Notice) -> bool:
        """Return True if a notice has the same level and message as this one."""
        return (
            self._offer is None
            and notice.level == self.notice.level
            and problem_line(notice.problem) == problem_line(self.notice.problem)
        )

    def count_up(self, notice: Notice) -> None:
        """Count another notice equal to this one."""
        self.notice = notice
        self._count += 1
        self._times.setText(tr("{count}×", count=self._count))
        self._times.show()
        self._wait()

    def announce(self) -> None:
        """Announce the notice to screen readers."""
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, self.accessibleName()))

    def enterEvent(self, event: QEnterEvent) -> None:
        """Keep the notice while the mouse is over it."""
        super().enterEvent(event)
        self._timer.stop()

    def leaveEvent(self, event: QEvent) -> None:
        """Restart the timer that closes the notice."""
        super().leaveEvent(event)
        self._wait()

    def _wait(self) -> None:
        seconds = SECONDS.get(self.notice.level if self._offer is None else "warning")
        if seconds is not None and not self.underMouse():
            self._timer.start(round(1000 * seconds))

    @Slot()
    def _dismiss(self) -> None:
        self._toasts.dismiss(self)

    @Slot()
    def _answer(self) -> None:
        assert self._offer is not None
        self._dismiss()
        self._offer[1]()

    @Slot()
    def _request_field(self) -> None:
        self._toasts.field_requested.emit(self.notice.problem.field)

    @Slot()
    def _request_details(self) -> None:
        self._toasts.details_requested.emit(self.notice)

    @Slot()
    def _draw_icon(self) -> None:
        self._icon.setPixmap(level_icon(self.notice.level).pixmap(QSize(SIZE, SIZE), self.devicePixelRatioF()))


def sentence(problem: Problem) -> str:
    """Return a problem as one line that starts with a capital letter, unless it starts with a name."""
    message = problem_line(problem)
    return message if problem.field else capitalized(message)


def _shortened(problem: Problem) -> str:
    """Return the sentence of a problem, with at most LONGEST characters before its remedy and of the remedy."""
    text, happened = sentence(problem), sentence(replace(problem, remedy=None))
    parts = (happened, text[len(happened) :])
    return "".join(part if len(part) <= LONGEST else f"{part[:LONGEST].rstrip()} …" for part in parts)


def level_icon(level: Level) -> QIcon:
    """Return the icon of a level, in its colour."""
    if level == "debug":
        return QIcon()
    colours = {"info": themes.now.accent, "warning": themes.now.warn, "error": themes.now.bad}
    made = QIcon(icon(level, colours[level]))
    made.addPixmap(icon(level, themes.now.on_accent).pixmap(SIZE), QIcon.Mode.Selected)
    return made


def level_name(level: Level) -> str:
    """Return the name of a level."""
    return {"debug": tr("Debug"), "info": tr("Note"), "warning": tr("Warning"), "error": tr("Error")}[level]


def clock(notice: Notice) -> str:
    """Return the local time of a notice, "14:03:27"."""
    return time.strftime("%H:%M:%S", time.localtime(notice.time))


def breakable(text: str) -> str:
    """Return a text whose lines can also break inside long paths and names."""
    return re.sub(r"(?:[/\\_=:]|,(?!\d))+(?=\S)|[^\s/\\_=:,]{24}(?=\S)", "\\g<0>\u200b", text)
