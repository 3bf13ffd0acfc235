"""Paths into a recipe: `--set training.steps=300`."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from typing import Any

from lab.base import BadInput
from lab.base.files.reading import DEEPEST

MODEL = "model."
"""An alternative first part of a path to a setting of the architecture."""
_LONGEST_SHOWN = 80  # characters of an assignment in a problem


def parse_assignments(assignments: Iterable[str]) -> list[dict[str, Any]]:
    """Return several "path=value" as pieces of a recipe, in order, but with names of cards before their settings.

    Raises:
        BadInput: A text is not an assignment.
    """
    pieces = [(assignment.partition("=")[0].strip(), parse_assignment(assignment)) for assignment in assignments]
    return [piece for _, piece in sorted(pieces, key=lambda given: not given[0].endswith(".name"))]


def parse_assignment(assignment: str) -> dict[str, Any]:
    """Return one "path=value" as a piece of a recipe. Values are TOML; anything else is taken as text.

    "path=" restores the default.

    Raises:
        BadInput: There is no "=", or a part of the path is empty.
    """
    path, sign, value = assignment.partition("=")
    path = path.strip()
    parts = path.split(".")
    if not sign or not all(parts) or len(parts) > DEEPEST:
        raise BadInput(
            "is not an assignment",
            field="--set",
            value=assignment if len(assignment) <= _LONGEST_SHOWN else f"{assignment[:_LONGEST_SHOWN]}…",
            allowed=f"PATH=VALUE, with a path of at most {DEEPEST} parts",
            remedy="Write for example --set training.steps=300",
        )
    if path.startswith(MODEL):
        path = f"architecture.{path.removeprefix(MODEL)}"
    return assigned(path, parse_value(value.strip()) if value.strip() else None)


def parse_value(text: str) -> Any:
    """Return a value written as TOML; other text is returned as it is, so that quotes are not needed.

    Raises:
        BadInput: The value is nested too deeply.
    """
    try:
        parsed = tomllib.loads(f"value = {text}")
    except ValueError:  # not TOML, or a number of thousands of digits
        return text
    except RecursionError:
        what, remedy = "is nested too deeply", "Put text that starts with brackets in quotes"
        raise BadInput(what, field="--set", value=f"{text[:20]}…", remedy=remedy) from None
    return parsed["value"] if parsed.keys() == {"value"} else text


def assigned(path: str, value: Any) -> dict[str, Any]:
    """Return nested tables that hold one value at a dotted path."""
    for part in reversed(path.split(".")):
        value = {part: value}
    return value  # type: ignore[no-any-return]


def merged(base: Mapping[str, Any], piece: Mapping[str, Any]) -> dict[str, Any]:
    """Merge `piece` into `base`, table by table. Another card name drops the settings of the old card.

    A table merged into a list of cards changes the cards it names and adds the others. None in a piece removes a value
    and so restores its default.
    """
    if "name" in piece and "name" in base and piece["name"] != base["name"]:
        return dict(piece)
    result = dict(base)
    for key, value in piece.items():
        before = result.get(key)
        if value is None or (isinstance(value, Mapping) and value.get("name", key) is None):
            result.pop(key, None)
        elif isinstance(before, list) and isinstance(value, Mapping):
            result[key] = _with_cards(before, value)
        elif isinstance(before, Mapping) and isinstance(value, Mapping):
            result[key] = merged(before, value)
        else:
            result[key] = merged({}, value) if isinstance(value, Mapping) else value
    return result


def _with_cards(before: list[Any], piece: Mapping[str, Any]) -> Any:
    """Merge a table of settings by card into a list of cards; return the table alone if it holds anything else.

    None for a card removes it.
    """
    cards = [{"name": card} if isinstance(card, str) else card for card in before]
    named = {card["name"]: card for card in cards if isinstance(card, Mapping) and isinstance(card.get("name"), str)}
    if len(named) < len(cards) or not all(
        settings is None or isinstance(settings, Mapping) for settings in piece.values()
    ):
        return piece
    for name, settings in piece.items():
        if settings is None:
            named.pop(name, None)
        else:
            named[name] = merged(named.get(name, {"name": name}), settings)
    return list(named.values())
