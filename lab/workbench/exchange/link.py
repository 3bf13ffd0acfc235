"""Links of recipes and runs: made without paths of this machine, and opened with the corpus that is found here."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from lab.api import settings_of
from lab.base import BadInput
from lab.host import Plugins
from lab.recipes import Link, LinkedCorpus, LinkedRun, Recipe, read_link, write_link
from lab.recipes.link import PROTOCOL
from lab.runs import RunFolder
from lab.runs.library.labels import read_label
from lab.workbench.launch.known_corpora import known_path, path_of, paths_of, portable, with_path
from lab.workbench.launch.live_edits import replayed

INDEX = re.compile(r"\[\d+\]")
"""The index of an element of a list in the name of a setting."""
DIGITS = 16
"""Digits of the hash of a corpus in a link."""
FILE = "Give the text with --corpus FILE"
"""The remedy if the corpus of a link is not found here."""
ABSOLUTE = re.compile(r"\s*(/|~|[A-Za-z]:[\\/]|\\\\|file:).*\S", re.DOTALL | re.IGNORECASE)
"""A path from the root of a file system, or from the user's folder."""
OUTSIDE = re.compile(r"(.*[\\/])?\s*\.\.\s*([\\/].*)?", re.DOTALL)
"""A path that leaves a folder."""


def link_of_recipe(recipe: Recipe, plugins: Plugins) -> str:
    """Return a recipe as a link. A corpus in a file is read, so that it can be recognised by its hash.

    Raises:
        BadInput: The recipe needs a file that no link can name, is too long, or its corpus cannot be read.
        LabError: A plugin's code raised.
    """
    check_no_paths(recipe.with_values({"corpus": None}), plugins)
    corpus = None
    if path_of(recipe) is not None:
        name, size, sha256 = _read(recipe, plugins)
        corpus = LinkedCorpus(name=name, characters=size, sha256=sha256[:DIGITS])
    return _written(Link(portable(recipe), corpus), plugins)


def link_of_run(run: RunFolder, plugins: Plugins | None = None) -> str:
    """Return the recipe of a run as a link, with its live edits as a schedule, and its last loss for comparison.

    Args:
        run: The run.
        plugins: The plugins whose settings are known to be paths; without them only what looks like one is refused.

    Raises:
        BadInput: The recipe needs a file that no link can name, or is too long.
        LabError: The run cannot be read.
    """
    recipe = replayed(run)
    corpus = run.facts.get("corpus")
    facts = corpus if isinstance(corpus, Mapping) else {}
    path, size, sha256 = path_of(recipe), facts.get("characters"), facts.get("sha256")
    found = None
    if path is not None:
        found = LinkedCorpus(
            name=Path(path).name or path,
            characters=size if isinstance(size, int) else 0,
            sha256=sha256[:DIGITS] if isinstance(sha256, str) else "",
        )
    status = run.status()
    loss, protocol = status.summary.get("validation_loss"), str(status.summary.get("protocol") or "")
    is_finite = isinstance(loss, int | float) and math.isfinite(loss)
    result = LinkedRun(
        name=read_label(run.path).name,
        step=status.step,
        validation_loss=round(float(loss), 4) if is_finite else None,  # type: ignore[arg-type]
        protocol=protocol if is_finite and re.fullmatch(PROTOCOL, protocol) else "",
        branched=run.parent is not None,
    )
    return _written(Link(portable(recipe), found, result), plugins)


def open_link(text: str, plugins: Plugins | None = None) -> Link:
    """Read a link of a stranger: it may name files, but no folders.

    Args:
        text: The link.
        plugins: The plugins whose settings are known to be paths; without them only what looks like one is refused.

    Raises:
        BadInput: It is not a link, is damaged, or names a path.
    """
    link = read_link(text)
    path = path_of(link.recipe)
    if path is not None and not _is_bare_name(path):
        remedy = "Ask for the recipe as a file"
        raise BadInput("is not the name of a file", field="corpus.path", value=path, remedy=remedy)
    check_no_paths(link.recipe, plugins)
    return link


def recipe_here(link: Link, corpus: Path | None = None, *, folder: Path | None = None) -> Recipe:
    """Return the recipe of a link with the path that its corpus has on this machine.

    Args:
        link: The link.
        corpus: The path; None searches for it among the texts that runs were trained on here.
        folder: A folder in which a file of its name is accepted, too; None for none.

    Raises:
        BadInput: The corpus is not found; the problem names it.
    """
    path = path_of(link.recipe)
    if path is None:
        return link.recipe
    found = corpus or (known_path(link.corpus.sha256) if link.corpus and link.corpus.sha256 else None)
    if found is None and folder is not None and (folder / path).exists():
        found = folder / path
    if found is None:
        size = link.corpus.characters if link.corpus else 0
        what = f"is not on this machine: a text of {size:,} characters" if size else "is not on this machine"
        raise BadInput(what, field="corpus.path", value=path, remedy=FILE)
    return with_path(link.recipe, found.expanduser().absolute())


def is_same_corpus(link: Link, recipe: Recipe, plugins: Plugins) -> bool:
    """Read the corpus of a recipe; return False if it is known not to be the one of the link.

    Raises:
        BadInput: It cannot be read.
        LabError: A plugin's code raised.
    """
    if link.corpus is None or not link.corpus.sha256:
        return True
    return _read(recipe, plugins)[2].startswith(link.corpus.sha256)


def _read(recipe: Recipe, plugins: Plugins) -> tuple[str, int, str]:
    """Return name, characters and hash of a recipe's corpus."""
    from lab.api import Examples, Rows, Text
    from lab.text.examples.source import sha256_of
    from lab.training.material import read_corpus
    from lab.training.resolution import resolve

    given = read_corpus(resolve(plugins, "corpora", recipe.corpus, "corpus"))
    name = path_of(portable(recipe)) or given.name
    if isinstance(given, Examples):
        return name, 0, sha256_of(given)
    if isinstance(given, Rows):
        return name, 0, given.sha256
    return name, len(given.text) if isinstance(given, Text) else given.characters, given.sha256


def _written(link: Link, plugins: Plugins | None) -> str:
    check_no_paths(link.recipe, plugins)
    return write_link(link)


def _is_bare_name(path: str) -> bool:
    """Return True if a path is the name of a file, without a folder on any system."""
    return Path(path).name == path and path != ".." and not set(path) & set("\\/:")


def check_no_paths(recipe: Recipe, plugins: Plugins | None) -> None:
    """Refuse a recipe with paths that only one machine has: of a tokenizer, or in the settings of a plugin's card.

    Args:
        recipe: The recipe.
        plugins: The plugins whose settings are known to be paths; None if they are not loaded.

    Raises:
        BadInput: It has one.
    """
    path = recipe.tokenizer.settings.get("path")
    if isinstance(path, str):
        remedy = "Share a run of this recipe as a bundle, which holds the tokenizer"
        raise BadInput("is a file, which no link holds", field="tokenizer.path", value=Path(path).name, remedy=remedy)
    for keys, path in paths_of(recipe).items() if path_of(recipe) is None else ():
        remedy, where = "Share a run of this recipe as a bundle", ".".join(("corpus", *keys))
        raise BadInput("is a file of a mixture, which no link holds", field=where, value=Path(path).name, remedy=remedy)
    for field, (kind, choice) in recipe.choices().items():
        texts = {} if (field, choice.name) == ("corpus", "text") else dict(_texts(choice.settings, field))
        files = _path_settings(kind, choice.name, field, plugins)
        for name, text in texts.items():
            outside = ABSOLUTE.fullmatch(text) or OUTSIDE.fullmatch(text)
            if outside or (INDEX.sub("", name) in files and not _is_bare_name(text)):
                remedy = "Share a run of this recipe as a bundle"
                raise BadInput("is a path, which no link holds", field=name, value=text, remedy=remedy)


def _path_settings(kind: str, name: str, field: str, plugins: Plugins | None) -> set[str]:
    """Return the settings of a card that are paths, by their names in a recipe; none if the card is not known."""
    if plugins is None:
        return set()
    try:
        config = plugins.card(kind, name).config
    except BadInput:
        return set()
    return {f"{field}.{setting.name}" for setting in settings_of(config) if setting.path}


def _texts(value: Any, field: str) -> Iterator[tuple[str, str]]:
    """Yield the texts in a setting by their names: "architecture.table", "architecture.files[0]"."""
    if isinstance(value, str):
        yield field, value
    elif isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _texts(inner, f"{field}.{name}")
    elif isinstance(value, list | tuple):
        for index, inner in enumerate(value):
            yield from _texts(inner, f"{field}[{index}]")
