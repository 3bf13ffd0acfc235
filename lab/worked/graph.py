"""The computation graph of a program: its nodes in order, each with its value and the formula that made it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from lab.base import BadInput
from lab.worked.expressions.operation import Operation
from lab.worked.expressions.operations import OPERATIONS
from lab.worked.expressions.parsing import FIELD, parse
from lab.worked.expressions.selections import indexed
from lab.worked.expressions.syntax import INFIX, Apply, Expression, Name, Number, Statement, names_in, show
from lab.worked.expressions.values import Array, Value, as_value, checked
from lab.worked.expressions.values import show as show_value

FOLDED = ("list", "negate")
"""Operations that are part of a constant, not a node, if they are given nothing but constants."""
SIGNS = {"multiply": "×", "divide": "÷", "negate": "−", "transpose": "ᵀ", "index": "[ ]", "list": "[ , ]"}
"""What a node shows, where that is not the name of its operation or the sign between its arguments."""
NUMERIC = "biuf"
"""The kinds of numpy's types that are numbers."""
Rounding = Callable[[Array], Array]


@dataclass(frozen=True)
class Node:
    """A node of a graph.

    Args:
        number: Its position in the order of computation.
        kind: An input, a constant, or an operation.
        name: The name of the input or statement; v1, v2, … for parts of statements; the number itself for a constant.
        operation: What it does; None for inputs and constants.
        parents: The numbers of its arguments.
        value: Its value.
        expression: Its formula, in the names of its arguments.
    """

    number: int
    kind: Literal["input", "constant", "operation"]
    name: str
    operation: Operation | None
    parents: tuple[int, ...]
    value: Value
    expression: Expression

    @property
    def formula(self) -> str:
        """Its formula in the names of its arguments: "v1·x"."""
        return show(self.expression)

    @property
    def sign(self) -> str:
        """What is drawn on it: + × exp."""
        if self.operation is None:
            return self.name
        name = self.operation.name
        return SIGNS.get(name) or (INFIX[name][1].strip() if name in INFIX else name)

    @property
    def array(self) -> Array:
        """Its value, of numbers.

        Raises:
            BadInput: The value is a text.
        """
        if isinstance(self.value, str | tuple):
            raise BadInput("is a text, which has no derivative", field=FIELD, value=self.name)
        return self.value


class Graph:
    """The graph of a program with the values of its inputs.

    Args:
        program: Statements, or a text that is parsed.
        inputs: Values of the inputs by name.
        rounding: Rounds inputs and every value, as a number format with fewer digits would; None computes in float64.

    Attributes:
        nodes: All nodes, in an order in which each follows its arguments.
        names: The number of the node of every input and statement.

    Raises:
        BadInput: It cannot be parsed, an input has no value, or shapes do not fit.
    """

    def __init__(
        self, program: str | Sequence[Statement], inputs: Mapping[str, object], rounding: Rounding | None = None
    ) -> None:
        self.statements = parse(program) if isinstance(program, str) else tuple(program)
        self._rounding = rounding
        self._unnamed = 0
        self.nodes: list[Node] = []
        self.names: dict[str, int] = {}
        self._add_inputs(inputs)
        for statement in self.statements:
            number = self._node(statement.expression, statement.name)
            if statement.name:
                self.names[statement.name] = number
        self.output = number

    def _add_inputs(self, inputs: Mapping[str, object]) -> None:
        defined: set[str] = set()
        for statement in self.statements:
            for name in names_in(statement.expression):
                if name in defined or name in self.names:
                    continue
                if name not in inputs:
                    raise BadInput(
                        "has no value", field=name, remedy=f"Give it one, such as {name}=2, or define it further up"
                    )
                value = as_value(inputs[name], name)
                self.names[name] = self._add("input", name, None, (), self._rounded(value), Name(name))
            if statement.name in self.names or statement.name in inputs:
                raise BadInput("is an input and a result", field=FIELD, value=statement.name, remedy="Rename one")
            defined.add(statement.name)

    def _rounded(self, value: Value) -> Value:
        if self._rounding is None or isinstance(value, str | tuple):
            return value
        with np.errstate(all="ignore"):
            return self._rounding(value)

    def _add(
        self, kind: Literal["input", "constant", "operation"], name: str, operation: Operation | None,
        parents: tuple[int, ...], value: Value, expression: Expression,
    ) -> int:  # fmt: skip
        self.nodes.append(Node(len(self.nodes), kind, name, operation, parents, value, expression))
        return len(self.nodes) - 1

    def _node(self, expression: Expression, name: str = "") -> int:
        """Add the nodes of an expression, and return the number of its last one."""
        match expression:
            case Name(known):
                if not name:
                    return self.names[known]
                return self._add(
                    "operation", name, COPY, (self.names[known],), self.nodes[self.names[known]].value, expression
                )
            case Number(constant):
                value = self._rounded(np.asarray(constant, np.float64))
                return self._add("constant", name or show(expression), None, (), value, expression)
            case Apply(operation_name, arguments, indices):
                operation = indexed(indices) if operation_name == "index" else OPERATIONS[operation_name]
                before = len(self.nodes)
                parents = tuple(self._node(argument) for argument in arguments)
                value = self._value(operation, [self.nodes[parent].value for parent in parents], expression)
                own = all(parent >= before and self.nodes[parent].kind == "constant" for parent in parents)
                if own and operation.name in FOLDED:
                    del self.nodes[before:]
                    return self._add("constant", name or show(expression), None, (), value, expression)
                written = Apply(operation_name, tuple(self._reference(parent) for parent in parents), indices)
                return self._add("operation", name or self._next_name(), operation, parents, value, written)

    def _next_name(self) -> str:
        taken = {*self.names, *(statement.name for statement in self.statements)}
        while True:
            self._unnamed += 1
            if f"v{self._unnamed}" not in taken:
                return f"v{self._unnamed}"

    def _reference(self, number: int) -> Expression:
        node = self.nodes[number]
        return node.expression if node.kind == "constant" else Name(node.name)

    def _value(self, operation: Operation, arguments: Sequence[Value], expression: Expression) -> Value:
        try:
            with np.errstate(all="ignore"):
                value = operation.value(*arguments)
        except (ValueError, IndexError):
            shapes = ", ".join(shape_text(each) for each in arguments)
            raise BadInput(
                "has shapes that do not fit", field=FIELD, value=f"{show(expression)}: {shapes}"[:200],
                remedy="Give vectors and matrices of other sizes",
            ) from None  # fmt: skip
        except TypeError:
            raise self._mixture(expression) from None
        if isinstance(value, str | tuple):
            return value
        if np.asarray(value).dtype.kind not in NUMERIC:  # numpy makes arrays of texts, too
            raise self._mixture(expression)
        return self._rounded(checked(np.asarray(value, np.float64), FIELD))

    @staticmethod
    def _mixture(expression: Expression) -> BadInput:
        return BadInput("mixes texts and numbers", field=FIELD, value=show(expression)[:200])

    # ------------------------------------------------------------------------------------------------------ questions

    def __getitem__(self, name: str) -> Value:
        """Return the value of an input or statement."""
        return self.nodes[self.names[name]].value

    @property
    def result(self) -> Node:
        """The node of the last statement."""
        return self.nodes[self.output]

    @property
    def inputs(self) -> list[Node]:
        """The inputs, in order."""
        return [node for node in self.nodes if node.kind == "input"]

    def filled(self, node: Node, digits: int = 6) -> str:
        """Return the formula of a node with the values of its arguments: "5·2"."""
        values = {self.nodes[parent].name: show_value(self.nodes[parent].value, digits) for parent in node.parents}
        return show(node.expression, lambda name: values.get(name, name))


COPY = OPERATIONS["copy"]


def shape_text(value: Value) -> str:
    """Return the shape of a value in words: "number", "3 numbers", "3 × 2", "text"."""
    if isinstance(value, str | tuple):
        return "text"
    return " × ".join(map(str, value.shape)) if value.ndim > 1 else f"{value.size} numbers" if value.ndim else "number"
