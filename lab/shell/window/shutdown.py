"""The shutdown of a window: ask, stop and save every run, wait for the threads, then close."""

from __future__ import annotations

import os
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from lab.base.jobs import Job, running_jobs
from lab.shell.session.runs.formatting import detail_label
from lab.shell.session.session import Session
from lab.shell.window.close_dialog import ClosingPanel
from lab.widgets.core.i18n import tr
from lab.workbench import ProcessRun

POLL = 50
"""Milliseconds between two checks for the end of saving."""
SHOW_AFTER = 300
"""Milliseconds of saving after which its progress is shown."""


class Shutdown(QObject):
    """Closes a window without losing work and without blocking its event loop.

    Args:
        window: The window.
        session: The session to stop and save.
        prepare: Called first; stores the state of the window and stops generation.
        finish: Called when everything is saved; stops the timers and threads of the window.

    Attributes:
        ended: True once all work has ended, so that the window may close.
    """

    closed = Signal()
    """The window is closed."""

    def __init__(
        self, window: QWidget, session: Session, prepare: Callable[[], object], finish: Callable[[], object]
    ) -> None:
        super().__init__(window)
        self.ended = False
        self._window, self._session = window, session
        self._prepare, self._finish = prepare, finish
        self._saving: Job | None = None
        self._detach_processes = False
        self._polls = 0
        self.panel = ClosingPanel(window)
        self.panel.stop_requested.connect(self.close)
        self.panel.detach_requested.connect(self.detach_processes)
        self.panel.exit_requested.connect(self._exit_unsaved)
        self._timer = QTimer(self)
        self._timer.setInterval(POLL)
        self._timer.timeout.connect(self._poll)

    def ask(self) -> None:
        """Ask before runs are stopped; close at once if no run would be."""
        if self._saving is not None:
            return
        working = self._session.registry.working
        if working:
            lines = [tr("{run}: {state}", run=run.name, state=detail_label(run)) for run in working]
            self.panel.ask(lines, can_continue=any(isinstance(run.active, ProcessRun) for run in working))
        else:
            self.close()

    def detach_processes(self) -> None:
        """Close; runs in their own processes continue, all others are stopped and saved."""
        self._detach_processes = True
        self.close()

    def close(self) -> None:
        """Stop and save every run, and close without asking."""
        if self._saving is None:
            self._prepare()
            self._session.shut_down()
            self._saving = Job(tr("Saving and closing"), self._stop_all)
            self._saving.start()
            self._timer.start()

    def _stop_all(self, job: Job) -> None:
        del job
        self._session.workbench.close(detach_processes=self._detach_processes)
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
        self.closed.emit()

    def _exit_unsaved(self) -> None:
        """End the process without saving; a thread inside torch might never be joined."""
        os._exit(1)
