"""Queries over many runs: their selection, order and values, for the window, the command line and reports.

A query consists of words and conditions, and a run must match all of them:

    mamba                    the word occurs in its name, note, tags, title, architecture, corpus or state
    tag=baseline             has this tag; tag= means no tag
    state=finished           equal, ignoring case
    star=yes                 yes or no
    layers!=4                not equal, also if unknown
    validation_loss<1.5      and <=, >, >=: numbers, and texts alphabetically (created>2026-11-01)
    "best train loss"<2      quotes around a name with spaces

lab.runs.library.columns defines the names before the signs.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from lab.base.problems import BadInput
from lab.runs.library.columns import Column, Row, column
from lab.runs.library.recipe_fields import Value

_SIGN = r"!?[=<>]+"
"""A sign, or what a user of another language may take for one ("==", "=>")."""
_SIGNS = ("=", "!=", "<", "<=", ">", ">=")
_QUOTED = r'"[^"]*(?:"|$)'
_TOKEN = re.compile(
    rf'(?P<column>{_QUOTED}|[^\s"<>=!]+)(?:\s+(?P<apart>{_SIGN})\s+|(?P<sign>{_SIGN}))(?P<value>{_QUOTED}|[^\s"]*)'
    rf"|(?P<word>{_QUOTED}|\S+)"
)
_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_NOTHING: tuple[Value, ...] = (None, "", ())
_TRUTH = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}


@dataclass(frozen=True)
class Condition:
    """One condition of a query.

    Args:
        column: A column of lab.runs.library.columns.
        sign: "=", "!=", "<", "<=", ">" or ">=".
        value: The value to compare with; "" for nothing.
    """

    column: str
    sign: str
    value: str

    def holds(self, known: Value) -> bool:
        """Return True if a known value of a run meets the condition.

        Raises:
            BadInput: The value cannot be compared in this way.
        """
        if self.sign not in _SIGNS:
            raise BadInput("is not a sign of comparison", field=self.column, value=self.sign, allowed=", ".join(_SIGNS))
        if self.sign == "!=":
            return not self._equal(known)
        if self.sign == "=":
            return self._equal(known)
        return self._ordered(known)

    def _equal(self, known: Value) -> bool:
        if known is None or not self.value:
            return known in _NOTHING and not self.value
        if isinstance(known, tuple):
            return self.value.casefold() in (each.casefold() for each in known)
        if isinstance(known, bool):
            if self.value.casefold() not in _TRUTH:
                raise self._refused("is neither yes nor no", "yes, no")
            return known == _TRUTH[self.value.casefold()]
        if isinstance(known, int | float):
            return known == _number(self.value)
        return known.casefold() == self.value.casefold()

    def _ordered(self, known: Value) -> bool:
        compare = _COMPARE[self.sign]
        if isinstance(known, bool | tuple):
            raise self._refused(f"cannot be compared by {self.sign}", "=, !=")
        if isinstance(known, int | float):
            number = _number(self.value)
            if number is None:
                raise self._refused(f"is not a number to compare by {self.sign}", "a number")
            return compare(known, number)
        return known is not None and compare(known.casefold(), self.value.casefold())

    def _refused(self, what: str, allowed: str) -> BadInput:
        return BadInput(what, field=self.column, value=self.value, allowed=allowed)


@dataclass(frozen=True)
class Query:
    """A selection of runs.

    Args:
        terms: Words that must occur in a run's name, note, tags, title, architecture, corpus or state.
        conditions: The conditions that must hold.
    """

    terms: tuple[str, ...] = ()
    conditions: tuple[Condition, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Query:
        """Parse a query; every text is a valid query, also while it is typed."""
        terms, conditions = [], []
        for found in _TOKEN.finditer(text):
            if found["word"] is not None:
                terms.append(found["word"].strip('"').casefold())
            else:
                sign = found["apart"] or found["sign"]
                conditions.append(Condition(found["column"].strip('"'), sign, found["value"].strip('"')))
        return cls(tuple(filter(None, terms)), tuple(conditions))

    def select(self, rows: Sequence[Row]) -> list[Row]:
        """Return the rows that match, in their order.

        Raises:
            BadInput: A condition names a column of none of the runs, or an impossible comparison.
        """
        found = [row for row in rows if all(word in row.search_text for word in self.terms)]
        for condition in self.conditions:
            value_of = column(condition.column, rows) if rows else None
            found = [row for row in found if value_of and condition.holds(value_of(row))]
        return found


def sort_rows(rows: Sequence[Row], sort: str, *, reverse: bool = False) -> list[Row]:
    """Return rows sorted by a column, smallest first; rows without a value come last in both directions.

    Args:
        rows: The rows; equal ones keep their order.
        sort: The column.
        reverse: True for the largest first.

    Raises:
        BadInput: None of the runs has this column.
    """
    if not rows:
        return []
    value_of = column(sort, rows)
    known = [row for row in rows if value_of(row) not in _NOTHING]
    known.sort(key=lambda row: _rank(value_of(row)), reverse=reverse)
    return [*known, *(row for row in rows if value_of(row) in _NOTHING)]


def table(rows: Sequence[Row], columns: Sequence[str]) -> list[list[Value]]:
    """Return the values of each run in these columns; None where there is none.

    Raises:
        BadInput: None of the runs has one of the columns.
    """
    value_of: list[Column] = [column(name, rows) for name in columns] if rows else []
    return [[each(row) for each in value_of] for row in rows]


def _rank(value: Value) -> tuple[int, Any]:
    """Return a sort key: numbers before texts, since a setting may be either; texts ignoring case."""
    if isinstance(value, int | float):
        return 0, value
    return 1, (", ".join(value) if isinstance(value, tuple) else str(value)).casefold()


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
