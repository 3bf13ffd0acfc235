"""The controller of links: it shares the configuration or the selected run, and opens links."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from lab.host import Plugins
from lab.recipes import Recipe
from lab.runs import RunFolder
from lab.shell.links.open_dialog import LinkDialog
from lab.shell.links.share_dialog import ShareDialog
from lab.shell.session.session import Session
from lab.widgets.core.i18n import tr
from lab.workbench.exchange.link import link_of_recipe, link_of_run

if TYPE_CHECKING:
    from lab.base.jobs import Job


class LinksController(QObject):
    """Opens the two dialogs of links.

    Args:
        window: The window over which they open.
        session: The session with configuration and runs.

    Attributes:
        shared: The dialog that shows a link.
        opened: The dialog that opens one.
    """

    def __init__(self, window: QWidget, session: Session) -> None:
        super().__init__(window)
        self._session = session
        self.shared, self.opened = ShareDialog(window, session.background), LinkDialog(window, session)
        session.opener.link_given.connect(self.opened.open)

    def can_share_run(self) -> bool:
        """Return True if the selected run has a folder."""
        run = self._session.selected
        return run is not None and run.source.folder is not None

    def share_draft(self) -> None:
        """Show the configuration as a link."""
        recipe = self._session.draft.ready()
        name = recipe.title or tr("the configuration")
        self.shared.share(name, partial(_link_of_recipe, recipe, self._session.plugins))

    def share_run(self) -> None:
        """Show the selected run as a link."""
        run = self._session.selected
        if run is not None and run.source.folder is not None:
            self.shared.share(run.name, partial(_link_of_run, run.source.folder, self._session.plugins))

    def ask(self) -> None:
        """Ask for a link."""
        self.opened.ask()


def _link_of_recipe(recipe: Recipe, plugins: Plugins, job: Job) -> str:
    """Return the link of a recipe; in a thread."""
    del job
    return link_of_recipe(recipe, plugins)


def _link_of_run(run: RunFolder, plugins: Plugins, job: Job) -> str:
    """Return the link of a run; in a thread."""
    del job
    return link_of_run(run, plugins)
