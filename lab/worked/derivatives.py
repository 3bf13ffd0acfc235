"""Derivatives of a graph, node by node: adjoints backward, tangents forward, and the operations that each mode takes.

Reverse mode needs one pass for all inputs, forward mode one for each number of the inputs (Griewank & Walther 2008).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from unicodedata import normalize

import numpy as np

from lab.base import BadInput
from lab.worked.expressions.parsing import FIELD
from lab.worked.expressions.values import Array
from lab.worked.expressions.values import show as show_value
from lab.worked.graph import COPY, Graph, Node

DIGITS = 5
"""Significant digits of numbers that are filled into formulas."""
BAR, DOT = "̄", "̇"
"""Combining marks: v̄ is the adjoint of v, v̇ its tangent."""


def adjoint_name(name: str) -> str:
    """Write the adjoint of a node: "v1" → "v̄1"."""
    return normalize("NFC", name[:1] + BAR + name[1:])


def tangent_name(name: str) -> str:
    """Write the tangent of a node: "v1" → "v̇1"."""
    return normalize("NFC", name[:1] + DOT + name[1:])


@dataclass(frozen=True)
class Contribution:
    """What one argument of a node receives of the node's adjoint.

    Args:
        node: The number of the node.
        argument: The number of the node of the argument.
        value: What it receives.
        total: The adjoint of the argument so far, with this contribution.
        formula: How it is computed, in names: "v̄4·x1".
        filled: The same with numbers: "20·2".
    """

    node: int
    argument: int
    value: Array
    total: Array
    formula: str
    filled: str


@dataclass(frozen=True)
class Adjoints:
    """The adjoints of a graph.

    Args:
        seed: The adjoint of the result: ones, of its shape.
        contributions: In the order in which they are computed, from the result to the inputs.
        totals: The adjoint of each node that the result depends on through inputs, by its number.
    """

    seed: Array
    contributions: tuple[Contribution, ...]
    totals: Mapping[int, Array]


@dataclass(frozen=True)
class Tangent:
    """The tangent of one node.

    Args:
        node: The number of the node.
        value: The tangent.
        formula: How it is computed, in names.
        filled: The same with numbers.
    """

    node: int
    value: Array
    formula: str
    filled: str


@dataclass(frozen=True)
class OperationCounts:
    """Operations on numbers.

    Args:
        value: Those of the values alone.
        reverse: Those of the values and one pass backward, which gives the derivatives for all inputs.
        forward: Those of the values and one pass for each number of the inputs.
        passes: The number of passes of forward mode: how many numbers the inputs have.
    """

    value: int
    reverse: int
    forward: int
    passes: int


def _fill(rule: str, parts: Mapping[str, str]) -> str:
    for name, text in parts.items():
        rule = rule.replace(f"{{{name}}}", text)
    is_number = rule.startswith("(") and rule.endswith(")") and not set(rule[1:-1]) & set("(),; ")
    return rule[1:-1] if is_number else rule


def _bracketed(text: str) -> str:
    """Put a text into brackets if it would not be read as one factor."""
    return f"({text})" if text.startswith(("−", "-")) else text


def _reference(node: Node) -> str:
    return node.name


def active_nodes(graph: Graph, inputs: set[int] | None = None) -> set[int]:
    """Return the numbers of the nodes that vary with inputs.

    Args:
        graph: The graph.
        inputs: Numbers of inputs; None takes all inputs that are numbers.
    """
    if inputs is None:
        inputs = {node.number for node in graph.inputs if not isinstance(node.value, str | tuple)}
    active = set(inputs)
    for node in graph.nodes:
        is_size = node.operation is not None and node.operation.name == "count"  # no number of the argument matters
        if not is_size and any(parent in active for parent in node.parents):
            active.add(node.number)
    return active


def _used(graph: Graph) -> set[int]:
    """Return the numbers of the nodes on which the result depends."""
    used = {graph.output}
    for node in reversed(graph.nodes):
        if node.number in used:
            used.update(node.parents)
    return used


def check_differentiable(graph: Graph, nodes: set[int]) -> None:
    """Check that nodes have derivatives.

    Raises:
        BadInput: One of them has none; it is named.
    """
    for number in sorted(nodes):
        node = graph.nodes[number]
        if node.operation is not None and not node.operation.differentiable:
            raise BadInput(
                "has no derivative", field=FIELD, value=f"{node.operation.name} in {node.name} = {node.formula}",
                remedy="Show the values alone",
            )  # fmt: skip
        _ = node.array


def reverse(graph: Graph) -> Adjoints:
    """Compute the adjoints, from the result back to the inputs.

    A result of several numbers is treated as their sum.

    Raises:
        BadInput: A part of the graph has no derivative.
    """
    nodes = active_nodes(graph) & _used(graph)
    check_differentiable(graph, nodes | {graph.output})
    seed = np.ones(graph.result.array.shape)
    totals: dict[int, Array] = {graph.output: seed}
    contributions: list[Contribution] = []
    for node in reversed(graph.nodes):
        if node.number not in nodes or node.operation is None:
            continue
        adjoint = totals[node.number]
        arguments = [graph.nodes[parent].array for parent in node.parents]
        for place, parent in enumerate(node.parents):
            if parent not in nodes:
                continue
            with np.errstate(all="ignore"):
                value = np.asarray(node.operation.adjoint(place, adjoint, node.array, arguments))
                totals[parent] = totals[parent] + value if parent in totals else value
            rule = _adjoint_rule(node, place)
            names = {str(n): _reference(graph.nodes[p]) for n, p in enumerate(node.parents)}
            numbers = {str(n): _bracketed(show_value(each, DIGITS)) for n, each in enumerate(arguments)}
            formula = _fill(rule, {"g": adjoint_name(node.name), "out": node.name, **names})
            filled = _fill(
                rule,
                {
                    "g": _bracketed(show_value(adjoint, DIGITS)),
                    "out": _bracketed(show_value(node.array, DIGITS)),
                    **numbers,
                },
            )
            contributions.append(Contribution(node.number, parent, value, totals[parent], formula, filled))
    return Adjoints(seed, tuple(contributions), totals)


def _adjoint_rule(node: Node, place: int) -> str:
    assert node.operation is not None
    if node.operation.name == "matmul" and np.ndim(node.array) == 0:  # of two vectors
        return ("{g}·{1}", "{g}·{0}")[place]
    return node.operation.adjoint_rule(place, len(node.parents))


def forward(graph: Graph, name: str, entry: tuple[int, ...] = ()) -> tuple[Tangent, ...]:
    """Compute the tangents in the direction of one number of an input, from the inputs to the result.

    Args:
        graph: The graph.
        name: The name of the input.
        entry: The position of the number in it, counted from 0; empty for a number.

    Returns:
        The tangents of the nodes that vary, in order; the first is that of the input.

    Raises:
        BadInput: There is no such input or entry, or a part of the graph has no derivative.
    """
    start = next((node for node in graph.inputs if node.name == name), None)
    if start is None:
        allowed = ", ".join(node.name for node in graph.inputs)
        raise BadInput("is no input of the expression", field="forward", value=name, allowed=allowed)
    shape = start.array.shape
    if len(entry) != len(shape) or any(not 0 <= at < size for at, size in zip(entry, shape, strict=False)):
        raise BadInput("has no such entry", field="forward", value=f"{name}{list(entry)}")
    nodes = active_nodes(graph, {start.number}) & (_used(graph) | {start.number})
    check_differentiable(graph, nodes)
    direction = np.zeros(shape)
    direction[entry] = 1.0
    found: dict[int, Array] = {start.number: direction}
    tangents = [
        Tangent(start.number, direction, "1" if not shape else "direction", "1" if not shape else show_value(direction))
    ]
    for node in graph.nodes:
        if node.number not in nodes or node.operation is None:
            continue
        arguments = [graph.nodes[parent].array for parent in node.parents]
        given = [found.get(parent) for parent in node.parents]
        with np.errstate(all="ignore"):
            value = np.asarray(node.operation.tangent(given, node.array, arguments))
        found[node.number] = value
        rule = node.operation.tangent_rule([each is not None for each in given])
        names = {str(n): _reference(graph.nodes[p]) for n, p in enumerate(node.parents)}
        moves = {f"d{n}": tangent_name(graph.nodes[p].name) for n, p in enumerate(node.parents)}
        numbers = {str(n): _bracketed(show_value(each, DIGITS)) for n, each in enumerate(arguments)}
        moved = {f"d{n}": _bracketed(show_value(each, DIGITS)) for n, each in enumerate(given) if each is not None}
        out = {"out": _bracketed(show_value(node.array, DIGITS))}
        tangents.append(
            Tangent(
                node.number,
                value,
                _fill(rule, {**names, **moves, "out": node.name}),
                _fill(rule, {**numbers, **moved, **out}),
            )
        )
    return tuple(tangents)


def count(graph: Graph) -> OperationCounts:
    """Count the operations of both modes.

    Raises:
        BadInput: A part of the graph has no derivative.
    """
    used = _used(graph)
    nodes = active_nodes(graph) & used
    check_differentiable(graph, nodes)
    values = sum(_own_count(graph, graph.nodes[number]) for number in used)
    backward, seen = 0, {graph.output}
    for node in reversed(graph.nodes):
        if node.number not in nodes or node.operation is None:
            continue
        arguments = [graph.nodes[parent].array for parent in node.parents]
        for place, parent in enumerate(node.parents):
            if parent in nodes:
                backward += node.operation.adjoint_count(place, node.array, arguments)
                backward += arguments[place].size if parent in seen else 0  # added to what is there
                seen.add(parent)
    ahead, passes = 0, 0
    for start in graph.inputs:
        if start.number not in nodes:
            continue
        varying = active_nodes(graph, {start.number}) & used
        once = 0
        for node in graph.nodes:
            if node.number in varying and node.operation is not None:
                active = [parent in varying for parent in node.parents]
                arguments = [graph.nodes[parent].array for parent in node.parents]
                once += node.operation.tangent_count(active, node.array, arguments)
        ahead += once * start.array.size
        passes += start.array.size
    return OperationCounts(values, values + backward, values + ahead, passes)


def _own_count(graph: Graph, node: Node) -> int:
    if node.operation is None or node.operation is COPY:
        return 0
    return node.operation.count(node.value, [graph.nodes[parent].value for parent in node.parents])


def descended(graph: Graph, names: Sequence[str], rate: float) -> dict[str, Array]:
    """Return inputs after a step of gradient descent on the result: each less `rate` times its derivative.

    Args:
        graph: The graph, whose result is a loss.
        names: The names of the inputs that are parameters.
        rate: The learning rate.

    Raises:
        BadInput: A part of the graph has no derivative, or a name is no input.
    """
    slopes = gradient(graph)
    for name in names:
        if name not in slopes:
            raise BadInput("is no input of the expression", field="descend", value=name, allowed=", ".join(slopes))
    return {name: graph.nodes[graph.names[name]].array - rate * slopes[name] for name in names}


def gradient(graph: Graph) -> dict[str, Array]:
    """Return the derivative of the result with respect to each input, by name.

    Raises:
        BadInput: A part of the graph has no derivative.
    """
    totals = reverse(graph).totals
    return {
        node.name: totals.get(node.number, np.zeros(node.array.shape))
        for node in graph.inputs
        if not isinstance(node.value, str | tuple)
    }
