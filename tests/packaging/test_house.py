"""The house is in order: rooms are small, each module says its one reason to exist, and nothing lies unused."""

import ast
import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted(path for part in ("lab", "plugins") for path in (ROOT / part).rglob("*.py"))
EXPORTS = (ROOT / "lab").rglob("__init__.py")  # naming a thing there is no use of it
SOURCES = set(MODULES) - set(EXPORTS)
DOCS = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "resources").rglob("*.md"))
TESTED_ONLY = {
    "MetricWriter.truncate_after": "a run that resumes from an earlier checkpoint writes its later steps again",
    "Mamba.hidden_attention": "the paper's matrix, which tests compare with the layer's output",
    "load_training": "the inverse of save_checkpoint",
}
"""Public names that only tests use so far, and why they are there."""
CALLED_BY_OTHERS = re.compile(
    r"pytest_\w+|PluginFile\.\w+|ConformanceItem\.\w+|Hooks\.\w+|(\w+\.)?_\w+|(\w+\.)?[a-z]+([A-Z]\w*)+"
)
"""Names that pytest, the host or Qt call: the last are written in its own way, as in paintEvent."""
DOCUMENTED = set(re.findall(r"\w+", DOCS))
"""The words of the docs, which say what people may call."""


def references(nodes):
    """Yield every name that a module refers to: names it reads, attributes, imports, and factories named by strings."""
    for node in nodes:
        match node:
            case ast.Name(id=name, ctx=ast.Load()) | ast.Attribute(attr=name):
                yield name
            case ast.ImportFrom(names=names):
                yield from (alias.name for alias in names)
            case ast.keyword(arg=str(name)):
                yield name
            case ast.Constant(value=str(text)) if re.fullmatch(r"[\w.]*:\w+|\w+", text):
                yield text.rpartition(":")[2]
            case ast.Constant(value=str(text)) if "def " in text or "import " in text:  # source that is written out
                yield from re.findall(r"\w+", text)


def name_of(path):
    return path.relative_to(ROOT).as_posix()


def first_sentence(tree):
    return (ast.get_docstring(tree) or "").partition("\n\n")[0].replace("\n", " ")


def public_names(tree):
    """Public functions, classes, methods and constants; those with a decorator are called by whoever decorated them."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            if isinstance(node, ast.ClassDef):
                yield from (
                    f"{node.name}.{inner.name}"
                    for inner in node.body
                    if isinstance(inner, ast.FunctionDef) and not inner.name.startswith("_")
                )
            if not node.decorator_list or isinstance(node, ast.ClassDef):
                yield node.name
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield node.targets[0].id


def test_every_module_has_a_first_sentence_about_its_purpose(nodes):
    assert not [name_of(path) for path in MODULES if len(first_sentence(nodes[path][0]).split()) < 3]


def test_no_two_modules_are_there_for_the_same_reason(nodes):
    said = [first_sentence(nodes[path][0]) for path in MODULES]
    assert sorted(set(said)) == sorted(said)


def test_nothing_public_lies_unused(nodes):
    used = Counter(name for path in SOURCES for name in references(nodes[path]))
    unused = [
        f"{name_of(path)}: {whole}"
        for path in SOURCES
        for whole in public_names(nodes[path][0])
        if not used[whole.rpartition(".")[2]]
        and whole.rpartition(".")[2] not in DOCUMENTED
        and whole not in TESTED_ONLY
        and not CALLED_BY_OTHERS.fullmatch(whole)
    ]
    assert not unused


LARGEST_ROOM = 16
"""Modules that a package may hold; one more is a second room."""
ROOMS = sorted(path.parent for path in MODULES if path.name == "__init__.py")


def modules_in(room):
    return [path for path in room.glob("*.py") if path.name != "__init__.py"]


def test_no_room_holds_more_modules_than_a_person_can_look_over():
    crowded = {name_of(room): len(modules_in(room)) for room in ROOMS}
    assert not {room: count for room, count in crowded.items() if count > LARGEST_ROOM}


def prefixes_in(room):
    """Count the modules of a room by the first word of their names, where one of these has more words."""
    prefixes = Counter(path.stem.split("_")[0] for path in modules_in(room) if "_" in path.stem)
    prefixes.update({path.stem: 1 for path in modules_in(room) if path.stem in prefixes})
    return prefixes


def test_no_three_modules_of_a_room_share_a_prefix():
    counts = {(name_of(room), prefix): count for room in ROOMS for prefix, count in prefixes_in(room).items()}
    assert not {place: count for place, count in counts.items() if count > 2}
