"""The plugins that the user trusts, stored in the settings: enabled third-party plugins and disabled built-in ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lab.base.settings import change_section, read_section
from lab.host.discovery import Candidate

SECTION = "plugins"


class Trust:
    """The user's choices. Files are trusted by path, distributions by name and version, built-ins unless disabled."""

    def __init__(self) -> None:
        self._enabled, self._disabled = _choices(read_section(SECTION))

    def allows(self, candidate: Candidate) -> bool:
        """Return True if the user allows this plugin to run in this version."""
        if candidate.origin == "built-in":
            return candidate.key not in self._disabled
        return self._enabled.get(candidate.key) == candidate.version

    def other_version(self, candidate: Candidate) -> str | None:
        """Return the version that the user enabled, if it is not the current version."""
        version = self._enabled.get(candidate.key)
        return None if version == candidate.version else version

    def change(self, candidate: Candidate, *, allow: bool) -> None:
        """Store the user's choice about one plugin.

        Raises:
            LabError: The settings cannot be written; the choice is unchanged.
        """

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


def _choices(section: dict[str, Any]) -> tuple[dict[str, str], frozenset[str]]:
    enabled, disabled = section.get("enabled"), section.get("disabled")
    return (
        {key: version for key, version in enabled.items() if isinstance(version, str)}
        if isinstance(enabled, dict)
        else {},
        frozenset(key for key in disabled if isinstance(key, str)) if isinstance(disabled, list) else frozenset(),
    )
