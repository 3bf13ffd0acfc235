"""What a person can do with the runs that wait: begin those of an earlier time, change their order, take them out."""

from __future__ import annotations

from PySide6.QtCore import QObject

from lab.base.notices import notify
from lab.shell.actions.registry import Actions, Command
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.registry import RunRegistry
from lab.widgets.core.i18n import tr
from lab.workbench import Runner, Workbench


class QueueOrders(QObject):
    """The orders of a window for its queue.

    Args:
        workbench: What follows them.
        book: The runs.
        parent: Its parent.
    """

    def __init__(self, workbench: Workbench, book: RunRegistry, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workbench, self._book = workbench, book

    def restore(self) -> None:
        """Lists the runs that waited when the lab was closed, and tells of them; none begins by itself."""
        runs = self._workbench.restore_queue()
        for run in runs:
            self._book.adopt(run)
        if len(runs) == 1:
            notify("info", tr("One run waited when the lab was closed. Start the queue, or clear it"))
        elif runs:
            notify("info", tr("{n} runs waited when the lab was closed. Start the queue, or clear it", n=len(runs)))

    def begin(self) -> None:
        """Has the runs of an earlier time take their turns."""
        self._workbench.start_queue()
        self._book.listed.emit()

    def clear(self) -> None:
        """Takes every waiting run out of the queue and the list."""
        for view in self._waiting():
            self._book.withdraw(view)

    def sooner(self) -> None:
        """Moves the selected run one place to the front."""
        self._move(-1)

    def later(self) -> None:
        """Moves the selected run one place to the back."""
        self._move(1)

    def has_held(self) -> bool:
        """Whether runs of an earlier time wait for a person's word."""
        return bool(self._workbench.held)

    def has_waiting(self) -> bool:
        """Whether runs wait."""
        return bool(self._workbench.queue)

    def can_go_sooner(self) -> bool:
        """Whether the selected run waits behind another one."""
        return self._place() > 0

    def can_go_later(self) -> bool:
        """Whether the selected run waits before another one."""
        return 0 <= self._place() < len(self._workbench.queue) - 1

    def _waiting(self) -> list[RunModel]:
        queue: list[Runner] = list(self._workbench.queue)
        return [view for view in self._book.working if view.active in queue]

    def _place(self) -> int:
        """The place of the selected run in the queue; −1 where it does not wait."""
        active = self._book.selected.active if self._book.selected is not None else None
        return next((place for place, run in enumerate(self._workbench.queue) if run is active), -1)

    def _move(self, by: int) -> None:
        place, view = self._place(), self._book.selected
        if place >= 0 and view is not None and view.active is not None:
            self._workbench.move(view.active, place + by)
            words = tr("{run} is number {n} in the queue", run=view.name, n=self._place() + 1)
            notify("info", words)
            self._book.listed.emit()


def register_queue_commands(actions: Actions, queue: QueueOrders) -> None:
    """Registers them, in the order of the menu."""
    group = tr("Runs")
    for name, title, do, enabled in (
        ("begin", tr("Start the queue"), queue.begin, queue.has_held),
        ("sooner", tr("Earlier in the queue"), queue.sooner, queue.can_go_sooner),
        ("later", tr("Later in the queue"), queue.later, queue.can_go_later),
        ("clear", tr("Clear the queue"), queue.clear, queue.has_waiting),
    ):
        actions.add(Command(f"queue.{name}", title, group), do, enabled=enabled)
