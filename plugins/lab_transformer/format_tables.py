"""How the tensors of a transformer's checkpoint lie where one is two here: a norm with its bias, heads with parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lab.api import Table

if TYPE_CHECKING:
    from torch import Tensor


def both(name: str, other: str, width: int) -> Iterator[Table]:
    """Return weight and bias of a LayerNorm."""
    for part in ("weight", "bias"):
        yield Table.plain(f"{name}.{part}", f"{other}.{part}", width)


def heads_apart(name: str, other: str, heads: int, width: int, *rest: int) -> Table:
    """Return queries, keys and values that stand there head by head, each with its three parts.

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
