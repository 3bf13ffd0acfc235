"""Positions of tokens: rotary angles and sinusoids."""

from __future__ import annotations

import dataclasses
import functools
import math
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

LONGEST_WAVE, SHORTEST_WAVE = 1.0, 4.0
"""Turns within the original context: "llama3" stretches frequencies below the first fully, above the second not."""


@dataclass(frozen=True)
class Rotary:
    """Rotary positions: pairs of channels turn by position · base^(−2i/D) (Su et al. 2021, eq. 34).

    Args:
        base: θ, 10,000 in the paper.
        share: Share of each head's channels, from the first on, that is rotated (Black et al. 2022).
        pairs: The channels that rotate together: i and i + D/2 as in LLaMA's current files, or 2i and 2i + 1.
        scaling: "linear" divides all frequencies by `factor` (Chen et al. 2023); "ntk" makes the base larger, so that
            only the slowest is divided by it; "llama3" divides those that turn less than once in `original` tokens,
            leaves those that turn more than four times, and interpolates between (Grattafiori et al. 2024).
        factor: The factor by which the context becomes longer.
        original: Original context length in tokens.
    """

    base: float = 10_000.0
    share: float = 1.0
    pairs: Literal["halves", "neighbours"] = "halves"
    scaling: Literal["none", "linear", "ntk", "llama3"] = "none"
    factor: float = 1.0
    original: int = 8192

    def channels(self, width: int) -> int:
        """Return how many of a head's `width` channels are rotated."""
        return int(width * self.share)

    def frequencies(self, width: int) -> Tensor:
        """Return the angle per token of each pair of a head's `width` channels, (pairs,), float64."""
        turned = self.channels(width)
        base = self.base
        if self.scaling == "ntk" and turned > 2:
            base *= self.factor ** (turned / (turned - 2))
        frequency = base ** (-torch.arange(0, turned, 2, dtype=torch.float64, device="cpu") / turned)
        if self.scaling == "linear":
            return frequency / self.factor
        if self.scaling == "llama3":
            turns = self.original * frequency / (2 * math.pi)
            unscaled = ((turns - LONGEST_WAVE) / (SHORTEST_WAVE - LONGEST_WAVE)).clamp(0, 1)
            return unscaled * frequency + (1 - unscaled) * frequency / self.factor
        return frequency


def rotate(x: Tensor, position: int, rotary: Rotary) -> Tensor:
    """Rotate queries or keys to their positions, in float32 or wider.

    Args:
        x: (B, H, T, D).
        position: Position of the first of the T tokens.
        rotary: The rotation.

    Returns:
        (B, H, T, D): x · cos + (x with each pair swapped) · (∓ sin).
    """
    length, width = x.shape[-2], x.shape[-1]
    turned = rotary.channels(width)
    if turned < width:
        complete = dataclasses.replace(rotary, share=1.0)
        turning, still = torch.split(x, [turned, width - turned], dim=-1)
        return torch.cat([rotate(turning, position, complete), still], dim=-1)
    cos, sin = _turns(rotary, width, position, length, x.device)  # (T, D), fp32
    wide = x.float() if x.dtype.itemsize < 4 else x
    if rotary.pairs == "halves":
        swapped = wide.roll(width // 2, dims=-1)
    else:
        swapped = wide.view(*wide.shape[:-1], -1, 2).flip(-1).flatten(-2)
    return (wide * cos + swapped * sin).to(x.dtype)


@functools.lru_cache(maxsize=16)
def _turns(rotary: Rotary, width: int, position: int, length: int, device: torch.device) -> tuple[Tensor, Tensor]:
    """Return cosines and signed sines (T, D) of the tokens from `position` on."""
    cos, sin = _angles(rotary, width, max(64, 1 << (position + length - 1).bit_length()), device)
    return cos[position : position + length], sin[position : position + length]


@functools.lru_cache(maxsize=16)
def _angles(rotary: Rotary, width: int, length: int, device: torch.device) -> tuple[Tensor, Tensor]:
    with torch.inference_mode(False), torch.no_grad():  # cached, so also used in training
        angle = torch.arange(length, dtype=torch.float64, device="cpu")[:, None] * rotary.frequencies(width)
        cos, sin = angle.cos().float(), angle.sin().float()  # (length, D/2)
        if rotary.pairs == "halves":
            cos, sin = torch.cat([cos, cos], dim=1), torch.cat([-sin, sin], dim=1)
        else:
            cos, sin = cos.repeat_interleave(2, dim=1), torch.stack([-sin, sin], dim=2).flatten(1)
        return cos.to(device), sin.to(device)


def sinusoids(position: int, length: int, width: int, device: torch.device) -> Tensor:
    """Return sinusoidal positions (T, C): sin(p / 10000^(2i/C)), cos(…) (Vaswani et al. 2017, section 3.5)."""
    positions = torch.arange(position, position + length, dtype=torch.float32, device=device)[:, None]
    rate = torch.exp(torch.arange(0, width, 2, dtype=torch.float32, device=device) * (-math.log(10000.0) / width))
    waves = torch.stack([(positions * rate).sin(), (positions * rate).cos()], dim=-1)
    return waves.flatten(1)[:, :width]
