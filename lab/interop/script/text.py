"""The text of a script from the included statements: imports, then module by module, with unique names."""

from __future__ import annotations

import ast
import re
import sys

from lab.interop.script.joining import Definition, Joined, Statement
from lab.interop.script.plan import LOOP
from lab.interop.script.source import Source

_MARKS = re.compile(r"[ \t]*# (type: ignore(\[[^\]]*\])?|noqa[^\n]*|fmt: skip)")
"""Comments for the lab's tools."""

Edit = tuple[int, int, bytes]


def joined_text(joined: Joined) -> str:
    """Return the imports and definitions of a script, after `joined.settle()`."""
    sections = [_imports(joined)]
    for module in joined.modules():
        source = joined.source(module)
        summary = (ast.get_docstring(source.tree) or "").partition("\n")[0].rstrip(".")
        head = f"# {'-' * 30} {module}" + (f"\n# {summary}" if summary else "")
        units = [_unit_text(joined, unit) for _, unit in sorted(joined.units[module].items())]
        sections.append("\n\n".join([head, _spaced(units)]))
    if joined.unseen:
        line = " = ".join([*joined.unseen, "Any"])
        sections.append(f"# Names of the lab that occur only in annotations, which are not evaluated\n{line}")
    return "\n\n\n".join(sections)


def _spaced(units: list[str]) -> str:
    """Join statements with two blank lines around functions and classes, none between plain assignments."""
    text = ""
    for before, unit in zip(["", *units], units, strict=False):
        large = any(re.match(r"(@|class |def |async )", one) for one in (before, unit))
        text += ("\n\n\n" if large else "\n") * bool(text) + unit
    return text


def _imports(joined: Joined) -> str:
    plain: set[tuple[str, str]] = set()
    of_module: dict[str, set[str]] = {}
    for target, name in joined.imports.items():
        if target.name is None:
            plain.add((target.module, name))
        else:
            of_module.setdefault(target.module, set()).add(_as(target.name, name))
    if joined.unseen:
        of_module.setdefault("typing", set()).add("Any")
    groups: tuple[list[str], list[str]] = ([], [])
    for module, name in sorted(plain):
        groups[_foreign(module)].append(f"import {_as(module, name)}")
    for module, names in sorted(of_module.items()):
        groups[_foreign(module)].append(f"from {module} import {', '.join(sorted(names))}")
    return "\n\n".join(["from __future__ import annotations", *("\n".join(group) for group in groups if group)])


def _as(name: str, called: str) -> str:
    return name if name == called else f"{name} as {called}"


def _foreign(module: str) -> bool:
    return module.partition(".")[0] not in sys.stdlib_module_names


def _unit_text(joined: Joined, unit: Statement) -> str:
    source, statement = unit.source, unit.statement
    start, end = source.lines(statement)
    edits = [*_renamings(joined, unit), *_removals(unit)]
    if source.name.startswith("lab.") and source.name != LOOP:  # documented in the lab
        edits += _shortened(source, statement)
    text = _edited(source.text, start, _with_description(source, statement, end), edits).decode()
    if isinstance(statement, ast.ClassDef | ast.FunctionDef):
        name = joined.name(Definition(source.name, statement.name))
        text = re.sub(rf"\b(class|def) {statement.name}\b", rf"\1 {name}", text, count=1)
    text = re.sub(r"[ \t]+$", "", _MARKS.sub("", text), flags=re.MULTILINE)
    text = re.sub(r"\n{3,}", "\n\n", text).strip("\n")
    if isinstance(statement, ast.ClassDef) and all(member in unit.left_out for member in statement.body):
        text += "\n    pass"
    return text


def _with_description(source: Source, statement: ast.stmt, end: int) -> int:
    """Return the end of a statement, including a docstring below it."""
    after = source.tree.body[source.tree.body.index(statement) + 1 :][:1]
    if isinstance(statement, ast.Assign | ast.AnnAssign) and after and _is_text(after[0]):
        return source.lines(after[0])[1]
    return end


def _is_text(statement: ast.stmt) -> bool:
    value = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def _renamings(joined: Joined, unit: Statement) -> list[Edit]:
    edits = []
    for node, target in unit.mentions:
        start, end = unit.source.span(node)
        name = joined.name(target).encode()
        if unit.source.text[start:end] != name:
            edits.append((start, end, name))
    return edits


def _removals(unit: Statement) -> list[Edit]:
    source = unit.source
    edits = [(*source.lines(member), b"") for member in unit.left_out]
    # the annotation of a setting stays, its declaration is dropped
    return edits + [(source.span(one.annotation)[1], source.lines(one)[1] - 1, b"") for one in unit.fields]


def _shortened(source: Source, statement: ast.stmt) -> list[Edit]:
    """Cut docstrings to their first line: the lab's own documentation has the rest."""
    edits = []
    for node in ast.walk(statement):
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and _is_text(node.body[0]):
            start, end = source.span(node.body[0])
            lines = source.text[start:end].split(b"\n")
            if len(lines) > 1:
                edits.append((start, end, lines[0].rstrip() + b'"""'))
    return edits


def _edited(text: bytes, start: int, end: int, edits: list[Edit]) -> bytes:
    """Return a range of the text with parts replaced; edits inside a replaced part are dropped."""
    parts, at = [], start
    for first, last, replacement in sorted(edits, key=lambda edit: (edit[0], -edit[1])):
        if first >= at and last <= end:
            parts += [text[at:first], replacement]
            at = last
    return b"".join([*parts, text[at:end]])
