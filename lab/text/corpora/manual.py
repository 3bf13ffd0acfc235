"""English text that every Python has: the prose of its reference manual and of the library's docstrings.

The library is read as text, never imported. The result is cached, one file per version of Python, and made again if
missing or damaged.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import json
import platform
import sys
import sysconfig
import threading
import warnings
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from lab.api import BadInput, LabError, NoSettings, Text
from lab.base.files.writing import make_folder, write_json
from lab.base.folders import cache_folder
from lab.base.processes import run_python
from lab.text.corpora.prose import paragraphs, without_rare

NAME = "Python manual"
_SIEVE = 1  # raise when the same Python would give another text
_LEFT_OUT = frozenset(
    # third-party packages, tests, tables, and what some systems ship separately from Python
    {"test", "tests", "site-packages", "__pycache__", "encodings", "pydoc_data", "turtledemo"}
    | {"distutils", "ensurepip", "idlelib", "lib2to3", "tkinter", "venv"}
)

_PREPARATION = f"from lab.api import NoSettings; from {__name__} import read_manual; read_manual(NoSettings())"

_sifting = threading.Lock()
_BLOCKS = ("body", "handlers", "orelse", "finalbody", "cases")
"""The fields of statements that hold other statements, in order."""


def read_manual(config: NoSettings) -> Text:
    """Return about a megabyte of English, the same on every machine with the same version of Python.

    Documents are ordered by a hash of their names, so that the last tenth is similar to the rest.

    Raises:
        BadInput: This Python has neither its manual nor its sources.
    """
    del config
    modules = dict(_library())
    if not modules:  # a packaged app has only the manual, which is quickly read
        return _sifted(_topics(), {})
    cache_file = _cache_file()
    with _sifting:  # a second thread reads what the first one cached
        text = _cached(cache_file)
        if text is None:
            text = _sifted(_topics(), modules)
            _store(cache_file, text)
    return text


def prepare_manual(cancelled: Callable[[], bool]) -> None:
    """Cache the text, made by another process: parsing the library would block all threads of this one.

    Who needs it meanwhile waits. A packaged app, which has only the manual, reads it when it is needed.

    Args:
        cancelled: Returns True to end the process.
    """
    if getattr(sys, "frozen", False):
        return
    with _sifting:
        if not _cache_file().exists():
            run_python(_PREPARATION, cancelled)


def _cache_file() -> Path:
    return cache_folder() / f"python-manual-{_SIEVE}-{platform.python_version()}.json"


def _sifted(topics: dict[str, str], modules: dict[str, Path]) -> Text:
    if not topics and not modules:
        raise BadInput(
            "this Python has neither its manual nor its sources",
            field="corpus.name",
            value="python-manual",
            remedy="Choose the corpus file, with a text of your own",
        )
    names = sorted([*topics, *modules], key=lambda name: hashlib.sha256(name.encode()).digest())
    found: dict[str, int] = {}  # paragraph -> characters dropped from it
    for name in names:
        for document in [topics[name]] if name in topics else _docstrings(modules[name]):
            found.update(map(without_rare, paragraphs(document)))
    facts = {
        "python": platform.python_version(),
        "paragraphs": len(found),
        "sources": {"reference manual topics": len(topics), "standard library modules": len(modules)},
    }
    return Text("\n".join(found) + "\n", NAME, dropped=sum(found.values()), facts=facts)


def _topics() -> dict[str, str]:
    """Return the language reference of help(), by topic: pure data."""
    try:
        topics = importlib.import_module("pydoc_data.topics").topics
    except ImportError:
        return {}
    return {f"topics/{name}": topic for name, topic in topics.items()}


def _library() -> Iterator[tuple[str, Path]]:
    """Yield the standard library's source files, by path relative to its folder."""
    root = Path(sysconfig.get_path("stdlib"))
    for module in sorted(sys.stdlib_module_names - _LEFT_OUT):
        files = [root / f"{module}.py", *sorted((root / module).rglob("*.py"))]
        for file in files:
            path = file.relative_to(root)
            if file.is_file() and not _LEFT_OUT.intersection(path.parts):
                yield path.as_posix(), file


def _docstrings(file: Path) -> Iterator[str]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return
    nodes: deque[ast.AST] = deque(
        [tree]
    )  # breadth first, as in ast.walk, but without expressions, which hold no docstrings
    while nodes:
        node = nodes.popleft()
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield ast.get_docstring(node) or ""
        for block in _BLOCKS:
            nodes.extend(getattr(node, block, ()))


def _cached(file: Path) -> Text | None:
    """Return the cached text; None if it is missing or damaged."""
    try:
        content: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        text = Text(content["text"], NAME, dropped=int(content["dropped"]), facts=dict(content["facts"]))
        return text if text.sha256 == content["sha256"] else None
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def _store(file: Path, text: Text) -> None:
    content = {"text": text.text, "dropped": text.dropped, "facts": text.facts, "sha256": text.sha256}
    try:
        make_folder(file.parent)
        write_json(file, content)
    except LabError:  # the folder is read-only: made again next time
        pass
