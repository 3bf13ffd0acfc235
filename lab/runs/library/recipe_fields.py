"""The settings of a stored recipe by dotted path, as plain values to compare, sort and show."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from lab.base.files.reading import check_plain, parse_toml
from lab.base.problems import LabError

Value: TypeAlias = bool | int | float | str | tuple[str, ...] | None
"""A value of a run; None if it has none."""


def fields_of(table: Mapping[str, Any], path: str = "") -> dict[str, Value]:
    """Return the values in nested tables by dotted path; a list of cards gives their names and their settings.

    Args:
        table: A recipe, a summary, or a result of this function.
        path: A prefix for every path.
    """
    found: dict[str, Value] = {}
    for key, value in table.items():
        here = f"{path}{key}"
        if isinstance(value, Mapping):
            found |= fields_of(value, f"{here}.")
        elif isinstance(value, list | tuple):
            cards = [each for each in value if isinstance(each, Mapping) and "name" in each]
            found[here] = tuple(str(each["name"] if each in cards else each) for each in value)
            for card in cards:
                settings = {name: each for name, each in card.items() if name != "name"}
                found |= fields_of(settings, f"{here}.{card['name']}.")
        elif isinstance(value, bool | int | float | str):
            found[here] = value
    return found


def read_fields(recipe: str, run: str) -> dict[str, Value]:
    """Return the settings in the text of a recipe, without checking them, so that old runs can be compared.

    Args:
        recipe: TOML.
        run: The name of the run, for the problem.

    Raises:
        LabError: The text is not TOML.
    """
    try:
        tables = parse_toml(recipe)
        check_plain(tables)
        return fields_of(tables)
    except ValueError as error:
        what, remedy = f"recipe.toml cannot be read: {error}", "Restore this file from a copy"
        raise LabError(what, field="run", value=run, remedy=remedy) from None
