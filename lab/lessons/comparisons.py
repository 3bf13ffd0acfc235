"""Comparisons of measured quantities, by which a lesson decides its checks and scores predictions.

A comparison is a text such as `argmin(loss) = 4` or `pre < post - 0.1`: numbers, names of quantities, an entry of one
(`loss[4]`), + − * /, brackets, some functions, and comparisons between two or more terms. It is parsed here, and is
never run as a program.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

Value: TypeAlias = "float | str | Mapping[str, float]"
"""A quantity: a number, the key of an option, or numbers by key, such as losses by order."""
Values: TypeAlias = Mapping[str, Value]
"""Quantities by name."""

LONGEST, DEEPEST = 300, 20
"""Most characters of a comparison, and most brackets inside one another."""
CLOSE = 1e-9
"""Relative difference below which two numbers are equal."""

_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d+)?(?:e[+-]?\d+)?)|(?P<name>[a-z][a-z0-9_]*)|(?P<text>\"[^\"]*\")"
    r"|(?P<sign><=|>=|!=|[-+*/()\[\],<>=]))"
)
_SIGNS = ("<", "<=", ">", ">=", "=", "!=")


class NotComparable(ValueError):
    """Raised for a comparison that cannot be parsed, or whose quantities do not fit."""


@dataclass(frozen=True)
class Comparison:
    """A parsed comparison.

    Args:
        text: The comparison as it was written.
        terms: Its terms, at least two.
        signs: The signs between them.
    """

    text: str
    terms: tuple[_Term, ...]
    signs: tuple[str, ...]

    @property
    def names(self) -> frozenset[str]:
        """The names of the quantities in it."""
        return frozenset().union(*(term.names for term in self.terms))

    def holds(self, values: Values) -> bool:
        """Return True if it holds for measured quantities.

        Raises:
            NotComparable: A quantity is missing, or of another form than the comparison needs.
        """
        found = [term.value(values) for term in self.terms]
        pairs = zip(found, self.signs, found[1:], strict=False)
        return all(_compare(left, sign, right) for left, sign, right in pairs)


@dataclass(frozen=True)
class _Term:
    """A parsed term: how it is computed, and the names of the quantities in it."""

    value: Callable[[Values], Value]
    names: frozenset[str]


def parse_comparison(text: str) -> Comparison:
    """Return a comparison that was written as text.

    Raises:
        NotComparable: It is none.
    """
    parser = _Parser(text)
    terms, signs = [parser.total()], []
    while parser.token in _SIGNS:
        signs.append(parser.take())
        terms.append(parser.total())
    parser.end()
    if not signs:
        raise NotComparable("compares nothing: write two terms with <, <=, >, >=, = or != between them")
    return Comparison(text, tuple(terms), tuple(signs))


def parse_term(text: str) -> _Term:
    """Return a term without a comparison, such as `argmin(loss)`.

    Raises:
        NotComparable: It is none.
    """
    parser = _Parser(text)
    term = parser.total()
    parser.end()
    return term


def number_key(key: str) -> float | str:
    """Return a key as a number if it is one, so that `argmin(loss) = 4` compares numbers."""
    try:
        return float(key)
    except ValueError:
        return key


class _Parser:
    """Reads one token after the other."""

    def __init__(self, text: str) -> None:
        if len(text) > LONGEST:
            raise NotComparable(f"is longer than {LONGEST} characters")
        self._tokens: list[str] = []
        self._depth = 0
        end = 0
        rest = text.rstrip()
        while end < len(rest):
            found = _TOKEN.match(rest, end)
            if found is None:
                raise NotComparable(f"cannot be read from {rest[end:].strip()[:20]!r} on")
            self._tokens.append(found[0].strip())
            end = found.end()
        self._index = 0

    @property
    def token(self) -> str:
        """The next token; "" at the end."""
        return self._tokens[self._index] if self._index < len(self._tokens) else ""

    def take(self, expected: str = "") -> str:
        """Return the next token and go on.

        Raises:
            NotComparable: It is not the expected one, or there is none.
        """
        token = self.token
        if not token or (expected and token != expected):
            raise NotComparable(f"{expected or 'a term'} is missing {f'before {token!r}' if token else 'at the end'}")
        self._index += 1
        return token

    def end(self) -> None:
        """Refuse further tokens.

        Raises:
            NotComparable: There are some.
        """
        if self.token:
            raise NotComparable(f"cannot be read from {self.token!r} on")

    def total(self) -> _Term:
        """Return a sum of products."""
        return self._joined(self._product, ("+", "-"))

    def _product(self) -> _Term:
        return self._joined(self._factor, ("*", "/"))

    def _joined(self, part: Callable[[], _Term], signs: tuple[str, ...]) -> _Term:
        left = part()
        while self.token in signs:
            left = _arithmetic(left, self.take(), part())
        return left

    def _factor(self) -> _Term:
        token = self.take()
        if token == "-":
            return _arithmetic(_constant(0.0), "-", self._nested(self._factor))
        if token == "(":
            inner = self._nested(self.total)
            self.take(")")
            return inner
        if token[0].isdigit():
            return _constant(float(token))
        if token[0] == '"':
            return _constant(token[1:-1])
        if not token[0].isalpha():
            raise NotComparable(f"a term is missing before {token!r}")
        if self.token == "(":
            return self._call(token)
        if self.token == "[":
            self.take()
            key = self.take().strip('"')
            key = f"-{self.take()}" if key == "-" else key
            self.take("]")
            return _Term(lambda values: _entry(values, token, key), frozenset({token}))
        return _Term(lambda values: _named(values, token), frozenset({token}))

    def _call(self, name: str) -> _Term:
        if name not in FUNCTIONS:
            raise NotComparable(f"there is no function {name}; there are {', '.join(sorted(FUNCTIONS))}")
        self.take("(")
        argument = self._nested(self.total)
        self.take(")")
        function = FUNCTIONS[name]
        return _Term(lambda values: function(argument.value(values)), argument.names)

    def _nested(self, part: Callable[[], _Term]) -> _Term:
        self._depth += 1
        if self._depth > DEEPEST:
            raise NotComparable(f"has more than {DEEPEST} brackets inside one another")
        term = part()
        self._depth -= 1
        return term


def _constant(value: float | str) -> _Term:
    return _Term(lambda _: value, frozenset())


def _named(values: Values, name: str) -> Value:
    if name not in values:
        raise NotComparable(f"{name} was not measured")
    return values[name]


def _entry(values: Values, name: str, key: str) -> float:
    found = _many(_named(values, name))
    wanted = number_key(key)
    entry = next((value for one, value in found.items() if number_key(one) == wanted), None)
    if entry is None:
        raise NotComparable(f"{name} has no entry {key}")
    return entry


def _arithmetic(left: _Term, sign: str, right: _Term) -> _Term:
    def value(values: Values) -> float:
        one, other = _number(left.value(values)), _number(right.value(values))
        if sign == "/":
            return one / other if other else math.nan
        return one + other if sign == "+" else one - other if sign == "-" else one * other

    return _Term(value, left.names | right.names)


def _number(value: Value) -> float:
    if isinstance(value, int | float):
        return float(value)
    raise NotComparable("computes with what is no number; name an entry, as in loss[4], or a function, as in min(loss)")


def _many(value: Value) -> Mapping[str, float]:
    if isinstance(value, Mapping) and value:
        return value
    raise NotComparable("takes an entry, or the least, of what is one number only")


def _compare(left: Value, sign: str, right: Value) -> bool:
    if sign in ("=", "!="):
        return _equal(left, right) == (sign == "=")
    one, other = _number(left), _number(right)
    return {"<": one < other, "<=": one <= other, ">": one > other, ">=": one >= other}[sign]


def _equal(left: Value, right: Value) -> bool:
    if isinstance(left, int | float) and isinstance(right, int | float):
        return left == right or math.isclose(left, right, rel_tol=CLOSE)
    return str(left) == str(right)


def _key_of(pick: Callable[..., Any], value: Value) -> Value:
    found = _many(value)
    return number_key(pick(found, key=lambda key: found[key]))


def _math(function: Callable[[float], float]) -> Callable[[Value], Value]:
    def applied(value: Value) -> Value:
        try:
            return function(_number(value))
        except (ValueError, OverflowError):
            return math.nan

    return applied


FUNCTIONS: Mapping[str, Callable[[Value], Value]] = {
    "abs": _math(abs),
    "argmax": lambda value: _key_of(max, value),
    "argmin": lambda value: _key_of(min, value),
    "exp": _math(math.exp),
    "first": lambda value: next(iter(_many(value).values())),
    "infinite": lambda value: float(math.isinf(_number(value))),
    "last": lambda value: list(_many(value).values())[-1],
    "ln": _math(math.log),
    "max": lambda value: max(_many(value).values()),
    "mean": lambda value: math.fsum(_many(value).values()) / len(_many(value)),
    "min": lambda value: min(_many(value).values()),
    "sqrt": _math(math.sqrt),
}
"""The functions of comparisons; those of several entries take a quantity such as losses by order."""
