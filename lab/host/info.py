"""A plugin as it is listed: what it is, its state, and its problems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from lab.base.problems import Problem
from lab.host.discovery import Origin

State = Literal["waiting", "on", "off", "disabled", "skipped", "left out", "failed"]
"""What became of a plugin:

- waiting: it will run as soon as the plugins are loaded;
- on: it runs, and its cards are there;
- off: a third party's, and the person has not enabled it, or another version of it; nothing of it has run;
- disabled: a built-in that the person turned off;
- skipped: this process was asked to start without it (safe mode, LAB_PLUGINS);
- left out: the last start died while loading it;
- failed: it could not be imported, or raised; its problems say why, and none of its cards is there.
"""


@dataclass(frozen=True)
class PluginInfo:
    """One plugin, as the list of plugins shows it.

    Args:
        name: What it is enabled and disabled by.
        title: The first line of its docstring; "" until it has been loaded.
        origin: "built-in", "package" or "file".
        location: Its module, its distribution and version, or its path.
        state: What became of it.
        problems: What there is to say about it.
        cards: Names of its cards by kind.
    """

    name: str
    title: str
    origin: Origin
    location: str
    state: State
    problems: tuple[Problem, ...] = ()
    cards: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """Return all fields as plain data for JSON."""
        return {
            "name": self.name,
            "title": self.title,
            "origin": self.origin,
            "place": self.location,
            "state": self.state,
            "problems": [problem.as_dict() for problem in self.problems],
            "cards": {kind: list(names) for kind, names in self.cards.items()},
        }
