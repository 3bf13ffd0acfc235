"""The registry of commands, which feeds menu, toolbar, shortcuts and palette."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QApplication, QComboBox, QMenu, QWidget

from lab.shell.actions.groups import CommandGroup
from lab.widgets.core.i18n import tr
from lab.widgets.core.icons import icon
from lab.widgets.core.theme import themes


@dataclass(frozen=True)
class Command:
    """A command: its key in code, and its texts for the user.

    Args:
        key: Its identifier in code.
        title: Its title in menus and in the palette.
        group: Its group, a submenu.
        shortcut: "Ctrl+R", several separated by spaces ("Ctrl+K Ctrl+Shift+P"), or "" for none.
        hint: One sentence for its tool tip.
        icon_name: One of lab.widgets.core.icons.DRAWINGS, or "".
        section: The title of a submenu of its group, or "" for the group itself.
    """

    key: str
    title: str
    group: CommandGroup
    shortcut: str = ""
    hint: str = ""
    icon_name: str = ""
    section: str = ""

    @property
    def sequences(self) -> list[QKeySequence]:
        """Its shortcuts."""
        return [QKeySequence(keys) for keys in self.shortcut.split()]

    @property
    def shown_shortcut(self) -> str:
        """Its shortcuts in the notation of this system."""
        native = QKeySequence.SequenceFormat.NativeText
        keys = (sequence.toString(native) for sequence in self.sequences)
        return tr(" or ").join(tr("Period") if key == "." else key for key in keys)  # a single dot is easily overlooked


class Action(QAction):
    """The action of a command in a window; its shortcuts work with the focus anywhere in the window.

    Args:
        command: The command.
        do: Called when it is triggered.
        enabled: Returns True if it can be used now; None means always.
        checked: Returns True if it is on; None means that it cannot be switched on and off.
        window: Its window.
    """

    def __init__(
        self,
        command: Command,
        do: Callable[[], object],
        enabled: Callable[[], bool] | None,
        checked: Callable[[], bool] | None,
        window: QWidget,
    ) -> None:
        super().__init__(command.title, window)
        self.command = command
        self._do, self._enabled, self._checked = do, enabled, checked
        self.setObjectName(command.key)
        self.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        self.setShortcuts(command.sequences)
        keys = command.shown_shortcut
        self.setToolTip(f"{command.hint or command.title} ({keys})" if keys else command.hint or command.title)
        self.setCheckable(checked is not None)
        self.triggered.connect(self._run)

    def refresh(self) -> None:
        """Update its enabled and checked state."""
        self.setEnabled(self._enabled is None or self._enabled())
        if self._checked is not None:
            self.setChecked(self._checked())

    def draw(self) -> None:
        """Draw its icon in the colours of the theme."""
        if self.command.icon_name:
            self.setIcon(icon(self.command.icon_name))

    @Slot()
    def _run(self) -> None:
        self.refresh()  # the last refresh may be half a second old
        if self.isEnabled():
            self._do()
            self.refresh()


class Actions(QObject):
    """The commands of a window.

    Args:
        window: The window they belong to.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._actions: dict[str, Action] = {}
        themes.changed.connect(self._draw)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._yield_space)

    def add(
        self,
        command: Command,
        do: Callable[[], object],
        *,
        enabled: Callable[[], bool] | None = None,
        checked: Callable[[], bool] | None = None,
    ) -> QAction:
        """Register a command.

        Args:
            command: The command.
            do: Called when it is triggered.
            enabled: Returns True if it can be used now; called twice a second, so it must be fast.
            checked: Returns True if it is on, for commands that switch something; it must be as fast.

        Raises:
            ValueError: Its key or one of its shortcuts is used already, or a shortcut is invalid.
        """
        if command.key in self._actions:
            raise ValueError(f"there is already a command {command.key}")
        for sequence in command.sequences:
            if sequence.isEmpty() or not sequence.toString():
                raise ValueError(f"{command.key}: {command.shortcut} is not a valid shortcut")
            for other in self._actions.values():
                if sequence in other.command.sequences:
                    raise ValueError(f"{sequence.toString()} belongs to {other.command.key}, not to {command.key} too")
        action = Action(command, do, enabled, checked, self._window)
        self._actions[command.key] = action
        self._window.addAction(action)
        action.draw()
        action.refresh()
        return action

    def all(self) -> list[Action]:
        """Return every command, in the order of registration."""
        return list(self._actions.values())

    def groups(self) -> dict[CommandGroup, list[Action]]:
        """Return the commands by group, both in the order of registration."""
        found: dict[CommandGroup, list[Action]] = {}
        for action in self._actions.values():
            found.setdefault(action.command.group, []).append(action)
        return found

    @Slot()
    def refresh(self) -> None:
        """Update the enabled and checked state of all commands."""
        for action in self._actions.values():
            action.refresh()

    def menu(self, parent: QWidget) -> QMenu:
        """Return a menu of all commands, with a submenu for each group, and in it one for each section."""
        menu = QMenu(parent)
        for group, actions in self.groups().items():
            submenu = QMenu(group.title, menu)  # a menu made by addMenu itself is deleted with its Python object
            fill_menu(submenu, actions)
            menu.addMenu(submenu)
        menu.aboutToShow.connect(self.refresh)
        return menu

    @Slot()
    def _draw(self) -> None:
        for action in self._actions.values():
            action.draw()

    @Slot(QWidget, QWidget)
    def _yield_space(self, old: QWidget | None, new: QWidget | None) -> None:
        """Leave the space bar to the focused button or list; text fields override shortcuts themselves."""
        del old
        pressed_by_space = isinstance(new, (QAbstractButton, QComboBox, QAbstractItemView))
        for action in self._actions.values():
            sequences = action.command.sequences
            if SPACE in sequences:
                action.setShortcuts([one for one in sequences if one != SPACE] if pressed_by_space else sequences)


def fill_menu(menu: QMenu, actions: Iterable[Action | None]) -> None:
    """Add commands to a menu; those of a section are in a submenu at the position of the first of them.

    Args:
        menu: The menu.
        actions: The commands in order; None is a separator.
    """
    sections: dict[str, QMenu] = {}
    for action in actions:
        if action is None:
            menu.addSeparator()
        elif not action.command.section:
            menu.addAction(action)
        else:
            section = action.command.section
            if section not in sections:
                sections[section] = QMenu(section, menu)
                menu.addMenu(sections[section])
            sections[section].addAction(action)


SPACE = QKeySequence(Qt.Key.Key_Space)
