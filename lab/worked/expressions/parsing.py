"""Parsing of typed expressions. Nothing that is typed is ever executed as Python; length and depth are bounded."""

from __future__ import annotations

import re
import unicodedata
from math import isinf, pi
from typing import NamedTuple

from lab.base import BadInput
from lab.worked.expressions.operations import OPERATIONS
from lab.worked.expressions.syntax import POWER, PRODUCT, SIGN, SUM, Apply, Expression, Index, Name, Number, Statement

LONGEST = 4000
"""Most characters of a program."""
DEEPEST = 60
"""Most brackets and signs inside one another."""
MOST = 500
"""Most numbers, names and operations of a program."""
FIELD = "expression"
"""The field of its problems."""
BINARY = {
    "+": ("add", SUM), "-": ("subtract", SUM), "*": ("multiply", PRODUCT), "/": ("divide", PRODUCT),
    "@": ("matmul", PRODUCT), "^": ("power", POWER),
}  # fmt: skip
"""Operation and binding of each sign between two expressions."""
ALIKE = {"−": "-", "–": "-", "·": "*", "×": "*", "÷": "/", "**": "^", "≔": "="}
"""Signs that are read as another one."""
RAISED = {"ᵀ": ".T", "²": "^2", "³": "^3"}
"""Raised letters, which would otherwise be part of a name."""
ALIASES = {"ln": "log", "√": "sqrt", "σ": "sigmoid", "maximum": "max", "minimum": "min"}
"""Other names of functions."""
CONSTANTS = {"π": pi, "pi": pi}
"""Names of constants."""
HIDDEN = ("add", "subtract", "multiply", "divide", "matmul", "power", "negate", "index", "list")
"""Operations that are written as signs, not called by their names."""
_TOKEN = re.compile(
    r"(?P<space>[ \t\r]+|#[^\n]*)|(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[^\W\d]\w*'*|√)"
    r"|(?P<sign>\*\*|\.T\b|[-+*/@^()\[\],:=;\n−–·×÷≔])"
)


class _Token(NamedTuple):
    kind: str
    text: str
    start: int


def parse(text: str) -> tuple[Statement, ...]:
    """Parse a program: statements `name = expression`, one a line or with semicolons; the last may have no name.

    Args:
        text: What was typed.

    Raises:
        BadInput: It cannot be read, calls what does not exist, names a statement twice, or is too long or too deep.
    """
    return _Parser(text).program()


def parse_expression(text: str) -> Expression:
    """Parse one expression.

    Raises:
        BadInput: It cannot be read, or it has more than one statement or a name for its value.
    """
    statements = parse(text)
    if len(statements) != 1 or statements[0].name:
        raise BadInput("has to be one expression", field=FIELD, value=text, remedy="Leave out the names before =")
    return statements[0].expression


class _Parser:
    def __init__(self, text: str) -> None:
        if len(text) > LONGEST:
            raise BadInput("is too long", field=FIELD, value=text, allowed=f"{LONGEST} characters at most")
        text = unicodedata.normalize("NFC", text)
        for raised, plain in RAISED.items():
            text = text.replace(raised, plain)
        self._text = text
        self._tokens = self._split()
        self._at, self._depth, self._count = 0, 0, 0

    def _split(self) -> list[_Token]:
        tokens, at = [], 0
        while at < len(self._text):
            found = _TOKEN.match(self._text, at)
            if found is None:
                raise self._unexpected(at)
            kind, text = str(found.lastgroup), found.group()
            if kind == "sign":
                text = ALIKE.get(text, text)
                kind = text
            if kind != "space":
                tokens.append(_Token(";" if kind == "\n" else kind, text, at))
            at = found.end()
        return [*tokens, _Token("end", "", len(self._text))]

    def _unexpected(self, at: int) -> BadInput:
        rest = self._text[at : at + 30].split("\n")[0]
        remedy = "See lm-lab graph --functions for what can be written"
        if not rest:
            return BadInput("ends too early", field=FIELD, value=self._text, remedy=remedy)
        return BadInput("cannot be read from here on", field=FIELD, value=rest, remedy=remedy)

    @property
    def _next(self) -> _Token:
        return self._tokens[self._at]

    def _take(self, *kinds: str) -> _Token | None:
        token = self._next
        if token.kind not in kinds:
            return None
        self._at += 1
        return token

    def _expect(self, kind: str) -> _Token:
        token = self._take(kind)
        if token is None:
            raise self._unexpected(self._next.start)
        return token

    def program(self) -> tuple[Statement, ...]:
        statements: list[Statement] = []
        while True:
            while self._take(";"):
                pass
            if self._next.kind == "end":
                break
            statements.append(self._statement())
            if self._next.kind not in (";", "end"):
                raise self._unexpected(self._next.start)
        if not statements:
            raise BadInput("is empty", field=FIELD, remedy="Type an expression such as (x + y)·x")
        names = [statement.name for statement in statements]
        for number, name in enumerate(names):
            if name in names[:number]:
                raise BadInput(
                    "is given twice", field=FIELD, value=name, remedy="Use another name for the second value"
                )
        if "" in names[:-1]:
            remedy = "Write name = before every expression but the last"
            raise BadInput("has an expression without a name before the last", field=FIELD, remedy=remedy)
        return tuple(statements)

    def _statement(self) -> Statement:
        if self._next.kind == "name" and self._tokens[self._at + 1].kind == "=":
            name = self._expect("name").text
            self._expect("=")
            if name in OPERATIONS:
                raise BadInput("is the name of a function", field=FIELD, value=name, remedy="Use another name")
            return Statement(name, self._expression(SUM))
        return Statement("", self._expression(SUM))

    def _made(self, expression: Expression) -> Expression:
        self._count += 1
        if self._count > MOST:
            raise BadInput("has too many parts", field=FIELD, allowed=f"{MOST} numbers, names and operations at most")
        return expression

    def _expression(self, binding: int) -> Expression:
        self._depth += 1
        if self._depth > DEEPEST:
            raise _nested()
        left = self._signed()
        while self._next.kind in BINARY and BINARY[self._next.kind][1] >= binding:
            operation, own = BINARY[self._tokens[self._at].kind]
            self._at += 1
            right = self._expression(SIGN if operation == "power" else own + 1)
            left = self._made(Apply(operation, (left, right)))
        self._depth -= 1
        return left

    def _signed(self) -> Expression:
        if self._take("+"):
            return self._expression(SIGN)
        if self._take("-"):
            inner = self._expression(POWER)
            if isinstance(inner, Number) and inner.value > 0:
                return Number(-inner.value)
            return self._made(Apply("negate", (inner,)))
        return self._postfix(self._atom())

    def _postfix(self, inner: Expression) -> Expression:
        for _ in range(DEEPEST):
            if self._take(".T"):
                inner = self._made(Apply("transpose", (inner,)))
            elif self._take("["):
                inner = self._made(Apply("index", (inner,), self._indices()))
            else:
                return inner
        raise _nested()

    def _indices(self) -> tuple[Index, ...]:
        indices: list[Index] = []
        while True:
            first = self._whole()
            if self._take(":"):
                indices.append((first, self._whole()))
            elif first is None:
                raise self._unexpected(self._next.start)
            else:
                indices.append(first)
            if not self._take(","):
                self._expect("]")
                return tuple(indices)

    def _whole(self) -> int | None:
        sign = -1 if self._take("-") else 1
        token = self._take("number")
        if token is None:
            return None
        if not token.text.isdecimal() or len(token.text) > 6:
            raise self._unexpected(token.start)
        return sign * int(token.text)

    def _atom(self) -> Expression:
        if token := self._take("number"):
            return self._made(Number(_finite(token.text)))
        if self._take("("):
            inner = self._expression(SUM)
            self._expect(")")
            return inner
        if self._take("["):
            return self._made(Apply("list", self._arguments("]")))
        token = self._take("name")
        if token is None:
            raise self._unexpected(self._next.start)
        if not self._take("("):
            constant = CONSTANTS.get(token.text)
            return self._made(Name(token.text) if constant is None else Number(constant))
        name = ALIASES.get(token.text, token.text)
        found = None if name in HIDDEN else OPERATIONS.get(name)
        if found is None:
            remedy = "See lm-lab graph --functions; for a product write a sign: f·(x)"
            raise BadInput("is no function that is known here", field=FIELD, value=token.text, remedy=remedy)
        arguments = self._arguments(")")
        least, most = found.arity
        if not least <= len(arguments) <= most:
            count = f"{least}" if least == most else f"{least} to {most}"
            raise BadInput(
                "has the wrong number of arguments", field=FIELD, value=f"{name}, {len(arguments)}", allowed=count
            )
        return self._made(Apply(name, arguments))

    def _arguments(self, end: str) -> tuple[Expression, ...]:
        while self._take(";"):  # a list may go over several lines
            pass
        arguments = [self._expression(SUM)]
        while self._take(","):
            while self._take(";"):
                pass
            arguments.append(self._expression(SUM))
        while self._take(";"):
            pass
        self._expect(end)
        return tuple(arguments)


def _nested() -> BadInput:
    return BadInput("is nested too deeply", field=FIELD, allowed=f"{DEEPEST} levels at most")


def _finite(text: str) -> float:
    value = float(text)
    if isinf(value):
        raise BadInput("is too large a number", field=FIELD, value=text, allowed="numbers up to 1.8e308")
    return value
