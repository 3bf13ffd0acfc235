"""The paths of corpora on this machine. A run stores only hash and name of its corpus; the settings store the path."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lab.base import BadInput, LabError
from lab.base.settings import change_section, read_section
from lab.base.system.folders import shared_folder
from lab.recipes import Recipe
from lab.runs import RunFolder
from lab.runs.fitting import FITTED_TO
from lab.runs.library.recipe_fields import Value, fields_of
from lab.text.corpora.datasets import HUB_NAME
from lab.text.corpora.mixture import MIXTURE, PARTS, READERS
from lab.text.readers.table import TABLES, suffix_of
from lab.workbench.launch.known_tokenizers import with_tokenizer_here

if TYPE_CHECKING:
    from lab.training.material import Fitted

_ON_THE_HUB = ("dataset", "pairs-file", "labels-file", "conversations-file", "vectors-file", "images-folder")
"""The corpora whose path may be a name on the Hugging Face hub."""
_PATHS = {"markov": ("chain", "path")} | dict.fromkeys(("file", *_ON_THE_HUB), ("path",))
"""The setting of each corpus that names a file or folder."""

MOST = 200
"""Most corpora whose paths are stored; the oldest are dropped."""


def remember(recipe: Recipe, text_sha256: str) -> None:
    """Store the path of a recipe's corpus, if it is in a file, and of those of a mixture.

    Raises:
        LabError: The settings cannot be written.
    """
    paths = paths_of(recipe)
    if not paths:
        return
    found = {_key(text_sha256, keys) or "": str(Path(path).expanduser().absolute()) for keys, path in paths.items()}

    def with_these(known: dict[str, Any]) -> dict[str, Any]:
        others = [(key, other) for key, other in known.items() if key not in found]
        return dict([*others, *found.items()][-MOST:])

    change_section("corpora", with_these)


def load_recipe(file: Path) -> Recipe:
    """Load a recipe file with the path of its corpus: stored for a run's recipe, else next to the file, else shared.

    Raises:
        BadInput: The file is missing, is not TOML, or has a setting that is not allowed.
    """
    recipe = Recipe.load(file)
    if file.name == "recipe.toml":
        with contextlib.suppress(LabError):  # not the recipe of a run
            recipe = with_tokenizer_here(recipe, RunFolder.open(file.parent))
    sha256 = None
    if file.name == "recipe.toml":
        with contextlib.suppress(LabError):  # not the recipe of a run
            sha256 = sha256_of(RunFolder.open(file.parent))
    for keys, path in paths_of(recipe).items():
        found = _known(_key(sha256, keys)) or _in_folder(path, file.parent) or _shared(path)
        recipe = recipe if found is None else _with(recipe, keys, found)
    return recipe


def portable(recipe: Recipe) -> Recipe:
    """Return the recipe as a run stores it: with file names in place of the paths of corpus and tokenizer."""
    read = recipe.tokenizer.settings.get("path")
    if isinstance(read, str):  # a run stores the content of the file
        recipe = recipe.with_values({"tokenizer": {"path": Path(read).name or read}})
    for keys, path in paths_of(recipe).items():
        file = Path(path).expanduser()
        name = file.name if file.name not in ("", "..") else file.resolve().name
        recipe = _with(recipe, keys, Path(name or "corpus"))
    return recipe


def stored_settings(recipe: Recipe) -> dict[str, Value]:
    """Return the settings of a recipe by path, as a run stores them: with only the name of its corpus."""
    return fields_of(portable(recipe).model_dump(mode="json", exclude_none=True))


def with_absolute_path(recipe: Recipe) -> Recipe:
    """Return the recipe with the absolute path of its corpus, which does not depend on the current folder."""
    for keys, path in paths_of(recipe).items():
        recipe = _with(recipe, keys, Path(path).expanduser().absolute())
    return recipe


def localised(recipe: Recipe, run: RunFolder) -> Recipe:
    """Return a run's recipe with the paths of corpus and tokenizer file on this machine.

    A path in the recipe itself is never opened, since it may come from a stranger. Only a bare name is searched for:
    next to the run, in the current folder, and among the texts that are shared on this machine.

    Raises:
        BadInput: The corpus is not found.
    """
    recipe = with_tokenizer_here(recipe, run)
    for keys, path in paths_of(recipe).items():
        found = _known(_key(sha256_of(run), keys))
        if found is None and Path(path).name == path != "..":
            nearby = (_in_folder(path, folder) for folder in (run.path.absolute().parent, Path.cwd()))
            found = next(filter(None, nearby), None) or _shared(path)
        if found is None:
            field = ".".join(("corpus", *keys))
            raise BadInput("was not found", field=field, value=path, remedy="Give the text with --text FILE")
        recipe = _with(recipe, keys, found)
    return recipe


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
    """Return the path that a recipe's corpus reads; None if it reads no file or several, or belongs to a plugin."""
    return None if recipe.corpus.name == MIXTURE else next(iter(paths_of(recipe).values()), None)


def paths_of(recipe: Recipe) -> dict[tuple[str, ...], str]:
    """Return the paths that a recipe's corpus reads, by their settings; a mixture may read several."""
    name = recipe.corpus.name
    settings = [(part, "path") for part in PARTS] if name == MIXTURE else [_PATHS[name]] if name in _PATHS else []
    found: dict[tuple[str, ...], str] = {}
    for keys in settings:
        value: Any = recipe.corpus.settings
        for key in keys:
            value = value.get(key) if isinstance(value, Mapping) else None
        if not isinstance(value, str) or not value:
            continue
        reader = _reader(recipe.corpus.settings[keys[0]]) if name == MIXTURE else name
        if not (reader in _ON_THE_HUB and _is_on_the_hub(value)):
            found[keys] = value
    return found


def is_downloaded(recipe: Recipe) -> bool:
    """Return True if a recipe's corpus comes from a network, and not from a file of this machine."""
    name = recipe.corpus.name
    return name == "download" or (name in _ON_THE_HUB and not paths_of(recipe))


def _reader(part: Mapping[str, Any]) -> str | None:
    """Return the name of the corpus that reads the path of a part of a mixture."""
    return READERS.get(str(part.get("holds", "text")))


def _is_on_the_hub(name: str) -> bool:
    if suffix_of(name) in TABLES:  # a run stores the name of a file without its folder
        return False
    with contextlib.suppress(OSError, ValueError, RuntimeError):
        return HUB_NAME.fullmatch(name) is not None and not Path(name).expanduser().exists()
    return False


def with_path(recipe: Recipe, path: Path) -> Recipe:
    """Return a recipe, whose corpus reads a file, with another path."""
    return _with(recipe, _PATHS[recipe.corpus.name], path)


def with_paths(recipe: Recipe, paths: Mapping[tuple[str, ...], Path]) -> Recipe:
    """Return a recipe whose corpus reads other paths, by the settings that `paths_of` gives."""
    for keys, path in paths.items():
        recipe = _with(recipe, keys, path)
    return recipe


def _with(recipe: Recipe, keys: tuple[str, ...], path: Path) -> Recipe:
    """Return a recipe with another path in the setting of its corpus with these names, from the outermost."""
    piece: Any = str(path)
    for key in reversed(keys):
        piece = {key: piece}
    return recipe.with_values({"corpus": piece})


def _key(sha256: str | None, keys: tuple[str, ...]) -> str | None:
    """Return the key of a path among the known ones: the hash of the corpus, and in a mixture also the part."""
    return f"{sha256}/{keys[0]}" if sha256 and keys[0] in PARTS else sha256


def known_path(digits: str) -> Path | None:
    """Return the path of a text whose hash starts with these digits; None if none is known, or it is gone."""
    known = (sha256 for sha256 in read_section("corpora") if digits and sha256.startswith(digits) and "/" not in sha256)
    return _known(next(known, None))


def _known(sha256: str | None) -> Path | None:
    path = read_section("corpora").get(sha256) if sha256 else None
    with contextlib.suppress(OSError, ValueError):
        return Path(path) if isinstance(path, str) and Path(path).exists() else None
    return None


def _shared(path: str) -> Path | None:
    """Return the text of this name that is shared on this machine; None if there is none, or it is not just a name."""
    return _in_folder(path, shared_folder("corpora")) if Path(path).name == path != ".." else None


def _in_folder(path: str, folder: Path) -> Path | None:
    with contextlib.suppress(OSError, ValueError):  # an invalid path is reported when the corpus is read
        return folder / path if (folder / path).exists() else None
    return None
