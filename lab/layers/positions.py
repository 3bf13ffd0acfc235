"""Where a token stands: rotary angles and sinusoids."""

from __future__ import annotations

import functools
import math

import torch
from torch import Tensor


def rotate(x: Tensor, position: int, base: float) -> Tensor:
    """Rotary position embedding, halves rotated against each other as in LLaMA (Su et al. 2021, eq. 34).

    Args:
        x: (B, H, T, D) queries or keys, D even.
        position: Position of the first of the T tokens.
        base: θ of the slowest frequency, 10,000 in the paper.

    Returns:
        (B, H, T, D), rotated by position · base^(−2i/D).
    """
    length, width = x.shape[-2], x.shape[-1]
    enough = max(64, 1 << (position + length - 1).bit_length())
    cos, sin = _angles(enough, width, base, x.device)
    cos, sin = cos[position : position + length], sin[position : position + length]  # (T, D/2), fp32
    left, right = x.float().chunk(2, dim=-1) if x.dtype.itemsize < 4 else x.chunk(2, dim=-1)
    return torch.cat([left * cos - right * sin, right * cos + left * sin], dim=-1).to(x.dtype)


@functools.lru_cache(maxsize=32)
def _angles(length: int, width: int, base: float, device: torch.device) -> tuple[Tensor, Tensor]:
    with torch.inference_mode(False), torch.no_grad():  # kept beyond this call, so also for training
        frequency = base ** (-torch.arange(0, width, 2, dtype=torch.float64, device="cpu") / width)
        angle = torch.arange(length, dtype=torch.float64, device="cpu")[:, None] * frequency
        return angle.cos().float().to(device), angle.sin().float().to(device)


def sinusoids(position: int, length: int, width: int, device: torch.device) -> Tensor:
    """Sinusoidal positions (T, C): sin(p / 10000^(2i/C)), cos(…) interleaved (Vaswani et al. 2017, section 3.5)."""
    place = torch.arange(position, position + length, dtype=torch.float32, device=device)[:, None]
    rate = torch.exp(torch.arange(0, width, 2, dtype=torch.float32, device=device) * (-math.log(10000.0) / width))
    waves = torch.stack([(place * rate).sin(), (place * rate).cos()], dim=-1)
    return waves.flatten(1)[:, :width]
