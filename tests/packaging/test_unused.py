"""Nothing lies unused: each function, class, method and constant is referred to by code, or by code in the docs."""

import ast
import re
from collections import defaultdict
from functools import cached_property
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCS = "\n".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "resources").rglob("*.md")))
IN_BLOCKS = set(re.findall(r"\w{2,}", "".join(re.findall(r"^```.*?^```", DOCS, re.DOTALL | re.MULTILINE))))
"""The words of the code blocks of the docs."""
IN_LINES = set(re.findall(r"\w+", " ".join(re.findall(r"`[^`\n]+`", DOCS))))
"""The words of the code within the sentences of the docs, which names the contracts for authors of plugins."""
FOR_AUTHORS = ("lab.api", "lab.layers", "lab.testing", "lab.widgets")
TESTED_ONLY = {"Mamba.hidden_attention": "the paper's matrix, which tests compare with the layer's output"}
"""What only tests use so far, and why it is there."""
CALLED_BY_OTHERS = re.compile(
    r"__\w+__|LAB_API_VERSION|pytest_\w+|ConformanceItem\.\w+|\w+\.(__\w+__|visit_\w+|[a-z]+([A-Z]\w*)+)"
    r"|_(Server|Handler|Timed)\.(do_[A-Z]+|verify_request|handle_error|log_message|readinto)"
    r"|_Uncompiled\.(disable|graph_break)|_Measure\.get_width_height_descent"
)
"""Names that Python, http.server, the host, pytest, torch, matplotlib or Qt look up, those of Qt as in paintEvent."""
BY_NAME = {
    "lab.cli.commands": "lab.cli.main loads the module of a command and calls its functions",
    "lab.interop.script.stand_ins": "its names replace those of the lab in an exported script",
}
"""Packages and modules whose names are looked up at run time."""
PASSED_ON = frozenset({"property", "cached_property", "classmethod", "staticmethod", "cache", "lru_cache", "override"})
"""Decorators that call nothing themselves; another one may call or register what it decorates."""
LOOKS_UP = ("getattr", "hasattr", "attrgetter", "methodcaller")


def module_of(path):
    """Return the dotted name of a file."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(part for part in parts[parts[0] == "plugins" :] if part != "__init__")


def dotted(node):
    """Return the text of a chain of attributes of a name; "" for anything else."""
    names = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(names)]) if isinstance(node, ast.Name) else ""


def last_name(node):
    return dotted(node.func if isinstance(node, ast.Call) else node).rpartition(".")[2]


class References:
    """What the sources refer to.

    Attributes:
        names: (module, name) of each top-level name that is read or imported.
        attributes: Names of attributes that are read of something other than `self`.
        own: By attribute, the classes that read it of `self`.
    """

    def __init__(self, trees):
        self.trees = trees
        self.names, self.attributes, self.own = set(), set(), defaultdict(set)
        self.bases = defaultdict(set)
        self._exported = {}  # (package, name) -> (module, name)
        for module, (path, nodes) in trees.items():
            if path.name == "__init__.py":
                for node in nodes:
                    if isinstance(node, ast.ImportFrom):
                        for alias in node.names:
                            self._exported[module, alias.asname or alias.name] = node.module, alias.name
        for module, (path, nodes) in trees.items():
            self._read(module, path, nodes)

    def refer(self, module, name):
        """Note a reference, wherever the packages on the way take the name from."""
        while (module, name) not in self.names:
            self.names.add((module, name))
            module, name = self._exported.get((module, name), (module, name))

    def _read(self, module, path, nodes):
        is_door = path.name == "__init__.py" and module.startswith("lab.")  # naming a thing there is no use of it
        modules = {}
        docstrings = set()
        for node in nodes:
            match node:
                case ast.Import(names=names):
                    modules |= {alias.asname or alias.name: alias.name for alias in names if alias.name in self.trees}
                case ast.ImportFrom(module=str(package), names=names):
                    for alias in names:
                        whole = f"{package}.{alias.name}"
                        if whole in self.trees:
                            modules[alias.asname or alias.name] = whole
                        if not is_door:
                            self.refer(package, alias.name)
                case ast.Expr(value=ast.Constant() as text):
                    docstrings.add(text)
        for node in nodes:
            match node:
                case ast.Attribute(attr=name, value=owner, ctx=ast.Load()):
                    if dotted(owner) in modules:
                        self.refer(modules[dotted(owner)], name)
                    if not (isinstance(owner, ast.Name) and owner.id in ("self", "cls")):
                        self.attributes.add(name)
                case ast.keyword(arg="auto", value=ast.Constant(value=str(name))):
                    self.attributes.add(name)
                case ast.Call(func=function, args=[_, *names]) if last_name(function) in LOOKS_UP:
                    self.attributes |= {name.value for name in names if isinstance(name, ast.Constant)}
                case ast.Call(func=ast.Attribute(attr="name"), args=[_, ast.Constant(value=str(name))]):
                    self.names.add(("", name))  # of a module that an exported script takes it from
                case ast.Dict(keys=[ast.Constant(value=str(file)), *_]) if file.endswith(".py"):  # tables of packaging/
                    for file, names in zip(node.keys, node.values, strict=True):
                        for name in ast.walk(names):
                            if isinstance(name, ast.Constant):
                                self.refer(module_of(ROOT / file.value), name.value)
                case ast.Constant(value=str(text)) if node not in docstrings:
                    self._read_text(text)
        for statement in nodes[0].body:
            self._read_statement(module, statement)

    def _read_text(self, text):
        """Note what a string names: "module:name", imports in code that is written out, and paths in it."""
        if re.fullmatch(r"[\w.]*:\w+", text):
            module, _, name = text.partition(":")
            self.names.add(("", name))
            for each in self.trees:
                if module and (each == module or each.endswith(f".{module}")):
                    self.names.discard(("", name))
                    self.refer(each, name)
        elif "lab." in text:
            for module, names in re.findall(r"from (lab[\w.]*) import ([\w, ]+)", text):
                for name in re.findall(r"\w+", names):
                    self.refer(module, name)
            for module, name in re.findall(r"\b(lab[\w.]*)\.(\w+)", text):
                self.refer(module, name)

    def _read_statement(self, module, statement):
        own = getattr(statement, "name", None)
        inside = list(ast.walk(statement))
        classes = {node.name for node in inside if isinstance(node, ast.ClassDef)}
        for node in inside:
            match node:
                case ast.Name(id=name, ctx=ast.Load()) if name != own:
                    self.names.add((module, name))
                case ast.Attribute(attr=name, value=ast.Name(id="self" | "cls"), ctx=ast.Load()):
                    self.own[name] |= classes
                case ast.ClassDef(name=name, bases=bases):
                    self.bases[name] |= {last_name(b.value if isinstance(b, ast.Subscript) else b) for b in bases}

    @cached_property
    def _lines(self):
        """Return by class all that it inherits from, and itself."""
        return {name: self._line(name) for name in list(self.bases)}

    def _line(self, name):
        found, new = set(), {name}
        while new:
            found |= new
            new = {base for each in new for base in self.bases.get(each, ())} - found
        return found

    def family(self, name):
        """Return a class with all that it inherits from and that inherits from it, and what those inherit from."""
        return set().union(*(line for line in self._lines.values() if name in line))

    def is_read(self, module, name):
        """Return True if a top-level name is referred to."""
        looked_up = any(module == each or module.startswith(f"{each}.") for each in BY_NAME)
        replaces = module == "lab.interop.script.stand_ins" and name in {each for _, each in self.names}
        return bool({(module, name), ("", name)} & self.names) or (looked_up and name in self.attributes) or replaces

    def is_called(self, kind, name):
        """Return True if a method of a class is referred to."""
        return name in self.attributes or bool(self.own[name] and self.own[name] & self.family(kind))


def defined_names(tree):
    """Yield (name, True if a decorator may call it) of each function, class and constant of a module."""
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                yield name, isinstance(node, ast.FunctionDef) and is_registered(node)
            case ast.Assign(targets=[ast.Tuple(elts=targets)]) | ast.Assign(targets=targets):
                yield from ((each.id, False) for each in targets if isinstance(each, ast.Name))
            case ast.AnnAssign(target=ast.Name(id=name)):
                yield name, False


def defined_methods(nodes):
    """Yield (class, name) of each method that no decorator calls."""
    for kind in nodes:
        if isinstance(kind, ast.ClassDef):
            for node in kind.body:
                if isinstance(node, ast.FunctionDef) and not is_registered(node):
                    yield kind.name, node.name


def is_registered(function):
    return any(last_name(each) not in PASSED_ON for each in function.decorator_list)


@pytest.fixture(scope="module")
def trees(nodes):
    """Return path and nodes of each module by its name."""
    return {module_of(path): (path, found) for path, found in nodes.items()}


@pytest.fixture(scope="module")
def references(trees):
    return References(trees)


def is_in_docs(module, name):
    """Return True if code in the docs has a name; that in their sentences counts for contracts alone."""
    of_contract = any(module == each or module.startswith(f"{each}.") for each in FOR_AUTHORS)
    return name in IN_BLOCKS or (of_contract and name in IN_LINES)


def test_nothing_lies_unused(trees, references):
    unused = []
    for module, (path, found) in trees.items():
        if path.is_relative_to(ROOT / "packaging"):
            continue
        for name, registered in defined_names(found[0]):
            exempt = registered or CALLED_BY_OTHERS.fullmatch(name) or name in TESTED_ONLY
            if not (exempt or references.is_read(module, name) or is_in_docs(module, name)):
                unused.append(f"{module}: {name}")
        for kind, name in defined_methods(found):
            whole = f"{kind}.{name}"
            exempt = CALLED_BY_OTHERS.fullmatch(whole) or whole in TESTED_ONLY
            if not (exempt or references.is_called(kind, name) or is_in_docs(module, name)):
                unused.append(f"{module}: {whole}")
    assert unused == []


def references_of(source):
    """Return the references in a module lab.one with a class Table, its method `fit`, and a function `build`."""
    defined = "class Table:\n    def fit(self): ...\ndef build(): ...\n"
    tree = ast.parse(defined + source)
    return References({"lab.one": (ROOT / "lab" / "one.py", list(ast.walk(tree)))})


@pytest.mark.parametrize("source", ["named = 'fit', 'build'", "call(fit=1, build=2)", "'''fit and build'''", "fit = 1"])
def test_a_word_is_no_reference(source):
    found = references_of(source)
    assert not found.is_called("Table", "fit")
    assert not found.is_read("lab.one", "build")


@pytest.mark.parametrize("source", ["print(build)", "import lab.one\nlab.one.build()", "card = 'lab.one:build'"])
def test_a_read_name_an_attribute_of_its_module_and_a_path_to_it_are_references(source):
    assert references_of(source).is_read("lab.one", "build")


@pytest.mark.parametrize(
    ("source", "called"),
    [
        ("Table().fit()", True),
        ("class Wide(Table):\n    def show(self): self.fit()", True),
        ("class Other:\n    def show(self): self.fit()", False),
    ],
)
def test_a_method_that_a_class_reads_of_itself_is_one_of_its_family(source, called):
    assert references_of(source).is_called("Table", "fit") is called
