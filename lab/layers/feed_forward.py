"""The position-wise feed-forward layer, plain or gated."""

from __future__ import annotations

from torch import Tensor, nn

from lab.api import GATED_ACTIVATIONS, Slot
from lab.layers.activations import Activation, activate
from lab.layers.initial import GPT_2, Initialisation
from lab.layers.mixers import ChannelMixer


class FeedForward(ChannelMixer):
    """The layer W₂ f(W₁ x), or gated W₂ (f(W_g x) ⊙ W₁ x): SwiGLU with f = silu (Shazeer 2020, eq. 5 and 6).

    Args:
        slot: Its position in the stack.
        hidden: Units; None means 4 C, or 2/3 of that with a gate, so that both forms have as many parameters.
        activation: f, a name in ACTIVATIONS; those in lab.api.GATED_ACTIVATIONS have a gate.
        bias: Whether the projections have a bias.
        initialisation: The initial weights.
    """

    def __init__(
        self,
        slot: Slot,
        *,
        hidden: int | None = None,
        activation: Activation = "gelu",
        bias: bool = False,
        initialisation: Initialisation = GPT_2,
    ) -> None:
        super().__init__()
        units = hidden or (8 * slot.width // 3 if activation in GATED_ACTIVATIONS else 4 * slot.width)
        parts = 2 if activation in GATED_ACTIVATIONS else 1  # gate, then value
        self.activation = activation
        self.inner = nn.Linear(slot.width, parts * units, bias=bias)
        self.outer = nn.Linear(units, slot.width, bias=bias)
        self.part_names = {"inner": {"gate": units, "up": units} if parts == 2 else "up"}
        initialisation.linear(self.inner, slot.width, [units] * parts)
        initialisation.linear(self.outer, slot.width, layers=slot.layers)

    def forward(self, x: Tensor) -> Tensor:
        """Apply the layer, (B, T, C) -> (B, T, C)."""
        units = activate(self.inner(x), self.activation)
        units = self.hook_point("units", units, ("batch", "token", "unit"))
        self.report("activation", units, axes=("batch", "token", "unit"))
        return self.outer(units)  # type: ignore[no-any-return]
