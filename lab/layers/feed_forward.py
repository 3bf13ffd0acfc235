"""The position-wise feed-forward layer, plain or gated."""

from __future__ import annotations

from typing import Literal

import torch.nn.functional as F
from torch import Tensor, nn

from lab.api import Slot
from lab.layers.initial import GPT_2, Initialisation
from lab.layers.mixers import ChannelMixer

Activation = Literal["relu", "relu2", "gelu", "gelu-tanh", "silu"]


class FeedForward(ChannelMixer):
    """W₂ f(W₁ x), or gated W₂ (f(W_g x) ⊙ W₁ x): SwiGLU with f = silu (Shazeer 2020, eq. 5 and 6).

    Args:
        slot: Where it sits.
        hidden: Units; None means 4 C, and 2/3 of that when gated, so that both forms have the same parameters.
        activation: f; "gelu" is exact, "gelu-tanh" GPT-2's approximation, "relu2" is max(x, 0)² (So et al. 2021).
        gated: Whether there is a gate.
        bias: Whether the projections have one.
        initialisation: How the weights begin.
    """

    def __init__(
        self,
        slot: Slot,
        *,
        hidden: int | None = None,
        activation: Activation = "gelu",
        gated: bool = False,
        bias: bool = False,
        initialisation: Initialisation = GPT_2,
    ) -> None:
        super().__init__()
        units = hidden or (8 * slot.width // 3 if gated else 4 * slot.width)
        parts = 2 if gated else 1  # gated: gate, then value
        self.activation, self.gated = activation, gated
        self.inner = nn.Linear(slot.width, parts * units, bias=bias)
        self.outer = nn.Linear(units, slot.width, bias=bias)
        initialisation.linear(self.inner, slot.width, [units] * parts)
        initialisation.linear(self.outer, slot.width, layers=slot.layers)

    def forward(self, x: Tensor) -> Tensor:
        """(B, T, C) -> (B, T, C)."""
        units = activated(self.inner(x), self.activation, gated=self.gated)
        units = self.hook_point("units", units, ("batch", "token", "unit"))
        self.report("activation", units, axes=("batch", "token", "unit"))
        return self.outer(units)  # type: ignore[no-any-return]


def activated(x: Tensor, activation: Activation, *, gated: bool) -> Tensor:
    """f(x); where there is a gate, of the first half along the last axis, times the second half."""
    if gated:
        gate, value = x.chunk(2, dim=-1)
        return activated(gate, activation, gated=False) * value
    if activation == "gelu":
        return F.gelu(x)
    if activation == "gelu-tanh":
        return F.gelu(x, approximate="tanh")
    if activation == "silu":
        return F.silu(x)
    return F.relu(x).square() if activation == "relu2" else F.relu(x)
