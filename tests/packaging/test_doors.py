"""Each room has a door: its `__all__` lists what other rooms use of it, and no modules import each other."""

import ast
import re
from collections import defaultdict
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WHOLE = ("shell", "widgets", "workbench", "text", "interop")
"""Packages that are rooms themselves; of the others only the packages inside them are, since plugins import these."""
INSIDE = ("bench", "cli", "layers", "runs", "sources", "testing", "training")
DOTTED = re.compile(r"lab(\.\w+)+")


def module_of(path):
    """Return the dotted name of a file."""
    folder = ROOT if path.is_relative_to(ROOT / "lab") else ROOT / "plugins"
    parts = path.relative_to(folder).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {module_of(path): path for part in ("lab", "plugins") for path in sorted((ROOT / part).rglob("*.py"))}
PACKAGES = {module for module, path in FILES.items() if path.name == "__init__.py"}


def is_room(package):
    """Return True if a package is held to its door."""
    top, _, inside = package.removeprefix("lab.").partition(".")
    return package.startswith("lab.") and (top in WHOLE or (top in INSIDE and bool(inside)))


ROOMS = sorted(filter(is_room, PACKAGES))


def imports_of(nodes):
    """Yield (module, name) for each import of a file: name is "" where a module is imported as it is.

    Modules that are named by a string ("lab.training.trainer", or "lab.bench.models.scan:run") are imported too.
    """
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from ((node.module, alias.name) for alias in node.names)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            module = node.value.partition(":")[0]
            if DOTTED.fullmatch(module) and module in FILES:
                yield module, ""


def steps_to(module, name):
    """Yield (package, child) on the way to what is imported: ("lab.text", "readers"), ("lab.text.readers", "base")."""
    full = module if not name or (module not in PACKAGES) else f"{module}.{name}"
    parts = full.split(".")
    for length in range(1, len(parts)):
        package = ".".join(parts[:length])
        if package in PACKAGES:
            yield package, parts[length]


def named_in_docs():
    """Yield (module, name) for each import and each dotted name in the docs: people use these in notebooks."""
    for path in (ROOT / "resources").rglob("*.md"):
        text = path.read_text(encoding="utf-8")
        for module, names in re.findall(r"from (lab[\w.]*) import ([\w, ]+)", text):
            yield from ((module, name) for name in names.replace(",", " ").split())
        for dotted in re.findall(r"\blab(?:\.\w+)+", text):
            module = dotted
            while module not in FILES:
                module = module.rpartition(".")[0]
            yield module, dotted.removeprefix(module).strip(".").partition(".")[0]


def used_from_outside(nodes):
    """Return by room the names that files outside import from it, and those that the docs name."""
    used = defaultdict(set)
    for importer, path in FILES.items():
        for module, name in imports_of(nodes[path]):
            for package, child in steps_to(module, name):
                if importer != package and not importer.startswith(f"{package}."):
                    used[package].add(child)
    for module, name in named_in_docs():
        for package, child in steps_to(module, name):
            used[package].add(child)
    return used


def door_of(tree):
    """Return the names in the `__all__` of a module; None where it has none."""
    for node in tree.body:
        target = node.targets[0] if isinstance(node, ast.Assign) else None
        if isinstance(target, ast.Name) and target.id == "__all__":
            return set(ast.literal_eval(node.value))
    return None


@pytest.fixture(scope="module")
def doors(nodes):
    """Return the names that each room lists."""
    return {room: door_of(nodes[FILES[room]][0]) for room in ROOMS}


def test_every_room_has_a_door(doors):
    assert [room for room, listed in doors.items() if listed is None] == []


def test_a_door_lists_what_others_use_and_nothing_else(doors, nodes):
    used = used_from_outside(nodes)
    listed = {room: names or set() for room, names in doors.items()}
    assert [f"{room}: {name}" for room in ROOMS for name in sorted(used[room] - listed[room])] == [], "not listed"
    assert [f"{room}: {name}" for room in ROOMS for name in sorted(listed[room] - used[room])] == [], "not used"


def test_a_door_lists_only_what_is_there(doors, nodes):
    for room, listed in doors.items():
        imported = {name for _, name in imports_of(nodes[FILES[room]])}
        inside = {module.rpartition(".")[2] for module in FILES if module.rpartition(".")[0] == room}
        assert sorted((listed or set()) - imported - inside) == [], room


def modules_imported_by(nodes):
    """Yield the module behind each import statement of a file, also of those for types alone."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            whole = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from (module if module in FILES else node.module for module in whole)


def test_no_modules_import_each_other_in_a_circle(nodes):
    TopologicalSorter(
        {module: {*modules_imported_by(nodes[path])} - {module} for module, path in FILES.items()}
    ).prepare()
