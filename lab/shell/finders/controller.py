"""The finders in a window: their command, and the dialog, which is made when it is first opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from lab.shell.actions.groups import CommandGroup
from lab.shell.actions.registry import Actions, Command
from lab.shell.session.session import Session
from lab.widgets.core.i18n import tr

if TYPE_CHECKING:
    from lab.shell.finders.dialog import FinderDialog


class FinderController(QObject):
    """Opens the dialog of the finders.

    Args:
        window: The window over which it opens.
        session: The session, whose draft is tried.

    Attributes:
        dialog: The dialog; None before it is first opened.
    """

    def __init__(self, window: QWidget, session: Session) -> None:
        super().__init__(window)
        self._window, self._session = window, session
        self.dialog: FinderDialog | None = None

    def open(self) -> None:
        """Open the dialog."""
        from lab.shell.finders.dialog import FinderDialog

        if self.dialog is None:
            self.dialog = FinderDialog(self._window, self._session.draft, self._session.background)
        self.dialog.open()

    def register(self, actions: Actions) -> None:
        """Register its command in the Training menu."""
        actions.add(Command("run.find", tr("Find settings…"), CommandGroup.TRAINING), self.open)
