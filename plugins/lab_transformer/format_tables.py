"""Conversions of tensors that a checkpoint lays out differently: a norm with its bias, interleaved heads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lab.api import Table

if TYPE_CHECKING:
    from torch import Tensor


def both(name: str, other: str, width: int) -> Iterator[Table]:
    """Return the weight and bias of a LayerNorm."""
    for part in ("weight", "bias"):
        yield Table.plain(f"{name}.{part}", f"{other}.{part}", width)


def heads_apart(name: str, other: str, heads: int, width: int, *rest: int) -> Table:
    """Return the table of queries, keys and values that the checkpoint stores head by head, three parts each.

    Args:
        name: Our name of the table.
        other: The checkpoint's name.
        heads: H.
        width: D, channels of each head.
        rest: The shape after the rows.
    """

    def read(tensors: Sequence[Tensor]) -> Tensor:
        return tensors[0].view(heads, 3, width, *rest).transpose(0, 1).reshape(3 * heads * width, *rest)

    def write(table: Tensor) -> Sequence[Tensor]:
        return [table.view(3, heads, width, *rest).transpose(0, 1).reshape(3 * heads * width, *rest)]

    return Table(name, {other: (3 * heads * width, *rest)}, read, write)
