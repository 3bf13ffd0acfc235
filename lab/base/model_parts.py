"""The tree of a model's parts: shapes, parameters and operations, with identical neighbours folded into one part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal["model", "embedding", "block", "tokens", "channels", "norm", "output", "table", "group", "part"]
"""The task of a part: "tokens" mixes tokens (attention, a recurrence), "channels" the channels of a token; "group" is
a repeated sequence of blocks, "part" anything else."""


@dataclass(frozen=True)
class Branch:
    """A residual branch: the sum of what enters the first of some rows and what leaves the last of them.

    Args:
        first: Index of its first row.
        last: Index of its last row.
    """

    first: int
    last: int


@dataclass(frozen=True)
class ModelPart:
    """A part of a model, or several identical ones in a row.

    Args:
        path: Its path in the model, that of the first one if it stands for several; "" for the model. Parts without a
            module of their own (the queries of a fused matrix) have a path that ends in ":name".
        name: Its name for the user.
        kind: What it does.
        note: Its main parts or its sequence of blocks, for display; "" for none.
        count: Number of identical parts in a row that it stands for.
        copies: Number of these parts in the model: its count times those of all parts around it.
        shape: The shape of its output by axis: "batch", "tokens", or a number; () if it is unknown.
        parameters: Trained parameters of all copies; shared ones count where they are used first.
        shared: Parameters of all copies that are counted at another part.
        flops: Operations of a training step per token, of all copies; None if they are unknown.
        weights: The shapes of its own parameters.
        rows: Its parts in the order of the data flow; parts of one row do not read each other.
        branches: Its residual branches, which skip rows.
    """

    path: str
    name: str
    kind: Kind
    note: str = ""
    count: int = 1
    copies: int = 1
    shape: tuple[str, ...] = ()
    parameters: int = 0
    shared: int = 0
    flops: float | None = None
    weights: tuple[tuple[int, ...], ...] = ()
    rows: tuple[tuple[ModelPart, ...], ...] = ()
    branches: tuple[Branch, ...] = ()

    @property
    def children(self) -> tuple[ModelPart, ...]:
        """Its parts in order."""
        return tuple(part for row in self.rows for part in row)

    def walk(self) -> Iterator[ModelPart]:
        """Yield this part and all parts in it, each before its own parts."""
        yield self
        for part in self.children:
            yield from part.walk()

    def find(self, wanted: str) -> ModelPart | None:
        """Return the first part in it with this path, else with this name, else of this kind; None if it has none."""
        parts = [*self.walk()][1:]
        for name in ("path", "name", "kind"):
            for part in parts:
                if getattr(part, name) == wanted:
                    return part
        return None

    def around(self, path: str) -> tuple[str, ...]:
        """Return the paths of the parts around one, from the outside in; () if it is not inside this part."""
        for part in self.children:
            if part.path == path:
                return (self.path,)
            inside = part.around(path)
            if inside:
                return (self.path, *inside)
        return ()
