"""Differences between two recipes: as values by path, as parts of a name, as assignments."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lab.api import without_effect
from lab.host import Plugins
from lab.recipes import Recipe
from lab.training.resolution import Resolved, resolve_all, written_out


def differences(recipe: Recipe, base: Recipe, plugins: Plugins) -> dict[str, tuple[Any, Any]]:
    """Return the differences of a recipe from a base as (before, now) by path, without the title.

    Another card differs only in its name. A setting that has no effect in the recipe is not a difference; one that only
    the base does not use is compared with the value that the base stores.

    Raises:
        LabError: A card is missing, or a setting is not allowed.
    """
    mine, theirs = resolve_all(recipe, plugins), resolve_all(base, plugins)
    own, other = _table(recipe, mine), _table(base, theirs)
    for field, card in mine.items():
        base_card, table = theirs.get(field), _inside(other, field)
        if base_card is not None and base_card.card.name == card.card.name and isinstance(table, dict):
            for name in card.config.unused(card.config.model_dump()):
                table.pop(name, None)
            unused = base_card.config.model_dump(mode="json", include=card.config.stored().keys() - table.keys())
            table.update({name: value for name, value in unused.items() if value is not None})
            for name in without_effect(type(card.config), card.config.stored()):
                table.pop(name, None)
                _inside(own, field).pop(name, None)
    found: dict[str, tuple[Any, Any]] = {}
    for table in (own, other):
        table.pop("title", None)
    _compare(own, other, "", found)
    return found


def shown_short(value: Any) -> str:
    """Return a value as it is shown in the name of a run."""
    if isinstance(value, float):
        return f"{value:.4g}"
    shown = str(value)
    return Path(shown).name[:24] if "/" in shown or "\\" in shown else shown[:24]


def assignments_of(path: str, value: Any) -> list[str]:
    """Return a value at a path as assignments; None restores the default."""
    if value is None:
        return [f"{path}="]
    if isinstance(value, Mapping):
        return [line for name, inner in value.items() for line in assignments_of(f"{path}.{name}", inner)]
    return [f"{path}={_as_toml(value)}"]


def _table(recipe: Recipe, everything: Mapping[str, Resolved]) -> dict[str, Any]:
    """Return a recipe with all settings of its cards."""
    return dict(written_out(recipe, everything).model_dump(mode="json", exclude_none=True))


def _inside(table: Mapping[str, Any], path: str) -> Any:
    found: Any = table
    for part in path.split("."):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found


def _compare(own: Mapping[str, Any], other: Mapping[str, Any], prefix: str, found: dict[str, tuple[Any, Any]]) -> None:
    if "name" in own and own.get("name") != other.get("name"):
        found[f"{prefix}name"] = (other.get("name"), own["name"])
        return
    for name in {**other, **own}:
        mine, theirs = own.get(name), other.get(name)
        if isinstance(mine, dict) and isinstance(theirs, dict):
            _compare(mine, theirs, f"{prefix}{name}.", found)
        elif mine != theirs and name != "version":
            found[prefix + name] = (theirs, mine)


def _as_toml(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{json.dumps(key)} = {_as_toml(inner)}' for key, inner in value.items())}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_as_toml, value))}]"
    return json.dumps(value, ensure_ascii=False)
