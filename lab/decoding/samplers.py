"""Filters of logits, applied in this order: temperature, top-k, top-p."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from lab.decoding.builtins import SamplingConfig


def sampling(config: SamplingConfig) -> Callable[[Tensor], Tensor]:
    """Return a filter of logits (B, V), −inf where a token is removed; it reads the live config at use."""

    def filtered(logits: Tensor) -> Tensor:
        if config.temperature == 0:
            return only_the_best(logits)
        return top_p(top_k(logits / config.temperature, config.top_k), config.top_p)

    return filtered


def only_the_best(logits: Tensor) -> Tensor:
    """Remove all but the first of the largest logits: greedy decoding."""
    best = logits.argmax(dim=-1, keepdim=True)
    return torch.full_like(logits, -math.inf).scatter(-1, best, 0.0)


def top_k(logits: Tensor, k: int) -> Tensor:
    """Remove all but the k largest logits; ties with the k-th stay (Fan et al. 2018). 0 removes none."""
    if k == 0 or k >= logits.shape[-1]:
        return logits
    least = logits.topk(k, dim=-1).values[..., -1:]
    return logits.masked_fill(logits < least, -math.inf)


def top_p(logits: Tensor, p: float) -> Tensor:
    """Return the nucleus: the fewest likeliest tokens with total probability p (Holtzman et al. 2019, eq. 2)."""
    if p >= 1:
        return logits
    ranked, order = logits.sort(dim=-1, descending=True)
    probabilities = ranked.softmax(dim=-1)
    before = probabilities.cumsum(dim=-1) - probabilities  # of the likelier ones; 0 for the first
    dropped = torch.zeros_like(logits, dtype=torch.bool).scatter(-1, order, before >= p)
    return logits.masked_fill(dropped, -math.inf)
