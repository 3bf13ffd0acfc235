"""The commands of Train in menus and palette."""

from __future__ import annotations

from lab.shell.actions.groups import CommandGroup
from lab.shell.actions.registry import Actions, Command
from lab.shell.train.place import TrainPlace
from lab.widgets.core.i18n import tr


def register_train_commands(actions: Actions, place: TrainPlace) -> None:
    """Register the commands of Train.

    Args:
        actions: The registry of commands.
        place: The place.
    """
    command = Command("view.below", tr("Cards below the loss"), CommandGroup.VIEW)
    actions.add(command, place.toggle_below, checked=lambda: place.shows_below)
