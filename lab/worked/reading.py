"""Reading of typed values: numbers, vectors and matrices are expressions without names, never Python."""

from __future__ import annotations

import re

from lab.base import BadInput
from lab.worked.expressions.parsing import parse_expression
from lab.worked.expressions.syntax import Statement, names_in
from lab.worked.expressions.values import Value, as_value
from lab.worked.graph import Graph

LONGEST = 20_000
"""Most characters of a typed value."""
_NUMBER = r"[-+−]?(?:(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][-+]?\d++)?|inf|nan)"
_BETWEEN = r"[\s\[\],;]"
_NUMBERS = re.compile(rf"{_BETWEEN}*+(?:{_NUMBER}(?:{_BETWEEN}++|\Z))*+")  # reads each character once
_ENTRY = re.compile(r"\s*([^\s\[\]=]+?)\s*(?:\[\s*(\d{1,6})\s*(?:,\s*(\d{1,6})\s*)?\])?\s*")


def read_value(text: str, field: str, like: Value | None = None) -> Value:
    """Read a typed value.

    Args:
        text: "2", "1/3", "[1, 2]", "[[1, 2], [3, 4]]"; numbers may be "inf", "-inf" or "nan". Texts stand as they are,
            several with commas between them.
        field: The name of the input, for problems.
        like: A value of the same kind: a text is read as it is; None means numbers.

    Raises:
        BadInput: It is no value.
    """
    if len(text) > LONGEST:
        raise BadInput("is too long", field=field, value=text, allowed=f"{LONGEST} characters at most")
    if isinstance(like, str):
        return text
    if isinstance(like, tuple):
        return tuple(part.strip() for part in text.split(",") if part.strip()) or ("",)
    if _NUMBERS.fullmatch(text) and re.search(r"\d|inf|nan", text):
        return as_value(_lists(text, field), field)
    expression = parse_expression(text)
    if any(names_in(expression)):
        raise BadInput(
            "is no number, vector or matrix", field=field, value=text, allowed="2, 1/3, [1, 2] or [[1, 2], [3, 4]]"
        )
    return Graph([Statement("", expression)], {}).result.value


def _lists(text: str, field: str) -> object:
    """Return nested lists of numbers; brackets may be left out, and rows end with semicolons then."""
    plain = text.replace("−", "-").strip()
    if not set(plain) & set("[]"):
        rows = [
            [float(number) for number in re.split(r"[\s,]+", row.strip()) if number]
            for row in plain.split(";")
            if row.strip()
        ]
        if len(rows) > 1:
            return rows
        return rows[0] if len(rows[0]) > 1 else rows[0][0]
    if plain.count("[") != plain.count("]") or ";" in plain:
        raise BadInput("has brackets that do not match", field=field, value=text, allowed="[1, 2] or [[1, 2], [3, 4]]")
    stack: list[list[object]] = [[]]
    for token in re.findall(rf"\[|\]|{_NUMBER}", plain):
        if token == "[":
            stack.append([])
        elif token == "]":
            if len(stack) < 2:
                raise BadInput("has brackets that do not match", field=field, value=text)
            inner = stack.pop()
            stack[-1].append(inner)
        else:
            stack[-1].append(float(token))
        if len(stack) > 4:
            raise BadInput("has too many brackets", field=field, value=text, allowed="vectors and matrices")
    if len(stack) != 1 or len(stack[0]) != 1:
        raise BadInput("has brackets that do not match", field=field, value=text)
    return stack[0][0]


def read_entry(text: str, field: str) -> tuple[str, tuple[int, ...]]:
    """Read the name of an input with the position of a number in it: "x", "z[1]", "W[0,1]".

    Raises:
        BadInput: It is something else.
    """
    match = _ENTRY.fullmatch(text)
    if match is None:
        raise BadInput("is no input", field=field, value=text, allowed="x, z[1] or W[0,1]")
    name, first, second = match.groups()
    return name, tuple(int(index) for index in (first, second) if index is not None)
