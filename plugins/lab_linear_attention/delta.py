"""DeltaNet and Gated DeltaNet: memories that overwrite what a key held before instead of adding to it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lab.api import Role, Slot
from lab_linear_attention.memory import NORMAL, HeadNorm, Projected, Read, wide

if TYPE_CHECKING:
    from lab_linear_attention.settings import DeltaNetSettings

SHORTEST, LONGEST = 1e-3, 1e-1
"""Range of the initial step sizes, drawn log-uniformly (Gu & Dao 2023, section 3.6)."""
FASTEST = 16.0
"""Largest initial decay for a step of size 1 (Dao & Gu 2024)."""


class DeltaNet(Projected):
    """S_t = (I − β_t k_t k_tᵀ) S_{t−1} + β_t k_t v_tᵀ: the value read by k_t moves by β_t to v_t (Schlag et al. 2021).

    Queries and keys have length 1, queries are divided by √K, and each head's output is normalised on its own (Yang
    et al. 2024b). With signed eigenvalues β goes up to 2 (Grazzi et al. 2025).

    Args:
        slot: Its slot in the stack; slot.config is a DeltaNetSettings.
        gated: Whether the output is gated.
    """

    def __init__(self, slot: Slot, *, gated: bool = False) -> None:
        settings: DeltaNetSettings = slot.config
        _, values = settings.widths(slot.width)
        norm = HeadNorm(settings.heads, values)
        super().__init__(slot, norm, kernel=settings.convolution, activation="silu", gated=gated)
        self.strongest = 2.0 if settings.eigenvalues == "signed" else 1.0
        self.strength = nn.Linear(slot.width, settings.heads, bias=False)
        NORMAL.linear(self.strength, slot.width)

    def read(self, x: Tensor, state: dict[str, Any]) -> tuple[Read, dict[str, Any]]:
        """Return queries, keys and values, write strengths, and decays if there are any."""
        (q, k, v), after = self.projected(x, state)
        q, k = unit(q) / q.shape[-1] ** 0.5, unit(k)
        beta = self.strongest * wide(self.strength(x)).sigmoid()
        return Read(q, k, v, self.log_decay(x), beta, gate=self.gated(x)), after

    def log_decay(self, x: Tensor) -> Tensor | None:
        """Return None: nothing decays."""
        del x
        return None


class GatedDeltaNet(DeltaNet):
    """S_t = a_t (I − β_t k_t k_tᵀ) S_{t−1} + β_t k_t v_tᵀ, a_t = exp(−A softplus(w·x_t + b)) (Yang et al. 2025).

    Args:
        slot: Its slot in the stack; slot.config is a GatedDeltaNetSettings.
    """

    roles: Mapping[str, Role] = {"A_log": "recurrence", "step_bias": "recurrence"}

    def __init__(self, slot: Slot) -> None:
        super().__init__(slot, gated=True)
        self.step_size = nn.Linear(slot.width, self.heads, bias=False)
        NORMAL.linear(self.step_size, slot.width)
        self.A_log = nn.Parameter(torch.empty(self.heads).uniform_(1, FASTEST).log())
        steps = torch.empty(self.heads).uniform_(math.log(SHORTEST), math.log(LONGEST)).exp()
        self.step_bias = nn.Parameter(steps + torch.log(-torch.expm1(-steps)))  # the inverse of softplus

    def log_decay(self, x: Tensor) -> Tensor:
        """Return the logarithm of the share of its state that each head retains, (B, T, H)."""
        return -wide(self.A_log).exp() * F.softplus(wide(self.step_size(x)) + self.step_bias)


def unit(x: Tensor) -> Tensor:
    """Return x normalised to length 1; values and gradients stay small where x is near zero.

    Args:
        x: (…, K).
    """
    x = wide(x)
    return x * torch.rsqrt(x.square().sum(dim=-1, keepdim=True) + 1e-6)
