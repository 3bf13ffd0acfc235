"""The mapping between tensors of another program's checkpoint and the tables of a model: same, transposed or joined."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from lab.base import BadInput

if TYPE_CHECKING:
    from torch import Tensor

BUFFERS = re.compile(r"\.(attn|attention)\.(masked_)?bias$|rotary_emb\.inv_freq$")
"""Tensors that are not weights: masks and frequencies that older versions stored."""


@dataclass(frozen=True)
class Table:
    """One table of a model of the lab, as LanguageModel.tables returns it, and its tensors in a checkpoint.

    Args:
        name: Its name here.
        theirs: Names and shapes of the tensors in the checkpoint.
        read: Makes the table from these tensors.
        write: Makes these tensors from the table.
    """

    name: str
    theirs: Mapping[str, tuple[int, ...]]
    read: Callable[[Sequence[Tensor]], Tensor]
    write: Callable[[Tensor], Sequence[Tensor]]

    @classmethod
    def plain(cls, name: str, other: str, *shape: int) -> Self:
        """Return a table that is stored unchanged in the checkpoint."""
        return cls(name, {other: shape}, lambda tensors: tensors[0], lambda table: [table])

    @classmethod
    def linear(cls, name: str, other: str, outer: int, inner: int, *, bias: bool) -> Iterator[Self]:
        """Yield weight and bias of a projection."""
        yield cls.plain(f"{name}.weight", f"{other}.weight", outer, inner)
        if bias:
            yield cls.plain(f"{name}.bias", f"{other}.bias", outer)

    @classmethod
    def turned(cls, name: str, other: str, inner: int, outer: int) -> Self:
        """Return a matrix that is stored as (in, out)."""
        return cls(name, {other: (inner, outer)}, lambda tensors: tensors[0].t(), lambda table: [table.t()])

    @classmethod
    def joined(cls, name: str, others: Mapping[str, int], *rest: int) -> Self:
        """Return a table whose rows come from several tensors of the checkpoint.

        Args:
            name: Its name.
            others: Number of rows of each tensor by name, in order.
            rest: The other sizes of the shape, after the rows.
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
    """Read the tables of a checkpoint.

    Args:
        layout: The tables and their tensors.
        tensors: The tensors of the checkpoint by name.
        prefix: The start of most names, which some files leave out.
        unused: Names of tensors that may be there and are ignored.

    Raises:
        BadInput: A tensor is missing, has another shape, or belongs to no table.
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
                raise BadInput(what, field=name, remedy="Download the complete folder again")
            tensor = tensors[name]
            if tensor.shape != shape:
                what = "this tensor has another shape than config.json defines"
                raise BadInput(what, field=name, value=tuple(tensor.shape), allowed=str(shape))
            taken.add(name)
            found.append(tensor)
        tables[table.name] = table.read(found)
    left = [name for name in tensors if name not in taken and name not in unused and not BUFFERS.search(name)]
    if left:
        raise BadInput(
            f"the weights hold {len(left)} tensors that this model does not have",
            field="weights", value=", ".join(left[:3]), allowed="those that config.json implies",
            remedy="It is a model of another kind than config.json names",
        )  # fmt: skip
    return tables


def written_tensors(layout: Iterable[Table], tables: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return the tensors of a checkpoint; biases that the model lacks are zeros.

    Raises:
        BadInput: A table cannot be expressed in the checkpoint.
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
