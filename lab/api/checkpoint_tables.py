"""How the tensors of another program's checkpoint lie in the tables of a model: as they are, turned, or joined."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from lab.base import BadInput

if TYPE_CHECKING:
    from torch import Tensor

BUFFERS = re.compile(r"\.(attn|attention)\.(masked_)?bias$|rotary_emb\.inv_freq$")
"""Tensors that are no weights: masks and frequencies that older versions stored."""


@dataclass(frozen=True)
class Table:
    """One table of a model of ours, as LanguageModel.tables has it.

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

    @classmethod
    def plain(cls, name: str, other: str, *shape: int) -> Self:
        """A table that is the same there."""
        return cls(name, {other: shape}, lambda tensors: tensors[0], lambda table: [table])

    @classmethod
    def linear(cls, name: str, other: str, outer: int, inner: int, *, bias: bool) -> Iterator[Self]:
        """Weight and bias of a projection."""
        yield cls.plain(f"{name}.weight", f"{other}.weight", outer, inner)
        if bias:
            yield cls.plain(f"{name}.bias", f"{other}.bias", outer)

    @classmethod
    def turned(cls, name: str, other: str, inner: int, outer: int) -> Self:
        """A matrix that stands there as (in, out)."""
        return cls(name, {other: (inner, outer)}, lambda tensors: tensors[0].t(), lambda table: [table.t()])

    @classmethod
    def joined(cls, name: str, others: Mapping[str, int], *rest: int) -> Self:
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

        return cls(name, {other: (rows, *rest) for other, rows in others.items()}, read, write)


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
        BadInput: A table cannot be expressed there.
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
