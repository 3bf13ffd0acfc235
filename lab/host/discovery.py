"""Discovery of plugins: built-in, installed, shared, and in the plugins folder. No plugin code runs here."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import re
import sys
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib import metadata
from itertools import chain, count
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

from lab.base.folders import plugins_folder
from lab.base.notices import notify
from lab.base.problems import Problem
from lab.base.system.folders import shared_files

BUILT_INS = (
    "lab.text.builtins",
    "lab.sources.texts.cards",
    "lab.sources.tasks.cards",
    "lab.sources.rows.cards",
    "lab.training.builtins",
    "lab.training.adapters.builtins",
    "lab.training.optimizers.builtins",
    "lab.training.schedules.builtins",
    "lab.training.rules.builtins",
    "lab.decoding.builtins",
    "lab.diagnostics.builtins",
    "lab_encoder",
    "lab_feedforward",
    "lab_linear_attention",
    "lab_moe",
    "lab_ngram",
    "lab_recurrent",
    "lab_seq2seq",
    "lab_ssm",
    "lab_transformer",
    "lab_vision",
)
"""The modules of the built-in plugins; a fixed list, so that a packaged app needs no metadata."""

GROUP = "lab.plugins"
"""The entry-point group of installed third-party plugins."""

FILES = "lab_plugin_"
"""Prefix of the modules of plugins from the plugins folder; no dot, or `from . import …` needs a parent."""

Origin = Literal["built-in", "package", "shared", "file"]


@dataclass(frozen=True)
class Candidate:
    """A plugin that was found; none of its code has run.

    Args:
        name: The name shown, unique among all that were found.
        origin: "built-in", "package" (an installed distribution), "shared" (a file that the machine's administrator
            shares) or "file" (from the plugins folder).
        location: The module, the distribution and version, or the path.
        key: The key that trust is stored for: the module, "distribution:entry point", or the path.
        version: The version of the distribution; "" elsewhere.
        read: A function that imports the plugin and returns the module, or the object that the entry point names.
        module: The name of the module that it imports, or of the package of which that is a part.
    """

    name: str
    origin: Origin
    location: str
    key: str
    version: str
    read: Callable[[], Any]
    module: str = ""


def discover(built_ins: Sequence[str] = BUILT_INS) -> list[Candidate]:
    """Return every plugin in loading order; "-2" is added to a name that is taken."""
    found: dict[str, Candidate] = {}
    files: list[tuple[Path, Origin]] = [
        *((path, "shared") for path in shared_files("plugins")),
        *((path, "file") for path in _in_plugins_folder()),
    ]
    for candidate in chain(_built_ins(built_ins), _packages(), _files(files)):
        renamed = named(candidate, found)
        found[renamed.name] = renamed
    return list(found.values())


def named(candidate: Candidate, taken: Container[str]) -> Candidate:
    """Return a plugin with a name that is not taken, to which "-2" and so on is added if necessary."""
    numbered = (f"{candidate.name}-{number}" for number in count(2))
    name = next(name for name in chain([candidate.name], numbered) if name not in taken)
    return replace(candidate, name=name)


def _built_ins(modules: Sequence[str]) -> Iterator[Candidate]:
    for module in modules:
        yield Candidate(module, "built-in", module, module, "", partial(importlib.import_module, module), module)


def _packages() -> list[Candidate]:
    found: dict[str, Candidate] = {}
    for distribution in metadata.distributions():
        try:
            entries = tuple(distribution.entry_points.select(group=GROUP))
            title, version = (str(distribution.name), str(distribution.version)) if entries else ("", "")
        except Exception:  # noqa: BLE001 - broken metadata of one package must not hide the others
            continue
        for entry in entries:
            key = f"{re.sub(r'[-_.]+', '-', title).lower()}:{entry.name}"
            location = f"{title} {version}"
            package = entry.module.partition(".")[0]
            found.setdefault(key, Candidate(entry.name, "package", location, key, version, entry.load, package))
    return sorted(found.values(), key=lambda candidate: candidate.key)


def _in_plugins_folder() -> list[Path]:
    folder = plugins_folder()
    try:
        return sorted(folder.iterdir())
    except FileNotFoundError:
        return []
    except OSError as error:
        remedy = "Make it a readable folder"
        problem = Problem(f"the plugins folder cannot be read: {error.strerror}", field=str(folder), remedy=remedy)
        notify("warning", problem)
        return []


def _files(paths: Sequence[tuple[Path, Origin]]) -> Iterator[Candidate]:
    modules: set[str] = set()
    for path, origin in paths:
        source = path / "__init__.py" if path.is_dir() else path
        if path.name.startswith(("_", ".")) or source.suffix != ".py" or not source.is_file():
            continue
        name = path.name if path.is_dir() else path.stem
        module = f"{FILES}{name}"
        if module in modules or not module.isidentifier():
            digest = hashlib.sha256(str(path).encode(errors="surrogateescape")).hexdigest()[:8]
            module = f"{FILES}{re.sub(r'[^0-9A-Za-z_]', '_', name)}_{digest}"
        modules.add(module)
        yield Candidate(name, origin, str(path), str(path), "", partial(read_file, module, source), module)


def read_file(name: str, source: Path) -> ModuleType:
    """Import a file, or a package by its __init__.py, as the module `name`; an earlier import is discarded.

    Raises:
        BaseException: Any error of its code; the module is then removed from sys.modules.
    """
    folders = [str(source.parent)] if source.name == "__init__.py" else None
    spec = importlib.util.spec_from_file_location(name, source, submodule_search_locations=folders)
    if spec is None or spec.loader is None:
        raise ImportError(f"{source} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    _forget(name)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        _forget(name)
        raise
    return module


def _forget(name: str) -> None:
    for module in [module for module in sys.modules if module == name or module.startswith(f"{name}.")]:
        del sys.modules[module]
