"""No text of the window stands outside tr(), and every tr() has its words in the source, so that all are found."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted(path for part in ("widgets", "shell") for path in (ROOT / "lab" / part).rglob("*.py"))
SHOWING = {
    "setText", "setToolTip", "setStatusTip", "setWhatsThis", "setPlaceholderText", "setAccessibleName", "setTitle",
    "setAccessibleDescription", "setWindowTitle", "setHeaderLabels", "addAction", "addMenu", "addItem", "addItems",
    "addTab", "setPlainText", "setPrefix", "setSuffix", "set_title", "set_face", "set_full_text", "show_status",
    "show_empty", "show_message", "show_none", "show_text", "set_axes", "notify", "label", "plain_tip", "drawText",
    "show_notes", "_show", "getOpenFileNames", "getSaveFileName", "Button", "MenuButton", "ChoiceBox", "CheckBox",
    "Card", "Command", "Problem", "LabError", "BadInput", "Job", "Floor", "Flag", "Overlay", "QToolBar", "QDockWidget",
    "QMenu", "QLabel", "QAction", "QListWidgetItem", "QTreeWidgetItem",
}  # fmt: skip
"""Calls whose texts people read."""
SHOWN_BY_BASE = re.compile(r"Card|Overlay|Button|Label|Dialog|Action")
"""Bases whose constructor shows the text that it is given."""
NOT_SHOWN = {"role", "icon_name", "field", "plugin", "key", "trace", "shortcut", "x_kind"}
"""Arguments that people do not read, by name."""
PLACES_NOT_SHOWN = {"label": {1}, "set_face": {1}, "Command": {0}, "notify": {0}, "getSaveFileName": {2}}
"""Arguments that people do not read, by their place in the call."""
NAMES = {"LM Lab", "writing", "asking"}
"""Names that are the same in every language, and keys of running work."""
FROM_TABLES = {
    "shell/window/appearance.py": {"title": "MODES"},
    "shell/window/commands.py": {"title": "the rows of its loops"},
    "shell/recipe/sections.py": {"title": "TITLES"},
    "shell/window/main_window.py": {"title": "PLACES"},
}
"""Arguments of tr() that are not literals, and where their texts are."""


def key_of(path):
    """Return the name of a file in FROM_TABLES: its path below lab, or its name elsewhere."""
    below = ROOT / "lab"
    return path.relative_to(below).as_posix() if path.is_relative_to(below) else path.name


def calls(nodes):
    """List the calls of a file, each with the name of what is called."""
    bases = {}
    for kind in nodes:
        if isinstance(kind, ast.ClassDef):
            for node in ast.walk(kind):
                bases[id(node)] = kind.bases
    return [(node, called(node, bases.get(id(node), ()))) for node in nodes if isinstance(node, ast.Call)]


def called(node, bases):
    """Return the name of what is called; a constructor of a base has the base's name."""
    if isinstance(node.func, ast.Name):
        return node.func.id
    if not isinstance(node.func, ast.Attribute):
        return ""
    parent = node.func.value
    is_base = isinstance(parent, ast.Call) and isinstance(parent.func, ast.Name) and parent.func.id == "super"
    if node.func.attr == "__init__" and is_base:
        return "Card" if SHOWN_BY_BASE.search(" ".join(map(ast.unparse, bases))) else ""
    return node.func.attr


def shown_arguments(node, name):
    hidden = PLACES_NOT_SHOWN.get(name, set())
    yield from (argument for place, argument in enumerate(node.args) if place not in hidden)
    yield from (keyword.value for keyword in node.keywords if keyword.arg not in NOT_SHOWN)


def literals(node):
    """Yield the texts of an argument that stand outside tr(): itself, parts of it, and both ends of a choice."""
    match node:
        case ast.Constant(value=str(words)):
            yield words
        case ast.JoinedStr():
            yield from (part.value for part in node.values if isinstance(part, ast.Constant))
        case ast.IfExp():
            yield from literals(node.body)
            yield from literals(node.orelse)
        case ast.BoolOp():
            yield from (words for part in node.values for words in literals(part))
        case ast.BinOp():
            yield from literals(node.left)
            yield from literals(node.right)
        case ast.List():
            yield from (words for part in node.elts for words in literals(part))
        case ast.Tuple():  # a value and its words
            yield from literals(node.elts[-1])
        case ast.Call(func=ast.Attribute(attr="format" | "strip" | "capitalize" | "join", value=inside)):
            yield from literals(inside)


def is_language(words):
    """Tell whether a person reads words there, and not a sign, a number's format, mark-up or a name."""
    bare = re.sub(r"<[^>]*>|&\w+;", "", words)
    return bool(re.search(r"[^\W\d_]{2,}", bare)) and words not in NAMES


def texts_outside(path, calls):
    """List the texts of a file that are shown and stand outside tr(), each with its line."""
    return [
        f"{path.name}:{node.lineno}: {name}(… {words!r} …)"
        for node, name in calls
        if name in SHOWING
        for argument in shown_arguments(node, name)
        for words in literals(argument)
        if is_language(words)
    ]


@pytest.fixture(scope="module")
def files(nodes):
    """Return the calls of each file."""
    return {path: calls(nodes[path]) for path in FILES}


def calls_in(source):
    return calls(list(ast.walk(ast.parse(source))))


def test_no_shown_text_is_outside_tr(files):
    assert not [found for path, calls in files.items() for found in texts_outside(path, calls)]


def test_every_call_of_the_lab_s_own_that_shows_text_is_made_somewhere(files):
    own = {name for name in SHOWING if "_" in name}
    assert own == own & {name for calls in files.values() for _, name in calls}


def texts_of_no_words(path, calls):
    """List the calls of tr() in a file whose words do not stand there, nor in a table."""
    given = [(node, node.args[0]) for node, name in calls if name == "tr" and node.args]
    given = [(node, words) for node, words in given if isinstance(node.func, ast.Name)]  # not a widget's tr()
    given += [(node, words) for node, name in calls if name == "tr_n" for words in node.args[:2]]
    free = [(node.lineno, ast.unparse(words)) for node, words in given if not is_literal(words)]
    reported = FROM_TABLES.get(key_of(path), {})
    return [f"{path.name}:{line}: tr({words})" for line, words in free if words not in reported]


def test_the_argument_of_every_tr_is_in_the_source(files):
    assert not [found for path, calls in files.items() for found in texts_of_no_words(path, calls)]


def is_literal(words):
    return isinstance(words, ast.Constant) and isinstance(words.value, str)


def test_every_listed_table_of_texts_exists(files):
    said = {key_of(path): {ast.unparse(node.args[0]) for node, name in calls if name == "tr" and node.args}
            for path, calls in files.items()}  # fmt: skip
    assert not [
        (name, words) for name, reported in FROM_TABLES.items() for words in reported if words not in said[name]
    ]


@pytest.mark.parametrize(
    "line",
    [
        'button.setToolTip("Stop the run")',
        'label("Runs", "title")',
        'super().__init__("Loss")',
        'self.show_empty(f"{n} runs wait", tr("Start"), go)',
        'MenuButton(tr("unit"), [("nats", "nats per token")], take)',
        'label(tr("one") if few else "many runs")',
        'Button("Start", role="primary")',
    ],
)
def test_a_text_outside_text_is_found(line):
    source = f"class LossCard(Card):\n    def __init__(self):\n        {line}\n"
    (found,) = texts_outside(Path("card.py"), calls_in(source))
    assert found.startswith("card.py:3: ")


@pytest.mark.parametrize(
    "line",
    [
        'label("", "title")',
        'label(f"{share:.0%} · {name}")',
        'Button(tr("Start"), icon_name="start", role="primary")',
        'MenuButton(tr("unit"), [("nats", tr("nats"))], take)',
    ],
)
def test_signs_values_and_roles_are_no_texts(line):
    assert not texts_outside(Path("card.py"), calls_in(line))
