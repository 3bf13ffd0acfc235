"""Expressions as trees, and how they are written: to read, with numbers filled in, and as Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import pi
from typing import TypeAlias

SUM, PRODUCT, SIGN, POWER, ATOM = 1, 2, 3, 4, 5
"""How strongly a form binds; what binds less stands in brackets inside one that binds more."""
INFIX = {
    "add": (SUM, " + "),
    "subtract": (SUM, " − "),
    "multiply": (PRODUCT, "·"),
    "divide": (PRODUCT, " / "),
    "matmul": (PRODUCT, " @ "),
    "power": (POWER, "^"),
}
"""Binding and sign of each operation that is written between its arguments."""


@dataclass(frozen=True)
class Number:
    """A number that stands in the expression.

    Args:
        value: Its value.
    """

    value: float


@dataclass(frozen=True)
class Name:
    """The name of an input or of an earlier statement.

    Args:
        name: The name.
    """

    name: str


Index: TypeAlias = int | tuple[int | None, int | None]
"""One index, counted from 0, or the two ends of a range."""


@dataclass(frozen=True)
class Apply:
    """An operation on arguments.

    Args:
        operation: The name of the operation in lab.worked.expressions.operations.
        arguments: Its arguments.
        indices: The indices of "index", one for each axis.
    """

    operation: str
    arguments: tuple[Expression, ...]
    indices: tuple[Index, ...] = ()


Expression: TypeAlias = Number | Name | Apply


@dataclass(frozen=True)
class Statement:
    """A named expression: `h = tanh(z)`.

    Args:
        name: The name; "" for an expression alone.
        expression: What is computed.
    """

    name: str
    expression: Expression


def names_in(expression: Expression) -> Iterator[str]:
    """Yield the names in an expression, from left to right; a name may come twice."""
    if isinstance(expression, Name):
        yield expression.name
    elif isinstance(expression, Apply):
        for argument in expression.arguments:
            yield from names_in(argument)


def show(expression: Expression, name: Callable[[str], str] = str) -> str:
    """Write an expression to read; what is written can be parsed again.

    Args:
        expression: The expression.
        name: Writes a name; another function than str fills in numbers.
    """
    return _shown(expression, name)[0]


def number_text(value: float) -> str:
    """Write a number of an expression: 2, 0.5, 1e-05."""
    if value == pi:
        return "π"
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)


def index_text(index: Index) -> str:
    """Write an index or a range: "2", "1:3", ":"."""
    if isinstance(index, int):
        return str(index)
    return ":".join("" if end is None else str(end) for end in index)


def _shown(expression: Expression, name: Callable[[str], str]) -> tuple[str, int]:
    match expression:
        case Number(value):
            return number_text(value), ATOM if value >= 0 else SIGN
        case Name(text):
            shown = name(text)
            return shown, SUM if shown.startswith(("-", "−")) else ATOM  # a negative number stands in brackets
        case Apply("negate", (inner,)):
            return f"−{_in_brackets(inner, POWER, name)}", SIGN
        case Apply("transpose", (inner,)):
            return f"{_in_brackets(inner, ATOM, name)}ᵀ", ATOM
        case Apply("index", (inner,), indices):
            return f"{_in_brackets(inner, ATOM, name)}[{', '.join(map(index_text, indices))}]", ATOM
        case Apply("list", items):
            return f"[{', '.join(show(item, name) for item in items)}]", ATOM
        case Apply(operation, (left, right)) if operation in INFIX:
            binding, sign = INFIX[operation]
            first = _in_brackets(left, binding + (operation == "power"), name)
            second = _in_brackets(right, binding + (operation not in ("add", "power")), name)
            return f"{first}{sign}{second}", binding
        case Apply(operation, arguments):
            return f"{operation}({', '.join(show(argument, name) for argument in arguments)})", ATOM


def _in_brackets(expression: Expression, binding: int, name: Callable[[str], str]) -> str:
    text, own = _shown(expression, name)
    return text if own >= binding else f"({text})"
