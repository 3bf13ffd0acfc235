"""The one registry of commands, which menu, toolbar, shortcuts and palette show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QApplication, QComboBox, QMenu, QWidget

from lab.widgets.core.i18n import tr
from lab.widgets.core.icons import icon
from lab.widgets.core.theme import themes


@dataclass(frozen=True)
class Command:
    """What can be done, in words for people.

    Args:
        key: What code calls it.
        title: In menus and the palette.
        group: The submenu it stands in.
        shortcut: "Ctrl+R", several apart by a space ("Ctrl+K Ctrl+Shift+P"), or "".
        hint: One sentence for its tool tip.
        icon_name: One of lab.widgets.core.icons.DRAWINGS, or "".
    """

    key: str
    title: str
    group: str
    shortcut: str = ""
    hint: str = ""
    icon_name: str = ""

    @property
    def sequences(self) -> list[QKeySequence]:
        """Its shortcuts."""
        return [QKeySequence(keys) for keys in self.shortcut.split()]

    @property
    def shown_shortcut(self) -> str:
        """Its shortcuts as this system writes them."""
        native = QKeySequence.SequenceFormat.NativeText
        keys = (sequence.toString(native) for sequence in self.sequences)
        return tr(" or ").join(tr("Period") if key == "." else key for key in keys)  # a dot alone is overlooked


class Action(QAction):
    """A command that belongs to a window: its shortcuts work wherever in the window the focus is.

    Args:
        command: What it is.
        do: What it does.
        enabled: Whether it can be done now; None means always.
        checked: Whether it is on; None means that it has no such state.
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

    def look(self) -> None:
        """Asks again whether it can be done, and whether it is on."""
        self.setEnabled(self._enabled is None or self._enabled())
        if self._checked is not None:
            self.setChecked(self._checked())

    def draw(self) -> None:
        """Draws its icon in the colours of the theme."""
        if self.command.icon_name:
            self.setIcon(icon(self.command.icon_name))

    @Slot()
    def _run(self) -> None:
        self.look()  # the last look may be a quarter of a second old
        if self.isEnabled():
            self._do()
            self.look()


class Actions(QObject):
    """Every command of a window.

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
            application.focusChanged.connect(self._make_way)

    def add(
        self,
        command: Command,
        do: Callable[[], object],
        *,
        enabled: Callable[[], bool] | None = None,
        checked: Callable[[], bool] | None = None,
    ) -> QAction:
        """Registers a command.

        Args:
            command: What it is.
            do: What it does; keep it a bound method.
            enabled: Whether it can be done now; asked four times a second, so it must be cheap.
            checked: Whether it is on, for what can be on or off; as cheap.

        Raises:
            ValueError: Its key or one of its shortcuts is taken, or is no shortcut.
        """
        if command.key in self._actions:
            raise ValueError(f"there is already a command {command.key}")
        for sequence in command.sequences:
            if sequence.isEmpty() or not sequence.toString():
                raise ValueError(f"{command.key}: {command.shortcut} is no shortcut")
            for other in self._actions.values():
                if sequence in other.command.sequences:
                    raise ValueError(f"{sequence.toString()} belongs to {other.command.key}, not to {command.key} too")
        action = Action(command, do, enabled, checked, self._window)
        self._actions[command.key] = action
        self._window.addAction(action)
        action.draw()
        action.look()
        return action

    def all(self) -> list[Action]:
        """Every command, in the order of registration."""
        return list(self._actions.values())

    def groups(self) -> dict[str, list[Action]]:
        """The commands by group, both in the order of registration."""
        found: dict[str, list[Action]] = {}
        for action in self._actions.values():
            found.setdefault(action.command.group, []).append(action)
        return found

    @Slot()
    def refresh(self) -> None:
        """Asks again what can be done and what is on."""
        for action in self._actions.values():
            action.look()

    def menu(self, parent: QWidget) -> QMenu:
        """A menu of all commands, with a submenu for each group."""
        menu = QMenu(parent)
        for group, actions in self.groups().items():
            inner = QMenu(group, menu)  # one that addMenu makes itself is lost with its Python object
            inner.addActions(actions)
            menu.addMenu(inner)
        menu.aboutToShow.connect(self.refresh)
        return menu

    @Slot()
    def _draw(self) -> None:
        for action in self._actions.values():
            action.draw()

    @Slot(QWidget, QWidget)
    def _make_way(self, old: QWidget | None, new: QWidget | None) -> None:
        """Leaves the space bar to the button or list that has the focus; fields of text claim their keys themselves."""
        del old
        pressed_by_space = isinstance(new, (QAbstractButton, QComboBox, QAbstractItemView))
        for action in self._actions.values():
            sequences = action.command.sequences
            if SPACE in sequences:
                action.setShortcuts([one for one in sequences if one != SPACE] if pressed_by_space else sequences)


SPACE = QKeySequence(Qt.Key.Key_Space)
