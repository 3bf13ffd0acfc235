"""The end of a window: asking, stopping every run, saving, joining, and only then closing."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from lab.base.jobs import Job, running_jobs
from lab.shell.window.close_dialog import ClosingPanel
from lab.widgets.core.i18n import tr
from lab.workbench import ProcessRun

if TYPE_CHECKING:
    from lab.shell.window.main_window import Window

LOOK = 50
"""Milliseconds between two looks at whether all is saved."""
SOON = 300
"""Milliseconds of saving after which it is shown."""


class Shutdown(QObject):
    """Closes a window without losing anything and without holding it.

    Args:
        window: The window.

    Attributes:
        ended: Whether nothing runs any more, so that the window may go.
    """

    left = Signal()
    """The window is closed."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self.ended = False
        self._window = window
        self._saving: Job | None = None
        self._processes_go_on = False
        self._looks = 0
        self.panel = ClosingPanel(window)
        self.panel.agreed.connect(self.at_once)
        self.panel.left_running.connect(self.leave_processes)
        self.panel.hurried.connect(self._unsaved)
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK)
        self._timer.timeout.connect(self._look)

    def ask(self) -> None:
        """Asks where a run would be stopped, else closes."""
        if self._saving is not None:
            return
        if self._window.session.registry.working:
            working = self._window.session.registry.working
            lines = [tr("{run}: {state}", run=view.name, state=view.detail()) for view in working]
            self.panel.ask(lines, can_go_on=any(isinstance(view.active, ProcessRun) for view in working))
        else:
            self.at_once()

    def leave_processes(self) -> None:
        """Closes; runs in processes of their own go on, and all others are stopped and saved."""
        self._processes_go_on = True
        self.at_once()

    def at_once(self) -> None:
        """Stops, saves, joins and closes without asking."""
        if self._saving is None:
            self._window.remember()
            self._window.play.close_down()
            self._window.session.shut_down()
            self._saving = Job(tr("Saving and closing"), self._stop_all)
            self._saving.start()
            self._timer.start()

    def _stop_all(self, job: Job) -> None:
        del job
        self._window.session.workbench.close(leave_processes=self._processes_go_on)
        self._window.session.join()

    def _look(self) -> None:
        assert self._saving is not None
        self._looks += 1
        if not self._saving.join(0):
            if self._looks * LOOK >= SOON:
                self.panel.show_progress([job.title for job in running_jobs() if job is not self._saving])
            return
        self._timer.stop()
        self._window.session.registry.pull()
        self._window.session.close()
        self._window.shut_down()
        self.panel.shut()
        self.ended = True
        self._window.close()
        self.left.emit()

    def _unsaved(self) -> None:
        """Ends the process where what is being saved does not end: a thread in torch's hands would abort it."""
        os._exit(1)
