"""The shutdown of a window: ask, stop every run, save, join, and only then close."""

from __future__ import annotations

import os
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from lab.base.jobs import Job, running_jobs
from lab.shell.session.session import Session
from lab.shell.window.close_dialog import ClosingPanel
from lab.widgets.core.i18n import tr
from lab.workbench import ProcessRun

POLL = 50
"""Milliseconds between two checks whether everything is saved."""
SHOW_AFTER = 300
"""Milliseconds of saving after which its progress is shown."""


class Shutdown(QObject):
    """Closes a window without losing anything and without blocking it.

    Args:
        window: The window.
        session: What is stopped and saved.
        prepare: Called first: it stores what the window looks like and stops what generates text.
        finish: Called when everything is saved: it stops the timers and threads of the window.

    Attributes:
        ended: True once nothing runs any more, so that the window may close.
    """

    left = Signal()
    """The window is closed."""

    def __init__(
        self, window: QWidget, session: Session, prepare: Callable[[], object], finish: Callable[[], object]
    ) -> None:
        super().__init__(window)
        self.ended = False
        self._window, self._session = window, session
        self._prepare, self._finish = prepare, finish
        self._saving: Job | None = None
        self._leaves_processes = False
        self._polls = 0
        self.panel = ClosingPanel(window)
        self.panel.agreed.connect(self.close)
        self.panel.left_running.connect(self.leave_processes)
        self.panel.hurried.connect(self._exit_unsaved)
        self._timer = QTimer(self)
        self._timer.setInterval(POLL)
        self._timer.timeout.connect(self._poll)

    def ask(self) -> None:
        """Ask before a run is stopped; close at once where none would be."""
        if self._saving is not None:
            return
        working = self._session.registry.working
        if working:
            lines = [tr("{run}: {state}", run=view.name, state=view.detail()) for view in working]
            self.panel.ask(lines, can_continue=any(isinstance(view.active, ProcessRun) for view in working))
        else:
            self.close()

    def leave_processes(self) -> None:
        """Close; runs in processes of their own continue, all others are stopped and saved."""
        self._leaves_processes = True
        self.close()

    def close(self) -> None:
        """Stop, save, join and close without asking."""
        if self._saving is None:
            self._prepare()
            self._session.shut_down()
            self._saving = Job(tr("Saving and closing"), self._stop_all)
            self._saving.start()
            self._timer.start()

    def _stop_all(self, job: Job) -> None:
        del job
        self._session.workbench.close(detach_processes=self._leaves_processes)
        self._session.join()

    def _poll(self) -> None:
        assert self._saving is not None
        self._polls += 1
        if not self._saving.join(0):
            if self._polls * POLL >= SHOW_AFTER:
                self.panel.show_progress([job.title for job in running_jobs() if job is not self._saving])
            return
        self._timer.stop()
        self._session.registry.pull()
        self._session.close()
        self._finish()
        self.panel.shut()
        self.ended = True
        self._window.close()
        self.left.emit()

    def _exit_unsaved(self) -> None:
        """End the process although something is not saved yet: joining a thread inside torch might never return."""
        os._exit(1)
