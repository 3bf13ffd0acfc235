"""The recipes that come with the lab, by name."""

from __future__ import annotations

import tomllib

from lab.base import BadInput
from lab.base.folders import resources
from lab.recipes.recipe import Recipe

QUICK_START = "quick-start"
"""The one with which the window begins."""

_ENDING = ".toml"


def shipped_names() -> list[str]:
    """Their names in order."""
    files = (resources() / "recipes").iterdir()
    return sorted(file.name.removesuffix(_ENDING) for file in files if file.name.endswith(_ENDING))


def shipped_titles() -> dict[str, str]:
    """What people call them, by name in order; nothing else of them is checked, so that a window opens soon."""
    texts = {
        name: (resources() / "recipes" / f"{name}{_ENDING}").read_text(encoding="utf-8") for name in shipped_names()
    }
    return {name: str(tomllib.loads(text).get("title") or name) for name, text in texts.items()}


def shipped(name: str) -> Recipe:
    """One of them.

    Raises:
        BadInput: There is none of this name.
    """
    names = shipped_names()
    if name not in names:
        raise BadInput("the lab ships no such recipe", field="recipe", value=name, allowed=", ".join(names))
    file = resources() / "recipes" / f"{name}{_ENDING}"
    return Recipe.from_toml(file.read_text(encoding="utf-8"), name=file.name)
