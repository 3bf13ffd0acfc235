"""Where the corpora of runs lie here. Runs store a hash and a name, never a path; the person's settings do."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lab.base import BadInput, LabError
from lab.base.settings import change_section, read_section
from lab.recipes import Recipe
from lab.runs import RunFolder
from lab.text.corpora.datasets import HUB_NAME
from lab.workbench.launch.known_tokenizers import with_tokenizer_here

_PATHS = {"file": ("path",), "dataset": ("path",), "markov": ("chain", "path")}
"""Where the settings of a corpus name a file or folder."""

KEPT = 200
"""Corpora that are remembered; the oldest are forgotten."""


def remember(recipe: Recipe, text_sha256: str) -> None:
    """Notes where the corpus of a recipe lies, if it lies in a file.

    Raises:
        LabError: The settings cannot be written.
    """
    path = path_of(recipe)
    if path is None:
        return
    place = str(Path(path).expanduser().absolute())

    def with_this(known: dict[str, Any]) -> dict[str, Any]:
        others = [(sha, other) for sha, other in known.items() if sha != text_sha256]
        return dict([*others, (text_sha256, place)][-KEPT:])

    change_section("corpora", with_this)


def load_recipe(file: Path) -> Recipe:
    """A recipe file with its corpus found: for the recipe of a run where that text lies here, else beside the file.

    Raises:
        BadInput: The file is missing, is no TOML, or holds a setting that is not allowed.
    """
    recipe = Recipe.load(file)
    if file.name == "recipe.toml":
        with contextlib.suppress(LabError):  # a recipe of its own, not that of a run
            recipe = with_tokenizer_here(recipe, RunFolder.open(file.parent))
    path = path_of(recipe)
    if path is None:
        return recipe
    if file.name == "recipe.toml":
        with contextlib.suppress(LabError):  # a recipe of its own, not that of a run
            known = _known(sha256_of(RunFolder.open(file.parent)))
            if known is not None:
                return with_path(recipe, known)
    return _beside(recipe, path, file.parent) or recipe


def portable(recipe: Recipe) -> Recipe:
    """The recipe as a run stores it: of the paths of its corpus and of its tokenizer only the names."""
    read = recipe.tokenizer.settings.get("path")
    if isinstance(read, str):  # a run keeps what the file says
        recipe = recipe.with_values({"tokenizer": {"path": Path(read).name or read}})
    path = path_of(recipe)
    if path is None:
        return recipe
    place = Path(path).expanduser()
    name = place.name if place.name not in ("", "..") else place.resolve().name
    return with_path(recipe, Path(name or "corpus"))


def with_whole_path(recipe: Recipe) -> Recipe:
    """The recipe with the path of its corpus from the root on, so that it means the same in any folder."""
    path = path_of(recipe)
    return recipe if path is None else with_path(recipe, Path(path).expanduser().absolute())


def localised(recipe: Recipe, run: RunFolder) -> Recipe:
    """A run's recipe with its corpus where it lies here, and the file of its tokenizer, where it was read from one.

    A path in the recipe itself is never followed, since it may be a stranger's. Only a bare name is looked for: beside
    the run and in the current folder.

    Raises:
        BadInput: It lies nowhere known.
    """
    recipe = with_tokenizer_here(recipe, run)
    path = path_of(recipe)
    if path is None:
        return recipe
    known = _known(sha256_of(run))
    if known is not None:
        return with_path(recipe, known)
    if Path(path).name == path != "..":
        for folder in (run.path.absolute().parent, Path.cwd()):
            found = _beside(recipe, path, folder)
            if found is not None:
                return found
    raise BadInput("lies nowhere known here", field="corpus.path", value=path, remedy="Give the text with --text FILE")


def sha256_of(run: RunFolder) -> str | None:
    """The hash of the text a run was trained on, if it tells."""
    corpus = run.facts.get("corpus")
    sha256 = corpus.get("sha256") if isinstance(corpus, dict) else None
    return sha256 if isinstance(sha256, str) else None


def path_of(recipe: Recipe) -> str | None:
    """The path that a corpus of the lab reads; None where it reads no file. Those of plugins use words of their own."""
    value: Any = recipe.corpus.settings
    for name in _PATHS.get(recipe.corpus.name, ("",)):
        value = value.get(name) if isinstance(value, Mapping) else None
    if not isinstance(value, str) or (recipe.corpus.name == "dataset" and _is_on_the_hub(value)):
        return None
    return value


def _is_on_the_hub(name: str) -> bool:
    with contextlib.suppress(OSError, ValueError, RuntimeError):
        return HUB_NAME.fullmatch(name) is not None and not Path(name).expanduser().exists()
    return False


def with_path(recipe: Recipe, path: Path) -> Recipe:
    """A recipe whose corpus reads a file, reading it at another place."""
    piece: dict[str, Any] = {}
    place = piece
    *outer, last = _PATHS[recipe.corpus.name]
    for name in outer:
        place = place.setdefault(name, {})
    place[last] = str(path)
    return recipe.with_values({"corpus": piece})


def _known(sha256: str | None) -> Path | None:
    place = read_section("corpora").get(sha256) if sha256 else None
    with contextlib.suppress(OSError, ValueError):
        return Path(place) if isinstance(place, str) and Path(place).exists() else None
    return None


def _beside(recipe: Recipe, path: str, folder: Path) -> Recipe | None:
    with contextlib.suppress(OSError, ValueError):  # what can be no path is told when the corpus is read
        return with_path(recipe, folder / path) if (folder / path).exists() else None
    return None
