"""Routers: from scores to assignments, the capacity of each expert, and measures of balance."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from lab.layers import Assignments

SWITCHED_OFF = -1e30
"""The logit of an expert that is switched off: its share is 0, and its gradient stays finite."""
LEAST_SPREAD = 1e-6
"""Smallest standard deviation of noise."""


def by_experts(scores: Tensor, share: float) -> Assignments:
    """Return assignments in which each expert takes its best tokens of each row (Zhou et al. 2022, section 3.2).

    Args:
        scores: (B, T, E); they are also the weights.
        share: Mean experts per token: each expert takes ⌈share · T / E⌉ tokens.
    """
    B, T, E = scores.shape
    gates, index = scores.topk(min(T, math.ceil(share * T / E)), dim=1)  # (B, taken, E)
    tokens = (index + T * torch.arange(B, device=index.device)[:, None, None]).flatten()
    groups = torch.arange(E, device=index.device).expand_as(index).flatten()
    order = tokens.argsort(stable=True)
    return Assignments(tokens[order], groups[order], gates.flatten()[order])


def within_capacity(assigned: Assignments, experts: int, length: int, room: int) -> Tensor:
    """Return a mask of the assignments that find room, first come first served along each row.

    Tokens come one after another, each with all its choices. If instead all first choices came before any second one
    (Lepikhin et al. 2020, section 2.2), a later token could displace an earlier one, which would so depend on it.

    Args:
        assigned: The assignments; those of a token best first.
        experts: E.
        length: T, the tokens of a row.
        room: Tokens that each expert may take from each row.

    Returns:
        (M,).
    """
    queues = assigned.groups + experts * (assigned.tokens // length)
    order = queues.argsort(stable=True)
    queued = queues[order]
    before = torch.arange(len(queues), device=queues.device) - torch.searchsorted(queued, queued)
    return torch.empty_like(before).index_put_((order,), before) < room


def chances(logits: Tensor, noisy: Tensor, spread: Tensor, active: int) -> Tensor:
    """Return the probability that each expert would be selected if only its own noise were drawn again.

    Shazeer et al. 2017, eq. 8 and 9.

    Args:
        logits: (…, E) without noise.
        noisy: (…, E) with noise.
        spread: (…, E), the standard deviation of the noise.
        active: k < E.

    Returns:
        (…, E), differentiable.
    """
    best = noisy.topk(active + 1, dim=-1).values
    among = noisy > best[..., -1:]
    to_beat = torch.where(among, best[..., -1:], best[..., -2:-1])
    probability: Tensor = torch.special.ndtr((logits - to_beat) / (spread + LEAST_SPREAD))
    return probability


def squared_variation(amounts: Tensor) -> Tensor:
    """Return the squared coefficient of variation of (E,): variance over squared mean, 0 if all are equal."""
    return amounts.var(correction=0) / amounts.mean().square()
