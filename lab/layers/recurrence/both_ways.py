"""Two mixers that read from left to right, one of them the reversed text, as one that reads both ways."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import torch
from torch import Tensor, nn

from lab.api import Slot
from lab.layers.mixers import TokenMixer
from lab.layers.reports import name_readings

DIRECTIONS = ("onward", "back")
"""Names of the two mixers."""


class BothWays(TokenMixer):
    """f(x) + reverse(g(reverse(x))): what each token reads on its left, and on its right (Schuster & Paliwal 1997).

    Both mixers have weights of their own. Padding behind the end of a row is not read: a row is reversed within its own
    length.

    Args:
        slot: Its position in the stack.
        make: Makes each of the two mixers, which are causal.
    """

    reads_mask = True

    def __init__(self, slot: Slot, make: Callable[[Slot], nn.Module]) -> None:
        super().__init__()
        causal = dataclasses.replace(slot, causal=True)
        self.onward, self.back = make(causal), make(causal)
        name_readings(self.back, "backward ", backwards=True)
        flops = getattr(self.onward, "extra_flops", None)
        if flops is not None:
            self.extra_flops = lambda tokens: 2 * flops(tokens)
        if hasattr(self.onward, "mixing_map"):
            self.mixing_map = self._map
            named = getattr(self.onward, "mixing_heads", ())
            self.mixing_heads = tuple(f"{name}, {way}" for way in DIRECTIONS for name in named)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """Mix (B, T, C) -> (B, T, C); no position reads those where mask (B, T) is False, all of them behind the end.

        Positions behind the end themselves get anything.
        """
        order = reversal(x, mask)
        onward: Tensor = self.onward(x)
        back: Tensor = self.back(_taken(x, order))
        return onward + _taken(back, order)

    def _map(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """Return how much each position reads of each other one in either direction, (B, heads of both, T, T)."""
        order = reversal(x, mask)
        onward = self.onward.mixing_map(x)  # type: ignore[operator]
        back = self.back.mixing_map(_taken(x, order))  # type: ignore[operator]
        rows = order[:, None, :, None].expand_as(back)
        back = back.gather(2, rows)
        back = back.gather(3, order[:, None, None, :].expand_as(back))
        return torch.cat([onward, back], dim=1)


def reversal(x: Tensor, mask: Tensor | None) -> Tensor:
    """Return (B, T) int64, the position that stands at each position of the reversed rows; padding stays in its place.

    Args:
        x: (B, T, C).
        mask: (B, T) bool, False behind the end of a row; None if there is no padding.
    """
    B, T, _ = x.shape
    here = torch.arange(T, device=x.device).expand(B, T)
    if mask is None:
        return here.flip(1)
    lengths = mask.sum(dim=1, keepdim=True)
    return torch.where(here < lengths, lengths - 1 - here, here)


def _taken(x: Tensor, order: Tensor) -> Tensor:
    return x.gather(1, order[..., None].expand_as(x))
