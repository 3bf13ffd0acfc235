"""The groups of commands, which are the submenus of the menu."""

from __future__ import annotations

from enum import Enum, auto

from lab.widgets.core.i18n import tr


class CommandGroup(Enum):
    """The groups of commands; their titles are looked up when they are drawn."""

    FILE = auto()
    TRAINING = auto()
    RUN = auto()
    EDIT = auto()
    VIEW = auto()
    THEME = auto()
    TEXT_SIZE = auto()
    LANGUAGE = auto()
    PROFILE = auto()
    RECIPES = auto()
    HELP = auto()

    @property
    def title(self) -> str:
        """Its title in the language of the window."""
        return _titles()[self]


def _titles() -> dict[CommandGroup, str]:
    return {
        CommandGroup.FILE: tr("File"),
        CommandGroup.TRAINING: tr("Training"),
        CommandGroup.RUN: tr("Selected run"),
        CommandGroup.EDIT: tr("Edit"),
        CommandGroup.VIEW: tr("View"),
        CommandGroup.THEME: tr("Theme"),
        CommandGroup.TEXT_SIZE: tr("Text size"),
        CommandGroup.LANGUAGE: tr("Language"),
        CommandGroup.PROFILE: tr("Profile"),
        CommandGroup.RECIPES: tr("Recipes"),
        CommandGroup.HELP: tr("Help"),
    }
