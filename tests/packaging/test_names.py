"""Names are plain words: an identifier that contains a word the glossary refuses fails, with the word to use."""

import ast
import functools
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GLOSSARY = ROOT / "resources" / "docs" / "developers" / "glossary.md"
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def refused_words():
    """Return what to use by each refused word, from the table of the glossary whose head is `| use | not |`."""
    lines = GLOSSARY.read_text(encoding="utf-8").partition("| use | not |\n")[2].partition("\n\n")[0].splitlines()
    rows = [line.strip("| ").split(" | ") for line in lines[1:]]
    return {word: use for use, banned in rows for word in re.findall(r"`(\w+)`", banned)}


REFUSED = refused_words()
RUN_NOT_VIEW = {"view": "run", "views": "runs"}
"""What to call a RunModel: in Qt a view is a widget."""


@functools.cache
def words_of(name):
    """Split an identifier at underscores and capitals: "_heardAll_of" into heard, all, of."""
    return [word.lower() for word in WORD.findall(name)]


def is_setting(node):
    """Return True for a field made by `setting(…)`: its name is stored in recipes and does not change."""
    made_by = getattr(node.value, "func", None) if isinstance(node, ast.AnnAssign) else None
    return made_by is not None and "setting" in ast.unparse(made_by)


def names_of(nodes):
    """Yield the identifiers that a module defines or assigns, each with its line."""
    settings = {node.target for node in nodes if is_setting(node)}
    for node in nodes:
        if node in settings:
            continue
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name, node.lineno
            case ast.arg(arg=name):
                yield name, node.lineno
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                yield name, node.lineno
            case ast.alias(asname=str(name)):
                yield name, 0
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield name, node.lineno
            case ast.Global(names=names) | ast.Nonlocal(names=names):
                yield from ((name, node.lineno) for name in names)


def refusals(path, name_of_module, nodes):
    """Return the refused names of a module, each as "file:line: name: use …"."""
    names = [(part, 1) for part in name_of_module.split(".")] + list(names_of(nodes))
    return sorted(
        {
            f"{path}:{line}: {name}: instead of {word!r} use {REFUSED[word]}"
            for name, line in names
            for word in words_of(name)
            if word in REFUSED
        }
    )


def runs_called_views(path, nodes):
    """Return the names that are annotated as a RunModel and called view, each as "file:line: name: use …"."""
    found = []
    for node in nodes:
        match node:
            case ast.arg(arg=name, annotation=ast.expr() as annotation):
                pass
            case ast.AnnAssign(target=ast.Name(id=name) | ast.Attribute(attr=name), annotation=annotation):
                pass
            case ast.FunctionDef(name=name, returns=ast.expr() as annotation):
                pass
            case _:
                continue
        if name.strip("_") in RUN_NOT_VIEW and "RunModel" in words_of_annotation(annotation):
            found.append(
                f"{path}:{node.lineno}: {name}: instead of {name.strip('_')!r} use {RUN_NOT_VIEW[name.strip('_')]}"
            )
    return found


def words_of_annotation(annotation):
    return re.findall(r"\w+", ast.unparse(annotation))


def parsed(source):
    return list(ast.walk(ast.parse(source)))


def test_no_name_contains_a_word_that_the_glossary_refuses(nodes):
    shown = {path.relative_to(ROOT).as_posix(): inside for path, inside in nodes.items()}
    modules = {path: path.removesuffix(".py").replace("/", ".") for path in shown}
    assert [line for path, inside in shown.items() for line in refusals(path, modules[path], inside)] == []


@pytest.mark.parametrize(
    "line",
    [
        "def tell_all(): ...",
        "class RunBook: ...",
        "def f(*, asked): ...",
        "kept_files = 1",
        "self.beside = 1",
        "for moment in (): ...",
        "lambda chosen: 1",
        "from a import b as looked_up",
        "try: ...\nexcept ValueError as fault: ...",
        "match 1:\n    case said: ...",
        "aside: int",
        "def isHeard(): ...",
    ],
)
def test_a_refused_word_is_found_wherever_a_name_is_made(line):
    (found,) = refusals("a.py", "a", parsed(line))
    assert "use" in found


@pytest.mark.parametrize(
    "line",
    [
        "bookmark = 1",
        "essay = 1",
        "default = 1",
        "x.told",
        "'told'",
        "words = 1",
        "call(told=1)",
        'chosen: int = setting(2, help="How many.")',
    ],
)
def test_other_words_and_names_that_are_only_used_are_allowed(line):
    assert refusals("a.py", "a", parsed(line)) == []


def other_words_for_the_user(text):
    return re.findall(r"\b(?:a|the|this) person\b|\b(?:for|to) people\b(?!, )", text, re.IGNORECASE)


def test_docstrings_comments_and_pages_have_one_word_for_the_user(nodes):
    pages = [page for page in (ROOT / "resources" / "docs").rglob("*.md") if "de" not in page.parts]
    texts = {path: path.read_text(encoding="utf-8") for path in [*nodes, *pages]}
    assert {path: found for path, text in texts.items() if (found := other_words_for_the_user(text))} == {}


@pytest.mark.parametrize(
    "text", ["A person selects it.", "what the person saw", "its name for people", "shown to people"]
)
def test_another_word_for_the_user_is_found(text):
    assert other_words_for_the_user(text)


@pytest.mark.parametrize("text", ["-a for people, -o for animals", "dates as people write them", "three persons"])
def test_people_of_whom_a_text_speaks_are_allowed(text):
    assert not other_words_for_the_user(text)


def test_no_run_is_called_a_view(nodes):
    assert [line for path, inside in nodes.items() for line in runs_called_views(path.relative_to(ROOT), inside)] == []


@pytest.mark.parametrize(
    ("line", "use"),
    [
        ("def f(view: RunModel): ...", "use run"),
        ("def f(*, views: Sequence[RunModel]): ...", "use runs"),
        ("self._view: RunModel | None = None", "use run"),
        ("views: list[RunModel] = []", "use runs"),
        ("def views(self) -> list[RunModel]: ...", "use runs"),
    ],
)
def test_a_run_that_is_called_a_view_is_found_wherever_it_is_annotated(line, use):
    (found,) = runs_called_views("a.py", parsed(line))
    assert found.endswith(use)


@pytest.mark.parametrize("line", ["view: QWidget", "run: RunModel", "def f(view, shown: RunModel): ...", "x.view()"])
def test_other_views_are_allowed(line):
    assert runs_called_views("a.py", parsed(line)) == []


def test_a_refused_name_of_a_module_is_found():
    assert len(refusals("lab/desk.py", "lab.desk", parsed(""))) == 1


def test_the_glossary_refuses_each_word_once_and_says_what_to_use():
    text = GLOSSARY.read_text(encoding="utf-8").partition("| use | not |\n")[2].partition("\n\n")[0]
    assert len(re.findall(r"`(\w+)`", text)) == len(REFUSED) + text.count("`reported`")
    assert all(REFUSED.values())
