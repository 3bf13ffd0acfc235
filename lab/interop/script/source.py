"""Python source as top-level statements, with the names that each one mentions."""

from __future__ import annotations

import ast
import contextlib
import importlib
import importlib.util
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from lab.base import BadInput

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(frozen=True)
class Imported:
    """The target of an import statement: a module, or a name in one.

    Args:
        module: The module.
        name: The name in it; None for the module itself.
    """

    module: str
    name: str | None = None


@dataclass(frozen=True)
class Mention:
    """A mention of a top-level name of the module in its source.

    Args:
        node: A name, or an attribute of one ("layers.Attention" where `layers` is a module).
        path: Its parts: ("layers", "Attention").
        weak: Whether it is in an annotation, which is not evaluated.
    """

    node: ast.expr
    path: tuple[str, ...]
    weak: bool


class Source:
    """The source of one module.

    Args:
        name: Its name; the module is imported.

    Attributes:
        text: Its text in UTF-8, because syntax trees count bytes.
        tree: Its syntax tree.
        module: The module.
        bound: By name, the top-level statements that bind it.
        imports: By name, its target in the import statements of the module, those inside functions included.

    Raises:
        BadInput: Its source is not available.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.module = importlib.import_module(name)
        self.file = getattr(self.module, "__file__", None) or name
        try:
            with tokenize.open(str(self.file)) as file:
                source = file.read()
        except (OSError, SyntaxError, UnicodeDecodeError):  # compiled, in an archive, or gone
            what = f"the source of {name} is not available, but a script needs it"
            raise BadInput(what, field="architecture", value=str(self.file)) from None
        self.text = source.encode()
        self.tree = ast.parse(source)
        self._starts = [0]
        for line in self.text.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))
        self.bound: dict[str, list[ast.stmt]] = {}
        self.imports: dict[str, Imported] = {}
        for statement in self.tree.body:
            if not isinstance(statement, ast.Import | ast.ImportFrom) and not is_for_types(statement):
                for bound in bound_names([statement]):
                    self.bound.setdefault(bound, []).append(statement)
        for node in _imports_in(self.tree.body):
            self._note(node)

    def _note(self, node: ast.Import | ast.ImportFrom) -> None:
        for alias in node.names:
            if isinstance(node, ast.Import):
                name = alias.asname or alias.name.partition(".")[0]
                self.imports[name] = Imported(alias.name if alias.asname else name)
            elif alias.name == "*":
                what = f"imports everything from {node.module}, so the names it uses are unknown"
                raise self.refusal(what, node, remedy="Import the names it uses")
            else:
                self.imports[alias.asname or alias.name] = Imported(self.absolute(node), alias.name)

    def absolute(self, node: ast.ImportFrom) -> str:
        """Return the absolute name of the module in `from … import`."""
        relative = "." * node.level + (node.module or "")
        package = self.module.__package__ or self.name
        return importlib.util.resolve_name(relative, package) if node.level else relative

    def refusal(self, what: str, node: ast.AST | None = None, remedy: str | None = None) -> BadInput:
        """Return the error for a source that cannot go into a script."""
        line = getattr(node, "lineno", None)
        location = str(self.file) if line is None else f"{self.file}, line {line}"
        return BadInput(what, field="architecture", value=location, remedy=remedy)

    def span(self, node: Any) -> tuple[int, int]:
        """Return (first byte, byte after the last) of a node, its decorators included."""
        first = min([node, *getattr(node, "decorator_list", [])], key=lambda part: (part.lineno, part.col_offset))
        start = self._starts[first.lineno - 1] + first.col_offset
        if first is not node and isinstance(node, ast.stmt):
            start -= 1  # the @
        return start, self._starts[node.end_lineno - 1] + node.end_col_offset

    def lines(self, node: Any) -> tuple[int, int]:
        """Return the span of a node's complete lines, with the comments right above and after it."""
        start, end = self.span(node)
        start = self.text.rfind(b"\n", 0, start) + 1
        while (above := self.text.rfind(b"\n", 0, max(start - 1, 0)) + 1) < start:
            if not self.text[above:start].lstrip().startswith(b"#"):
                break
            start = above
        behind = self.text.find(b"\n", end)
        return start, len(self.text) if behind < 0 else behind + 1


def _imports_in(nodes: Iterable[Any]) -> Iterator[ast.Import | ast.ImportFrom]:
    """Yield the import statements among statements and the blocks inside them, without a look at expressions."""
    for node in nodes:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        for block in ("body", "handlers", "orelse", "finalbody", "cases"):
            yield from _imports_in(getattr(node, block, ()))


def is_for_types(statement: ast.stmt) -> bool:
    """Return True for `if TYPE_CHECKING:`."""
    test = statement.test if isinstance(statement, ast.If) else None
    return isinstance(test, ast.Name | ast.Attribute) and ast.unparse(test).endswith("TYPE_CHECKING")


def bound_names(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the names that statements bind in their own scope."""
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
            found.add(node.id)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found |= {alias.asname or alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            found.add(node.name)
        elif isinstance(node, ast.MatchMapping) and node.rest:
            found.add(node.rest)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Lambda):
            pass
        elif isinstance(node, _COMPREHENSIONS):
            found |= {inner.target.id for inner in ast.walk(node) if isinstance(inner, ast.NamedExpr)}
        else:
            found |= bound_names(ast.iter_child_nodes(node))
    return found


def mentions_of(node: ast.AST, inner_imports: set[str]) -> tuple[list[Mention], set[str]]:
    """Return the names that a statement mentions.

    Args:
        node: The statement.
        inner_imports: Names that imports inside functions bind and that count as names of the top level.

    Returns:
        Every mention of a name that the statement itself does not bind; and the names that may be those of methods,
        such as "step" in `x.step` and `getattr(x, "step")`.
    """
    finder = _Finder(inner_imports)
    finder.visit(node)
    return finder.found, finder.method_names


@dataclass
class _Finder(ast.NodeVisitor):
    """A visitor that tracks the scopes of names."""

    inner_imports: set[str]
    found: list[Mention] = field(default_factory=list)
    method_names: set[str] = field(default_factory=set)
    scopes: list[tuple[bool, set[str]]] = field(default_factory=list)  # (True for a class, its names)
    weak: bool = False

    def visit_Name(self, node: ast.Name) -> None:
        self._mention(node, (node.id,))

    def visit_Attribute(self, node: ast.Attribute) -> None:
        self.method_names.add(node.attr)
        path, inner = [node.attr], node.value
        while isinstance(inner, ast.Attribute):
            self.method_names.add(inner.attr)
            path.append(inner.attr)
            inner = inner.value
        if isinstance(inner, ast.Name):
            self._mention(node, (inner.id, *reversed(path)))
        else:
            self.visit(inner)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str) and node.value.isidentifier():
            self.method_names.add(node.value)

    def visit_arg(self, node: ast.arg) -> None:
        self._visit_weakly(node.annotation)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self._visit_weakly(node.annotation)
        for part in (node.target, node.value):
            if part is not None:
                self.visit(part)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self._visit_all(node.decorator_list)
        self._visit_weakly(node.returns)
        self._visit_function(node.args, node.body)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self.visit_FunctionDef(node)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._visit_function(node.args, [node.body])

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._visit_all([*node.decorator_list, *node.bases, *node.keywords])
        with self._scope(bound_names(node.body), of_class=True):
            self._visit_all(node.body)

    def generic_visit(self, node: ast.AST) -> None:
        if not isinstance(node, _COMPREHENSIONS):
            super().generic_visit(node)
            return
        self.visit(node.generators[0].iter)  # evaluated in the outer scope
        with self._scope(bound_names([generator.target for generator in node.generators])):
            super().generic_visit(node)

    def _visit_function(self, arguments: ast.arguments, body: list[Any]) -> None:
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        every += [one for one in (arguments.vararg, arguments.kwarg) if one is not None]
        self._visit_all([*arguments.defaults, *(one for one in arguments.kw_defaults if one is not None), *every])
        outside = {
            name for part in body for node in ast.walk(part) if isinstance(node, ast.Global) for name in node.names
        }
        with self._scope((bound_names(body) | {one.arg for one in every}) - outside - self.inner_imports):
            self._visit_all(body)

    def _visit_all(self, nodes: Iterable[ast.AST]) -> None:
        for node in nodes:
            self.visit(node)

    def _visit_weakly(self, node: ast.AST | None) -> None:
        if node is not None:
            before, self.weak = self.weak, True
            self.visit(node)
            self.weak = before

    @contextlib.contextmanager
    def _scope(self, names: set[str], *, of_class: bool = False) -> Iterator[None]:
        self.scopes.append((of_class, names))
        yield
        self.scopes.pop()

    def _mention(self, node: ast.expr, path: tuple[str, ...]) -> None:
        last = len(self.scopes) - 1  # names of a class are visible only in its body
        if not any(path[0] in names for i, (of_class, names) in enumerate(self.scopes) if not of_class or i == last):
            self.found.append(Mention(node, path, self.weak))
