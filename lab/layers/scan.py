"""The linear recurrence under every gated average, linear attention and state space model."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor


def linear_scan(a: Tensor, b: Tensor, h0: Tensor) -> Tensor:
    """h_t = a_t ⊙ h_{t−1} + b_t over axis 1, in float32 or wider, with its own backward pass.

    On the CPU a loop over time inside one autograd function beats a parallel scan and the same loop under autograd.

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
    """Time-major, so that each step reads contiguous memory. dh_t = g_t + ā_{t+1} dh_{t+1}, da_t = dh_t h̄_{t−1}."""

    @staticmethod
    def forward(ctx: Any, a: Tensor, b: Tensor, h0: Tensor) -> Tensor:
        a, b = a.transpose(0, 1).contiguous(), b.transpose(0, 1)  # (T, B, …)
        h = torch.empty_like(a)
        before = h0
        for t in range(len(a)):
            before = torch.addcmul(b[t], a[t], before, out=h[t])
        ctx.save_for_backward(a, h, h0)
        return h.transpose(0, 1)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        a, h, h0 = ctx.saved_tensors
        g = gradients[0].transpose(0, 1)
        dh = torch.empty_like(h)
        last = len(a) - 1
        dh[last] = g[last]
        for t in range(last - 1, -1, -1):
            torch.addcmul(g[t], a[t + 1].conj(), dh[t + 1], out=dh[t])
        before = torch.cat([h0[None], h[:-1]])
        return (dh * before.conj()).transpose(0, 1), dh.transpose(0, 1), a[0].conj() * dh[0]
