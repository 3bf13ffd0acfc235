"""The gauges on demand in a window: their command, and the dialog, which is made when it is first opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from lab.shell.actions.groups import CommandGroup
from lab.shell.actions.registry import Actions, Command
from lab.shell.session.session import Session
from lab.widgets.core.i18n import tr

if TYPE_CHECKING:
    from lab.shell.measurements.dialog import MeasurementDialog


class MeasurementController(QObject):
    """Opens the dialog of the gauges on demand.

    Args:
        window: The window over which it opens.
        session: The session, whose selected run is measured.

    Attributes:
        dialog: The dialog; None before it is first opened.
    """

    def __init__(self, window: QWidget, session: Session) -> None:
        super().__init__(window)
        self._window, self._session = window, session
        self.dialog: MeasurementDialog | None = None

    def open(self) -> None:
        """Open the dialog."""
        from lab.shell.measurements.dialog import MeasurementDialog

        session = self._session
        if self.dialog is None:
            self.dialog = MeasurementDialog(self._window, session.registry, session.plugins, session.background)
        self.dialog.open()

    def register(self, actions: Actions) -> None:
        """Register its command in the menu of the selected run."""
        session = self._session
        command = Command("run.measure", tr("Measure…"), CommandGroup.RUN)
        actions.add(command, self.open, enabled=lambda: session.registry.selected is not None)
