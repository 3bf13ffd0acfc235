"""The filter of the form: which settings, choices of cards and groups pass it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from lab.api import Setting
from lab.shell.recipe.outline import Field, GroupOutline


@dataclass(frozen=True)
class Filter:
    """A filter.

    Args:
        typed: The words that a title, path or description has to contain; "" for none.
        only: The paths of the settings and choices that differ, if only they pass; None if all may.
    """

    typed: str
    only: Collection[str] | None = None

    def passes(self, path: str, text: str) -> bool:
        """Return True if something with this path and text passes."""
        found = text.lower()
        return (self.only is None or path in self.only) and all(word in found for word in self.typed.lower().split())

    def passes_setting(self, path: str, setting: Setting) -> bool:
        """Return True if the setting at a path passes."""
        return self.passes(path, " ".join((setting.title, path, path.replace("_", " "), setting.help, setting.group)))


@dataclass(frozen=True)
class Passing:
    """What passes a filter.

    Args:
        fields: Paths of the settings.
        choices: Fields of the recipe whose choice of a card passes.
        groups: Keys of the groups.
    """

    fields: set[str]
    choices: set[str]
    groups: set[str]


def passing(
    limit: Filter,
    groups: Sequence[GroupOutline],
    basic: Iterable[Field],
    nested: Mapping[str, Sequence[Setting]],
    choices: Mapping[str, str],
) -> Passing:
    """Return what passes a filter; a nested config passes with one of its settings.

    Args:
        limit: The filter.
        groups: The groups.
        basic: The settings among the basic rows.
        nested: All settings by part of the recipe, with those of nested configs, dotted.
        choices: The titles by which each choice of a card is found, by the field of the recipe.
    """
    fields = {field.path for field in basic if limit.passes_setting(field.path, field.setting)}
    for field in (field for group in groups for field in group.fields):
        inner = [one for one in nested.get(field.section, ()) if f"{one.name}.".startswith(f"{field.setting.name}.")]
        if any(limit.passes_setting(f"{field.section}.{one.name}", one) for one in inner):
            fields.add(field.path)
    shown = {field for field, text in choices.items() if limit.passes(field, text)}
    keys = {one.key for one in groups if one.choice in shown or any(field.path in fields for field in one.fields)}
    return Passing(fields, shown, keys)
