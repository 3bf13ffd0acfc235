"""Named choices of strategy and filters: a few built-in ones and those of the user, stored in the settings; no Qt."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from lab.base.files.reading import check_plain
from lab.base.problems import BadInput
from lab.base.settings import change_section, read_section

SECTION = "decoding presets"
LONGEST_NAME = 40
"""Most characters of a name."""
MOST = 100
"""Most presets of the user."""
LARGEST = 100_000
"""Most characters of one preset as JSON."""

BUILT_IN: Mapping[str, Mapping[str, Any]] = {
    "greedy": {"strategy": {"name": "greedy"}, "filters": []},
    "pure sampling": {"strategy": {"name": "sampling"}, "filters": []},
    "top-k 40": {"strategy": {"name": "sampling"}, "filters": [{"name": "top-k", "k": 40}]},
    "nucleus 0.9": {"strategy": {"name": "sampling"}, "filters": [{"name": "top-p", "p": 0.9}]},
    "careful": {
        "strategy": {"name": "sampling"},
        "filters": [{"name": "temperature", "temperature": 0.7}, {"name": "top-p", "p": 0.9}],
    },
    "creative": {
        "strategy": {"name": "sampling"},
        "filters": [{"name": "temperature", "temperature": 1.3}, {"name": "min-p", "share": 0.05}],
    },
}
"""The built-in presets: strategy and filters as `DecodingDraft.state_dict` has them; what is missing has its default,
and a strategy without settings keeps those that it has."""


def own_presets() -> dict[str, dict[str, Any]]:
    """Return the presets of the user by name; what is damaged is left out."""
    stored = read_section(SECTION).get("presets")
    items = stored.items() if isinstance(stored, dict) else ()
    return {name: preset for name, preset in items if name and name not in BUILT_IN and _is_preset(preset)}


def save_preset(name: str, preset: Mapping[str, Any]) -> None:
    """Store a preset of the user; one of the same name is replaced.

    Raises:
        BadInput: The name is not allowed, or there are too many presets.
        LabError: The settings cannot be written.
    """
    _check_name(name)
    if len(json.dumps(preset)) > LARGEST:
        raise BadInput("is too long", field="preset", allowed=f"{LARGEST:,} characters", remedy="Shorten its lists")

    def add(presets: dict[str, Any]) -> dict[str, Any]:
        if name not in presets and len(presets) >= MOST:
            raise BadInput(f"there are {MOST} presets already", field="preset", remedy="Delete one first")
        return {**presets, name: dict(preset)}

    _change(add)


def rename_preset(name: str, new: str) -> None:
    """Give a preset of the user another name; it keeps its place.

    Raises:
        BadInput: The name is not allowed, or that of another preset.
        LabError: The settings cannot be written.
    """
    _check_name(new)

    def rename(presets: dict[str, Any]) -> dict[str, Any]:
        if new in presets and new != name:
            raise BadInput("is the name of another preset", field="preset", value=new, remedy="Choose another name")
        return {new if one == name else one: preset for one, preset in presets.items()}

    _change(rename)


def delete_preset(name: str) -> None:
    """Delete a preset of the user.

    Raises:
        LabError: The settings cannot be written.
    """
    _change(lambda presets: {one: preset for one, preset in presets.items() if one != name})


def _change(change: Any) -> None:
    """Change the stored presets, as they are now: another window may have changed them too."""

    def changed(section: dict[str, Any]) -> dict[str, Any]:
        stored = section.get("presets")
        return {**section, "presets": change(stored if isinstance(stored, dict) else {})}

    change_section(SECTION, changed)


def _check_name(name: str) -> None:
    if not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
        allowed = f"1 to {LONGEST_NAME} characters in one line"
        raise BadInput("is no name", field="preset", value=name, allowed=allowed)
    if name in BUILT_IN:
        raise BadInput("is a built-in preset", field="preset", value=name, remedy="Choose another name")


def _is_preset(stored: Any) -> bool:
    """Return True if this is a strategy with a name and a list of filters with names, of plain data."""
    if not isinstance(stored, dict) or not isinstance(stored.get("filters"), list):
        return False
    try:
        check_plain(stored)
    except ValueError:
        return False
    cards = [stored.get("strategy"), *stored["filters"]]
    return all(isinstance(card, dict) and isinstance(card.get("name"), str) for card in cards)
