"""The plugins that may run: those that the user trusts, stored in the settings, unless the policy decides otherwise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lab.base.problems import BadInput, Problem
from lab.base.settings import change_section, read_section
from lab.base.system.policy import policy
from lab.host.discovery import Candidate

SECTION = "plugins"
ASK = "Ask the administrator of this machine"
"""The remedy for what only the policy can change."""


class Trust:
    """The user's choices. Files are trusted by path, distributions by name and version, built-ins unless disabled.

    The policy of the machine comes first: it may forbid plugins of others, and run shared ones for everybody.
    """

    def __init__(self) -> None:
        self._enabled, self._disabled = _choices(read_section(SECTION))

    def allows(self, candidate: Candidate) -> bool:
        """Return True if this plugin may run in this version."""
        if self.forbids(candidate):
            return False
        if self.requires(candidate):
            return True
        if candidate.origin == "built-in":
            return candidate.key not in self._disabled
        return self._enabled.get(candidate.key) == candidate.version

    def forbids(self, candidate: Candidate) -> bool:
        """Return True if the policy of the machine does not allow this plugin."""
        return candidate.origin != "built-in" and not policy().allows_plugin(candidate.name)

    def requires(self, candidate: Candidate) -> bool:
        """Return True if the policy of the machine enables this plugin, which it shares, for everybody."""
        return candidate.origin == "shared" and candidate.name in policy().enabled_plugins

    def other_version(self, candidate: Candidate) -> str | None:
        """Return the version that the user enabled, if it is not the current version."""
        version = self._enabled.get(candidate.key)
        return None if version == candidate.version else version

    def change(self, candidate: Candidate, *, allow: bool) -> None:
        """Store the user's choice about one plugin.

        Raises:
            BadInput: The policy of the machine decides about it.
            LabError: The settings cannot be written; the choice is unchanged.
        """
        if allow and self.forbids(candidate):
            raise BadInput(forbidden(candidate.name))
        if not allow and self.requires(candidate):
            what = f"this plugin is enabled for everybody by {policy().source('enabled_plugins')}"
            raise BadInput(what, field="plugin", value=candidate.name, remedy=ASK)

        def change(section: dict[str, Any]) -> dict[str, Any]:
            enabled, disabled = _choices(section)
            if candidate.origin == "built-in":
                disabled = disabled - {candidate.key} if allow else disabled | {candidate.key}
            elif allow:
                enabled[candidate.key] = candidate.version
            else:
                enabled.pop(candidate.key, None)
            return {"enabled": enabled, "disabled": sorted(disabled)}

        self._change(change)

    def forget(self, key: str) -> None:
        """Remove the choice about a third-party plugin, for instance before another file gets its path.

        Raises:
            LabError: The settings cannot be written; the choice is unchanged.
        """

        def change(section: dict[str, Any]) -> dict[str, Any]:
            enabled, disabled = _choices(section)
            enabled.pop(key, None)
            return {"enabled": enabled, "disabled": sorted(disabled)}

        if key in self._enabled:
            self._change(change)

    def _change(self, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
        change_section(SECTION, change)
        self._enabled, self._disabled = _choices(read_section(SECTION))


def forbidden(name: str) -> Problem:
    """Return the problem of a plugin that the policy of the machine does not allow."""
    what = f"this plugin is not allowed by {policy().source('allowed_plugins')}"
    return Problem(what, remedy=ASK, plugin=name)


def _choices(section: dict[str, Any]) -> tuple[dict[str, str], frozenset[str]]:
    enabled, disabled = section.get("enabled"), section.get("disabled")
    return (
        {key: version for key, version in enabled.items() if isinstance(version, str)}
        if isinstance(enabled, dict)
        else {},
        frozenset(key for key in disabled if isinstance(key, str)) if isinstance(disabled, list) else frozenset(),
    )
