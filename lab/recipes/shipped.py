"""The recipes that come with the lab, by name."""

from __future__ import annotations

import tomllib
from functools import cache

from lab.base import BadInput
from lab.base.folders import resources
from lab.base.system import profile
from lab.recipes.recipe import Recipe
from lab.recipes.shared import shared_recipes

QUICK_START = "quick-start"
"""The recipe that the window starts with."""
LIGHT_QUICK_START = "quick-start-light"
"""The recipe that it starts with in the light profile."""

_ENDING = ".toml"


def shipped_names() -> list[str]:
    """Return the names of the shipped recipes in order."""
    return list(_names())


@cache
def _names() -> tuple[str, ...]:
    files = (resources() / "recipes").iterdir()
    return tuple(sorted(file.name.removesuffix(_ENDING) for file in files if file.name.endswith(_ENDING)))


def quick_start_name() -> str:
    """Return the name of the recipe that the window starts with on this machine."""
    return LIGHT_QUICK_START if profile.now() is profile.LIGHT else QUICK_START


def shipped_titles() -> dict[str, str]:
    """Return titles by name: the introductory recipe first, the others by title.

    The rest of a recipe is not checked, so that a window opens quickly.
    """
    return dict(_titles())


@cache
def _titles() -> dict[str, str]:
    texts = {
        name: (resources() / "recipes" / f"{name}{_ENDING}").read_text(encoding="utf-8") for name in shipped_names()
    }
    titles = {name: str(tomllib.loads(text).get("title") or name) for name, text in texts.items()}
    ordered = sorted(titles, key=lambda name: (name != QUICK_START, titles[name].casefold()))
    return {name: titles[name] for name in ordered}


def shipped(name: str) -> Recipe:
    """Return one of the shipped recipes.

    Raises:
        BadInput: There is no recipe of this name.
    """
    if name not in _names():
        known = [*_names(), *(file.stem for file in shared_recipes())]
        raise BadInput("the lab ships no such recipe", field="recipe", value=name, allowed=", ".join(known))
    return _read(name)


@cache
def _read(name: str) -> Recipe:
    file = resources() / "recipes" / f"{name}{_ENDING}"
    return Recipe.from_toml(file.read_text(encoding="utf-8"), name=file.name)
