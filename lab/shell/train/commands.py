"""The commands of Train in menus and palette."""

from __future__ import annotations

from lab.shell.actions.registry import Actions, Command
from lab.shell.session.runs.registry import RunRegistry
from lab.shell.train.place import TrainPlace
from lab.widgets.core.i18n import tr


def register_train_commands(actions: Actions, registry: RunRegistry, place: TrainPlace) -> None:
    """Register the commands of Train.

    Args:
        actions: The registry of commands.
        registry: The runs.
        place: The place.
    """

    def has_several() -> bool:
        return len(registry.shown) > 1

    command = Command("runs.alike", tr("Compare the losses of the shown runs…"), tr("View"))
    actions.add(command, place.loss.comparison.compare, enabled=has_several)
    command = Command("view.below", tr("Cards below the loss"), tr("View"))
    actions.add(command, place.toggle_below, checked=lambda: place.shows_below)
