"""The place Settings: appearance, language and folders, over the same commands as the menus."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QShowEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from lab.base.folders import downloads_folder, plugins_folder, runs_folder
from lab.base.system.folders import shared_folder
from lab.base.system.policy import policy
from lab.shell.actions.groups import CommandGroup
from lab.shell.actions.registry import Action, Actions
from lab.shell.runtime.folders import open_folder
from lab.shell.settings.policy_card import policy_rows
from lab.shell.settings.profile import difference, state
from lab.widgets.core.card import Card, VerticalScroll
from lab.widgets.core.controls import Button, CheckBox, ChoiceBox, label
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import BETWEEN, px, themes
from lab.widgets.readings.base import Line

CHOICE = 220
"""Least pixels of a list of choices at a size of the type of 100 percent."""


class SettingsPlace(QWidget):
    """The place Settings. Its controls trigger the commands of the menus, and follow them.

    Args:
        actions: The commands; those of appearance and language are registered.
        parent: Its parent; what is put into a window from the outside to the inside is styled fewer times.
    """

    def __init__(self, actions: Actions, parent: QWidget) -> None:
        super().__init__(parent)
        self._groups = actions.groups()
        self._actions = {action.command.key: action for action in actions.all()}
        content = QWidget()
        rows = QVBoxLayout(content)
        rows.setContentsMargins(0, 0, BETWEEN, 0)
        rows.setSpacing(BETWEEN)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(BETWEEN, 0, 0, 0)
        outer.addWidget(VerticalScroll(content))
        by_policy = () if policy().file is None else (self._policy,)
        made = (*by_policy, self._appearance, self._language, self._machine, self._folders)
        self.cards: list[Card] = [make() for make in made]
        for card in self.cards:
            rows.addWidget(card)
        rows.addStretch(1)
        themes.changed.connect(self._show_size)

    def _policy(self) -> Card:
        card = _card(tr("Set by the administrator of this machine"), policy_rows(policy()))
        card.set_caption(tr("From {file}. A change there takes effect at the next start.", file=policy().file))
        return card

    def _appearance(self) -> Card:
        self._size = label("")
        size = QHBoxLayout()
        size.setSpacing(8)
        size.addWidget(self._size)
        for key in ("view.smaller", "view.normal", "view.larger"):
            action = self._actions[key]
            button = Button(action.text(), hint=action.toolTip(), role="")
            button.clicked.connect(action.trigger)
            size.addWidget(button)
        size.addStretch(1)
        rows = QGridLayout()
        self.theme = ActionChoice(tr("Theme"), self._groups[CommandGroup.THEME])
        _add_row(rows, tr("Theme"), self.theme, "theme")
        rows.addWidget(label(tr("Text size"), "dim"), 1, 0)
        rows.addLayout(size, 1, 1)
        for number, key in enumerate(("view.projector", "view.motion", "view.dashes"), start=2):
            rows.addWidget(_switch(self._actions[key]), number, 1)
        self._show_size()
        return _card(tr("Appearance"), rows)

    def _language(self) -> Card:
        rows = QGridLayout()
        self.language = ActionChoice(tr("Language"), self._groups[CommandGroup.LANGUAGE])
        _add_row(rows, tr("Language"), self.language, "language")
        card = _card(tr("Language"), rows)
        if self.language.isEnabled():
            card.set_caption(tr("Another language is used at once; runs continue."))
        return card

    def _machine(self) -> Card:
        rows = QGridLayout()
        self.profile = ActionChoice(tr("Profile"), self._groups[CommandGroup.PROFILE])
        _add_row(rows, tr("Profile"), self.profile)
        self._profile = Line()
        rows.addWidget(self._profile, 1, 1)
        action = self._actions["help.doctor"]
        check = Button(action.text(), hint=tr("Find out what is wrong with this machine, and what to do"), role="")
        check.clicked.connect(action.trigger)
        rows.addWidget(check, 2, 1, Qt.AlignmentFlag.AlignLeft)
        for each in self._groups[CommandGroup.PROFILE]:
            each.toggled.connect(self._show_profile)
        card = _card(tr("This machine"), rows)
        card.set_caption(difference())
        self._show_profile()
        return card

    def showEvent(self, event: QShowEvent) -> None:
        """Show the profile that is used now, which the speed of the machine may have changed."""
        super().showEvent(event)
        self._show_profile()

    def _show_profile(self) -> None:
        self._profile.set_full_text(state())

    def _folders(self) -> Card:
        rows = QGridLayout()
        folders = [
            (tr("Runs"), runs_folder()),
            (tr("Downloaded texts"), downloads_folder()),
            (tr("Plugins"), plugins_folder()),
        ]
        shared = shared_folder("plugins").parent
        folders += [(tr("Shared on this machine"), shared)] if shared.is_dir() else []
        for row, (name, folder) in enumerate(folders):
            path = Line()
            path.set_full_text(str(folder))
            button = Button(tr("Open folder"), hint=str(folder), role="")
            button.setAccessibleName(tr("Open folder: {name}", name=name))
            button.clicked.connect(partial(open_folder, folder))
            rows.addWidget(label(name, "dim"), row, 0)
            rows.addWidget(path, row, 1)
            rows.addWidget(button, row, 2)
        card = _card(tr("Folders"), rows)
        card.set_caption(tr("The environment variable LAB_HOME moves your own folders at the next start."))
        return card

    def _show_size(self) -> None:
        self._size.setText(tr("{n} %", n=themes.appearance.type_size))


def _card(title: str, rows: QGridLayout) -> Card:
    """Return a card with the rows of a section, as high as they are."""
    rows.setContentsMargins(0, 0, 0, 0)
    rows.setHorizontalSpacing(16)
    rows.setVerticalSpacing(8)
    rows.setColumnStretch(1, 1)
    content = QWidget()
    content.setLayout(rows)
    card = Card(title)
    card.set_content(content)
    card.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
    return card


def _add_row(rows: QGridLayout, title: str, control: QWidget, rule: str | None = None) -> None:
    """Add a control to the rows; if the policy of the machine fixes its value, it is disabled, and a note says why."""
    row = rows.rowCount() if rows.count() else 0
    line = QHBoxLayout()
    line.setSpacing(8)
    line.addWidget(control)
    if rule is not None and getattr(policy(), rule) is not None:
        control.setEnabled(False)
        line.addWidget(label(tr("Set by {source}", source=policy().source(rule)), "note"))
    line.addStretch(1)
    rows.addWidget(label(title, "dim"), row, 0)
    rows.addLayout(line, row, 1)


class ActionChoice(ChoiceBox):
    """A list of choices that triggers one of several commands, and shows the one that is on.

    Args:
        title: Its name for screen readers.
        actions: The commands, of which one is on.
    """

    def __init__(self, title: str, actions: Sequence[Action]) -> None:
        super().__init__()
        self._actions = tuple(actions)
        self.setAccessibleName(title)
        follow_type(self, lambda box: box.setMinimumWidth(px(CHOICE)))
        for action in actions:
            self.addItem(action.text())
            action.toggled.connect(self._follow)
        self.activated.connect(self._trigger)
        self._follow()

    def _follow(self) -> None:
        self.setCurrentIndex(next((number for number, action in enumerate(self._actions) if action.isChecked()), -1))

    def _trigger(self, number: int) -> None:
        self._actions[number].trigger()
        for action in self._actions:
            action.refresh()


def _switch(action: QAction) -> CheckBox:
    """Return a check box that triggers a command, and shows whether it is on."""
    box = CheckBox(action.text())
    box.setToolTip(action.toolTip())
    box.setChecked(action.isChecked())
    box.clicked.connect(action.trigger)
    action.toggled.connect(box.setChecked)
    return box
