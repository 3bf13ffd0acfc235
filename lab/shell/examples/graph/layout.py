"""Where the nodes of a computation graph stand: in columns from the inputs to the result, arguments to the left."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lab.worked import Graph

GAP_ACROSS, GAP_DOWN = 34.0, 14.0
"""Pixels between columns, and between the nodes of one."""


@dataclass(frozen=True)
class Place:
    """The rectangle of a node.

    Args:
        node: The number of the node.
        x: Its left edge in pixels.
        y: Its upper edge.
        width: Its width.
        height: Its height.
    """

    node: int
    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        """Its middle, from above."""
        return self.y + self.height / 2


@dataclass(frozen=True)
class Layout:
    """The places of all nodes that are drawn.

    Args:
        places: By the number of the node, in the order of the graph.
        width: The width of the drawing.
        height: Its height.
    """

    places: dict[int, Place]
    width: float
    height: float


def columns_of(graph: Graph) -> dict[int, int]:
    """Return the column of each node: one to the right of its last argument; an input stands next to its first use.

    Constants have none, since they stand in the formulas.
    """
    columns: dict[int, int] = {}
    for node in graph.nodes:
        if node.kind == "constant":
            continue
        before = [columns[parent] for parent in node.parents if parent in columns]
        columns[node.number] = 1 + max(before, default=-1)
    for node in graph.inputs:
        uses = [columns[each.number] for each in graph.nodes if node.number in each.parents]
        columns[node.number] = max(0, min(uses, default=1) - 1)
    return columns


def laid_out(graph: Graph, width_of: Callable[[int], float], height: float) -> Layout:
    """Lay out a graph.

    Args:
        graph: The graph.
        width_of: Returns the width of a node by its number.
        height: The height of each node.
    """
    columns = columns_of(graph)
    count = 1 + max(columns.values(), default=0)
    rows: list[list[int]] = [[node for node, column in columns.items() if column == number] for number in range(count)]
    order = {node: float(at) for column in rows for at, node in enumerate(column)}
    uses: dict[int, list[int]] = {}
    for node in graph.nodes:
        for parent in node.parents:
            uses.setdefault(parent, []).append(node.number)
    for sweep in range(4):  # each node goes to the mean of its neighbours, from the left and from the right in turn
        for column in rows if sweep % 2 == 0 else reversed(rows):
            for node_number in column:
                neighbours = graph.nodes[node_number].parents if sweep % 2 == 0 else uses.get(node_number, [])
                known = [order[each] for each in neighbours if each in order]
                if known:
                    order[node_number] = sum(known) / len(known)
            column.sort(key=lambda each: order[each])
            for at, node_number in enumerate(column):
                order[node_number] = at - (len(column) - 1) / 2
    tallest = max(len(column) for column in rows)
    whole = tallest * height + (tallest - 1) * GAP_DOWN
    places: dict[int, Place] = {}
    x = 0.0
    for column in rows:
        widest = max((width_of(node) for node in column), default=0.0)
        used = len(column) * height + (len(column) - 1) * GAP_DOWN
        y = (whole - used) / 2
        for node_number in column:
            places[node_number] = Place(node_number, x, y, widest, height)
            y += height + GAP_DOWN
        x += widest + GAP_ACROSS
    return Layout(dict(sorted(places.items())), x - GAP_ACROSS, whole)
