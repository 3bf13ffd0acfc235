"""The walk through a computation graph without widgets: values forward, then adjoints backward or tangents forward."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass

from lab.worked import Graph
from lab.worked.derivatives import DIGITS, OperationCounts, adjoint_name, count, forward, reverse, tangent_name
from lab.worked.expressions.values import Array, show


class Mode(enum.Enum):
    """What follows the values."""

    REVERSE = "reverse"
    FORWARD = "forward"
    VALUES = "values"


@dataclass(frozen=True)
class Stage:
    """One step of the walk.

    Args:
        node: The number of the node that gets a number: a value, an adjoint or a tangent.
        sources: The numbers of the nodes that it is computed from.
        name: The name of that number: "v1", "v̄1", "v̇1".
        formula: How it is computed.
        filled: The same with numbers.
        value: What the step gives.
        total: The adjoint so far, if the step adds to it; "" otherwise.
        is_derivative: Whether it is an adjoint or tangent.
    """

    node: int
    sources: tuple[int, ...]
    name: str
    formula: str
    filled: str
    value: str
    total: str = ""
    is_derivative: bool = False

    @property
    def line(self) -> str:
        """The step in one line: "x̄ += v̄2·v1 = 1·5 = 5, so far 5"."""
        sign = "+=" if self.total else "="
        parts = list(dict.fromkeys(part for part in (self.formula, self.filled, self.value) if part))
        text = f"{self.name} {sign} {' = '.join(parts)}"
        return text if self.total in ("", self.value) else f"{text} → {self.total}"


class Walk:
    """The steps of a graph, and how far they have been walked.

    Args:
        graph: The graph.
        mode: What follows the values.
        direction: For forward mode, the input and the position of the number in it.

    Attributes:
        stages: All steps.
        position: How many of them are done.
        counts: The operations of both modes; None if there are only values.

    Raises:
        BadInput: A part of the graph has no derivative, and the mode needs it.
    """

    def __init__(self, graph: Graph, mode: Mode, direction: tuple[str, tuple[int, ...]] | None = None) -> None:
        self.graph, self.mode = graph, mode
        self.stages = _values(graph)
        self.values = len(self.stages)
        self.counts: OperationCounts | None = None
        if mode is not Mode.VALUES:
            self.counts = count(graph)
        if mode is Mode.REVERSE:
            self.stages += _adjoints(graph)
        elif mode is Mode.FORWARD:
            assert direction is not None
            self.stages += _tangents(graph, *direction)
        self.position = self.values

    def step(self) -> None:
        """Do the next step."""
        self.position = min(self.position + 1, len(self.stages))

    def back(self) -> None:
        """Undo the last step."""
        self.position = max(self.position - 1, 0)

    def finish(self) -> None:
        """Do all steps."""
        self.position = len(self.stages)

    def restart(self) -> None:
        """Go back to the values."""
        self.position = self.values if self.position > self.values else 0

    @property
    def done(self) -> list[Stage]:
        """The steps that are done."""
        return self.stages[: self.position]

    @property
    def current(self) -> Stage | None:
        """The last step that is done, if it is no value of before the walk."""
        return self.stages[self.position - 1] if self.position else None

    def numbers(self) -> tuple[Mapping[int, str], Mapping[int, str]]:
        """Return the value, and the adjoint or tangent, of each node that has one by now."""
        values: dict[int, str] = {node.number: show(node.value, DIGITS) for node in self.graph.inputs}
        derivatives: dict[int, str] = {}
        for stage in self.done:
            if stage.is_derivative:
                derivatives[stage.node] = f"{stage.name} = {stage.total or stage.value}"
            else:
                values[stage.node] = stage.value
        return values, derivatives


def _values(graph: Graph) -> list[Stage]:
    return [
        Stage(node.number, node.parents, node.name, node.formula, graph.filled(node, DIGITS), show(node.value, DIGITS))
        for node in graph.nodes
        if node.kind == "operation"
    ]


def _adjoints(graph: Graph) -> list[Stage]:
    found = reverse(graph)
    result = graph.result
    stages = [Stage(result.number, (), adjoint_name(result.name), "1", "", _short(found.seed), is_derivative=True)]
    for each in found.contributions:
        name = adjoint_name(graph.nodes[each.argument].name)
        stages.append(
            Stage(
                each.argument,
                (each.node,),
                name,
                each.formula,
                each.filled,
                _short(each.value),
                _short(each.total),
                True,
            )
        )
    return stages


def _tangents(graph: Graph, name: str, entry: tuple[int, ...]) -> list[Stage]:
    return [
        Stage(
            each.node,
            graph.nodes[each.node].parents,
            tangent_name(graph.nodes[each.node].name),
            each.formula,
            each.filled,
            _short(each.value),
            is_derivative=True,
        )
        for each in forward(graph, name, entry)
    ]


def _short(value: Array) -> str:
    return show(value, DIGITS)
