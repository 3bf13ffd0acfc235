"""The commands of a class."""

from __future__ import annotations

from collections.abc import Callable

from lab.shell.actions.groups import CommandGroup
from lab.shell.actions.registry import Actions, Command
from lab.shell.classroom.controller import ClassController
from lab.widgets.core.i18n import tr


def register_file_commands_of_class(actions: Actions, classroom: ClassController, is_ready: Callable[[], bool]) -> None:
    """Register the commands of the File menu.

    Args:
        actions: The registry.
        classroom: Opens the dialogs.
        is_ready: Returns True if all cards that a recipe may name are loaded.
    """
    group = CommandGroup.FILE
    actions.add(Command("file.handout", tr("Hand out the configuration…"), group), classroom.ask_hand_out,
                enabled=is_ready)  # fmt: skip
    actions.add(Command("file.class", tr("Class…"), group), classroom.show_table)


def register_run_commands_of_class(actions: Actions, classroom: ClassController) -> None:
    """Register the command of the menu of the selected run."""
    command = Command("run.handin", tr("Hand in…"), CommandGroup.RUN, section=tr("Export and share"))
    actions.add(command, classroom.ask_hand_in, enabled=classroom.can_hand_in)
