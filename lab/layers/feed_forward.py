"""The position-wise feed-forward layer, plain or gated."""

from __future__ import annotations

import math
from typing import Literal

import torch.nn.functional as F
from torch import Tensor, nn

from lab.api import Slot
from lab.layers.mixers import ChannelMixer

Activation = Literal["gelu", "gelu_tanh", "relu", "silu"]


class FeedForward(ChannelMixer):
    """W₂ f(W₁ x), or gated W₂ (f(W_g x) ⊙ W₁ x): SwiGLU with f = silu (Shazeer 2020, eq. 5 and 6).

    Args:
        slot: Where it sits.
        hidden: Units; None means 4 C, and 2/3 of that when gated, so that both forms have the same parameters.
        activation: f; "gelu" is exact, "gelu_tanh" GPT-2's approximation.
        gated: Whether there is a gate.
        bias: Whether the projections have one.
    """

    def __init__(
        self,
        slot: Slot,
        *,
        hidden: int | None = None,
        activation: Activation = "gelu",
        gated: bool = False,
        bias: bool = False,
    ) -> None:
        super().__init__()
        units = hidden or (8 * slot.width // 3 if gated else 4 * slot.width)
        self.activation, self.gated = activation, gated
        self.inner = nn.Linear(slot.width, 2 * units if gated else units, bias=bias)  # gated: gate, then value
        self.outer = nn.Linear(units, slot.width, bias=bias)
        nn.init.normal_(self.inner.weight, std=0.02)
        nn.init.normal_(self.outer.weight, std=0.02 / math.sqrt(2 * slot.layers))
        for linear in (self.inner, self.outer):
            if linear.bias is not None:
                nn.init.zeros_(linear.bias)

    def forward(self, x: Tensor) -> Tensor:
        """(B, T, C) -> (B, T, C)."""
        units = self.inner(x)
        if self.gated:
            gate, value = units.chunk(2, dim=-1)
            units = self._activate(gate) * value
        else:
            units = self._activate(units)
        self.report("activation", units, axes=("batch", "token", "unit"))
        return self.outer(units)  # type: ignore[no-any-return]

    def _activate(self, x: Tensor) -> Tensor:
        if self.activation == "gelu_tanh":
            return F.gelu(x, approximate="tanh")
        if self.activation == "gelu":
            return F.gelu(x)
        return F.relu(x) if self.activation == "relu" else F.silu(x)
