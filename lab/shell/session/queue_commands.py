"""The commands for the queue: start it, change its order, clear it."""

from __future__ import annotations

from PySide6.QtCore import QObject

from lab.base.notices import notify
from lab.base.run_state import RunState
from lab.shell.actions.groups import CommandGroup
from lab.shell.actions.registry import Actions, Command
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.registry import RunRegistry
from lab.widgets.core.i18n import tr, tr_n
from lab.workbench import Runner, Workbench


class QueueCommands(QObject):
    """The commands of a window for its queue.

    Args:
        workbench: The workbench with the queue.
        registry: The runs.
        parent: Its parent.
    """

    def __init__(self, workbench: Workbench, registry: RunRegistry, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._workbench, self._registry = workbench, registry

    def restore(self) -> None:
        """List and report the runs that were queued when the lab was closed; none starts by itself."""
        runs = self._workbench.restore_queue()
        for run in runs:
            self._registry.adopt(run, select=False)
        if runs:
            message = tr_n(
                "1 run was queued when the lab was closed. Start the queue, or clear it",
                "{n} runs were queued when the lab was closed. Start the queue, or clear it",
                len(runs),
            )
            notify("info", message)

    def begin(self) -> None:
        """Start the runs that were queued when the lab was closed, one after the other."""
        self._workbench.start_queue()
        self._registry.list_changed.emit()

    def clear(self) -> None:
        """Remove every queued run from the queue and the list."""
        for run in self._queued():
            self._registry.withdraw(run)

    def remove(self) -> None:
        """Remove the selected run from the queue."""
        if self._registry.selected is not None:
            self._registry.withdraw(self._registry.selected)

    def move_earlier(self) -> None:
        """Move the selected run one position towards the front of the queue."""
        self._move(-1)

    def move_later(self) -> None:
        """Move the selected run one position towards the end of the queue."""
        self._move(1)

    def start_now(self, run: RunModel) -> list[RunModel]:
        """Move a run to the front of the queue, and start it unless others train; return these."""
        if run.active is None or self._workbench.start_now(run.active):
            blocking = []
        else:
            blocking = [one for one in self._registry.working if one.state != RunState.QUEUED]
        self._registry.list_changed.emit()
        return blocking

    def has_held(self) -> bool:
        """Return True if the queue has runs of an earlier session that wait for `begin`."""
        return bool(self._workbench.held)

    def has_waiting(self) -> bool:
        """Return True if runs are queued."""
        return bool(self._workbench.queue)

    def can_remove(self) -> bool:
        """Return True if the selected run is queued."""
        return self._position() >= 0

    def can_move_earlier(self) -> bool:
        """Return True if the selected run is queued behind another one."""
        return self._position() > 0

    def can_move_later(self) -> bool:
        """Return True if the selected run is queued before another one."""
        return 0 <= self._position() < len(self._workbench.queue) - 1

    def _queued(self) -> list[RunModel]:
        queue: list[Runner] = list(self._workbench.queue)
        return [run for run in self._registry.working if run.active in queue]

    def _position(self) -> int:
        """Return the position of the selected run in the queue, from 0; −1 if it is not queued."""
        active = self._registry.selected.active if self._registry.selected is not None else None
        return next((index for index, run in enumerate(self._workbench.queue) if run is active), -1)

    def _move(self, by: int) -> None:
        position, run = self._position(), self._registry.selected
        if position >= 0 and run is not None and run.active is not None:
            self._workbench.move(run.active, position + by)
            notify("info", tr("{run} is now at position {n} in the queue", run=run.name, n=self._position() + 1))
            self._registry.list_changed.emit()


def register_queue_commands(actions: Actions, queue: QueueCommands) -> None:
    """Register the commands, in the order of the menu."""
    training, selected = CommandGroup.TRAINING, CommandGroup.RUN
    for name, title, group, do, enabled in (
        ("begin", tr("Start the queue"), training, queue.begin, queue.has_held),
        ("clear", tr("Clear the queue"), training, queue.clear, queue.has_waiting),
        ("sooner", tr("Move earlier in the queue"), selected, queue.move_earlier, queue.can_move_earlier),
        ("later", tr("Move later in the queue"), selected, queue.move_later, queue.can_move_later),
        ("remove", tr("Remove from queue"), selected, queue.remove, queue.can_remove),
    ):
        section = tr("In the queue") if group is selected else ""
        actions.add(Command(f"queue.{name}", title, group, section=section), do, enabled=enabled)
