"""Paths into a recipe: `--set training.steps=300`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Any

from lab.base import BadInput


def parse_assignment(assignment: str) -> dict[str, Any]:
    """One "path=value" as a piece of a recipe. Values are TOML; what is no TOML is taken as text.

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
    return assigned(path, parse_value(value.strip()))


def parse_value(text: str) -> Any:
    """A value as TOML writes it; text that is no TOML stands for itself, so that quotes are not needed."""
    try:
        parsed = tomllib.loads(f"value = {text}")
    except tomllib.TOMLDecodeError:
        return text
    return parsed["value"] if parsed.keys() == {"value"} else text


def assigned(path: str, value: Any) -> dict[str, Any]:
    """Nested tables that hold one value at a dotted path."""
    for part in reversed(path.split(".")):
        value = {part: value}
    return value  # type: ignore[no-any-return]


def merged(base: Mapping[str, Any], piece: Mapping[str, Any]) -> dict[str, Any]:
    """`piece` laid over `base`, table by table. Another card name drops the settings of the card that stood there."""
    if "name" in piece and "name" in base and piece["name"] != base["name"]:
        return dict(piece)
    result = dict(base)
    for key, value in piece.items():
        before = result.get(key)
        both = isinstance(before, Mapping) and isinstance(value, Mapping)
        result[key] = merged(before, value) if both else value  # type: ignore[arg-type]
    return result
