"""Worked examples: arithmetic that is declared in data, computed live, and held against what a lecture prints.

An example is a table in resources/worked: inputs, and steps that are expressions in the names of inputs and earlier
steps. A step that begins with an arrow is given by a procedure, and the text after the arrow says what it is.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from lab.base import BadInput
from lab.base.folders import resources
from lab.worked.expressions.operations import OPERATIONS
from lab.worked.expressions.parsing import parse_expression
from lab.worked.expressions.syntax import Statement, names_in
from lab.worked.expressions.syntax import show as show_expression
from lab.worked.expressions.values import SHOWN, Value, as_value, flat, plain, show
from lab.worked.graph import Graph
from lab.worked.procedures import PROCEDURES

GIVEN = "→ "
"""The start of a step that a procedure gives."""
Kind = Literal["", "rounding", "loose", "wrong"]
"""How a printed figure differs from ours: not; by some units of its last digit; more than it seems; or it is wrong."""
_PATH = re.compile(r"(?P<name>[^\[\]]+)(?P<indices>(?:\[\d+\])*)")


@dataclass(frozen=True)
class Printed:
    """A figure that the lecture prints.

    Args:
        name: The step or result it belongs to, with the position of the entry: "W1[0][1]".
        text: The figure as it is printed.
        kind: How it differs from ours, with the lecture's inputs.
    """

    name: str
    text: str
    kind: Kind = ""

    @property
    def step(self) -> str:
        """The name of the step or result alone."""
        return self.name.partition("[")[0]

    def entry(self, value: Value) -> float | None:
        """Return the number of a value that it belongs to; None if the value has no such entry."""
        match = _PATH.fullmatch(self.name)
        if match is None or isinstance(value, str | tuple):
            return None
        indices = tuple(map(int, re.findall(r"\d+", match["indices"])))
        try:
            return float(value[indices])
        except (IndexError, TypeError):
            return None

    def agrees_with(self, number: float) -> bool:
        """Return True if a number rounds to the printed figure, in its digits."""
        figure = float(self.text)
        mantissa, _, exponent = self.text.lower().partition("e")
        decimals = len(mantissa.partition(".")[2]) - int(exponent or 0)
        if "." not in mantissa:  # zeros at the end fill up: of 60e6 the 6 counts, of 14000 the 14, of 10 both digits
            digits = mantissa.lstrip("-")
            decimals -= len(digits) - max(len(digits.rstrip("0")), 1 if exponent else min(2, len(digits)))
        return abs(number - figure) <= 0.5000001 * 10.0**-decimals


@dataclass(frozen=True)
class Step:
    """A step of an example.

    Args:
        key: Its name, as the lecture or the lab calls it.
        name: The name under which later steps use it.
        formula: Its expression; of a step that a procedure gives, what it is.
        is_given: Whether a procedure gives it.
    """

    key: str
    name: str
    formula: str
    is_given: bool = False

    @property
    def label(self) -> str:
        """What stands before its formula."""
        return self.key if self.is_given else self.name


@dataclass(frozen=True)
class WorkedExample:
    """A worked example.

    Args:
        name: Its name on the command line.
        title: Its title.
        topic: Its topic.
        lecture: The number of the lecture, or several.
        where: Section and equations.
        inputs_are_ours: Whether the lecture has symbols alone, or part of the numbers.
        inputs: The inputs, as the lecture has them.
        steps: The steps, in the order of computation.
        results: The keys of the steps that are results.
        printed: What the lecture prints.
        note: What is to be said about it: where the lecture errs, and why.
        procedure: The name of the procedure that gives some steps; "" for none.
        part: The name of the part of the lab that computes it too; "" for none.
        graph: The program whose computation graph belongs to it; "" for none.
    """

    name: str
    title: str
    topic: str
    lecture: str
    where: str
    inputs: Mapping[str, Value]
    steps: tuple[Step, ...]
    results: tuple[str, ...]
    inputs_are_ours: bool = False
    printed: tuple[Printed, ...] = ()
    note: str = ""
    procedure: str = ""
    part: str = ""
    graph: str = ""

    @property
    def errs(self) -> bool:
        """Whether the lecture prints a figure that is wrong."""
        return any(each.kind == "wrong" for each in self.printed)

    def compute(self, changed: Mapping[str, Any] | None = None) -> Computed:
        """Compute all steps.

        Args:
            changed: Other values of inputs, by name.

        Raises:
            BadInput: There is no such input, it is of the wrong kind, or the arithmetic cannot be done with it.
        """
        inputs = {**self.inputs, **self._checked(changed or {})}
        given = self._given(inputs)
        computed = [Statement(step.name, parse_expression(step.formula)) for step in self.steps if not step.is_given]
        graph = Graph(computed, {**inputs, **given})
        values = {step.key: given[step.name] if step.is_given else graph[step.name] for step in self.steps}
        return Computed(self, inputs, values, graph, not changed)

    def _checked(self, changed: Mapping[str, Any]) -> dict[str, Value]:
        found: dict[str, Value] = {}
        for name, given in changed.items():
            if name not in self.inputs:
                raise BadInput("is no input of this example", field=name, allowed=", ".join(self.inputs))
            value, before = as_value(given, name), self.inputs[name]
            if isinstance(before, tuple) and isinstance(value, str):
                value = (value,)
            if isinstance(value, str | tuple) != isinstance(before, str | tuple):
                raise BadInput(
                    "is of the wrong kind", field=name, value=given,
                    allowed="text" if isinstance(before, str | tuple) else "numbers",
                )  # fmt: skip
            found[name] = value
        return found

    def _given(self, inputs: Mapping[str, Value]) -> dict[str, Value]:
        """Return what the procedure gives, by the names of the steps."""
        if not self.procedure:
            return {}
        try:
            with np.errstate(all="ignore"):
                found = PROCEDURES[self.procedure](**inputs)
        except (ValueError, IndexError, TypeError, KeyError, OverflowError, np.linalg.LinAlgError) as error:
            raise BadInput(
                "cannot be computed from these inputs", field=self.name, value=str(error)[:200],
                remedy="Use numbers of the sizes that the example has",
            ) from None  # fmt: skip
        return {step.name: as_value(found[step.key], step.key) for step in self.steps if step.is_given}


@dataclass(frozen=True)
class Computed:
    """An example with the values of its steps.

    Args:
        example: The example.
        inputs: The values of the inputs.
        values: The values of the steps by key, in order.
        graph: The graph that computed them.
        is_original: Whether the inputs are those of the lecture.
    """

    example: WorkedExample
    inputs: Mapping[str, Value]
    values: Mapping[str, Value]
    graph: Graph
    is_original: bool = True

    def find(self, key: str) -> Value | None:
        """Return the value of a step that a printed figure names."""
        return self.values.get(key, self.values.get(f"{key}'"))

    def filled(self, step: Step) -> str:
        """Return the formula of a step with the numbers of its names; "" where that says no more or is too long."""
        if step.is_given:
            return ""
        expression = parse_expression(step.formula)
        names = set(names_in(expression))
        if not names or any(_is_long(self.graph[name]) for name in names):
            return ""
        text = show_expression(expression, lambda name: show(self.graph[name], 5))
        return text if text != step.formula and len(text) <= 240 else ""

    def verdicts(self) -> list[tuple[Printed, float, bool]]:
        """Return each printed figure with our number and whether ours rounds to it; none for changed inputs."""
        if not self.is_original:
            return []
        found = []
        for printed in self.example.printed:
            value = self.find(printed.step)
            number = None if value is None else printed.entry(value)
            if number is not None:
                found.append((printed, number, printed.agrees_with(number)))
        return found

    def as_dict(self) -> dict[str, Any]:
        """Return inputs, steps, results and printed figures as data for JSON."""
        example = self.example
        steps = [
            {"name": step.key, "formula": step.formula, "value": plain(self.values[step.key]),
             "result": step.key in example.results}
            for step in example.steps
        ]  # fmt: skip
        printed = [
            {"name": each.name, "printed": each.text, "value": number, "agrees": agrees, "kind": each.kind or None}
            for each, number, agrees in self.verdicts()
        ]
        return {
            "name": example.name, "title": example.title, "topic": example.topic, "lecture": example.lecture,
            "where": example.where, "inputs_are": "ours" if example.inputs_are_ours else "the lecture's",
            "inputs": {name: plain(value) for name, value in self.inputs.items()}, "steps": steps,
            "printed": printed, "note": example.note,
        }  # fmt: skip


def _is_long(value: Value) -> bool:
    return isinstance(value, str | tuple) or value.size > SHOWN


def _identifier(key: str, taken: Iterable[str]) -> str:
    name = re.sub(r"[^\w']", "_", key)
    name = f"r{name}" if name[0].isdigit() else name
    return f"{name}'" if name in taken or name in OPERATIONS else name


def _example(given: Mapping[str, Any], topic: str) -> WorkedExample:
    inputs = {name: as_value(value, name) for name, value in given["inputs"].items()}
    steps = []
    for key, formula in given["steps"].items():
        is_given = formula.startswith(GIVEN)
        steps.append(Step(key, _identifier(key, inputs), formula.removeprefix(GIVEN), is_given))
    details = {
        name: given[name]
        for name in ("title", "lecture", "where", "note", "procedure", "part", "graph")
        if name in given
    }
    printed = tuple(Printed(*each) for each in given.get("printed", ()))
    return WorkedExample(
        name=given["name"], topic=topic, inputs=inputs, steps=tuple(steps), results=tuple(given["results"]),
        inputs_are_ours=given.get("inputs_are_ours", False), printed=printed, **details,
    )  # fmt: skip


@functools.cache
def examples() -> Mapping[str, WorkedExample]:
    """Return all worked examples by name, topic by topic."""
    files = [
        tomllib.loads(path.read_text(encoding="utf-8"))
        for path in (resources() / "worked").iterdir()
        if path.name.endswith(".toml")
    ]
    files.sort(key=lambda file: int(file["position"]))
    return {
        example.name: example
        for file in files
        for example in (_example(each, file["topic"]) for each in file["example"])
    }


def find_example(name: str) -> WorkedExample:
    """Return the example of a name.

    Raises:
        BadInput: There is none.
    """
    found = examples().get(name)
    if found is None:
        near = [each for each in examples() if name.lower() in each]
        raise BadInput(
            "is no worked example", field="NAME", value=name, allowed=", ".join(near) or None,
            remedy="lm-lab examples list shows all names",
        )  # fmt: skip
    return found


def search(words: str) -> list[WorkedExample]:
    """Return the examples in which every word occurs: in name, title, topic, lecture, steps or note."""
    wanted = words.lower().split()
    found = []
    for example in examples().values():
        keys = " ".join(step.key for step in example.steps)
        texts = (example.name, example.title, example.topic, f"lecture {example.lecture}", example.where, keys)
        text = " ".join((*texts, example.note)).lower()
        if all(word in text for word in wanted):
            found.append(example)
    return found


def largest_difference(ours: Iterable[Any], theirs: Iterable[Any]) -> float:
    """Return the largest relative difference of two nested lists of numbers; below 1e-12 it is absolute.

    Texts count as 0 if they are equal, and as infinite if not, as do lists of other lengths.
    """
    mine, other = flat(ours), flat(theirs)
    if len(mine) != len(other):
        return float("inf")
    worst = 0.0
    for one, two in zip(mine, other, strict=True):
        if isinstance(one, str) or isinstance(two, str):
            worst = max(worst, 0.0 if str(one) == str(two) else float("inf"))
            continue
        gap = abs(float(one) - float(two))
        worst = max(
            worst, 0.0 if gap <= 1e-12 and abs(two) < 1e-12 else gap / max(abs(float(two)), 1e-300) if gap else 0.0
        )
    return worst
