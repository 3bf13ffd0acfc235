"""Biases of attention's scores by position: ALiBi's slopes, and T5's trained bias per bucket of distances."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lab.layers.attention.masks import Extent, made_once, positions_of


@dataclass(frozen=True)
class Alibi:
    """The bias −slope · distance, with a different slope for each head (Press et al. 2022, section 3).

    Args:
        heads: H.
    """

    heads: int

    def slopes(self) -> list[float]:
        """Return each head's slope: 2^(−8/H), …; unless H is a power of 2, also every other slope of the next one."""
        power = 1 << (self.heads.bit_length() - 1)
        slopes = [2 ** (-8 * (head + 1) / power) for head in range(power)]
        return slopes + [2 ** (-4 * (head + 1) / power) for head in range(0, 2 * (self.heads - power), 2)]

    def __call__(self, extent: Extent, dtype: torch.dtype, device: torch.device) -> Tensor:
        """Return the bias (H, T, S)."""
        query, key = positions_of(extent, device)
        slopes = torch.tensor(self.slopes(), dtype=torch.float32, device=device)
        return (-slopes[:, None, None] * (query - key).abs()).to(dtype)


class RelativeBias(nn.Module):
    """A trained number per head and bucket of distances (Raffel et al. 2020, section 2.1).

    Half of the buckets hold one distance each, the others increasingly many. One table serves all blocks of a model.

    Args:
        heads: H.
        buckets: Number of buckets; if not causal, half of them are for keys after the query.
        farthest: Distance from which all distances share the last bucket.
        causal: Whether no key is after its query.
    """

    no_decay = ("weight",)

    def __init__(self, heads: int, *, buckets: int = 32, farthest: int = 128, causal: bool = True) -> None:
        super().__init__()
        self.farthest, self.causal = farthest, causal
        self.weight = nn.Parameter(torch.empty(buckets, heads))
        nn.init.normal_(self.weight, std=0.02)

    def forward(self, extent: Extent, dtype: torch.dtype, device: torch.device) -> Tensor:
        """Return the bias (H, T, S)."""
        rows = _buckets(extent, len(self.weight), self.farthest, self.causal, device)
        return F.embedding(rows, self.weight).permute(2, 0, 1).to(dtype)


@made_once(texts=2)
def _buckets(extent: Extent, buckets: int, farthest: int, causal: bool, device: torch.device) -> Tensor:
    query, key = positions_of(extent, device)
    return bucket_of(query - key, buckets, farthest, causal=causal)


def bucket_of(distance: Tensor, buckets: int, farthest: int, *, causal: bool) -> Tensor:
    """Return T5's bucket of each distance, query − key, integers of any shape."""
    ahead = torch.zeros_like(distance)
    if causal:
        distance = distance.clamp(min=0)
    else:
        buckets //= 2
        ahead, distance = (distance < 0) * buckets, distance.abs()
    single = buckets // 2
    growth = torch.log(distance.clamp(min=1).float() / single) / math.log(farthest / single)
    shared = single + (growth * (buckets - single)).long()
    return ahead + torch.where(distance < single, distance, shared.clamp(max=buckets - 1))
