"""The recipes that come with the lab, by name."""

from __future__ import annotations

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
