"""The controller of a class in the window: it opens the dialogs, and ends the page on the network with the window."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from lab.shell.classroom.collecting_panel import CollectingPanel
from lab.shell.classroom.hand_in_dialog import HandInDialog
from lab.shell.classroom.hand_out_dialog import HandOutDialog
from lab.shell.classroom.opened_dialog import OpenedDialog
from lab.shell.classroom.table_page import ClassTable
from lab.shell.session.session import Session


class ClassController(QObject):
    """Opens what a class needs.

    Args:
        window: The window over which it opens.
        session: The session with configuration and runs.

    Attributes:
        table: The table of what was handed in.
        collecting: The panel of the page on the network.
        hand_in: The dialog that hands in the selected run.
        hand_out: The dialog that writes a hand-out.
        opened: The dialog that shows one.
    """

    plugins_changed = Signal()
    """A plugin of a hand-out was enabled."""
    help_requested = Signal()
    """The page of the help about a class is to be shown."""

    def __init__(self, window: QWidget, session: Session) -> None:
        super().__init__(window)
        self._session = session
        self.collecting = CollectingPanel(window, session.background)
        self.table = ClassTable(window, session.background, self.collecting)
        self.hand_in = HandInDialog(window, session.background)
        self.hand_out = HandOutDialog(window, session.background, session.plugins)
        self.opened = OpenedDialog(window, session)
        self.opened.plugins_changed.connect(self.plugins_changed)
        for asking in (self.table, self.hand_out):
            asking.help_requested.connect(self.help_requested)
        session.transfers.handed_out.connect(self.opened.open)

    def show_table(self) -> None:
        """Show the table of what was handed in."""
        self.table.open()

    def ask_hand_out(self) -> None:
        """Ask for the instructions that are handed out with the configuration."""
        self.hand_out.ask(self._session.draft.ready())

    def can_hand_in(self) -> bool:
        """Return True if the selected run has a folder."""
        run = self._session.selected
        return run is not None and run.source.folder is not None

    def ask_hand_in(self) -> None:
        """Ask for the name under which the selected run is handed in."""
        run = self._session.selected
        if run is not None and run.source.folder is not None:
            self.hand_in.ask(run.name, run.source.folder)

    def stop(self) -> None:
        """End the page on the network."""
        self.collecting.stop()
