"""The start of the window: application, theme, single instance, and the end of the process."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

from lab.base.jobs import running_jobs
from lab.base.processes import on_signals
from lab.host import Plugins
from lab.shell.runtime.garbage import Collector
from lab.shell.runtime.single_instance import Instance, offer
from lab.shell.runtime.window_state import WindowState
from lab.shell.session.session import Session
from lab.shell.window.main_window import Window
from lab.shell.window.pictures import Pictures
from lab.widgets.core.i18n import language
from lab.widgets.core.theme import themes

FULL = QSize(1600, 1000)
"""Size of the window in pictures."""
SWITCH = 0.0005
"""Seconds after which a thread that computes in Python gives the main thread its turn."""


class Application(QApplication):
    """The application of the process, which macOS notifies of files; other systems name them to a second start."""

    opened = Signal(list)
    """Files or links that the user opened with the lab while it runs."""

    def event(self, event: QEvent) -> bool:
        """Pass on the file that macOS sends in an event: it passes none on the command line."""
        if isinstance(event, QFileOpenEvent):
            self.opened.emit([event.file() or event.url().toString()])
            return True
        return super().event(event)


class WindowHost(QObject):
    """The window of the process, which is made again around the same session when the language changes.

    Args:
        session: The session; its runs continue while the window is replaced.
        state: The stored state of the window.
        gradually: True to make the parts that Home does not show after the first painting.

    Attributes:
        window: The window that is open now.
    """

    closed = Signal()
    """The window is closed, and all work has ended."""

    def __init__(self, session: Session, state: WindowState, *, gradually: bool = False) -> None:
        super().__init__()
        self._session, self._state = session, state
        self.window = self._make(gradually=gradually)

    def _make(self, *, gradually: bool = False) -> Window:
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        with themes.undressed(application):
            window = Window(self._session, self._state, gradually=gradually)
        self._session.setParent(window)
        window.closed.connect(self.closed)
        # later: the menu whose command asks for it belongs to the window that goes
        window.language_changed.connect(self._replace, Qt.ConnectionType.QueuedConnection)
        return window

    @Slot()
    def _replace(self) -> None:
        """Open a new window at the same position, and delete the old one."""
        before = self.window
        before.retire()
        self.window = self._make()
        self.window.is_remembered = before.is_remembered
        self.window.take_over(before)
        self.window.show()
        before.hide()
        before.deleteLater()

    @Slot()
    def leave(self) -> None:
        """Close the window without a question; the runs are stopped and saved."""
        self.window.leave()

    @Slot(list)
    def take_files(self, files: list[str]) -> None:
        """Open the files of a second start of the lab, and raise the window."""
        self.window.take_files(files)


def open_window(plugins: Plugins, files: Sequence[str], pictures: Path | None = None, seconds: float = 20.0) -> int:
    """Show the window until it is closed.

    Args:
        plugins: The plugins; third parties' load once the window is up.
        files: Texts, recipes and runs to open.
        pictures: A folder: the quick start is run and the window and every card saved there as PNG files.
        seconds: How long it trains before the pictures are taken.

    Returns:
        The exit status: 0, or 1 where pictures could not be saved.
    """
    sys.setswitchinterval(SWITCH)
    application = QApplication.instance() or Application(["lm-lab"])
    assert isinstance(application, QApplication)
    application.setApplicationName("lm-lab")
    application.setApplicationDisplayName("LM Lab")
    application.setDesktopFileName("lm-lab")  # by which a desktop finds its icon
    if pictures is None and offer(list(files)):
        return 0
    state = WindowState()
    state.load()
    language.use(state.shown_language)
    themes.start(application, state.shown_appearance)
    application.setQuitOnLastWindowClosed(False)
    gradually = pictures is None and not files
    host = WindowHost(Session(plugins, floors=True), state, gradually=gradually)
    host.closed.connect(application.quit)
    if isinstance(application, Application):
        application.opened.connect(host.take_files)
    window = host.window
    instance = Instance(host) if pictures is None else None
    if instance is not None:
        instance.files.connect(host.take_files)
    taken = None
    if pictures is not None:
        taken = Pictures(window, window.session, window, window.shutdown.close, pictures, seconds)
        window.is_remembered = False
        window.resize(FULL)

    collector = Collector(host)
    collector.start()
    collector.pause()
    for ended in (window.session.warm_up.done, window.session.warm_up.failed):
        ended.connect(collector.resume)
    try:
        window.show()
        window.session.open_paths(files)
        with on_signals(lambda _: QTimer.singleShot(0, host.leave)):  # a signal interrupts any code; an event does not
            application.exec()
    finally:
        collector.stop()
        if instance is not None:
            instance.close()
    status = 0 if taken is None or taken.problem is None else 1
    if running_jobs():  # what did not end in time: a thread in torch's hands would abort the interpreter at its end
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
    return status


def has_screen() -> bool:
    """Return True if a window can be shown: on Linux Qt ends the process if it finds no display."""
    if sys.platform != "linux" or os.environ.get("QT_QPA_PLATFORM"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
