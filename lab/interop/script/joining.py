"""The collection of the statements that a script needs, with a unique name in one file for each of their names.

A name is followed through imports to the statement that binds it, and on from there, within the lab and the plugins.
Only the mentioned methods of a class of the lab are included; a class of settings loses its validators.
"""

from __future__ import annotations

import ast
import builtins
import importlib.util
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from lab.api import ModelConfig
from lab.host import BUILT_INS
from lab.interop.script.source import Imported, Source, bound_names, mentions_of

STAND_INS = "lab.interop.script.stand_ins"
"""The module whose names replace the lab's own."""

FREE = ("torch", "numpy")
"""Packages that a script may import besides the standard library."""

_OF_SETTINGS = ("model_config", "version", "migrate")
"""Members of a class of settings that only concern recipes."""


@dataclass(frozen=True)
class Definition:
    """A name at the top level of a module.

    Args:
        module: The module that binds it.
        name: The name.
    """

    module: str
    name: str


Target: TypeAlias = Definition | Imported
"""The meaning of a name: a definition in the script, or an import from a package."""


@dataclass
class Statement:
    """A top-level statement that is included in the script.

    Args:
        source: Its module's source.
        statement: The statement.
        left_out: Members of a class that are not included.
        fields: Fields of a class of settings, of which only the annotation is included.
        mentions: (node, target) for each mention of a top-level name in it.
    """

    source: Source
    statement: ast.stmt
    left_out: list[ast.stmt] = field(default_factory=list)
    fields: list[ast.AnnAssign] = field(default_factory=list)
    mentions: list[tuple[ast.expr, Target]] = field(default_factory=list)


class Joined:
    """A collector of the statements and imports of a script.

    Attributes:
        units: The included statements, by module and line.
        unseen: Names that occur only in annotations, without a definition in the script.
    """

    def __init__(self) -> None:
        self._packages = {"lab", *(module.partition(".")[0] for module in BUILT_INS)}
        self._sources: dict[str, Source] = {}
        self.units: dict[str, dict[int, Statement]] = defaultdict(dict)
        self._mentioned: set[str] = set()  # attributes and texts that were mentioned, which may name methods
        self._waiting: dict[str, list[tuple[Statement, ast.ClassDef, ast.stmt]]] = defaultdict(list)
        self._bindings: dict[Target, set[tuple[str, str]]] = defaultdict(set)  # (module, its name there)
        self._weak: dict[Target, set[tuple[str, str]]] = defaultdict(set)
        self._of_python: dict[str, set[str]] = defaultdict(set)  # builtins, and the modules that mention them
        self._names: dict[Target, str] = {}

    def source(self, module: str) -> Source:
        """Return the source of a module.

        Raises:
            BadInput: It is not available.
        """
        if module not in self._sources:
            self._sources[module] = Source(module)
        return self._sources[module]

    def follows(self, module: str) -> bool:
        """Return True if the text of a module is included instead of an import."""
        return module.partition(".")[0] in self._packages

    def take(self, module: str, name: str) -> Definition:
        """Include a name with everything it needs, from the lab or a plugin; return its definition.

        Raises:
            BadInput: Something it needs cannot be included; the problem names file, line and import.
        """
        if not _is_free(module):
            self._packages.add(module.partition(".")[0])
        target = self._resolved(module, name)
        if not isinstance(target, Definition) or not self.follows(target.module):
            what = f"{name} is neither a class nor a function of the plugin"
            raise self.source(module).refusal(what, remedy="Build the card with a class or function of the plugin")
        self._bindings[target].add((target.module, target.name))
        self._take(target)
        return target

    def reads_attribute(self, name: str) -> bool:
        """Return True if the included code reads an attribute of this name."""
        return name in self._mentioned

    # ---------------------------------------------------------------------------------------------- collection

    def _take(self, target: Definition) -> None:
        source = self.source(target.module)
        for statement in source.bound[target.name]:
            self._take_statement(source, statement)
        for statement in source.tree.body:  # other statements that change it when the module is imported
            if target.name in _touched(statement):
                self._take_statement(source, statement)

    def _take_statement(self, source: Source, statement: ast.stmt) -> None:
        if statement.lineno in self.units[source.name]:
            return
        unit = self.units[source.name][statement.lineno] = Statement(source, statement)
        trimmed = self._trimmed(unit, statement) if isinstance(statement, ast.ClassDef) else statement
        self._follow_all(unit, trimmed)
        for bound in bound_names([statement]):  # one statement may bind several names
            self._bindings[Definition(source.name, bound)].add((source.name, bound))

    def _trimmed(self, unit: Statement, statement: ast.ClassDef) -> ast.ClassDef:
        """Return a class with only the members needed so far; the lab's methods are added once they are mentioned."""
        kind = getattr(unit.source.module, statement.name, None)
        of_lab = unit.source.name.startswith("lab.")
        settings = kind.model_fields if isinstance(kind, type) and issubclass(kind, ModelConfig) else None
        body: list[ast.stmt] = []
        for member in statement.body:
            if settings is not None and self._is_rule(unit.source, member):
                unit.left_out.append(member)
            elif settings and isinstance(member, ast.AnnAssign) and ast.unparse(member.target) in settings:
                unit.fields.append(member)
                body.append(ast.AnnAssign(member.target, member.annotation, None, 1))
            elif of_lab and isinstance(member, ast.FunctionDef) and not self._is_called(kind, member.name):
                unit.left_out.append(member)
                self._waiting[member.name].append((unit, statement, member))
            else:
                body.append(member)
        return _with_body(statement, body)

    def _is_rule(self, source: Source, member: ast.stmt) -> bool:
        if isinstance(member, ast.FunctionDef):
            decorators = (one.func if isinstance(one, ast.Call) else one for one in member.decorator_list)
            roots = (source.imports.get(ast.unparse(one).partition(".")[0]) for one in decorators)
            return member.name in _OF_SETTINGS or any(one and one.module.startswith("pydantic") for one in roots)
        return any(name in _OF_SETTINGS for name in bound_names([member]))

    def _is_called(self, kind: Any, name: str) -> bool:
        """Return True if a method is, or may be, called: by Python, by torch, or by the code included so far."""
        foreign_bases = (base for base in getattr(kind, "__mro__", ()) if not self.follows(base.__module__))
        dunder = name.startswith("__") and name.endswith("__")
        return dunder or name in self._mentioned or any(name in vars(base) for base in foreign_bases)

    def _follow_all(self, unit: Statement, node: ast.AST) -> None:
        """Include everything that a node mentions."""
        inner = self._check_inner_imports(unit, node)
        mentions, method_names = mentions_of(node, inner)
        for mention in mentions:
            self._follow(unit, mention.node, mention.path, weak=mention.weak)
        for name in method_names - self._mentioned:
            self._mentioned.add(name)
            for owner, statement, method in self._waiting.pop(name, []):
                owner.left_out.remove(method)
                self._follow_all(owner, _with_body(statement, [method], alone=True))

    def _check_inner_imports(self, unit: Statement, node: ast.AST) -> set[str]:
        """Return the names that inner imports bind from the lab and the plugins; they move to the top level."""
        found: set[str] = set()
        for inner in ast.walk(node):
            if not isinstance(inner, ast.Import | ast.ImportFrom):
                continue
            module = unit.source.absolute(inner) if isinstance(inner, ast.ImportFrom) else inner.names[0].name
            if self.follows(module):
                found |= bound_names([inner])
                unit.left_out.append(inner)
            else:
                self._check_free(unit, module, inner)
        return found

    def _follow(self, unit: Statement, node: ast.expr, path: tuple[str, ...], *, weak: bool) -> None:
        source, target, used = unit.source, self._resolved(unit.source.name, path[0]), 1
        while isinstance(target, Imported) and target.name is None and self.follows(target.module):
            if used == len(path):
                raise source.refusal(f"uses the module {target.module} itself, not a name of it", node)
            inner = f"{target.module}.{path[used]}"
            target = self._resolved(target.module, path[used]) or Imported(inner)
            used += 1
        if target is None:
            if hasattr(builtins, path[0]):
                self._of_python[path[0]].add(source.name)
            return
        for _ in range(len(path) - used):
            node = node.value  # type: ignore[attr-defined]
        unit.mentions.append((node, target))
        called = (source.name, ".".join(path[:used]))
        if isinstance(target, Imported):
            if not weak:
                self._check_free(unit, target.module, node)
            (self._bindings if _is_free(target.module) else self._weak)[target].add(called)
        elif weak and not self._is_alias(target):
            self._weak[target].add(called)
        else:
            self._bindings[target].add(called)
            self._take(target)

    def _resolved(self, module: str, name: str) -> Target | None:
        """Return the target of a name at a module's top level; None if the module does not bind it."""
        source = self.source(module)
        if module != STAND_INS and module.startswith("lab.") and name in self.source(STAND_INS).bound:
            return Definition(STAND_INS, name)
        if name in source.bound:
            return Definition(module, name)
        imported = source.imports.get(name)
        if imported is None or imported.name is None or not self.follows(imported.module):
            return imported
        is_own = imported.module == module  # a package that imports one of its modules from itself
        found = None if is_own else self._resolved(imported.module, imported.name)
        inner = f"{imported.module}.{imported.name}"
        if found is None and importlib.util.find_spec(inner):
            return Imported(inner)
        if found is None:
            what = f"imports {imported.name} from {imported.module}, where no statement binds it"
            raise source.refusal(what, remedy="Bind it at the top of that module")
        return found

    def _is_alias(self, target: Definition) -> bool:
        return all(isinstance(one, ast.Assign | ast.AnnAssign) for one in self.source(target.module).bound[target.name])

    def _check_free(self, unit: Statement, module: str, node: ast.AST) -> None:
        if not _is_free(module):
            raise unit.source.refusal(
                f"needs {module}, and a script of plain PyTorch has only torch, numpy and Python's own modules",
                node,
                remedy="Let the model's source import only torch, the standard library, lab.api and lab.layers",
            )

    # ----------------------------------------------------------------------------------------------------- names

    def settle(self, taken: set[str]) -> None:
        """Give every target its unique name; call it once, after everything is included.

        Args:
            taken: Names used for something else.
        """
        targets: list[Target] = [*self._imported_first(), *self._ordered_definitions()]
        for target in targets:
            users = self._bindings.get(target, set()) | self._weak.get(target, set())
            first = target.name if isinstance(target, Definition) else min(called for _, called in users)
            tail = target.module.rpartition(".")[2]
            for name in (first, f"{first}_{tail}", *(f"{first}_{tail}_{number}" for number in range(2, 100))):
                hidden = any(called != name and name in self._identifiers(module) for module, called in users)
                builtin = bool(self._of_python.get(name, set()) - {target.module})
                if name not in taken and not hidden and not builtin:
                    break
            taken.add(name)
            self._names[target] = name
        aliases = {target: self._short(target, users) for target, users in self._weak.items()}
        self._names = {**aliases, **self._names}
        self.unseen = sorted({name for target, name in aliases.items() if target not in self._bindings} - taken)

    def name(self, target: Target) -> str:
        """Return the name of a target in the script."""
        return self._names[target]

    @property
    def imports(self) -> dict[Imported, str]:
        """Return the imports of the script with their names."""
        return {target: self._names[target] for target in self._imported_first()}

    def modules(self) -> list[str]:
        """Return the modules with included statements, in the order in which Python would import them."""
        ordered: dict[str, None] = {}

        def visit(module: str) -> None:
            if module in ordered or module in under_way:
                return
            under_way.add(module)
            for statement in self.source(module).tree.body:
                if isinstance(statement, ast.Import | ast.ImportFrom):
                    for imported in self._modules_of(module, statement):
                        if self.follows(imported):
                            visit(imported)
            ordered[module] = None

        under_way: set[str] = set()
        for module in [STAND_INS, *self.units]:
            visit(module)
        return [module for module in ordered if self.units.get(module)]

    def _modules_of(self, module: str, statement: ast.Import | ast.ImportFrom) -> Iterator[str]:
        if isinstance(statement, ast.Import):
            yield from (alias.name for alias in statement.names)
            return
        imported_module = self.source(module).absolute(statement)
        if self.follows(imported_module):
            for alias in statement.names:
                found = self._resolved(module, alias.asname or alias.name)
                yield found.module if found is not None else imported_module

    def _imported_first(self) -> list[Imported]:
        found = [target for target in self._bindings if isinstance(target, Imported)]
        return sorted(found, key=lambda target: (target.module, target.name or ""))

    def _ordered_definitions(self) -> Iterator[Definition]:
        for module in self.modules():
            for _, unit in sorted(self.units[module].items()):
                for name in sorted(bound_names([unit.statement])):
                    yield Definition(module, name)

    def _identifiers(self, module: str) -> set[str]:
        tree = self.source(module).tree
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        return names | {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}

    @staticmethod
    def _short(target: Target, users: set[tuple[str, str]]) -> str:
        return target.name or min(called for _, called in users).rpartition(".")[2]


def _is_free(module: str) -> bool:
    package = module.partition(".")[0]
    return package in FREE or package in sys.stdlib_module_names


def _with_body(statement: ast.ClassDef, body: list[ast.stmt], *, alone: bool = False) -> ast.ClassDef:
    """Return the class with other members; if `alone`, without bases and decorators, which were handled before."""
    if alone:
        return ast.ClassDef(statement.name, [], [], body, [])
    return ast.ClassDef(statement.name, statement.bases, statement.keywords, body, statement.decorator_list)


def _touched(statement: ast.stmt) -> set[str]:
    """Return the names that a statement changes without binding them: `Base.kind = Base`, `KINDS.update(…)`."""
    roots: list[Any]
    if isinstance(statement, ast.Assign):
        roots = [target for target in statement.targets if isinstance(target, ast.Attribute | ast.Subscript)]
    elif isinstance(statement, ast.AugAssign):
        roots = [statement.target] if isinstance(statement.target, ast.Attribute | ast.Subscript) else []
    else:
        roots = (
            [statement.value.func] if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call) else []
        )
    found: set[str] = set()
    root: Any
    for root in roots:
        while isinstance(root, ast.Attribute | ast.Subscript):
            root = root.value
        if isinstance(root, ast.Name):
            found.add(root.id)
    return found
