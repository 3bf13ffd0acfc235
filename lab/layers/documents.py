"""Documents packed into rows, of which a model reads each one as if it stood alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import torch
from torch import Tensor


class Documents:
    """The documents of packed rows, of which no position reads another one.

    Attention masks all keys of other documents (`mask`). Whatever knows no such mask reads the documents as rows of
    their own (`separately`), which is the same.

    Args:
        numbers: (B, T) the number of each position's document within its row, which never falls.
        causal: Whether what reads them reads no later position, so that padding after a document changes nothing.
    """

    def __init__(self, numbers: Tensor, *, causal: bool = True) -> None:
        self.numbers, self.causal = numbers, causal

    @cached_property
    def mask(self) -> Tensor:
        """(B, T, T) bool, True where a query and a key belong to the same document."""
        return self.numbers[:, :, None] == self.numbers[:, None, :]

    @cached_property
    def positions(self) -> Tensor:
        """(B, T) int64, the position of each token in the part of its document that its row holds."""
        here = torch.arange(self.numbers.shape[1], device=self.numbers.device).expand_as(self.numbers)
        begins = torch.ones_like(self.numbers, dtype=torch.bool)
        begins[:, 1:] = self.numbers[:, 1:] != self.numbers[:, :-1]
        return here - here.where(begins, 0).cummax(dim=1).values

    def separately(self, read: Callable[..., Tensor], *inputs: Tensor) -> Tensor:
        """Return what a function reads of each document alone, put together again.

        Documents of the same length are read at once. A causal function reads those of similar length at once, each at
        most twice as long as the shortest of them, so that less than half of what is computed is padding.

        Args:
            read: (n, L, …) of each input -> (n, L, …), whose rows do not depend on each other.
            *inputs: (B, T, …) each.

        Returns:
            (B, T, …).
        """
        flat = [each.flatten(0, 1) for each in inputs]
        outputs = [read(*(each[index] for each in flat))[inside] for index, inside in self._groups]
        together = torch.cat(outputs)[self._order]
        return together.view(*self.numbers.shape, *together.shape[1:])

    @cached_property
    def _groups(self) -> list[tuple[Tensor, Tensor]]:
        """Index of the positions in all rows, (n, L), and which of them are no padding; by length."""
        device = self.numbers.device
        starts = torch.nonzero(self.positions.flatten() == 0).flatten().cpu()
        lengths = torch.diff(starts, append=torch.tensor([self.numbers.numel()]))
        sizes = torch.frexp(lengths.double()).exponent if self.causal else lengths  # of 1, 2 to 3, 4 to 7, …
        groups = []
        for size in sorted(set(sizes.tolist())):
            start, length = starts[sizes == size, None], lengths[sizes == size, None]
            offset = torch.arange(int(length.max()))
            index = start + torch.minimum(offset, length - 1)
            groups.append((index.to(device), (offset < length).to(device)))
        return groups

    @cached_property
    def _order(self) -> Tensor:
        """(B · T,) the index of each position in the outputs of all groups one after another."""
        return torch.cat([index[inside] for index, inside in self._groups]).argsort()
