"""Queries over many runs: which of them, in which order, and what of each. Window, command line and reports ask here.

A query is words and conditions, and a run must meet all of them:

    mamba                    the word stands in its name, note, tags, title, architecture, corpus or state
    tag=baseline             has this tag; tag= has none
    state=finished           equal, in whatever letters
    star=yes                 yes or no
    layers!=4                not equal, also where it is not known
    validation_loss<1.5      and <=, >, >=: numbers, and texts by the alphabet (created>2026-11-01)
    "best train loss"<2      quotes hold together what has spaces

What may stand before the sign is told in lab.runs.library.columns: everything that is known of a run.
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

_SIGN = r"!=|<=|>=|=|<|>"
_QUOTED = r'"[^"]*(?:"|$)'
_TOKEN = re.compile(
    rf'(?P<column>{_QUOTED}|[^\s"<>=!]+)(?:\s+(?P<apart>{_SIGN})\s+|(?P<sign>{_SIGN}))(?P<value>{_QUOTED}|[^\s"]*)'
    rf"|(?P<word>{_QUOTED}|\S+)"
)
_ORDER: dict[str, Callable[[Any, Any], bool]] = {
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
        column: What is asked of a run, as lab.runs.library.columns names it.
        sign: "=", "!=", "<", "<=", ">" or ">=".
        value: What it is compared with; "" for nothing.
    """

    column: str
    sign: str
    value: str

    def holds(self, known: Value) -> bool:
        """Whether what is known of a run meets it.

        Raises:
            BadInput: The value is none that can be compared so.
        """
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
        compare = _ORDER[self.sign]
        if isinstance(known, bool | tuple):
            raise self._refused(f"cannot be compared by {self.sign}", "=, !=")
        if isinstance(known, int | float):
            number = _number(self.value)
            if number is None:
                raise self._refused(f"is no number to compare by {self.sign}", "a number")
            return compare(known, number)
        return known is not None and compare(known.casefold(), self.value.casefold())

    def _refused(self, what: str, allowed: str) -> BadInput:
        return BadInput(what, field=self.column, value=self.value, allowed=allowed)


@dataclass(frozen=True)
class Query:
    """Which runs are meant.

    Args:
        words: What must stand somewhere in a run's name, note, tags, title, architecture, corpus or state.
        conditions: What must hold.
    """

    words: tuple[str, ...] = ()
    conditions: tuple[Condition, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Query:
        """Reads a query; every text is one, also while it is being typed."""
        words, conditions = [], []
        for found in _TOKEN.finditer(text):
            if found["word"] is not None:
                words.append(found["word"].strip('"').casefold())
            else:
                sign = found["apart"] or found["sign"]
                conditions.append(Condition(found["column"].strip('"'), sign, found["value"].strip('"')))
        return cls(tuple(filter(None, words)), tuple(conditions))

    def select(self, rows: Sequence[Row]) -> list[Row]:
        """Those that are meant, in their order.

        Raises:
            BadInput: A condition asks for what is known of no run, or compares what cannot be compared.
        """
        found = [row for row in rows if all(word in row.words for word in self.words)]
        for condition in self.conditions:
            asked = column(condition.column, rows) if rows else None
            found = [row for row in found if asked and condition.holds(asked(row))]
        return found


def in_order(rows: Sequence[Row], sort: str, *, reverse: bool = False) -> list[Row]:
    """Rows by a column, the least first; those of which it is not known come last in both directions.

    Args:
        rows: The rows; equal ones stay in their order.
        sort: The column.
        reverse: The largest first.

    Raises:
        BadInput: The column is known of no run.
    """
    if not rows:
        return []
    asked = column(sort, rows)
    known = [row for row in rows if asked(row) not in _NOTHING]
    known.sort(key=lambda row: _rank(asked(row)), reverse=reverse)
    return [*known, *(row for row in rows if asked(row) in _NOTHING)]


def table(rows: Sequence[Row], columns: Sequence[str]) -> list[list[Value]]:
    """What is known of each run under each of these names; None where nothing is.

    Raises:
        BadInput: One of the names is known of no run.
    """
    asked: list[Column] = [column(name, rows) for name in columns] if rows else []
    return [[each(row) for each in asked] for row in rows]


def _rank(value: Value) -> tuple[int, Any]:
    """Numbers before texts, since a setting may be either; texts in whatever letters."""
    if isinstance(value, int | float):
        return 0, value
    return 1, (", ".join(value) if isinstance(value, tuple) else str(value)).casefold()


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
