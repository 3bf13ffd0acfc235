"""The settings that shape a part of a model, named and written as in the form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import BaseModel

from lab.api import Setting
from lab.host import Plugins
from lab.recipes import Recipe
from lab.training.resolution import Resolved, resolve_all
from lab.widgets.core.i18n import localized, tr, tr_registered
from lab.widgets.forms.translated import translated
from lab.widgets.forms.values import shown


def setting_texts(recipe: Recipe, paths: Iterable[str], plugins: Plugins) -> dict[str, str]:
    """Return "Heads: 4" for each path of a recipe, those of the architecture first and in the order of the form.

    Raises:
        LabError: A card is missing, or a setting is not allowed.
    """
    everything = resolve_all(recipe, plugins)
    found = {path: _described(path, recipe, everything) for path in paths}
    return {path: text for path, (_, text) in sorted(found.items(), key=lambda one: one[1][0])}


def _described(path: str, recipe: Recipe, everything: Mapping[str, Resolved]) -> tuple[tuple[int, ...], str]:
    """Return the position of a setting in the form, and its text."""
    fields = ["architecture", *everything]
    field = max((one for one in fields if path.startswith(f"{one}.")), key=len, default=path.partition(".")[0])
    names = path[len(field) + 1 :].split(".")
    if field in everything and names == ["name"]:
        title = tr_registered(field.rpartition(".")[2].capitalize())
        return (fields.index(field),), _line([title], tr_registered(everything[field].card.title))
    owner: Any = everything[field].config if field in everything else getattr(recipe, field, None)
    position = [fields.index(field) if field in everything else len(fields)]
    titles: list[str] = []
    value = ""
    for name in names:
        settings = list(translated(type(owner))) if isinstance(owner, BaseModel) else []
        index = next((index for index, one in enumerate(settings) if one.name == name), None)
        if index is None:  # inside a list, such as a pattern of blocks
            return (*position,), _line([*titles, name], value)
        position.append(index)
        titles.append(settings[index].title)
        value, owner = _written(settings[index], owner), getattr(owner, name)
    return (*position,), _line(titles, value)


def _line(titles: Iterable[str], value: str) -> str:
    return tr("{setting}: {value}", setting=" · ".join(titles), value=value) if value else " · ".join(titles)


def _written(setting: Setting, owner: BaseModel) -> str:
    """Return the value of a setting of a config as the form writes it."""
    value = getattr(owner, setting.name)
    if isinstance(value, BaseModel):
        return ""
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    if setting.kind == "choice":
        return setting.names.get(value, str(value))
    found = getattr(owner, setting.auto) if isinstance(setting.auto, str) and not value else None
    text = shown(setting, value, None if callable(found) else found)
    return localized(text) if setting.kind in ("int", "float") else text
