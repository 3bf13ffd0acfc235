"""Linear attention over chunks of tokens: decaying sums of outer products, and the delta rule."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from lab.layers.precision import full_precision
from lab.layers.recurrence.kernels import fast_kernel

PIECE = 8192
"""Number of tokens, over all rows and heads, that a CPU computes at once."""
NOTHING = 1e-30
"""Numbers that have decayed to this are set to 0: a CPU multiplies denormal numbers ten times slower than others."""

KEY_OF_KERNEL = 256
"""The widest key that flash-linear-attention's delta rule supports."""


def decayed_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    log_decay: Tensor | None = None,
    state: Tensor | None = None,
    *,
    bonus: Tensor | None = None,
    chunk: int = 32,
) -> tuple[Tensor, Tensor]:
    """Compute linear attention with decay: S_t = diag(a_t) S_{t−1} + k_t v_tᵀ, o_t = S_tᵀ q_t, at least in float32.

    Within a chunk it has the quadratic form, between chunks the state is passed on. Exponents are always sums of log
    decays, never differences, so that neither strong decay nor many tokens cost digits.

    Args:
        q: Queries (B, T, H, K).
        k: Keys (B, T, H, K).
        v: Values (B, T, H, V).
        log_decay: ln a_t, 0 or less: (B, T, H) for each head, (B, T, H, K) for each channel of the key; None is no
            decay.
        state: S_0 (B, H, K, V); None is zeros.
        bonus: u (H, K) of RWKV, where o_t = (S_{t−1} + diag(u) k_t v_tᵀ)ᵀ q_t.
        chunk: Tokens computed at once, a power of 2.

    Returns:
        o (B, T, H, V) in v's dtype, and S_T (B, H, K, V).
    """
    with full_precision(v):
        dtype, length = v.dtype, v.shape[1]
        state = _initial_state(k, v, state)
        if bonus is not None and (log_decay is None or log_decay.dim() == 3):
            log_decay = torch.zeros_like(k) if log_decay is None else log_decay[..., None].expand_as(k)
        if length >= chunk and (kernel := _kernel_of_decay(v, log_decay, bonus)):
            more = () if log_decay is None else (log_decay.float(),)
            more = more if bonus is None else (*more, bonus.to(dtype))
            o, state = kernel(
                q.to(dtype), k.to(dtype), v, *more, scale=1.0, initial_state=state, output_final_state=True
            )
            return o.to(dtype), state
        q, k, v = (x.to(state.dtype) for x in (q, k, v))
        log_decay = None if log_decay is None else log_decay.to(state.dtype)
        if length == 1:
            o, state = _one_token(q[:, 0], k[:, 0], v[:, 0], log_decay, state, bonus)
            return o[:, None].to(dtype), state
        given = [_chunked(x, chunk) for x in (q, k, v)]
        if log_decay is not None:
            given.append(_chunked(log_decay if log_decay.dim() == 4 else log_decay[..., None], chunk))
        o, state = _by_pieces(partial(_decayed, bonus=bonus), given, state)
        return _joined(o, length).to(dtype), state


def delta_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    beta: Tensor,
    log_decay: Tensor | None = None,
    state: Tensor | None = None,
    *,
    chunk: int = 32,
) -> tuple[Tensor, Tensor]:
    """Compute the delta rule: S_t = a_t (I − β_t k_t k_tᵀ) S_{t−1} + β_t k_t v_tᵀ, o_t = S_tᵀ q_t, at least in float32.

    Within a chunk, the additions of the tokens to the state solve a triangular system (Yang et al. 2024, the WY form),
    and an entire chunk multiplies the state by one matrix.

    Args:
        q: Queries (B, T, H, K).
        k: Keys (B, T, H, K), of norm 1.
        v: Values (B, T, H, V).
        beta: Write strengths (B, T, H), 0 to 2.
        log_decay: ln a_t (B, T, H), 0 or less; None is no decay.
        state: S_0 (B, H, K, V); None is zeros.
        chunk: Tokens computed at once, a power of 2.

    Returns:
        o (B, T, H, V) in v's dtype, and S_T (B, H, K, V).
    """
    with full_precision(v):
        dtype, length = v.dtype, v.shape[1]
        state = _initial_state(k, v, state)
        if length >= chunk and (kernel := _kernel_of_delta(k, v, log_decay)):
            more = () if log_decay is None else (log_decay.float(),)
            o, state = kernel(
                q.to(dtype), k.to(dtype), v, *more, beta.to(dtype),
                scale=1.0, initial_state=state, output_final_state=True,
            )  # fmt: skip
            return o.to(dtype), state
        q, k, v, beta = (x.to(state.dtype) for x in (q, k, v, beta))
        log_decay = None if log_decay is None else log_decay.to(state.dtype)
        if length == 1:
            if log_decay is not None:
                state = log_decay[:, 0, :, None, None].exp() * state
            added = beta[:, 0, :, None] * (v[:, 0] - _read(k[:, 0], state))
            o, state = _one_token(q[:, 0], k[:, 0], added, None, state, None)
            return o[:, None].to(dtype), state
        given = [_chunked(x, chunk) for x in (q, k, v, beta[..., None])]
        if log_decay is not None:
            given.append(_chunked(log_decay[..., None], chunk))
        o, state = _by_pieces(_delta, given, state)
        return _joined(o, length).to(dtype), state


def _decayed(
    state: Tensor, q: Tensor, k: Tensor, v: Tensor, log_decay: Tensor | None = None, *, bonus: Tensor | None
) -> tuple[Tensor, Tensor]:
    """Compute decayed_attention of chunks (n, B, H, c, …)."""
    total = None
    if log_decay is None:
        scores = (q @ k.mT) * q.new_ones(q.shape[-2], q.shape[-2]).tril()
    elif log_decay.shape[-1] == 1 and bonus is None:
        between, since_start, total = _decays(log_decay[..., 0])
        scores = (q @ k.mT) * between
        q, k = q * since_start, k * between[..., -1, :, None]
    else:
        own = None if bonus is None else (q * bonus.to(q.dtype)[:, None] * k).sum(-1)
        scores, q, k, total = _ByChannel.apply(  # type: ignore[no-untyped-call]
            q, k, log_decay.exp(), bonus is not None
        )
        scores = scores if own is None else scores + torch.diag_embed(own)
    before, state = _Carried.apply(k.mT @ v, total, state)  # type: ignore[no-untyped-call]
    return scores @ v + q @ before, state


def _delta(
    state: Tensor, q: Tensor, k: Tensor, v: Tensor, beta: Tensor, log_decay: Tensor | None = None
) -> tuple[Tensor, Tensor]:
    """Compute delta_attention of chunks (n, B, H, c, …)."""
    scores, likeness = q @ k.mT, k @ k.mT
    if log_decay is None:
        read, retained = k, torch.eye(k.shape[-1], dtype=k.dtype, device=k.device)
        scores = scores * q.new_ones(q.shape[-2], q.shape[-2]).tril()
    else:
        between, since_start, total = _decays(log_decay[..., 0])
        scores, likeness = scores * between, likeness * between
        q, read, k = q * since_start, k * since_start, k * between[..., -1, :, None]
        retained = torch.diag_embed(total[..., 0].expand(*total.shape[:-2], k.shape[-1]))
    solved = torch.linalg.solve_triangular(
        beta * likeness, beta * torch.cat([read, v], dim=-1), upper=False, unitriangular=True
    )
    erased, added = solved.split_with_sizes([k.shape[-1], v.shape[-1]], dim=-1)
    before, state = _Carried.apply(  # type: ignore[no-untyped-call]
        k.mT @ added, retained - k.mT @ erased, state
    )
    return q @ before + scores @ (added - erased @ before), state


def _by_pieces(
    form: Callable[..., tuple[Tensor, Tensor]], given: Sequence[Tensor], state: Tensor
) -> tuple[Tensor, Tensor]:
    """Apply a form to as many chunks at once as fit into the cache of a CPU; on other devices to all."""
    count, *rows, size, _ = given[0].shape
    if given[0].device.type == "cpu":
        count = max(1, PIECE // (math.prod(rows) * size))
    found = []
    for piece in zip(*(torch.split(x, count) for x in given), strict=True):
        o, state = form(state, *piece)
        found.append(o)
    return torch.cat(found) if len(found) > 1 else found[0], state


def _initial_state(k: Tensor, v: Tensor, state: Tensor | None) -> Tensor:
    """Return the state before the first token, (B, H, K, V), in float32 or wider."""
    wide = torch.promote_types(v.dtype, torch.float32)
    return v.new_zeros(len(k), *k.shape[2:], v.shape[-1], dtype=wide) if state is None else state.to(wide)


def _read(q: Tensor, state: Tensor) -> Tensor:
    """Read (B, H, K) from a state (B, H, K, V): (B, H, V)."""
    return (q[..., None, :] @ state)[..., 0, :]


def _one_token(
    q: Tensor, k: Tensor, v: Tensor, log_decay: Tensor | None, state: Tensor, bonus: Tensor | None
) -> tuple[Tensor, Tensor]:
    """Compute one token, for decoding: (B, H, …) each, `log_decay` (B, 1, H) or (B, 1, H, K)."""
    written = k[..., None] * v[..., None, :]
    read = state if bonus is None else state + bonus.to(q.dtype)[..., None] * written
    if log_decay is not None:
        a = log_decay[:, 0].exp()
        state = (a[..., None, None] if a.dim() == 2 else a[..., None]) * state
    state = state + written
    return _read(q, state if bonus is None else read), state


def _chunked(x: Tensor, chunk: int) -> Tensor:
    """Split (B, T, H, D) into (n, B, H, c, D), padded with zeros, which neither decay nor change a state."""
    length = x.shape[1]
    size = min(chunk, 1 << (length - 1).bit_length())
    if length % size:
        x = F.pad(x, (0, 0, 0, 0, 0, -length % size))
    return x.reshape(len(x), -1, size, *x.shape[2:]).permute(1, 0, 3, 2, 4).contiguous()


def _joined(x: Tensor, length: int) -> Tensor:
    """Join what `_chunked` has split."""
    return x.permute(1, 0, 3, 2, 4).flatten(1, 2)[:, :length]


def _decays(log_decay: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return the decay between any two tokens of a chunk: (n, B, H, c) -> (n, B, H, query, key), 0 before the key.

    Also return the decay of the state before the chunk: at each token (n, B, H, c, 1), at the last (n, B, H, 1, 1).
    """
    log_decay = log_decay.clamp(min=-1000)  # −inf × 0 would be NaN; e⁻¹⁰⁰⁰ is 0 in float64, too
    ones = log_decay.new_ones(log_decay.shape[-1], log_decay.shape[-1])
    # over key < s ≤ query: no differences, no lost digits
    sums = (ones.tril() * log_decay[..., None, :]) @ ones.tril(-1)
    since_start = log_decay.cumsum(-1).exp()[..., None]
    return F.threshold(sums.exp(), NOTHING, 0) * ones.tril(), since_start, since_start[..., -1:, :]


class _ByChannel(torch.autograd.Function):
    """Scores Σ_d q_id k_jd Π_s a_sd over j < s ≤ i within chunks, in blocks of one token, then of two, of four.

    For a query of the second half of a block and a key of the first, the decay is split at the token between the
    halves: the query decays from there on, the key up to there, so that both factors are at most 1.

    Given q, k and a (n, B, H, c, K), and whether a query reads before its own token is written (which a bonus weighs
    separately), it returns the scores (n, B, H, c, c), the queries times the decay of the state from before the chunk
    to them, the keys times their decay to the end of the chunk, and the decay over the entire chunk (n, B, H, K, 1).
    """

    @staticmethod
    def forward(ctx: Any, q: Tensor, k: Tensor, a: Tensor, exclusive: bool) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        ctx.exclusive, saved = exclusive, [q, k, a]
        scores = (q.new_zeros(q.shape[:-1]) if exclusive else (q * k).sum(-1))[..., None, None]
        q, k, a = (q if exclusive else q * a)[..., None, :], k[..., None, :], a[..., None, :]  # (…, blocks, tokens, K)
        while q.shape[-3] > 1:
            saved += [q, k, a]
            size, (first, second), (a_1, a_2) = q.shape[-2], _halves(scores), _halves(a)
            scores = scores.new_zeros(*first.shape[:-2], 2 * size, 2 * size)
            scores[..., :size, :size], scores[..., size:, size:] = first, second
            scores[..., size:, :size] = _halves(q)[1] @ _halves(k)[0].mT
            q, k = (x.reshape(*x.shape[:-3], -1, 2 * size, x.shape[-1]).clone() for x in (q, k))
            q[..., size:, :] *= a_1
            k[..., :size, :] *= a_2
            q, k, a = (F.hardshrink(x, NOTHING) for x in (q, k, a_1 * a_2))
        ctx.save_for_backward(*saved)
        return scores[..., 0, :, :], q[..., 0, :, :], k[..., 0, :, :], a[..., 0, :, :].mT

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, Tensor, Tensor, None]:
        scores, dq, dk, da = gradients
        scores, da = scores[..., None, :, :], da.mT[..., None, :, :]
        dq, dk = dq.contiguous().clone()[..., None, :, :], dk.contiguous().clone()[..., None, :, :]
        q, k, a, *saved = ctx.saved_tensors
        for level in range(len(saved) - 3, -1, -3):
            (_, q_2), (k_1, _), (a_1, a_2) = (_halves(x) for x in saved[level : level + 3])
            size = q_2.shape[-2]
            dq_2, dk_1, across = dq[..., size:, :], dk[..., :size, :], scores[..., size:, :size]
            grown = da
            da = torch.stack(
                [(dq_2 * q_2).sum(-2, keepdim=True) + grown * a_2, (dk_1 * k_1).sum(-2, keepdim=True) + grown * a_1],
                dim=-3,
            ).flatten(-4, -3)
            dq_2.mul_(a_1).add_(_product(across, k_1))
            dk_1.mul_(a_2).add_(_product(across.mT, q_2))
            scores = torch.stack([scores[..., :size, :size], scores[..., size:, size:]], dim=-3).flatten(-4, -3)
            dq, dk = (x.view(*x.shape[:-3], -1, size, x.shape[-1]) for x in (dq, dk))
        dq, dk, da, scores = dq[..., 0, :], dk[..., 0, :], da[..., 0, :], scores[..., 0]
        if ctx.exclusive:
            return dq, dk, da, None
        return torch.addcmul(dq * a, scores, k), torch.addcmul(dk, scores, q), torch.addcmul(da, dq, q), None


def _halves(x: Tensor) -> tuple[Tensor, ...]:
    """Return every first and every second block of (…, blocks, tokens, D)."""
    return x.reshape(*x.shape[:-3], x.shape[-3] // 2, 2, *x.shape[-2:]).unbind(-3)


def _product(x: Tensor, y: Tensor) -> Tensor:
    """Multiply many matrices, the smallest of them elementwise, which is faster."""
    return x @ y if x.shape[-1] > 2 else (x[..., None] * y[..., None, :, :]).sum(-2)


class _Carried(torch.autograd.Function):
    """The state before each chunk and after the last: S_{n+1} = A_n S_n + written_n.

    A_n is None (nothing decays), (…, K or 1, 1) for a factor, or (…, K, K) for a matrix.
    """

    @staticmethod
    def forward(ctx: Any, written: Tensor, a: Tensor | None, state: Tensor) -> tuple[Tensor, Tensor]:
        states = written.new_empty(len(written) + 1, *state.shape)
        states[0] = state
        for n in range(len(written)):
            _multiplied(None if a is None else a[n], states[n], written[n], out=states[n + 1])
        ctx.save_for_backward(a, states)
        return states[:-1], states[-1].clone()

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, Tensor | None, Tensor]:
        a, states = ctx.saved_tensors
        before, behind = gradients
        found = torch.empty_like(states)
        found[-1] = behind
        for n in range(len(before) - 1, -1, -1):
            _multiplied(
                None if a is None else a[n].mT if a.shape[-1] > 1 else a[n], found[n + 1], before[n], out=found[n]
            )
        learned = None
        if a is not None and ctx.needs_input_grad[1]:
            if a.shape[-1] > 1:
                learned = found[1:] @ states[:-1].mT
            else:
                learned = (found[1:] * states[:-1]).sum(-1, keepdim=True).sum_to_size(a.shape)
        return found[1:], learned, found[0]


def _multiplied(a: Tensor | None, state: Tensor, added: Tensor, *, out: Tensor) -> None:
    if a is None:
        torch.add(state, added, out=out)
    elif a.shape[-1] == 1:
        torch.addcmul(added, a, state, out=out)
    else:
        torch.baddbmm(added.flatten(0, 1), a.flatten(0, 1), state.flatten(0, 1), out=out.flatten(0, 1))


def _kernel_of_decay(v: Tensor, log_decay: Tensor | None, bonus: Tensor | None) -> Any:
    if v.dtype == torch.float64:
        return None
    if bonus is not None:
        return fast_kernel(v, "fla.ops.rwkv6", "chunk_rwkv6")
    if log_decay is not None and log_decay.dim() == 4:
        return fast_kernel(v, "fla.ops.gla", "chunk_gla")
    return fast_kernel(v, "fla.ops.simple_gla", "chunk_simple_gla")


def _kernel_of_delta(k: Tensor, v: Tensor, log_decay: Tensor | None) -> Any:
    if v.dtype not in (torch.float16, torch.bfloat16) or k.shape[-1] > KEY_OF_KERNEL:  # the kernel refuses others
        return None
    if log_decay is None:
        return fast_kernel(v, "fla.ops.delta_rule", "chunk_delta_rule")
    return fast_kernel(v, "fla.ops.gated_delta_rule", "chunk_gated_delta_rule")
