"""The place Plugins: the list of all plugins, the details of one, and the ways to get more."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QVBoxLayout, QWidget

from lab.base.folders import plugins_folder
from lab.base.last_folder import last_folder, remember_folder
from lab.base.notices import notify
from lab.base.problems import Problem
from lab.base.system.policy import policy
from lab.host import PluginState
from lab.shell.plugins.details import PluginDetails
from lab.shell.plugins.labels import additions, group_label, status_label, title_of
from lab.shell.plugins.model import BROKEN, PluginsModel, titles_of_files
from lab.shell.runtime.folders import open_folder
from lab.widgets.core.card import Card
from lab.widgets.core.controls import Button
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.i18n import tr, tr_registered
from lab.widgets.core.messages import message_text
from lab.widgets.core.theme import BETWEEN, px
from lab.widgets.lists.grouped_list import GroupedList, Row

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.host import Plugins
    from lab.shell.session.session import Session

LIST = 340
"""Width of the list in pixels at a size of the type of 100 percent."""


class PluginsPlace(QWidget):
    """The place Plugins. It looks for new plugins whenever it is shown, or the window gets active.

    Args:
        session: The session.
        parent: Its parent.
    """

    changed = Signal()
    """Plugins were enabled, disabled or found, and other cards are available."""
    help_requested = Signal()
    """The page of the help about writing plugins is to be shown."""

    def __init__(self, session: Session, parent: QWidget) -> None:
        super().__init__(parent)
        self._plugins, self._background, self._warm_up = session.plugins, session.background, session.warm_up
        self.model = PluginsModel(session.plugins)
        self._running = self._names_of_running()
        self.list = GroupedList(tr("Plugins"), tr("Up and down select a plugin"))
        self.list.selection_changed.connect(self._select)
        self.add = Button(tr("Add a plugin file…"), hint=tr("Copy a Python file into the plugins folder"), role="")
        self.add.clicked.connect(self._ask_for_file)
        if policy().allowed_plugins == ():
            self.add.setEnabled(False)
            source = message_text(policy().source("allowed_plugins"))
            self.add.setToolTip(tr("Plugins by others are not allowed by {source}.", source=source))
        self.folder = Button(tr("Open the folder"), hint=tr("Open the plugins folder"), role="")
        self.folder.clicked.connect(partial(open_folder, plugins_folder()))
        self.write = Button(tr("Write a plugin"), hint=tr("Show the page of the help about a first plugin"))
        self.write.clicked.connect(self.help_requested)
        self.details = PluginDetails()
        self.details.enable_clicked.connect(self._enable)
        self.details.disable_clicked.connect(self._disable)
        self.card = Card(tr("The selected plugin"))
        self.card.set_content(self.details)
        self.cards = [self._make_list(), self.card]
        row = QHBoxLayout(self)
        row.setContentsMargins(BETWEEN, 0, BETWEEN, 0)
        row.setSpacing(BETWEEN)
        row.addWidget(self.cards[0])
        row.addWidget(self.card, 1)
        self._warm_up.done.connect(self._ready)
        self._show()

    def _make_list(self) -> Card:
        content = QWidget()
        rows = QVBoxLayout(content)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(8)
        rows.addWidget(self.list, 1)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.add)
        buttons.addWidget(self.folder)
        buttons.addStretch(1)
        rows.addLayout(buttons)
        card = Card(tr("Plugins"))
        card.add_control(self.write)
        card.set_content(content)
        follow_type(card, lambda card: card.setFixedWidth(px(LIST)))
        return card

    # ------------------------------------------------------------------------------------------------------- the list

    def showEvent(self, event: QShowEvent) -> None:
        """Show the plugins of now, and look for new ones."""
        super().showEvent(event)
        self._refresh()
        self._look()

    def event(self, event: QEvent) -> bool:
        """Look for new plugins when the window gets active, since files may have been put into the folder."""
        if event.type() == QEvent.Type.WindowActivate and self.isVisible():
            self._look()
        return super().event(event)

    def _ready(self) -> None:
        """Show the plugins of others, which are loaded now."""
        self._running = self._names_of_running()
        if self.isVisible():
            self._refresh()
            self._look()

    def _look(self) -> None:
        """Look for plugins in the background, once those that are enabled are loaded."""
        if self._warm_up.ready:
            self._background.run(tr("Looking for plugins"), self._discover, self._found, replaces="plugins")

    def _discover(self, job: Job) -> dict[str, str]:
        """Look for plugins, and read the titles of those that do not run; in a thread."""
        del job
        self._plugins.discover()
        return titles_of_files(PluginsModel(self._plugins).entries)

    def _found(self, titles: dict[str, str]) -> None:
        self.model.take_titles(titles)
        self._update()

    def _select(self, name: str) -> None:
        self.model.select(name)
        self._show()

    def _refresh(self) -> None:
        self.model.refresh()
        self._show()

    def _update(self) -> None:
        """Show the plugins, and report if others run than before."""
        self._refresh()
        running = self._names_of_running()
        if running != self._running:
            self._running = running
            self.changed.emit()

    def _names_of_running(self) -> set[str]:
        return {entry.info.name for entry in PluginsModel(self._plugins).entries if entry.info.state == PluginState.ON}

    def _show(self) -> None:
        rows: list[Row] = []
        for group, entries in self.model.groups():
            rows.append(Row("", group_label(group)))
            for entry in entries:
                status = entry.status
                tip = tr_registered(entry.title)
                note, name = status_label(status), entry.info.name
                rows.append(Row(name, title_of(entry), note, tip, is_bad=status in BROKEN))
        self.list.set_rows(rows)
        selected = self.model.selected
        if selected is None:
            self.list.show_selected("")
            self.card.set_title(tr("Plugins by others"))
            what = tr("There are no plugins by others yet. A plugin is a Python file that adds architectures, "
                      "corpora, views or other parts. Add a file here; those of installed packages appear by "
                      "themselves.")  # fmt: skip
            self.card.show_empty(what, tr("Add a plugin file…"), self._ask_for_file)
            return
        self.list.show_selected(selected.info.name)
        self.card.set_title(title_of(selected), status_label(selected.status))
        self.details.show_entry(selected, additions(selected, self._plugins))
        self.card.show_content()

    # ------------------------------------------------------------------------------------------------ what is changed

    def _enable(self) -> None:
        self._change(partial(_enable, self._plugins))

    def _disable(self) -> None:
        self._change(partial(_disable, self._plugins))

    def _change(self, work: partial[None]) -> None:
        """Enable or disable the selected plugin in the background, since its code may take long to load."""
        selected = self.model.selected
        if selected is None or not self.model.begin_change(selected.info.name):
            return
        name = selected.info.name
        self._show()
        self.list.setFocus()  # its button is hidden now
        done, failed = partial(self._changed, name), partial(self._not_changed, name)
        self._background.run(tr("Changing the plugin {name}", name=name), partial(work, name), done, failed)

    def _changed(self, name: str, _result: None) -> None:
        self.model.end_change(name)
        self._update()

    def _not_changed(self, name: str, problem: Problem) -> None:
        notify("error", problem)
        self.model.end_change(name)
        self._update()

    def _ask_for_file(self) -> None:
        """Ask for a file, and copy it into the plugins folder."""
        title, kinds = tr("Select the file of a plugin"), tr("Python files (*.py)")
        file, _ = QFileDialog.getOpenFileName(self.window(), title, str(last_folder()), kinds)
        if file:
            remember_folder(Path(file).parent)
            self.add_file(Path(file))

    def add_file(self, file: Path) -> None:
        """Copy a file into the plugins folder in the background, and select its plugin, which is not enabled."""
        self._background.run(tr("Adding {name}", name=file.name), partial(_add, self._plugins, file), self._added)

    def _added(self, found: tuple[str, dict[str, str]]) -> None:
        name, titles = found
        self.model.take_titles(titles)
        self.model.select(name)
        self._update()
        self.list.setFocus()


def _enable(plugins: Plugins, name: str, job: Job) -> None:
    del job
    plugins.enable(name, load=True)


def _disable(plugins: Plugins, name: str, job: Job) -> None:
    del job
    plugins.disable(name)


def _add(plugins: Plugins, file: Path, job: Job) -> tuple[str, dict[str, str]]:
    del job
    name = plugins.add_file(file)
    return name, titles_of_files(PluginsModel(plugins).entries)
