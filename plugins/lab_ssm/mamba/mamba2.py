"""Mamba-2: state space duality, a recurrence with one decay for each head, computed in chunks (Dao & Gu 2024)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lab.api import Role, Slot, State, Task
from lab.layers import (
    ResidualStack,
    RMSNorm,
    ShortConvolution,
    TokenMixer,
    decayed_attention,
    fast_kernel,
    full_precision,
    half_life,
)
from lab_ssm.mamba.mamba import init_projections, init_step_sizes

if TYPE_CHECKING:
    from lab_ssm.mamba.cards import Mamba2Config

DECAY_RATES = (1.0, 16.0)
"""Range of the initial −A, drawn uniformly, as in the authors' code."""
CHUNK = 256
"""Tokens that the CUDA kernel computes at once."""


class RecurrenceInputs(NamedTuple):
    """The inputs of the recurrence. H heads of P channels, G groups of heads with N states.

    Args:
        x: Its input (B, T, H, P), after the convolution.
        dt: Step sizes (B, T, H), in float32 or wider.
        B: The write vectors of the state (B, T, G, N).
        C: The read vectors of the state (B, T, G, N).
    """

    x: Tensor
    dt: Tensor
    B: Tensor
    C: Tensor


class Mamba2(TokenMixer):
    """Linear attention with decay between a short convolution and a gated norm.

    S_t = exp(Δ_t A) S_{t−1} + B_t (Δ_t x_t)ᵀ and y_t = S_tᵀ C_t + D x_t for each head, A and D one number each
    (sections 3 and 7). It is computed as attention with queries C, keys B and values Δ x (section 5).
    """

    roles: Mapping[str, Role] = {"A_log": "recurrence", "dt_bias": "recurrence"}

    def __init__(self, slot: Slot) -> None:
        super().__init__()
        config, self.inner = slot.config, slot.config.expand * slot.width
        self.heads, self.groups, self.states = config.heads_of(slot.width), config.groups, config.state
        self.limits = config.step_least, config.step_most or math.inf
        read = self.inner + 2 * self.groups * self.states
        self.project = nn.Linear(slot.width, self.inner + read + self.heads, bias=config.bias)  # gate | x, B, C | Δ
        self.convolution = ShortConvolution(read, config.convolution, bias=config.conv_bias, activation="silu")
        self.A_log = nn.Parameter(torch.empty(self.heads).uniform_(*DECAY_RATES).log())
        self.D = nn.Parameter(torch.ones(self.heads))
        self.dt_bias = nn.Parameter(torch.empty(self.heads))
        self.norm = GatedNorm(self.inner, self.groups, config.norm_epsilon)
        self.output = nn.Linear(self.inner, slot.width, bias=config.bias)
        init_step_sizes(self.dt_bias, config.step_min, config.step_max)
        init_projections(self.project, self.output, slot.layers)

    def forward(self, x: Tensor) -> Tensor:
        """Return (B, T, C) -> (B, T, C)."""
        return self._mix(x, None, None)[0]

    def start(self, batch: int) -> State:
        """Return zeros: the last inputs of the convolution (B, kernel − 1, …), and S (B, H, N, P), float32 or wider."""
        state = self.rates.new_zeros(batch, self.heads, self.states, self.inner // self.heads)
        return {"recent": self.convolution.start(batch), "state": state}

    def extend(self, x: Tensor, state: State) -> tuple[Tensor, State]:
        """Read (B, T, C) more tokens -> (B, T, C) and the new state, as large as the old."""
        return self._mix(x, state["recent"], state["state"])

    @property
    def rates(self) -> Tensor:
        """A (H,), below 0, in float32 or wider."""
        return -self.A_log.to(torch.promote_types(self.A_log.dtype, torch.float32)).exp()

    def recurrence_inputs(self, x: Tensor) -> RecurrenceInputs:
        """Return the inputs of the recurrence for a text (B, T, C) read from its start."""
        _, read, dt = self._projected(x)
        return self._recurrence_inputs(self.convolution(read)[0], dt)

    def mixing_map(self, x: Tensor) -> Tensor:
        """Return L ∘ (C Bᵀ) with Δ (section 5.1), the map of x without D x: (B, T, C) -> (B, H, query, key)."""
        _, dt, B, C = self.recurrence_inputs(x)
        with full_precision(x):
            g = (dt * self.rates).cumsum(dim=1).transpose(1, 2)  # (B, H, T)
            later = torch.ones(g.shape[-1], g.shape[-1], dtype=torch.bool, device=g.device).triu(1)
            L = (g[..., :, None] - g[..., None, :]).masked_fill(later, -math.inf).exp()
            scores = torch.einsum("btgn,bsgn->bgts", C.to(dt.dtype), B.to(dt.dtype))
            return L * self._for_heads(scores, 1) * dt.transpose(1, 2)[:, :, None]

    def eigenvalues(self, x: Tensor) -> Tensor:
        """Return each head's decay per token, averaged over the tokens: complex (H,)."""
        mean = (self.recurrence_inputs(x).dt * self.rates).exp().mean(dim=(0, 1))
        return torch.complex(mean, torch.zeros_like(mean))

    def _mix(self, x: Tensor, recent: Tensor | None, state: Tensor | None) -> tuple[Tensor, State]:
        gate, read, dt = self._projected(x)
        read, recent = self.convolution(read, recent)
        recurrence_inputs = self._recurrence_inputs(read, dt)
        self._report(recurrence_inputs)
        with full_precision(x):
            y, state = self._recur(recurrence_inputs, state)
        y = self.hook_point("heads", y, ("batch", "token", "head", "unit"))
        return self.output(self.norm(y.flatten(2), gate)), {"recent": recent, "state": state}

    def _projected(self, x: Tensor) -> tuple[Tensor, ...]:
        read = self.convolution.weight.shape[0]
        return torch.split(self.project(x), [self.inner, read, self.heads], dim=-1)

    def _recurrence_inputs(self, read: Tensor, dt: Tensor) -> RecurrenceInputs:
        grouped = self.groups * self.states
        x, B, C = torch.split(read, [self.inner, grouped, grouped], dim=-1)
        wide = self.rates.dtype
        with full_precision(read):  # a step size is an exponent
            dt = F.softplus(dt.to(wide) + self.dt_bias.to(wide)).clamp(*self.limits)
        B, C = (each.view(*each.shape[:2], self.groups, self.states) for each in (B, C))
        return RecurrenceInputs(x.view(*x.shape[:2], self.heads, -1), dt, B, C)

    def _recur(self, recurrence_inputs: RecurrenceInputs, state: Tensor | None) -> tuple[Tensor, Tensor]:
        """Return the output (B, T, H, P) and the state after it."""
        x, dt, B, C = recurrence_inputs
        kernel = fast_kernel(x, "mamba_ssm.ops.triton.ssd_combined", "mamba_chunk_scan_combined")
        if kernel is not None and not self._edits and x.shape[1] > 1 and dt.dtype == torch.float32:
            before = None if state is None else state.transpose(2, 3).contiguous()  # channels before states
            options = {"chunk_size": CHUNK, "D": self.D.float(), "initial_states": before, "return_final_states": True}
            y, after = kernel(x, dt, self.rates, B, C, **options)
            return y, after.float().transpose(2, 3)
        wide = x.to(dt.dtype)
        q, k = self._for_heads(C, 2), self._for_heads(B, 2)
        y, after = decayed_attention(q, k, wide * dt[..., None], dt * self.rates, state)
        if self._edits:  # they act on what the state gives, and D x bypasses it
            y = self.hook_point("channels", y.flatten(2), ("batch", "token", "channel")).view(y.shape)
        return y + wide * self.D.to(dt.dtype)[:, None], after

    def _for_heads(self, x: Tensor, dim: int) -> Tensor:
        """Return x with one entry for each head instead of each group, along `dim`."""
        return x.repeat_interleave(self.heads // self.groups, dim=dim)

    def _report(self, recurrence_inputs: RecurrenceInputs) -> None:
        """Report step sizes, decays, B and C; the groups one after the other."""
        _, dt, B, C = recurrence_inputs
        heads, states = ("batch", "token", "head"), ("batch", "token", "state")
        self.report("step size", dt, axes=heads)
        self.report("decay", lambda: (dt * self.rates).exp(), axes=heads)
        self.report("half-life", lambda: half_life(dt * self.rates), axes=heads, units="tokens")
        self.report("B", lambda: B.flatten(2), axes=states)
        self.report("C", lambda: C.flatten(2), axes=states)


class GatedNorm(nn.Module):
    """RMSNorm of y · silu(gate), for each group of channels (section 7.1), in float32 or wider.

    Args:
        channels: D.
        groups: G.
        eps: ε.
    """

    roles: Mapping[str, Role] = {"weight": "norm"}

    def __init__(self, channels: int, groups: int, eps: float) -> None:
        super().__init__()
        self.groups, self.eps = groups, eps
        self.weight = nn.Parameter(torch.ones(channels))

    def forward(self, y: Tensor, gate: Tensor) -> Tensor:
        """Return (B, T, D), gated by (B, T, D) and normalised, in the gate's dtype."""
        with full_precision(y):
            wide = torch.promote_types(y.dtype, torch.float32)
            gated = (y.to(wide) * F.silu(gate.to(wide))).view(*y.shape[:2], self.groups, -1)
            normed = F.rms_norm(gated, gated.shape[-1:], None, self.eps).flatten(-2)
            return (normed * self.weight.to(wide)).to(gate.dtype)


def build_mamba2(config: Mamba2Config, task: Task) -> ResidualStack:
    """Return a stack of Mamba-2 layers, without feed-forward layers between them."""
    return ResidualStack(
        config,
        task,
        token_mixer=Mamba2,
        channel_mixer=None,
        norm=partial(RMSNorm, eps=config.norm_epsilon),
        tie=config.tie,
    )
