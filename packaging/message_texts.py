"""The messages of the engine, found in its source: what each problem says, what is allowed, and what to do next.

A message is a template with its values in braces, "cannot be read: {why}". Names are followed to where they got their
value: in the function, by the callers of the function, or by what another function returns.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import NamedTuple

FOLDERS = ("lab", "plugins")
NOT_SHOWN = {
    "lab/bench": "the command line alone measures",
    "lab/cli": "the command line itself",
    "lab/testing": "checks that authors of plugins run in a terminal",
    "lab/shell": "the window's own texts come from tr()",
    "lab/widgets": "the window's own texts come from tr()",
    "lab/host/card_checks.py": "names what the author of a plugin has to write, in the terms of the API",
    "lab/text/promises.py": "names what the author of a plugin has to write, in the terms of the API",
    "lab/text/examples/promises.py": "names what the author of a plugin has to write, in the terms of the API",
    "plugins/lab_ngram/arpa.py": "the command line alone reads and writes ARPA files",
    "plugins/lab_ngram/commands.py": "a command of the command line",
}
"""Code whose problems stay English, with the reason."""
SINKS = {"Problem", "BadInput", "LabError", "NotAllowed", "TooLarge", "Job", "Check", "Finding", "Folder"}
"""Classes whose first argument is a message; problems name the job that failed, findings the check and the folder."""
CHECKED = ("lab/api/config.py", "lab/base/files/reading.py", "lab/recipes", "lab/runs", "lab/sources", "plugins")
"""Where a ValueError ends as a problem: the validators of settings, and the readers of files."""
INTERNAL = ("plugins/lab_ngram/counts.py", "plugins/lab_ngram/model.py", "plugins/lab_moe/experts.py")
"""Where a ValueError is an error of code that calls a model."""
KEYWORDS = {"what", "allowed", "remedy", "doing"}
PASSED_ON = {"problem", "what", "allowed", "remedy", "doing", "strerror", "plugin"}
"""Attributes of an error or problem, whose texts are found where it was made."""
LEAST = 4
"""Fewest letters outside the braces of a message: others would match everything."""
MOST = 200
"""Most alternatives of one message."""
Function = ast.FunctionDef | ast.AsyncFunctionDef


class Unknown(NamedTuple):
    """A part of a message that is not found in the source."""

    file: str
    line: int
    code: str


class Scope(NamedTuple):
    """A module, and the functions around an expression, the innermost last."""

    file: str
    functions: tuple[Function, ...] = ()


class Found(NamedTuple):
    """The messages by their file, and the expressions that could not be followed."""

    messages: dict[str, str]
    unknown: list[Unknown]


@cache
def parsed(path: Path) -> ast.Module:
    """Return the tree of a source file, which is parsed once in a process."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def find_messages(root: Path) -> Found:
    """Return all messages of the engine that the window can show."""
    paths = [path for folder in FOLDERS for path in sorted((root / folder).rglob("*.py"))]
    names = {path.relative_to(root).as_posix(): path for path in paths}
    return _Source(
        {name: parsed(path) for name, path in names.items() if not name.startswith(tuple(NOT_SHOWN))}
    ).found()


def shape(template: str) -> str:
    """Return a template without the names of its values: templates of one shape match the same messages."""
    return re.sub(r"\{\w+\}", "{}", template)


class _Source:
    """The source with its functions, calls and constants by name."""

    def __init__(self, modules: dict[str, ast.Module]) -> None:
        self.functions: dict[str, list[tuple[Function, Scope]]] = defaultdict(list)
        self.calls: dict[str, list[tuple[ast.Call, Scope]]] = defaultdict(list)
        self.raised: list[tuple[ast.Call, Scope]] = []
        self.constants: dict[str, list[tuple[ast.expr, Scope]]] = defaultdict(list)
        self.unknown: list[Unknown] = []
        self.extra: list[tuple[str, str]] = []
        self.imports: dict[tuple[str, str], str] = {}
        self.attributes: dict[tuple[str, str], list[tuple[ast.expr, Scope]]] = defaultdict(list)
        self._open: set[int] = set()
        for file, module in modules.items():
            self._index(module, Scope(file))

    def _index(self, node: ast.AST, scope: Scope) -> None:
        for child in ast.iter_child_nodes(node):
            inner = scope
            match child:
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    self.functions[child.name].append((child, scope))
                    inner = Scope(scope.file, (*scope.functions, child))
                case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
                    self.calls[name].append((child, scope))
                case ast.ImportFrom(module=str(module), names=names):
                    self.imports |= {(scope.file, each.name): module.replace(".", "/") for each in names}
                case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)], value=value):
                    self.attributes[scope.file, name].append((value, scope))
                case ast.Raise(exc=ast.Call(func=ast.Name(id="ValueError" | "TypeError" | "OSError")) as call):
                    self.raised.append((call, scope))
                case (
                    ast.Assign(targets=[ast.Name(id=name)], value=value)
                    | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
                ) if not scope.functions:
                    self.constants[name].append((value, scope))
            self._index(child, inner)

    def found(self) -> Found:
        """Return the messages of all problems."""
        texts: dict[str, str] = {}
        for text, file in self._all():
            if len(re.findall(r"[^\W\d_]", re.sub(r"\{\w*\}", "", text))) >= LEAST:
                self.extra.append((text.strip(), file))
        messages: dict[str, str] = {}
        for text, file in sorted(self.extra):
            messages.setdefault(texts.setdefault(shape(text), text), file)
        return Found(messages, sorted(set(self.unknown)))

    def _all(self) -> Iterator[tuple[str, str]]:
        for name, calls in list(self.calls.items()):
            for call, scope in calls:
                if name in SINKS and call.args:
                    yield from self._texts(call.args[0], scope)
                for keyword in call.keywords:
                    if keyword.arg in KEYWORDS and not (name == "setting" or scope.file.startswith("lab/api/settings")):
                        yield from self._texts(keyword.value, scope, strict=keyword.arg != "allowed")
        for call, scope in self.raised:
            if scope.file.startswith(CHECKED) and scope.file not in INTERNAL and call.args:
                yield from self._texts(call.args[0], scope, strict=False)

    def _texts(self, node: ast.expr, scope: Scope, *, strict: bool = True) -> Iterator[tuple[str, str]]:
        for text in self._follow(node, scope, strict=strict):
            yield text, scope.file

    def _follow(self, node: ast.expr, scope: Scope, *, strict: bool = True) -> list[str]:
        """Return the templates that an expression can be."""
        if id(node) in self._open:
            return []
        self._open.add(id(node))
        try:
            return self._alternatives(node, scope, strict)[:MOST]
        finally:
            self._open.discard(id(node))

    def _alternatives(self, node: ast.expr, scope: Scope, strict: bool) -> list[str]:
        match node:
            case ast.Constant(value=str(text)):
                return [text.replace("{", "(").replace("}", ")")]
            case ast.Constant():
                return []
            case ast.JoinedStr(values=values):
                return self._joined(values, scope)
            case ast.IfExp(body=body, orelse=otherwise):
                return self._each((body, otherwise), scope, strict)
            case ast.BoolOp(values=values):
                return self._each(values, scope, strict)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                pairs = product(self._follow(left, scope, strict=strict), self._follow(right, scope, strict=strict))
                return [one + other for one, other in pairs]
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                return self._each(parts, scope, strict=False)
            case ast.Dict(values=values):
                return self._each(values, scope, strict)
            case ast.Subscript(value=value):
                return self._follow(value, scope, strict=strict)
            case ast.NamedExpr(value=value) | ast.Starred(value=value):
                return self._follow(value, scope, strict=strict)
            case ast.Name(id=name):
                return self._named(name, node, scope, strict)
            case ast.Attribute(value=ast.Name(id="self"), attr=name) if self.attributes.get((scope.file, name)):
                given = self.attributes[scope.file, name]
                return [text for one, other in given for text in self._follow(one, other, strict=False)]
            case ast.Attribute(attr=name) if name in PASSED_ON:
                return []
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
                return self._returned(name, node, scope, strict)
        if strict:
            self.unknown.append(Unknown(scope.file, node.lineno, ast.unparse(node)))
        return []

    def _each(self, nodes: Iterable[ast.expr], scope: Scope, strict: bool) -> list[str]:
        return [text for node in nodes for text in self._follow(node, scope, strict=strict)]

    def _joined(self, values: list[ast.expr], scope: Scope) -> list[str]:
        """Return the templates of an f-string; the texts that its values can be are messages of their own."""
        pieces: list[list[str]] = []
        names: dict[str, int] = {}
        for value in values:
            if isinstance(value, ast.Constant):
                pieces.append([str(value.value).replace("{", "(").replace("}", ")")])
                continue
            inner = value.value if isinstance(value, ast.FormattedValue) else value
            if isinstance(inner, ast.IfExp | ast.Constant):
                words = self._follow(inner, scope, strict=False)
                if words and isinstance(inner, ast.IfExp) and _is_text(inner.body) and _is_text(inner.orelse):
                    pieces.append(words)
                    continue
            self.extra += [
                (text, scope.file)
                for text in self._follow(inner, scope, strict=False)
                if " " in text and len(re.findall(r"[^\W\d_]", re.sub(r"\{\w*\}", "", text))) >= LEAST
            ]
            name = _name_of(inner)
            names[name] = names.get(name, 0) + 1
            pieces.append([f"{{{name}{names[name] if names[name] > 1 else ''}}}"])
        return ["".join(choice) for choice in product(*pieces)]

    def _named(self, name: str, node: ast.expr, scope: Scope, strict: bool) -> list[str]:
        """Return the templates that a name can stand for: a variable, an argument, or a constant of a module."""
        for depth in range(len(scope.functions), 0, -1):
            function, around = scope.functions[depth - 1], Scope(scope.file, scope.functions[:depth])
            values = list(_assigned(function, name))
            if values:
                found = [text for value in values for text in self._follow(value, around, strict=strict)]
                added = [text for value in _added(function, name) for text in self._follow(value, around, strict=False)]
                return [*found, *(one + other for one in found for other in added)]
            arguments = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
            if name in arguments or name in {each.arg for each in function.args.kwonlyargs}:
                return self._given(function, name, arguments, around)
        constants = self.constants.get(name, [])
        own = [(value, other) for value, other in constants if other.file == scope.file] or constants
        if not own and strict:
            self.unknown.append(Unknown(scope.file, node.lineno, ast.unparse(node)))
        return [text for value, other in own for text in self._follow(value, other, strict=strict)]

    def _given(self, function: Function, name: str, arguments: list[str], scope: Scope) -> list[str]:
        """Return the templates that callers give for an argument, and its default."""
        texts = [text for value in _defaults(function, name) for text in self._follow(value, scope, strict=False)]
        index = arguments.index(name) - (arguments[:1] in (["self"], ["cls"])) if name in arguments else None
        alone = len(self.functions[function.name]) == 1 and not function.name.startswith("_")
        called = "__init__" if function.name == "__init__" else function.name
        for call, caller in self.calls.get(called, []):
            if not (alone or self._sees(caller.file, called, scope.file)):
                continue
            given = [each.value for each in call.keywords if each.arg == name]
            if not given and index is not None and index < len(call.args):
                given = [call.args[index]]
            texts += [text for value in given for text in self._follow(value, caller, strict=False)]
        return texts

    def _sees(self, file: str, name: str, other: str) -> bool:
        """Return True if a name in a file is that of another file, or is imported from it or its package."""
        module = self.imports.get((file, name))
        return file == other if module is None else other.startswith(module)

    def _returned(self, name: str, node: ast.Call, scope: Scope, strict: bool) -> list[str]:
        """Return the templates that a function returns; texts that join data have none."""
        if name in ("str", "join", "tr", "tr_n", "get", "replace", "problem_of", *SINKS):
            inner = node.args[1:] if name == "get" else node.args[:1] if name == "str" else []
            return self._each(inner, scope, strict=False)
        if name in ("rstrip", "strip", "format", "lower") and isinstance(node.func, ast.Attribute):
            return self._follow(node.func.value, scope, strict=False)
        defined = self.functions.get(name, [])
        seen = [each for each in defined if self._sees(scope.file, name, each[1].file)]
        defined = seen or (defined if len(defined) == 1 else [])
        texts = []
        for function, around in defined:
            inside = Scope(around.file, (*around.functions, function))
            for each in _inside(function):
                if isinstance(each, ast.Return) and each.value is not None:
                    texts += self._follow(each.value, inside, strict=False)
        if not defined and strict:
            self.unknown.append(Unknown(scope.file, node.lineno, ast.unparse(node)))
        return texts


@cache
def _inside(
    function: Function,
) -> list[ast.Assign | ast.AnnAssign | ast.AugAssign | ast.For | ast.NamedExpr | ast.Return]:
    """Return the parts of a function that give values, found once for all names that are followed into it."""
    kinds = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.For, ast.NamedExpr, ast.Return)
    return [node for node in ast.walk(function) if isinstance(node, kinds)]


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _assigned(function: Function, name: str) -> Iterator[ast.expr]:
    """Yield what a function assigns to a variable; of a tuple the part at its position."""
    for node in _inside(function):
        match node:
            case ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=ast.expr() as value):
                yield from _part(target, value, name)
            case ast.NamedExpr(target=ast.Name(id=found), value=value) if found == name:
                yield value
            case ast.For(target=target, iter=ast.Tuple(elts=values) | ast.List(elts=values)):
                for value in values:
                    yield from _part(target, value, name)


def _part(target: ast.expr, value: ast.expr, name: str) -> Iterator[ast.expr]:
    match target, value:
        case ast.Name(id=found), _ if found == name:
            yield value
        case ast.Tuple(elts=targets), ast.IfExp(body=body, orelse=otherwise):
            yield from _part(target, body, name)
            yield from _part(target, otherwise, name)
        case ast.Tuple(elts=targets), ast.Tuple(elts=values) if len(targets) == len(values):
            for one, each in zip(targets, values, strict=True):
                yield from _part(one, each, name)
        case ast.Tuple(elts=targets), ast.Subscript(value=ast.Dict(values=values)):
            for each in values:
                yield from _part(target, each, name)
        case ast.Tuple(elts=targets), _ if any(isinstance(one, ast.Name) and one.id == name for one in targets):
            yield value


def _added(function: Function, name: str) -> Iterator[ast.expr]:
    for node in _inside(function):
        match node:
            case ast.AugAssign(target=ast.Name(id=found), value=value) if found == name:
                yield value


def _defaults(function: Function, name: str) -> Iterator[ast.expr]:
    every = (*function.args.posonlyargs, *function.args.args)
    pairs = [*zip(every[::-1], function.args.defaults[::-1], strict=False)]
    pairs += [
        (each, value)
        for each, value in zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True)
        if value is not None
    ]
    yield from (value for each, value in pairs if each.arg == name)


def _name_of(node: ast.expr) -> str:
    """Return a name for a value in a template."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name.strip("_").lower() or "value"
        case ast.Call(args=[first, *_]) if not isinstance(first, ast.Starred | ast.GeneratorExp | ast.ListComp):
            return _name_of(first)
        case ast.Call(func=ast.Name(id=name)) | ast.Subscript(value=ast.Name(id=name)):
            return name.strip("_").lower()
        case ast.BinOp(left=left):
            return _name_of(left)
    return "value"
