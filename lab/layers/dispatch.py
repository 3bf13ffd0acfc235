"""Dispatch: tokens are sorted by group, processed group by group, and summed at their original positions.

For every layer that sends a token to some of several networks, of third parties too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.autograd.function import once_differentiable

GroupWork: TypeAlias = Callable[[Tensor, Tensor], Tensor]
"""(rows sorted by group (M, in), number of rows of each group (E,)) -> (M, out)."""
QUANTUM = 16
"""The size of a row in bytes must be a multiple of this for torch's grouped product."""


@dataclass(frozen=True)
class Assignments:
    """The groups that each token goes to, and with what weight: M pairs, sorted by token.

    Args:
        tokens: (M,) from 0 to N − 1; a token may occur several times, or never.
        groups: (M,) from 0 to E − 1.
        weights: (M,) the factors of the groups' outputs.
    """

    tokens: Tensor
    groups: Tensor
    weights: Tensor

    def dense(self, tokens: int, groups: int) -> Tensor:
        """Return the weights as a table (N, E), 0 where a token does not go to a group."""
        return self.weights.new_zeros(tokens, groups).index_put((self.tokens, self.groups), self.weights)

    def only(self, mask: Tensor) -> Assignments:
        """Return the pairs for which `mask` (M,) is True."""
        return Assignments(self.tokens[mask], self.groups[mask], self.weights[mask])

    def reached(self, tokens: int) -> Tensor:
        """Return the share of N tokens that go to at least one group."""
        return self.weights.new_zeros(tokens).index_fill(0, self.tokens, 1.0).mean()


def dispatched(x: Tensor, assigned: Assignments, groups: int, work: GroupWork) -> Tensor:
    """Return the sum over a token's groups of weight · work(token); rows are gathered in both directions.

    Both ways are gathers, forward and backward, so that nothing is scattered into and sums have one order.

    Args:
        x: (N, in).
        assigned: The groups that each token goes to.
        groups: E.
        work: Computes the outputs of the groups.

    Returns:
        (N, out); 0 for a token that goes to no group.
    """
    order = assigned.groups.argsort(stable=True)
    indices = torch.arange(len(order), device=x.device)
    to = Routes(
        token=assigned.tokens[order],
        row=torch.empty_like(order).index_put_((order,), indices),
        order=order,
        starts=torch.searchsorted(assigned.tokens, torch.arange(len(x), device=x.device)),
    )
    ends = torch.searchsorted(assigned.groups[order], torch.arange(groups, device=x.device), right=True)
    rows: Tensor = _Gather.apply(x, to)  # type: ignore[no-untyped-call]
    y = work(rows, ends.diff(prepend=ends.new_zeros(1)))
    combined: Tensor = _Combine.apply(y, assigned.weights.to(y.dtype), to)  # type: ignore[no-untyped-call]
    return combined


def grouped_linear(x: Tensor, weight: Tensor, counts: Tensor) -> Tensor:
    """Multiply group i of the rows by the transposed matrix i, by torch's grouped product if it supports the inputs.

    On the meta device, where the groups are unknown, all rows are one group, which takes as many operations.

    Args:
        x: (N, in), sorted by group.
        weight: (E, out, in).
        counts: (E,), the number of rows of each group; their sum is N.

    Returns:
        (N, out).
    """
    if x.device.type != "meta" and torch.is_autocast_enabled(x.device.type):
        kind = torch.get_autocast_dtype(x.device.type)
        x, weight = x.to(kind), weight.to(kind)
    y: Tensor = _GroupedLinear.apply(x, weight, counts, _suits_torch(x, weight))  # type: ignore[no-untyped-call]
    return y


@dataclass(frozen=True)
class Routes:
    """The two orders of the same pairs of token and group.

    Args:
        token: (M,) sorted by group: the token of each row.
        row: (M,) sorted by token: the row of each pair.
        order: (M,) sorted by group: the index of each row among the pairs sorted by token.
        starts: (N,) the index at which each token's pairs start.
    """

    token: Tensor
    row: Tensor
    order: Tensor
    starts: Tensor

    def added(self, rows: Tensor, weights: Tensor | None = None) -> Tensor:
        """Return the sum of each token's rows, (M, C) -> (N, C)."""
        return F.embedding_bag(self.row, rows, self.starts, mode="sum", per_sample_weights=weights)


class _Gather(torch.autograd.Function):
    """The function that copies a row for each pair of token and group."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, to: Routes) -> Tensor:
        ctx.to = to
        return x.index_select(0, to.token)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:
        return ctx.to.added(gradient), None


class _Combine(torch.autograd.Function):
    """The weighted sum of each token's rows."""

    @staticmethod
    def forward(ctx: Any, y: Tensor, weights: Tensor, to: Routes) -> Tensor:
        ctx.to = to
        ctx.save_for_backward(y, weights)
        return to.added(y, weights)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor, None]:
        y, weights = ctx.saved_tensors
        rows = gradient.index_select(0, ctx.to.token)
        of_weights = torch.linalg.vecdot(rows, y).index_select(0, ctx.to.row)
        return rows.mul_(weights.index_select(0, ctx.to.order)[:, None]), of_weights, None


class _GroupedLinear(torch.autograd.Function):
    """The products of the groups, and those of their gradients."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, counts: Tensor, by_torch: bool) -> Tensor:
        ctx.by_torch = by_torch
        ctx.save_for_backward(x, weight, counts)
        return _rows_times(x, weight.mT, counts, by_torch)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor, None, None]:
        x, weight, counts = ctx.saved_tensors
        gradient = gradient.contiguous()  # an expanded one has rows that torch's product refuses
        of_x = _rows_times(gradient, weight, counts, ctx.by_torch)
        return of_x, _columns_times(gradient, x, weight, counts, ctx.by_torch), None, None


def _suits_torch(x: Tensor, weight: Tensor) -> bool:
    kinds = (torch.bfloat16,) if x.is_cuda else (torch.float32, torch.bfloat16)
    aligned = all(size * x.element_size() % QUANTUM == 0 for size in weight.shape[1:])
    return x.device.type in ("cpu", "cuda") and x.dtype in kinds and aligned and len(x) > 0


def _rows_times(x: Tensor, weight: Tensor, counts: Tensor, by_torch: bool) -> Tensor:
    """Multiply (N, in) by (E, in, out) -> (N, out)."""
    if by_torch:
        return F.grouped_mm(x.contiguous(), weight, offs=counts.cumsum(0).to(torch.int32))
    y = x.new_empty(len(x), weight.shape[2])
    for group, rows in _groups(x, counts):
        torch.mm(x[rows], weight[group], out=y[rows])
    return y


def _columns_times(gradient: Tensor, x: Tensor, weight: Tensor, counts: Tensor, by_torch: bool) -> Tensor:
    """Multiply (N, out) by (N, in) -> (E, out, in)."""
    if by_torch:  # which leaves the products of groups without rows undefined on some GPUs
        products = F.grouped_mm(gradient.mT, x.contiguous(), offs=counts.cumsum(0).to(torch.int32))
        return products.masked_fill_((counts == 0)[:, None, None], 0)
    products = torch.zeros_like(weight)
    for group, rows in _groups(x, counts):
        torch.mm(gradient[rows].mT, x[rows], out=products[group])
    return products


def _groups(x: Tensor, counts: Tensor) -> list[tuple[int, slice]]:
    """Return the groups that have rows, each with its slice of the rows."""
    found, begin = [], 0
    for group, count in enumerate([len(x)] if x.is_meta else counts.tolist()):
        if count:
            found.append((group, slice(begin, begin + count)))
        begin += count
    return found
