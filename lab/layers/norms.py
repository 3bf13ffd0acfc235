"""Normalisations, made from a Slot as every part of a stack is. The epsilon is always explicit."""

from __future__ import annotations

from torch import Tensor, nn

from lab.api import Slot


class LayerNorm(nn.LayerNorm):
    """(x − mean) / √(var + ε) · g + b over the channels (Ba et al. 2016)."""

    def __init__(self, slot: Slot, *, bias: bool = False, eps: float = 1e-5) -> None:
        super().__init__(slot.width, eps=eps, bias=bias)


class RMSNorm(nn.RMSNorm):
    """x / √(mean(x²) + ε) · g over the channels (Zhang & Sennrich 2019, eq. 4)."""

    def __init__(self, slot: Slot, *, eps: float = 1e-6) -> None:
        super().__init__(slot.width, eps=eps)

    def forward(self, x: Tensor) -> Tensor:
        """(…, C) -> (…, C) in x's dtype, computed in that of the gains: under autocast x may be narrower."""
        return super().forward(x.to(self.weight.dtype)).to(x.dtype)


class NoNorm(nn.Identity):
    """x itself."""

    def __init__(self, slot: Slot) -> None:
        del slot
        super().__init__()
