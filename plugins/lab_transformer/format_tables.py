"""How the tensors of a checkpoint lie in the tables of a transformer: as they are, turned, joined, or taken apart."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lab.api import BadInput

if TYPE_CHECKING:
    from torch import Tensor

BUFFERS = re.compile(r"\.(attn|attention)\.(masked_)?bias$|rotary_emb\.inv_freq$")
"""Tensors that are no weights: masks and frequencies that older versions stored."""


@dataclass(frozen=True)
class Table:
    """One table of ours.

    Args:
        name: Its name.
        theirs: Names and shapes of the tensors that make it.
        read: Makes it of these tensors.
        write: Makes these tensors of it.
    """

    name: str
    theirs: Mapping[str, tuple[int, ...]]
    read: Callable[[Sequence[Tensor]], Tensor]
    write: Callable[[Tensor], Sequence[Tensor]]


def plain(name: str, other: str, *shape: int) -> Table:
    """A table that is the same there."""
    return Table(name, {other: shape}, lambda tensors: tensors[0], lambda table: [table])


def both(name: str, other: str, width: int) -> Iterator[Table]:
    """Weight and bias of a LayerNorm."""
    for part in ("weight", "bias"):
        yield plain(f"{name}.{part}", f"{other}.{part}", width)


def linear(name: str, other: str, outer: int, inner: int, *, bias: bool) -> Iterator[Table]:
    """Weight and bias of a projection."""
    yield plain(f"{name}.weight", f"{other}.weight", outer, inner)
    if bias:
        yield plain(f"{name}.bias", f"{other}.bias", outer)


def turned(name: str, other: str, inner: int, outer: int) -> Table:
    """A matrix that stands there as (in, out)."""
    return Table(name, {other: (inner, outer)}, lambda tensors: tensors[0].t(), lambda table: [table.t()])


def joined(name: str, others: Mapping[str, int], *rest: int) -> Table:
    """A table whose rows are several tensors there.

    Args:
        name: Its name.
        others: Rows of each tensor, in order.
        rest: What of the shape is behind the rows.
    """

    def read(tensors: Sequence[Tensor]) -> Tensor:
        import torch

        return torch.cat(list(tensors))

    def write(table: Any) -> Sequence[Tensor]:
        return list(table.split(list(others.values())))

    return Table(name, {other: (rows, *rest) for other, rows in others.items()}, read, write)


def heads_apart(name: str, other: str, heads: int, width: int, *rest: int) -> Table:
    """Queries, keys and values that stand there head by head, each with its three parts.

    Args:
        name: Its name.
        other: The name there.
        heads: H.
        width: D, channels of each head.
        rest: What of the shape is behind the rows.
    """

    def read(tensors: Sequence[Tensor]) -> Tensor:
        return tensors[0].view(heads, 3, width, *rest).transpose(0, 1).reshape(3 * heads * width, *rest)

    def write(table: Tensor) -> Sequence[Tensor]:
        return [table.view(3, heads, width, *rest).transpose(0, 1).reshape(3 * heads * width, *rest)]

    return Table(name, {other: (3 * heads * width, *rest)}, read, write)


def read_tables(
    layout: Iterable[Table], tensors: Mapping[str, Tensor], prefix: str, unused: Sequence[str]
) -> dict[str, Tensor]:
    """The tables of a checkpoint.

    Args:
        layout: How they lie there.
        tensors: What it holds, by name.
        prefix: What stands before most names, and is left out in some files.
        unused: Names of tensors that may be there and say nothing.

    Raises:
        BadInput: A tensor is missing or has another shape, or there is one that has no place.
    """
    bare = not any(name.startswith(prefix) for name in tensors)
    taken: set[str] = set()
    tables: dict[str, Tensor] = {}
    for table in layout:
        found = []
        for other, shape in table.theirs.items():
            name = other.removeprefix(prefix) if bare else other
            if name not in tensors:
                what = "this tensor is missing in the weights"
                raise BadInput(what, field=name, remedy="Fetch the whole folder again")
            tensor = tensors[name]
            if tensor.shape != shape:
                what = "this tensor has another shape than config.json says"
                raise BadInput(what, field=name, value=tuple(tensor.shape), allowed=str(shape))
            taken.add(name)
            found.append(tensor)
        tables[table.name] = table.read(found)
    left = [name for name in tensors if name not in taken and name not in unused and not BUFFERS.search(name)]
    if left:
        raise BadInput(
            f"the weights hold {len(left)} tensors for which this model has no place",
            field="weights", value=", ".join(left[:3]), allowed="those that config.json speaks of",
            remedy="It is a model of another kind than its config.json says",
        )  # fmt: skip
    return tables


def written_tensors(layout: Iterable[Table], tables: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The tensors of a checkpoint; those of a bias that the model has not are zeros.

    Raises:
        BadInput: A table cannot be said there.
    """
    import torch

    written: dict[str, Tensor] = {}
    for table in layout:
        if table.name in tables:
            parts = table.write(tables[table.name])
        else:
            parts = [torch.zeros(shape) for shape in table.theirs.values()]
        written |= {name: part.contiguous() for name, part in zip(table.theirs, parts, strict=True)}
    return written
