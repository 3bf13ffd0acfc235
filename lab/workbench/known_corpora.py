"""Where the corpora of runs lie here. Runs store a hash and a name, never a path; the person's settings do."""

from __future__ import annotations

import contextlib
from pathlib import Path

from lab.base import LabError
from lab.base.settings import read_section, write_section
from lab.recipes import Recipe
from lab.runs import RunFolder

KEPT = 200
"""Corpora that are remembered; the oldest are forgotten."""


def remember(recipe: Recipe, text_sha256: str) -> None:
    """Notes where the corpus of a recipe lies, if it lies in a file.

    Raises:
        LabError: The settings cannot be written.
    """
    path = recipe.corpus.settings.get("path")
    if not isinstance(path, str):
        return
    known = {sha: place for sha, place in read_section("corpora").items() if sha != text_sha256}
    known[text_sha256] = str(Path(path).expanduser().absolute())
    write_section("corpora", dict(list(known.items())[-KEPT:]))


def load_recipe(file: Path) -> Recipe:
    """A recipe file with its corpus found: beside the file, or, for the recipe of a run, where that text lies here.

    Raises:
        BadInput: The file is missing, is no TOML, or holds a setting that is not allowed.
    """
    recipe = Recipe.load(file)
    path = recipe.corpus.settings.get("path")
    if not isinstance(path, str):
        return recipe
    with contextlib.suppress(OSError, ValueError):  # what can be no path is told when the corpus is read
        if (file.parent / path).exists():
            return recipe.with_values({"corpus": {"path": str(file.parent / path)}})
    with contextlib.suppress(LabError):  # a recipe of its own, not that of a run
        corpus = RunFolder.open(file.parent).facts.get("corpus")
        if isinstance(corpus, dict) and isinstance(corpus.get("sha256"), str):
            return localised(recipe, corpus["sha256"])
    return recipe


def portable(recipe: Recipe) -> Recipe:
    """The recipe as a run stores it: of a path only the last part."""
    path = recipe.corpus.settings.get("path")
    return recipe.with_values({"corpus": {"path": Path(path).name}}) if isinstance(path, str) else recipe


def localised(recipe: Recipe, text_sha256: str) -> Recipe:
    """A run's recipe with its corpus where it lies here, if that is known."""
    place = read_section("corpora").get(text_sha256)
    is_file = isinstance(recipe.corpus.settings.get("path"), str)
    return recipe.with_values({"corpus": {"path": place}}) if is_file and isinstance(place, str) else recipe
