"""Paths into a recipe: `--set training.steps=300`."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from typing import Any

from lab.base import BadInput

MODEL = "model."
"""What a path to a setting of the architecture may begin with as well."""


def parse_assignments(assignments: Iterable[str]) -> list[dict[str, Any]]:
    """Several "path=value" as pieces of a recipe, in order; but names of cards come before settings of those cards.

    Raises:
        BadInput: One of them is no assignment.
    """
    pieces = [(assignment.partition("=")[0].strip(), parse_assignment(assignment)) for assignment in assignments]
    return [piece for _, piece in sorted(pieces, key=lambda given: not given[0].endswith(".name"))]


def parse_assignment(assignment: str) -> dict[str, Any]:
    """One "path=value" as a piece of a recipe. Values are TOML; what is no TOML is taken as text.

    "path=" gives the default back.

    Raises:
        BadInput: There is no "=", or a part of the path is empty.
    """
    path, sign, value = assignment.partition("=")
    path = path.strip()
    if not sign or not all(path.split(".")):
        raise BadInput(
            "is no assignment",
            field="--set",
            value=assignment,
            allowed="PATH=VALUE",
            remedy="Write for example --set training.steps=300",
        )
    if path.startswith(MODEL):
        path = f"architecture.{path.removeprefix(MODEL)}"
    return assigned(path, parse_value(value.strip()) if value.strip() else None)


def parse_value(text: str) -> Any:
    """A value as TOML writes it; text that is no TOML stands for itself, so that quotes are not needed.

    Raises:
        BadInput: It is nested too deep.
    """
    try:
        parsed = tomllib.loads(f"value = {text}")
    except tomllib.TOMLDecodeError:
        return text
    except RecursionError:
        what, remedy = "is nested too deep", "Put a text that begins with brackets in quotes"
        raise BadInput(what, field="--set", value=f"{text[:20]}…", remedy=remedy) from None
    return parsed["value"] if parsed.keys() == {"value"} else text


def assigned(path: str, value: Any) -> dict[str, Any]:
    """Nested tables that hold one value at a dotted path."""
    for part in reversed(path.split(".")):
        value = {part: value}
    return value  # type: ignore[no-any-return]


def merged(base: Mapping[str, Any], piece: Mapping[str, Any]) -> dict[str, Any]:
    """`piece` laid over `base`, table by table. Another card name drops the settings of the card that stood there.

    A table laid over a list of cards changes those it names and adds those that are not there yet. None in a piece
    takes away what stood there, so that its default comes back.
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
    """A list of cards with a table of settings by card laid over it; the table alone where one of them is none.

    None for a card takes it away.
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
