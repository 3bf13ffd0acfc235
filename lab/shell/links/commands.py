"""The commands that share and open links."""

from __future__ import annotations

from collections.abc import Callable

from lab.shell.actions.groups import CommandGroup
from lab.shell.actions.registry import Actions, Command
from lab.shell.links.controller import LinksController
from lab.widgets.core.i18n import tr


def register_file_links(actions: Actions, links: LinksController, is_ready: Callable[[], bool]) -> None:
    """Register the commands of the File menu.

    Args:
        actions: The registry.
        links: Opens the dialogs.
        is_ready: Returns True if all cards that a recipe may name are loaded.
    """
    group = CommandGroup.FILE
    actions.add(Command("file.link", tr("Open link…"), group), links.ask, enabled=is_ready)
    actions.add(Command("file.share", tr("Share configuration as link…"), group), links.share_draft, enabled=is_ready)


def register_run_links(actions: Actions, links: LinksController) -> None:
    """Register the command of the menu of the selected run."""
    command = Command("run.link", tr("Share as link…"), CommandGroup.RUN, section=tr("Export and share"))
    actions.add(command, links.share_run, enabled=links.can_share_run)
