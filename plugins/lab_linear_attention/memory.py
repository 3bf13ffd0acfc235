"""Memories with one matrix per head: what the mixers of this plugin share, and their form as a map of positions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lab.api import Role, Slot, State
from lab.layers import (
    Initialisation,
    ShortConvolution,
    TokenMixer,
    decayed_attention,
    delta_attention,
    full_precision,
    half_life,
)

if TYPE_CHECKING:
    from lab_linear_attention.settings import MemorySettings, Shapes

NORMAL = Initialisation()
"""Initialisation of projections."""


def wide(x: Tensor) -> Tensor:
    """Return a tensor in float32 or wider."""
    return x.to(torch.promote_types(x.dtype, torch.float32))


def by_head(x: Tensor, heads: int) -> Tensor:
    """Return (…, H · D) -> (…, H, D)."""
    return x.view(*x.shape[:-1], heads, -1)


@dataclass(frozen=True)
class Read:
    """The inputs that a memory gets from T tokens. B batch, H heads, K channels of a key, V of a value.

    S_t = diag(a_t) S_{t−1} + k_t v_tᵀ, or with the delta rule a_t (I − β_t k_t k_tᵀ) S_{t−1} + β_t k_t v_tᵀ; the
    output is o_t = S_tᵀ q_t.

    Args:
        q: Queries (B, T, H, K).
        k: Keys (B, T, H, K).
        v: Values (B, T, H, V).
        log_decay: ln a_t, (B, T, H) or (B, T, H, K); None for a = 1.
        beta: Write strengths (B, T, H) of the delta rule; None for plain sums.
        bonus: u (H, K), for o_t = (S_{t−1} + diag(u) k_t v_tᵀ)ᵀ q_t; None for o_t = S_tᵀ q_t.
        gate: The gate of the outputs before SiLU, (B, T, H V); None for no gate.
    """

    q: Tensor
    k: Tensor
    v: Tensor
    log_decay: Tensor | None = None
    beta: Tensor | None = None
    bonus: Tensor | None = None
    gate: Tensor | None = None

    def through(self, memory: Tensor) -> tuple[Tensor, Tensor]:
        """Return the outputs (B, T, H, V) of these tokens after a memory (B, H, K, V), and the memory after them."""
        v = wide(self.v) if self.v.dtype == torch.float16 else self.v  # a sum over tokens may overflow
        if self.beta is not None:
            return delta_attention(self.q, self.k, v, self.beta, self.log_decay, memory)
        return decayed_attention(self.q, self.k, v, self.log_decay, memory, bonus=self.bonus)

    def apart(self) -> tuple[Read, Tensor | None]:
        """Return what is read of the memory that earlier tokens left, and diag(u) k_t v_tᵀ that bypasses it, read by q.

        The second is (B, T, H, V), or None without a bonus: then all is read of the memory.
        """
        if self.bonus is None:
            return self, None
        q, k, v = wide(self.q), wide(self.k), wide(self.v)
        own = (q * wide(self.bonus) * k).sum(dim=-1, keepdim=True) * v
        return replace(self, bonus=torch.zeros_like(self.bonus)), own.to(self.v.dtype)

    def weights(self) -> Tensor:
        """Return the weights (B, H, query, key) of the quadratic form o = weights · v, from an empty memory."""
        q, k = wide(self.q).transpose(1, 2), wide(self.k).transpose(1, 2)  # (B, H, T, K)
        if self.beta is not None:
            beta = wide(self.beta).transpose(1, 2)  # (B, H, T)
            written = beta[..., None] * self._scores(k, k, before=True)
            # u = β v − written · u is what is really written: the value less what the key already reads
            system = written + torch.eye(q.shape[2], dtype=q.dtype, device=q.device)
            read = self._scores(q, k, before=False)
            solved = torch.linalg.solve_triangular(system, read, upper=False, left=False, unitriangular=True)
            weights: Tensor = solved * beta[..., None, :]
            return weights
        if self.bonus is None:
            return self._scores(q, k, before=False)
        own = (q * wide(self.bonus)[:, None] * k).sum(dim=-1)
        return self._scores(q, k, before=True, decayed=False) + own.diag_embed()

    def _scores(self, q: Tensor, k: Tensor, *, before: bool, decayed: bool = True) -> Tensor:
        """Return q_t · D k_s for s ≤ t or s < t; D is the decay from s to t, or to t − 1 if not `decayed`."""
        T = q.shape[2]
        hidden = ~torch.ones(T, T, dtype=torch.bool, device=q.device).tril(-1 if before else 0)
        if self.log_decay is None:
            return (q @ k.mT).masked_fill(hidden, 0)
        a = wide(self.log_decay).transpose(1, 2)
        a = a[..., None] if a.ndim == 3 else a  # (B, H, T, 1 or K)
        written = a.cumsum(dim=2)
        read = written if decayed else written - a

        def decays(channel: int) -> Tensor:
            exponent = read[..., :, None, channel] - written[..., None, :, channel]
            return exponent.masked_fill(hidden, float("-inf")).exp()

        if a.shape[-1] == 1:
            return (q @ k.mT) * decays(0)
        scores = torch.zeros_like(decays(0))
        for channel in range(a.shape[-1]):
            scores = scores + q[..., :, None, channel] * k[..., None, :, channel] * decays(channel)
        return scores


class Memory(TokenMixer):
    """A mixer whose state is a matrix (K, V) per head. A subclass computes the inputs of the memory in `read`.

    Args:
        slot: Its slot in the stack; slot.config gives the shapes of the state.
        norm: The norm of each head's output.
        values: Channels of a value in each head.
    """

    def __init__(self, slot: Slot, norm: nn.Module, values: int) -> None:
        super().__init__()
        self.heads: int = slot.config.heads
        self.carried: Shapes = slot.config.carried(slot.width)
        self.norm = norm
        self.output = nn.Linear(self.heads * values, slot.width, bias=False)
        NORMAL.linear(self.output, slot.width, layers=slot.layers)

    def read(self, x: Tensor, state: dict[str, Any]) -> tuple[Read, dict[str, Any]]:
        """Return what the heads read from (B, T, C) after a state, and the next state without the memory."""
        raise NotImplementedError

    def start(self, batch: int) -> State:
        """Return zeros in float32 or wider, by name."""
        kind = torch.promote_types(self.output.weight.dtype, torch.float32)
        return {name: self.output.weight.new_zeros(batch, *shape, dtype=kind) for name, shape in self.carried.items()}

    def extend(self, x: Tensor, state: State) -> tuple[Tensor, State]:
        """Read (B, T, C) more tokens -> (B, T, C) and the new state."""
        read, after = self.read(x, state)
        self.report_read(read)
        read, own = read.apart() if self._edits else (read, None)
        o, memory = read.through(state["memory"])
        return self.output(self.written(o, read.gate, own).to(x.dtype)), {**after, "memory": memory}

    def written(self, o: Tensor, gate: Tensor | None, own: Tensor | None = None) -> Tensor:
        """Return the outputs of the heads, normalised and gated, (B, T, H V).

        Args:
            o: (B, T, H, V).
            gate: As in Read.
            own: (B, T, H, V), what bypassed the memory and is not in o yet; None if nothing did.
        """
        if self._edits:
            o = self.hook_point("channels", o.flatten(-2), ("batch", "token", "channel")).view(o.shape)
            o = o if own is None else o + own
        y: Tensor = self.hook_point("heads", self.norm(o), ("batch", "token", "head", "unit")).flatten(-2)
        return y if gate is None else y * F.silu(gate)

    def log_decay_of(self, read: Read) -> Tensor | None:
        """Return the logarithm of the share of the memory that each token retains; None if nothing decays."""
        return read.log_decay

    def mixing_map(self, x: Tensor) -> Tensor:
        """Return the weight of each key's value for each query, before the norm: (B, head, query, key)."""
        return self.read(x, self.start(len(x)))[0].weights()

    def eigenvalues(self, x: Tensor) -> Tensor:
        """Return the eigenvalues of the matrix that a token multiplies the state by, (n,) complex.

        With the delta rule: the eigenvalue along the key, for each token and head; otherwise that of each head or
        channel of the key, averaged over tokens.
        """
        read, _ = self.read(x, self.start(len(x)))
        log_decay = self.log_decay_of(read)
        decays = torch.ones_like(wide(read.q[..., 0])) if log_decay is None else wide(log_decay).exp()
        if read.beta is None:
            decays = decays.mean(dim=(0, 1))
        else:
            decays = decays * (1 - wide(read.beta) * wide(read.k).square().sum(dim=-1))
        return decays.flatten().to(torch.complex64 if decays.dtype == torch.float32 else torch.complex128)

    def report_read(self, read: Read) -> None:
        """Report decays with their half-lives, and write strengths, where they exist."""
        log_decay, beta = self.log_decay_of(read), read.beta
        if log_decay is not None:
            axes = ("batch", "token", "head" if log_decay.ndim == 3 else "channel")
            self.report("decay", lambda: log_decay.exp().flatten(2), axes=axes)
            self.report("half-life", lambda: half_life(log_decay).flatten(2), axes=axes, units="tokens")
        if beta is not None:
            self.report("write strength", lambda: beta, axes=("batch", "token", "head"))


class Projected(Memory):
    """A memory whose queries, keys and values are one projection of the token, with an optional short convolution.

    Args:
        slot: Its slot in the stack; slot.config is a MemorySettings.
        norm: The norm of each head's output.
        kernel: Tokens of the convolution; 0 for none.
        activation: The nonlinearity after the convolution, or after the projection if there is none.
        gated: Whether the output is gated.
    """

    def __init__(
        self,
        slot: Slot,
        norm: nn.Module,
        *,
        kernel: int = 0,
        activation: Literal["silu", "none"] = "none",
        gated: bool = False,
    ) -> None:
        settings: MemorySettings = slot.config
        keys, values = settings.widths(slot.width)
        super().__init__(slot, norm, values)
        self.rows = [self.heads * keys, self.heads * keys, self.heads * values]
        self.project = nn.Linear(slot.width, sum(self.rows), bias=False)
        self.gate = nn.Linear(slot.width, self.heads * values, bias=False) if gated else None
        self.activation = activation
        self.convolution = (
            ShortConvolution(sum(self.rows), kernel, bias=False, activation=activation) if kernel else None
        )
        NORMAL.linear(self.project, slot.width, self.rows)
        if self.gate is not None:
            NORMAL.linear(self.gate, slot.width)

    def projected(self, x: Tensor, state: dict[str, Any]) -> tuple[Iterator[Tensor], dict[str, Any]]:
        """Return (B, T, C) -> queries, keys and values, (B, T, H, …) each, and the state of the convolution."""
        joined, after = self.project(x), {}
        if self.convolution is not None:
            joined, after["convolution"] = self.convolution(joined, state["convolution"])
        elif self.activation == "silu":
            joined = F.silu(joined)
        return (by_head(part, self.heads) for part in joined.split(self.rows, dim=-1)), after

    def gated(self, x: Tensor) -> Tensor | None:
        """Return the gate of the output before SiLU, (B, T, H V); None without a gate."""
        return None if self.gate is None else self.gate(x)


class HeadNorm(nn.Module):
    """A norm of each head's output on its own, with a gain (and bias) for each channel.

    Args:
        heads: H.
        width: V.
        centred: Whether the mean is subtracted, as a group norm of H groups does (Wu & He 2018).
        bias: Whether there is a bias.
        eps: Added under the root.
    """

    roles: Mapping[str, Role] = {"weight": "norm", "bias": "norm"}

    def __init__(self, heads: int, width: int, *, centred: bool = False, bias: bool = False, eps: float = 1e-5) -> None:
        super().__init__()
        self.heads, self.width, self.centred, self.eps = heads, width, centred, eps
        self.weight = nn.Parameter(torch.ones(heads * width))
        self.bias = nn.Parameter(torch.zeros(heads * width)) if bias else None

    def forward(self, o: Tensor) -> Tensor:
        """Return (B, T, H, V) -> (B, T, H, V)."""
        with full_precision(o):
            shape = (self.width,)
            y = F.layer_norm(wide(o), shape, eps=self.eps) if self.centred else F.rms_norm(wide(o), shape, eps=self.eps)
            y = y * by_head(self.weight, self.heads)
            if self.bias is not None:
                y = y + by_head(self.bias, self.heads)
            return y.to(o.dtype)
