"""The linear recurrence of every gated average, linear attention and state space model."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor


def linear_scan(a: Tensor, b: Tensor, h0: Tensor) -> Tensor:
    """Compute h_t = a_t ⊙ h_{t−1} + b_t over axis 1, in float32 or wider, with its own backward pass.

    On a CPU a loop over time inside one autograd function beats a parallel scan and the same loop under autograd.

    Args:
        a: (B, T, …), broadcast to b.
        b: (B, T, …).
        h0: (B, …), the state before the first.

    Returns:
        (B, T, …), every h_t, in b's dtype.
    """
    wide = torch.promote_types(b.dtype, torch.float32)
    scanned = _LinearScan.apply(  # type: ignore[no-untyped-call]
        a.to(wide).expand_as(b), b.to(wide), h0.to(wide).expand_as(b[:, 0])
    )
    return scanned.to(b.dtype)  # type: ignore[no-any-return]


class _LinearScan(torch.autograd.Function):
    """The scan, time-major, to read contiguous memory. dh_t = g_t + ā_{t+1} dh_{t+1}, da_t = dh_t h̄_{t−1}."""

    @staticmethod
    def forward(ctx: Any, a: Tensor, b: Tensor, h0: Tensor) -> Tensor:
        a, b = a.transpose(0, 1).contiguous(), b.transpose(0, 1)  # (T, B, …)
        h = torch.empty_like(a)
        scan_into(h, a, b, h0)
        ctx.save_for_backward(a, h, h0)
        return h.transpose(0, 1)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        a, h, h0 = ctx.saved_tensors
        g = gradients[0].transpose(0, 1)
        dh = torch.empty_like(h)
        dh[-1] = g[-1]
        scan_into(dh[:-1], a[1:].conj(), g[:-1], dh[-1], reverse=True)
        before = torch.cat([h0[None], h[:-1]])
        return (dh * before.conj()).transpose(0, 1), dh.transpose(0, 1), a[0].conj() * dh[0]


def scan_into(h: Tensor, a: Tensor, b: Tensor, before: Tensor, *, reverse: bool = False) -> Tensor:
    """Compute h_t = a_t ⊙ h_{t−1} + b_t over axis 0, outside autograd; in reverse h_t = a_t ⊙ h_{t+1} + b_t.

    Args:
        h: (T, …), the output; it may be `b` itself.
        a: (T, …).
        b: (T, …).
        before: (…), the state before the first one that is written.
        reverse: Whether to go from the last to the first.

    Returns:
        The state written last, a view of `h`; `before` if T is 0.
    """
    if h.is_cuda and len(h):
        return scan_in_parts(h if h is b else h.copy_(b), a, before, reverse=reverse)
    for h_t, a_t, b_t in zip(*(_in_order(each, reverse) for each in (h, a, b)), strict=True):
        before = torch.addcmul(b_t, a_t, before, out=h_t)
    return before


def scan_in_parts(h: Tensor, a: Tensor, before: Tensor, *, reverse: bool = False) -> Tensor:
    """Compute `scan_into` of T ≥ 1 with h as b, in about 5 √T operations, for devices with slow launches.

    √T parts are scanned in parallel from zeros; then each part gets the state before it.
    """
    size = math.isqrt(len(h))
    odd = len(h) % size
    full, rest = (slice(odd, None), slice(odd)) if reverse else (slice(len(h) - odd), slice(len(h) - odd, None))
    sides = (torch.unflatten(each[full], 0, (-1, size)).transpose(0, 1) for each in (h, a))  # (position, part, …)
    H, A = (_in_order(each, reverse) for each in sides)
    factors = [A[0]]  # the share of the state before a part that remains at each of its positions
    for t in range(1, size):
        H[t].addcmul_(A[t], H[t - 1])
        factors.append(A[t] * factors[-1])
    first = before
    for end, factor in zip(_in_order(H[-1], reverse), _in_order(factors[-1], reverse), strict=True):
        before = end.addcmul_(factor, before)
    initial = torch.cat([H[-1][1:], first[None]] if reverse else [first[None], H[-1][:-1]])
    for h_t, factor in zip(H[:-1], factors[:-1], strict=True):
        h_t.addcmul_(factor, initial)
    for h_t, a_t in zip(_in_order(h[rest], reverse), _in_order(a[rest], reverse), strict=True):
        before = h_t.addcmul_(a_t, before)
    return before


def _in_order(sequence: Tensor, reverse: bool) -> Sequence[Tensor]:
    """Return the entries along axis 0, from the first or from the last."""
    return sequence.unbind()[:: -1 if reverse else 1]
