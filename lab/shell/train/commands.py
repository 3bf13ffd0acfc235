"""The commands of Train in menus and palette."""

from __future__ import annotations

from collections.abc import Callable

from lab.shell.actions.groups import CommandGroup
from lab.shell.actions.registry import Actions, Command
from lab.shell.train.place import TrainPlace
from lab.widgets.core.i18n import tr


def register_train_commands(actions: Actions, place: TrainPlace, show: Callable[[], object]) -> None:
    """Register the commands of Train.

    Args:
        actions: The registry of commands.
        place: The place.
        show: Opens the place.
    """
    command = Command("view.below", tr("Cards below the loss"), CommandGroup.VIEW)
    actions.add(command, place.toggle_below, checked=lambda: place.shows_below)
    layers = Command("view.layers", tr("Layers of the run"), CommandGroup.VIEW, shortcut="Ctrl+Shift+L")

    def toggle_gauges() -> None:
        is_open = place.isVisible()
        show()
        if is_open:
            place.toggle_gauges()
        else:
            place.show_gauges()

    actions.add(layers, toggle_gauges, checked=lambda: place.isVisible() and place.shows_gauges)
