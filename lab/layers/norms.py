"""Normalisations, built from a Slot like every module of a stack. The epsilon is always explicit."""

from __future__ import annotations

from torch import Tensor, nn

from lab.api import Slot


class LayerNorm(nn.LayerNorm):
    """Layer norm: (x − mean) / √(var + ε) · g + b over the channels (Ba et al. 2016)."""

    def __init__(self, slot: Slot, *, bias: bool = False, eps: float = 1e-5) -> None:
        super().__init__(slot.width, eps=eps, bias=bias)


class RMSNorm(nn.RMSNorm):
    """Root mean square norm: x / √(mean(x²) + ε) · g over the channels (Zhang & Sennrich 2019, eq. 4)."""

    def __init__(self, slot: Slot, *, eps: float = 1e-6) -> None:
        super().__init__(slot.width, eps=eps)

    def forward(self, x: Tensor) -> Tensor:
        """Normalise (…, C) in the dtype of the gains; return x's dtype, which may be narrower under autocast."""
        return super().forward(x.to(self.weight.dtype)).to(x.dtype)


class NoNorm(nn.Identity):
    """No normalisation: x itself."""

    def __init__(self, slot: Slot) -> None:
        del slot
        super().__init__()
