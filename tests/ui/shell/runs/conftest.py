"""The runs without the places: their list, their table and their questions around an empty centre."""

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QDockWidget, QMainWindow, QWidget

from lab.shell.actions.registry import Actions
from lab.shell.runs.commands import register_runs_commands
from lab.shell.runs.controller import RunsController


class RunsWindow(QMainWindow):
    """The list of runs beside an empty centre, over which the table and the questions open."""

    def __init__(self, session):
        super().__init__()
        self.session = session
        self.setMinimumSize(1100, 640)
        self.setCentralWidget(QWidget())
        self.runs_controller = RunsController(self, session, session.start)
        self.runs = self.runs_controller.panel
        self.commands = Actions(self)
        register_runs_commands(self.commands, self.runs_controller)
        session.registry.selection_changed.connect(self.commands.refresh)
        dock = QDockWidget(self)
        dock.setWidget(self.runs_controller.side)
        self.addDockWidget(Qt.DockWidgetArea.LeftDockWidgetArea, dock)


@pytest.fixture
def open_runs(open_session, qtbot):
    """Open the runs in a window without places, by default with the tiny transformer as the draft."""
    opened = []

    def open_runs(*assignments):
        session = open_session(*assignments, ready=False)
        window = RunsWindow(session)
        opened.append(window)
        window.resize(1600, 1000)
        window.show()
        qtbot.waitActive(window)
        session.begin()
        qtbot.waitUntil(lambda: session.warm_up.ready)
        return window

    yield open_runs
    for window in opened:
        window.close()
        window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
