"""The house is in order: rooms are small, and each module says its one reason to exist."""

import ast
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted(path for part in ("lab", "plugins") for path in (ROOT / part).rglob("*.py"))


def name_of(path):
    return path.relative_to(ROOT).as_posix()


def first_sentence(tree):
    return (ast.get_docstring(tree) or "").partition("\n\n")[0].replace("\n", " ")


def test_every_module_has_a_first_sentence_about_its_purpose(nodes):
    assert not [name_of(path) for path in MODULES if len(first_sentence(nodes[path][0]).split()) < 3]


def test_no_two_modules_are_there_for_the_same_reason(nodes):
    said = [first_sentence(nodes[path][0]) for path in MODULES]
    assert sorted(set(said)) == sorted(said)


def addresses(nodes):
    """Yield the lines that format the address of an object, which another object has after its end."""
    for text in nodes:
        if isinstance(text, ast.JoinedStr):
            calls = [node for node in ast.walk(text) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
            yield from (call.lineno for call in calls if call.func.id == "id")


def test_no_key_is_the_address_of_an_object(nodes):
    assert not [f"{name_of(path)}:{line}" for path in MODULES for line in addresses(nodes[path])]


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
