"""Linear attention, retention and gated linear attention, and the stacks of these and of the plugin's other mixers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lab.api import Slot, State, Task
from lab.layers import FeedForward, LayerNorm, Make, ResidualStack, RMSNorm, Rotary, full_precision, half_life, rotate
from lab_linear_attention.delta import DeltaNet, GatedDeltaNet
from lab_linear_attention.features import LOWEST, feature_map
from lab_linear_attention.memory import NORMAL, HeadNorm, Projected, Read, by_head, wide

if TYPE_CHECKING:
    from lab_linear_attention.settings import (
        DeltaNetConfig,
        GatedDeltaNetConfig,
        GLAConfig,
        GLASettings,
        LinearAttentionConfig,
        LinearAttentionSettings,
        RetNetConfig,
        RetNetSettings,
    )

LEAST = 1e-6
"""Smallest normaliser: as a sum of products that are not negative it may be zero or nearly so."""


class LinearAttention(Projected):
    """o_t = φ(q_t)ᵀ S_t / φ(q_t)ᵀ z_t, S_t and z_t the sums of φ(k_s) v_sᵀ and of φ(k_s) (Katharopoulos et al. 2020).

    z is one more column of S, for a value of 1. Without a normaliser ("identity") queries are divided by √K and outputs
    normalised per head (Sun et al. 2023). The feature map contains all other scales of queries and keys.

    Args:
        slot: Its slot in the stack; slot.config is a LinearAttentionSettings.
    """

    def __init__(self, slot: Slot) -> None:
        settings: LinearAttentionSettings = slot.config
        keys, values = settings.widths(slot.width)
        self.normalised = settings.normalised
        norm = nn.Identity() if settings.normalised else HeadNorm(settings.heads, values)
        super().__init__(slot, norm, kernel=settings.convolution)
        self.features = feature_map(settings, keys, slot.layer)

    def start(self, batch: int) -> State:
        """Return the state before the first token; the greatest exponent starts very low."""
        state: dict[str, Tensor] = super().start(batch)
        if "greatest" in state:
            state["greatest"] = torch.full_like(state["greatest"], LOWEST)
        return state

    def read(self, x: Tensor, state: dict[str, Any]) -> tuple[Read, dict[str, Any]]:
        """Return features of queries and keys, and values; their decay only keeps numbers in range."""
        (q, k, v), after = self.projected(x, state)
        with full_precision(x):
            q, k, v = wide(q), wide(k), wide(v)
            q, k, scaled, greatest = self.features(q, k, state.get("greatest"))
            if greatest is not None:
                after["greatest"] = greatest
            if not self.normalised:
                return Read(q / q.shape[-1] ** 0.5, k, v), after
            return Read(q, k, torch.cat([v, torch.ones_like(v[..., :1])], dim=-1), scaled), after

    def written(self, o: Tensor, gate: Tensor | None, own: Tensor | None = None) -> Tensor:
        """Return the outputs of the heads, divided by the normaliser: (B, T, H V)."""
        return super().written(o[..., :-1] / o[..., -1:].clamp(min=LEAST) if self.normalised else o, gate, own)

    def mixing_map(self, x: Tensor) -> Tensor:
        """Return the map of positions; the weights of a query sum to 1."""
        weights = super().mixing_map(x)
        return weights / weights.sum(dim=-1, keepdim=True).clamp(min=LEAST) if self.normalised else weights

    def log_decay_of(self, read: Read) -> Tensor | None:
        """Return None: nothing is forgotten, since the weights undo the scaling of `Exponential`."""
        del read
        return None


class Retention(Projected):
    """S_t = γ_h S_{t−1} + k_t v_tᵀ with a fixed γ_h = 1 − 2^(−5−h) for each head h (Sun et al. 2023, eq. 5 to 8).

    Queries and keys are rotated by their positions, queries are divided by √K, and each head's output is normalised on
    its own and gated.

    Args:
        slot: Its slot in the stack; slot.config is a RetNetSettings.
    """

    def __init__(self, slot: Slot) -> None:
        settings: RetNetSettings = slot.config
        _, values = settings.widths(slot.width)
        super().__init__(slot, HeadNorm(settings.heads, values, centred=True), gated=True)
        self.rotary = Rotary(base=settings.rotary_base)
        self.exponent = settings.decay_exponent

    def start(self, batch: int) -> State:
        """Return the state before the first token, with the position."""
        return {**super().start(batch), "position": 0}

    def read(self, x: Tensor, state: dict[str, Any]) -> tuple[Read, dict[str, Any]]:
        """Return rotated queries and keys, values, and the decay of each head."""
        (q, k, v), _ = self.projected(x, state)
        position = state["position"]
        q, k = (rotate(part.transpose(1, 2), position, self.rotary).transpose(1, 2) for part in (q, k))
        log_decay = self.log_decays(v).expand(v.shape[:3])
        read = Read(q / q.shape[-1] ** 0.5, k, v, log_decay, gate=self.gated(x))
        return read, {"position": position + x.shape[1]}

    def log_decays(self, like: Tensor) -> Tensor:
        """Return the logarithm of the share that each head retains per token, (H,)."""
        kind = torch.promote_types(like.dtype, torch.float32)
        return torch.log1p(-(2 ** (-self.exponent - torch.arange(self.heads, dtype=kind, device=like.device))))

    def report_read(self, read: Read) -> None:
        """Report the decays, the same for all tokens."""
        decays = self.log_decays(read.v)
        self.report("decay", decays.exp, axes=("head",))
        self.report("half-life", lambda: half_life(decays), axes=("head",), units="tokens")


class GatedLinearAttention(Projected):
    """S_t = diag(a_t) S_{t−1} + k_t v_tᵀ with gates a_t = σ(W_2 W_1 x_t + b)^(1/τ) (Yang et al. 2024a).

    There is a gate for each channel of the key. Queries are divided by √K; each head's output is normalised on its own
    and gated.

    Args:
        slot: Its slot in the stack; slot.config is a GLASettings.
    """

    def __init__(self, slot: Slot) -> None:
        settings: GLASettings = slot.config
        keys, values = settings.widths(slot.width)
        norm = HeadNorm(settings.heads, values)
        kernel = settings.convolution
        super().__init__(slot, norm, kernel=kernel, activation="silu" if kernel else "none", gated=True)
        self.divisor = settings.gate_divisor
        self.narrow = nn.Linear(slot.width, settings.gate_rank, bias=False)
        self.decays = nn.Linear(settings.gate_rank, settings.heads * keys)
        NORMAL.linear(self.narrow, slot.width)
        NORMAL.linear(self.decays, slot.width)

    def read(self, x: Tensor, state: dict[str, Any]) -> tuple[Read, dict[str, Any]]:
        """Return queries, keys and values, and the decay of each channel."""
        (q, k, v), after = self.projected(x, state)
        log_decay = by_head(F.logsigmoid(wide(self.decays(self.narrow(x)))), self.heads) / self.divisor
        return Read(q / q.shape[-1] ** 0.5, k, v, log_decay, gate=self.gated(x)), after


def linear_attention(config: LinearAttentionConfig, task: Task) -> ResidualStack:
    """Return a stack of linear attention and feed-forward layers, with LayerNorm."""
    return _stack(config, task, LinearAttention, LayerNorm, positions=config.positions)


def retnet(config: RetNetConfig, task: Task) -> ResidualStack:
    """Return a stack of retention and feed-forward layers, with LayerNorm."""
    return _stack(config, task, Retention, LayerNorm)


def gla(config: GLAConfig, task: Task) -> ResidualStack:
    """Return a stack of gated linear attention and feed-forward layers, with RMSNorm."""
    return _stack(config, task, GatedLinearAttention, RMSNorm)


def deltanet(config: DeltaNetConfig, task: Task) -> ResidualStack:
    """Return a stack of delta rule and feed-forward layers, with RMSNorm."""
    return _stack(config, task, DeltaNet, RMSNorm)


def gated_deltanet(config: GatedDeltaNetConfig, task: Task) -> ResidualStack:
    """Return a stack of gated delta rule and feed-forward layers, with RMSNorm."""
    return _stack(config, task, GatedDeltaNet, RMSNorm)


def _stack(config: Any, task: Task, mixer: Make, norm: Make, **options: Any) -> ResidualStack:
    def feed_forward(slot: Slot) -> FeedForward:
        return FeedForward(slot, hidden=config.hidden, activation=config.feed_forward)

    channel = None if config.feed_forward == "none" else feed_forward
    return ResidualStack(config, task, token_mixer=mixer, channel_mixer=channel, norm=norm, tie=config.tie, **options)
