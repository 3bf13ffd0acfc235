"""The state of Plugins without Qt: the plugins in their groups, the selected one, and what can be done with it."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from typing import Protocol

from lab.base.files.reading import read_bytes
from lab.host import PluginInfo, PluginState

LARGEST = 1_000_000
"""Bytes up to which a file is parsed for its docstring."""


class Group(Enum):
    """The groups of plugins, in the order of the list."""

    FOLDER = auto()
    """Files and packages of the plugins folder."""
    SHARED = auto()
    """Files and packages that an administrator shares."""
    PACKAGES = auto()
    """Installed distributions."""
    FAMILIES = auto()
    """Families of models that come with the lab."""
    LAB = auto()
    """Parts of the lab itself, which cannot be disabled here."""


class Status(Enum):
    """The state of a plugin as its row shows it."""

    RUNNING = auto()
    CHANGING = auto()
    """It is being enabled or disabled."""
    WAITING = auto()
    OFF = auto()
    OTHER_VERSION = auto()
    """It was enabled in another version than the present one."""
    DISABLED = auto()
    SKIPPED = auto()
    LEFT_OUT = auto()
    """The last start died while loading it."""
    FORBIDDEN = auto()
    """The policy of the machine does not allow it."""
    FAILED = auto()
    OTHER_API = auto()
    """It was written for a version of the lab's API that this lab does not have."""


BROKEN = (Status.FAILED, Status.OTHER_API, Status.LEFT_OUT)
"""The states in which something went wrong."""
STATUSES = {
    PluginState.WAITING: Status.WAITING,
    PluginState.ON: Status.RUNNING,
    PluginState.OFF: Status.OFF,
    PluginState.DISABLED: Status.DISABLED,
    PluginState.SKIPPED: Status.SKIPPED,
    PluginState.LEFT_OUT: Status.LEFT_OUT,
    PluginState.FORBIDDEN: Status.FORBIDDEN,
    PluginState.FAILED: Status.FAILED,
}
"""The status for each state of the host that has no special case."""


class PluginHost(Protocol):
    """An object that lists plugins, such as `lab.host.Plugins`."""

    def listed(self) -> list[PluginInfo]:
        """Return every plugin, running or not."""


@dataclass(frozen=True)
class Entry:
    """A plugin of the list.

    Args:
        info: Its description by the host.
        title: The first line of its docstring, which is read without running it; "" if there is none.
        is_changing: True while it is being enabled or disabled.
    """

    info: PluginInfo
    title: str
    is_changing: bool = False

    @property
    def group(self) -> Group:
        """Its group."""
        if self.info.origin == "built-in":
            return Group.LAB if self.info.name.startswith("lab.") else Group.FAMILIES
        return {"file": Group.FOLDER, "shared": Group.SHARED}.get(self.info.origin, Group.PACKAGES)

    @property
    def status(self) -> Status:
        """Its state."""
        info = self.info
        if self.is_changing:
            return Status.CHANGING
        if info.state == PluginState.OFF and info.problems:
            return Status.OTHER_VERSION
        if info.state == PluginState.FAILED and any(problem.field == "LAB_API_VERSION" for problem in info.problems):
            return Status.OTHER_API
        return STATUSES[info.state]

    @property
    def needs_consent(self) -> bool:
        """True if it is code of others that the user has not allowed to run."""
        return self.info.origin != "built-in" and not self.info.enabled and self.info.state != PluginState.ON

    @property
    def can_enable(self) -> bool:
        """True if enabling it, perhaps once more, changes something."""
        if self.status is Status.FORBIDDEN:
            return False
        if self.status is Status.SKIPPED:
            return not self.info.enabled
        return self.status not in (Status.RUNNING, Status.CHANGING, Status.WAITING)

    @property
    def can_disable(self) -> bool:
        """True if it is allowed to run, the lab works without it, and the policy of the machine does not ask for it."""
        is_allowed = self.info.enabled or self.info.state in (PluginState.ON, PluginState.WAITING, PluginState.FAILED)
        return is_allowed and not self.is_changing and not self.info.is_fixed and self.group is not Group.LAB

    @property
    def path(self) -> Path | None:
        """The file or folder of a plugin that is not an installed package."""
        return Path(self.info.location) if self.info.origin in ("file", "shared") else None


class PluginsModel:
    """The plugins in their groups, the selected one, and those that are being changed.

    Args:
        host: The plugins.

    Attributes:
        entries: The plugins when they were last listed.
    """

    def __init__(self, host: PluginHost) -> None:
        self._host = host
        self._selected = ""
        self._changing: set[str] = set()
        self._titles: Mapping[str, str] = {}
        self.entries: tuple[Entry, ...] = ()
        self.refresh()

    def refresh(self) -> None:
        """List the plugins again. A selected plugin that is gone leaves the selection to another one."""
        self.entries = tuple(
            Entry(info, info.title or self._titles.get(info.location, ""), info.name in self._changing)
            for info in self._host.listed()
        )
        if self.selected is None:
            self._selected = self._first()

    def take_titles(self, titles: Mapping[str, str]) -> None:
        """Show titles of plugins that do not run, by their location."""
        self._titles = titles
        self.refresh()

    def _first(self) -> str:
        """Return the plugin that is shown first: a broken one of others, else any of others; "" if there is none."""
        others = [entry for entry in self.entries if entry.info.origin != "built-in"]
        others.sort(key=lambda entry: entry.status not in BROKEN)
        return others[0].info.name if others else ""

    @property
    def selected(self) -> Entry | None:
        """The selected plugin."""
        return next((entry for entry in self.entries if entry.info.name == self._selected), None)

    def select(self, name: str) -> None:
        """Select a plugin; an unknown name selects the first one of others."""
        self._selected = name
        if self.selected is None:
            self._selected = self._first()

    def groups(self) -> list[tuple[Group, list[Entry]]]:
        """Return the plugins of each group that has any; those of others by name, built-in ones in their own order."""
        found = {group: [entry for entry in self.entries if entry.group is group] for group in Group}
        for group in (Group.FOLDER, Group.SHARED, Group.PACKAGES):
            found[group].sort(key=lambda entry: entry.info.name.casefold())
        return [(group, entries) for group, entries in found.items() if entries]

    def begin_change(self, name: str) -> bool:
        """Note that a plugin is being enabled or disabled. Return False if it is already."""
        if name in self._changing:
            return False
        self._changing.add(name)
        self.refresh()
        return True

    def end_change(self, name: str) -> None:
        """Note that a plugin was enabled or disabled, or that this failed."""
        self._changing.discard(name)
        self.refresh()


def titles_of_files(entries: tuple[Entry, ...]) -> dict[str, str]:
    """Return the first line of the docstring of each plugin of the folder that does not run, by its location.

    The files are parsed and not run; those that cannot be parsed have no title.
    """
    found = {}
    for entry in entries:
        if entry.path is not None and not entry.info.title:
            source = entry.path / "__init__.py" if entry.path.is_dir() else entry.path
            title = _docstring_of(source).partition("\n")[0]
            if title:
                found[entry.info.location] = title
    return found


def _docstring_of(source: Path) -> str:
    try:
        return ast.get_docstring(ast.parse(read_bytes(source, LARGEST))) or ""
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
