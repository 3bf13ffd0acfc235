"""The description of a plugin in lists: its state, problems and cards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from lab.base.problems import Problem
from lab.host.discovery import Origin


class PluginState(StrEnum):
    """The states of a plugin; the values are those in JSON and on the command line."""

    WAITING = "waiting"
    """It will run when the plugins are loaded."""
    ON = "on"
    """It runs, and its cards are available."""
    OFF = "off"
    """A third-party plugin that is not enabled, or only in another version; none of its code has run."""
    DISABLED = "disabled"
    """A built-in plugin that was turned off."""
    SKIPPED = "skipped"
    """This process was started without it (safe mode, LAB_PLUGINS)."""
    LEFT_OUT = "left out"
    """The last start died while loading it."""
    FORBIDDEN = "not allowed"
    """The policy of the machine does not allow it; none of its code has run."""
    FAILED = "failed"
    """It could not be imported, or raised; its problems give the reason, and it has no cards."""


@dataclass(frozen=True)
class PluginInfo:
    """One plugin, as shown in the list of plugins.

    Args:
        name: The name by which it is enabled and disabled.
        title: The first line of its docstring; "" until it has been loaded.
        origin: "built-in", "package", "shared" or "file".
        location: The module, the distribution and version, or the path.
        state: The state of the plugin.
        problems: The problems of the plugin.
        cards: The names of its cards, by kind.
        version: The version of its distribution; "" for others.
        enabled: True if it may run in later starts, by the user's settings or by the policy.
        is_fixed: True if the policy of the machine decides about it, and not the user.
    """

    name: str
    title: str
    origin: Origin
    location: str
    state: PluginState
    problems: tuple[Problem, ...] = ()
    cards: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    version: str = ""
    enabled: bool = False
    is_fixed: bool = False

    def as_dict(self) -> dict[str, Any]:
        """Return all fields as plain data for JSON."""
        return {
            "name": self.name,
            "title": self.title,
            "origin": self.origin,
            "place": self.location,
            "version": self.version,
            "state": self.state,
            "enabled": self.enabled,
            "problems": [problem.as_dict() for problem in self.problems],
            "cards": {kind: list(names) for kind, names in self.cards.items()},
        }
