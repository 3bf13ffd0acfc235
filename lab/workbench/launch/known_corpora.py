"""The paths of corpora on this machine. A run stores only hash and name of its corpus; the settings store the path."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lab.base import BadInput, LabError
from lab.base.settings import change_section, read_section
from lab.recipes import Recipe
from lab.runs import RunFolder
from lab.runs.fitting import FITTED_TO
from lab.text.corpora.datasets import HUB_NAME
from lab.text.readers.table import TABLES, suffix_of
from lab.workbench.launch.known_tokenizers import with_tokenizer_here

if TYPE_CHECKING:
    from lab.training.material import Fitted

_ON_THE_HUB = ("dataset", "pairs-file", "labels-file", "conversations-file", "vectors-file")
"""The corpora whose path may be a name on the Hugging Face hub."""
_PATHS = {"markov": ("chain", "path")} | dict.fromkeys(("file", "images-folder", *_ON_THE_HUB), ("path",))
"""The setting of each corpus that names a file or folder."""

MOST = 200
"""Most corpora whose paths are stored; the oldest are dropped."""


def remember(recipe: Recipe, text_sha256: str) -> None:
    """Store the path of a recipe's corpus, if it is in a file.

    Raises:
        LabError: The settings cannot be written.
    """
    path = path_of(recipe)
    if path is None:
        return
    absolute = str(Path(path).expanduser().absolute())

    def with_this(known: dict[str, Any]) -> dict[str, Any]:
        others = [(sha, other) for sha, other in known.items() if sha != text_sha256]
        return dict([*others, (text_sha256, absolute)][-MOST:])

    change_section("corpora", with_this)


def load_recipe(file: Path) -> Recipe:
    """Load a recipe file with the path of its corpus: the stored one for a run's recipe, else one next to the file.

    Raises:
        BadInput: The file is missing, is not TOML, or has a setting that is not allowed.
    """
    recipe = Recipe.load(file)
    if file.name == "recipe.toml":
        with contextlib.suppress(LabError):  # not the recipe of a run
            recipe = with_tokenizer_here(recipe, RunFolder.open(file.parent))
    path = path_of(recipe)
    if path is None:
        return recipe
    if file.name == "recipe.toml":
        with contextlib.suppress(LabError):  # not the recipe of a run
            known = _known(sha256_of(RunFolder.open(file.parent)))
            if known is not None:
                return with_path(recipe, known)
    return _in_folder(recipe, path, file.parent) or recipe


def portable(recipe: Recipe) -> Recipe:
    """Return the recipe as a run stores it: with file names in place of the paths of corpus and tokenizer."""
    read = recipe.tokenizer.settings.get("path")
    if isinstance(read, str):  # a run stores the content of the file
        recipe = recipe.with_values({"tokenizer": {"path": Path(read).name or read}})
    path = path_of(recipe)
    if path is None:
        return recipe
    file = Path(path).expanduser()
    name = file.name if file.name not in ("", "..") else file.resolve().name
    return with_path(recipe, Path(name or "corpus"))


def with_absolute_path(recipe: Recipe) -> Recipe:
    """Return the recipe with the absolute path of its corpus, which does not depend on the current folder."""
    path = path_of(recipe)
    return recipe if path is None else with_path(recipe, Path(path).expanduser().absolute())


def localised(recipe: Recipe, run: RunFolder) -> Recipe:
    """Return a run's recipe with the paths of corpus and tokenizer file on this machine.

    A path in the recipe itself is never opened, since it may come from a stranger. Only a bare name is searched for:
    next to the run and in the current folder.

    Raises:
        BadInput: The corpus is not found.
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
            found = _in_folder(recipe, path, folder)
            if found is not None:
                return found
    raise BadInput("was not found", field="corpus.path", value=path, remedy="Give the text with --text FILE")


def sha256_of(run: RunFolder) -> str | None:
    """Return the hash of the text a run was trained on, if it stores one."""
    corpus = run.facts.get("corpus")
    sha256 = corpus.get("sha256") if isinstance(corpus, dict) else None
    return sha256 if isinstance(sha256, str) else None


def fitted_in(run: RunFolder) -> Fitted:
    """Return the text to which the tokenizer of a run was fitted."""
    from lab.training.material import Fitted

    corpus = run.facts.get("corpus")
    to = corpus.get(FITTED_TO) if isinstance(corpus, dict) else None
    share = 1 - run.read_recipe().training.validation_share
    return Fitted(to, sha256_of(run), share) if isinstance(to, str) else Fitted(sha256=sha256_of(run), share=share)


def path_of(recipe: Recipe) -> str | None:
    """Return the path that a recipe's corpus reads; None if it reads no file, or belongs to a plugin."""
    value: Any = recipe.corpus.settings
    for name in _PATHS.get(recipe.corpus.name, ("",)):
        value = value.get(name) if isinstance(value, Mapping) else None
    if not isinstance(value, str) or (recipe.corpus.name in _ON_THE_HUB and _is_on_the_hub(value)):
        return None
    return value


def _is_on_the_hub(name: str) -> bool:
    if suffix_of(name) in TABLES:  # a run stores the name of a file without its folder
        return False
    with contextlib.suppress(OSError, ValueError, RuntimeError):
        return HUB_NAME.fullmatch(name) is not None and not Path(name).expanduser().exists()
    return False


def with_path(recipe: Recipe, path: Path) -> Recipe:
    """Return a recipe, whose corpus reads a file, with another path."""
    piece: dict[str, Any] = {}
    table = piece
    *outer, last = _PATHS[recipe.corpus.name]
    for name in outer:
        table = table.setdefault(name, {})
    table[last] = str(path)
    return recipe.with_values({"corpus": piece})


def known_path(digits: str) -> Path | None:
    """Return the path of a text whose hash starts with these digits; None if none is known, or it is gone."""
    return _known(next((sha256 for sha256 in read_section("corpora") if digits and sha256.startswith(digits)), None))


def _known(sha256: str | None) -> Path | None:
    path = read_section("corpora").get(sha256) if sha256 else None
    with contextlib.suppress(OSError, ValueError):
        return Path(path) if isinstance(path, str) and Path(path).exists() else None
    return None


def _in_folder(recipe: Recipe, path: str, folder: Path) -> Recipe | None:
    with contextlib.suppress(OSError, ValueError):  # an invalid path is reported when the corpus is read
        return with_path(recipe, folder / path) if (folder / path).exists() else None
    return None
