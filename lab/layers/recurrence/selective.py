"""The selective scan of Mamba: a linear recurrence whose decay, input and output change from token to token."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from lab.layers.precision import full_precision
from lab.layers.recurrence.kernels import fast_kernel
from lab.layers.recurrence.scan import scan_into

STEP, BLOCK = 2**15, 2**17
"""Size of the states that one operation updates, and of those of a block of tokens; chosen for a CPU's cache."""
BLOCK_OF_GPU = 2**24
"""The size of the states of a block on devices whose operations are slow to launch."""
STATES_OF_KERNEL = 256
"""The largest N that mamba_ssm supports."""


def selective_scan(
    x: Tensor,
    dt: Tensor,
    A: Tensor,
    B: Tensor,
    C: Tensor,
    D: Tensor | None = None,
    state: Tensor | None = None,
    *,
    signed: bool = False,
) -> tuple[Tensor, Tensor]:
    """Compute h_t = a_t h_{t−1} + Δ_t B_t x_t with a_t = exp(Δ_t A), and y_t = C_t · h_t + D x_t (Gu and Dao 2023).

    On CUDA the kernel of `mamba_ssm` is used if it is installed and computes the same.

    Args:
        x: (B, T, D).
        dt: (B, T, D), step sizes, above 0.
        A: (D, N), below 0.
        B: (B, T, N).
        C: (B, T, N).
        D: (D,), the share of the input that bypasses the state; None means none.
        state: (B, D, N), the state before the first token; None means zeros.
        signed: Whether a_t = 2 exp(Δ_t A) − 1, so that a state can change its sign (Grazzi et al. 2025).

    Returns:
        y (B, T, D) in x's dtype, and the state after the last token (B, D, N) in float32 or wider.
    """
    wide = torch.promote_types(x.dtype, torch.float32)
    with full_precision(x):
        D = A.new_zeros(len(A)) if D is None else D
        h = x.new_zeros(len(x), *A.shape) if state is None else state
        given = tuple(each.to(wide) for each in (x, dt, A, B, C, D, h))
        fast = fast_kernel(x, "mamba_ssm.ops.selective_scan_interface", "selective_scan_fn")
        usable = state is None and not signed and wide == torch.float32 and A.shape[1] <= STATES_OF_KERNEL
        if x.shape[1] == 1:
            y, last = _one_token(signed, *given)
        elif fast is not None and usable:
            y, last = _by_kernel(fast, *given[:-1])
        else:
            keep = torch.is_grad_enabled() and any(each.requires_grad for each in given)
            y, last = _SelectiveScan.apply(*given, signed, keep)  # type: ignore[no-untyped-call]
    return y.to(x.dtype), last


def _one_token(
    signed: bool, x: Tensor, dt: Tensor, A: Tensor, B: Tensor, C: Tensor, D: Tensor, h: Tensor
) -> tuple[Tensor, Tensor]:
    """Compute one token, for decoding."""
    a = (dt[:, 0, :, None] * A).exp()
    h = (2 * a - 1 if signed else a) * h + (dt * x)[:, 0, :, None] * B
    return (h @ C[:, 0, :, None])[:, None, :, 0] + D * x, h


def _by_kernel(fast: Any, x: Tensor, dt: Tensor, A: Tensor, B: Tensor, C: Tensor, D: Tensor) -> tuple[Tensor, Tensor]:
    """Call mamba_ssm's kernel, whose layout is (B, D, T)."""
    x, dt, B, C = (each.transpose(1, 2) for each in (x, dt, B, C))
    y, last = fast(x, dt, A, B, C, D, return_last_state=True)
    return y.transpose(1, 2), _NoGradient.apply(last)  # type: ignore[no-untyped-call]


class _NoGradient(torch.autograd.Function):
    """The identity on the last state of a kernel, whose gradient would silently be missing; backward raises."""

    @staticmethod
    def forward(ctx: Any, last: Tensor) -> Tensor:
        del ctx
        return last.clone()

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Tensor:
        del ctx, gradients
        raise RuntimeError("mamba_ssm gives the last state no gradient: pass a state of zeros to get one")


class _SelectiveScan(torch.autograd.Function):
    """The scan in blocks of tokens whose states stay in the cache; only the state before each block is stored.

    The backward pass computes the states inside a block again. With g_t = dL/dh_t and u_t = Δ_t x_t:
    g_t = C_t dy_t + a_{t+1} g_{t+1}, du_t = B_t · g_t, dB_t = g_t · u_t, dC_t = h_t · dy_t, and of the exponents Δ_t A
    q_t = g_t h_{t−1} da_t, from which dΔ_t = A · q_t + du_t x_t and dA = Σ_t Δ_t q_t. Time is the first axis and
    channels the last, so that operations read memory contiguously.
    """

    @staticmethod
    def forward(
        ctx: Any,
        x: Tensor,
        dt: Tensor,
        A: Tensor,
        B: Tensor,
        C: Tensor,
        D: Tensor,
        h0: Tensor,
        signed: bool,
        keep: bool,
    ) -> tuple[Tensor, Tensor]:
        x, dt, A = x.contiguous(), dt.contiguous(), A.mT.contiguous()
        y, last = torch.empty_like(x), torch.empty_like(h0)
        rows, length = _size_of_block(x, len(A))
        stored = x.new_empty(-(-x.shape[1] // length) if keep else 1, len(x), *A.shape)  # the state before each block
        for part in _parts(x, rows):
            before = h0[part].mT
            a = x.new_empty(length, *before.shape)
            h = torch.empty_like(a)
            sides = [torch.split(each[part].transpose(0, 1), length) for each in (x, dt, B, C, y)]
            for k, (x_k, dt_k, B_k, C_k, y_k) in enumerate(zip(*sides, strict=True)):
                before = stored[k % len(stored), part].copy_(before)
                a_k, h_k = a[: len(x_k)], h[: len(x_k)]
                _exponentials(dt_k, A, signed, out=a_k)
                torch.mul((dt_k * x_k)[:, :, None], B_k[..., None], out=h_k)
                before = scan_into(h_k, a_k.sub_(1) if signed else a_k, h_k, before)
                torch.addcmul((C_k[:, :, None] @ h_k)[:, :, 0], x_k, D, out=y_k)
            last[part] = before.mT
        ctx.save_for_backward(x, dt, A, B, C, D, stored)
        ctx.signed = signed
        return y, last

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        x, dt, A, B, C, D, stored = ctx.saved_tensors
        dy, dh = gradients[0].contiguous(), gradients[1].mT.clone(memory_format=torch.contiguous_format)
        dx, ddt, dB, dC, dA = *(torch.empty_like(each) for each in (x, dt, B, C)), torch.zeros_like(A)
        rows, length = _size_of_block(x, len(A))
        with full_precision(x):
            for part in _parts(x, rows):
                sides = [torch.split(each[part].transpose(0, 1), length) for each in (x, dt, B, C, dy, dx, ddt, dB, dC)]
                blocks = list(zip(*sides, strict=True))
                dA += _back_through_blocks(A, D, blocks, stored[:, part], dh[part], signed=ctx.signed)
        return dx, ddt, dA.mT, dB, dC, (dy * x).sum((0, 1)), dh.mT, None, None


def _back_through_blocks(
    A: Tensor, D: Tensor, blocks: list[tuple[Tensor, ...]], stored: Tensor, dh: Tensor, *, signed: bool
) -> Tensor:
    """Write the gradients of some rows, turn the last state's gradient in `dh` into the first's, and return dA."""
    e = A.new_empty(len(blocks[0][0]), *dh.shape)
    h, g, dA, a = torch.empty_like(e), torch.empty_like(e), torch.zeros_like(e), (torch.empty_like(e) if signed else e)
    for (x, dt, B, C, dy, dx, ddt, dB, dC), before in zip(blocks[::-1], stored.unbind()[::-1], strict=True):
        n = len(x)
        q, h_k, g_k = e[:n], h[:n], g[:n]
        _exponentials(dt, A, signed, out=q)
        a_k = torch.sub(q, 1, out=a[:n]) if signed else q
        u = dt * x
        torch.mul(u[:, :, None], B[..., None], out=h_k)
        scan_into(h_k, a_k, h_k, before)
        torch.mul(dy[:, :, None], C[..., None], out=g_k)
        g_k[-1] += dh
        earlier = g_k[:-1]
        scan_into(earlier, a_k[1:], earlier, g_k[-1], reverse=True)
        torch.mul(a_k[0], g_k[0], out=dh)
        du = (B[:, :, None] @ g_k)[:, :, 0]
        torch.addcmul(dy * D, du, dt, out=dx)
        dB.copy_((u[:, :, None] @ g_k.mT)[:, :, 0])
        dC.copy_((dy[:, :, None] @ h_k.mT)[:, :, 0])
        q.mul_(g_k)
        q[1:].mul_(h_k[:-1])
        q[0].mul_(before)
        dA[:n].addcmul_(q, dt[:, :, None])
        torch.addcmul(q.mul_(A).sum(2), du, x, out=ddt)
    return dA.sum((0, 1))


def _exponentials(dt: Tensor, A: Tensor, signed: bool, *, out: Tensor) -> None:
    """Compute the derivative of a_t by Δ A: exp(Δ A), which is a_t; if signed 2 exp(Δ A), which is a_t + 1."""
    torch.mul(dt[:, :, None], A, out=out).exp_()
    if signed:
        out.mul_(2)


def _size_of_block(x: Tensor, N: int) -> tuple[int, int]:
    """Return the rows and the tokens of a block: more tokens for long texts, to limit the stored states."""
    batch, T, D = x.shape
    if x.is_cuda:
        return batch, max(1, min(T, BLOCK_OF_GPU // (batch * N * D)))
    rows = max(1, min(batch, STEP // (N * D)))
    return rows, max(1, min(T, max(BLOCK // (rows * N * D), math.isqrt(T) // 4)))


def _parts(x: Tensor, rows: int) -> Iterator[slice]:
    """Yield slices of the rows that are read together; none on the meta device, where there is nothing to read."""
    return (slice(first, first + rows) for first in range(0, 0 if x.is_meta else len(x), rows))
