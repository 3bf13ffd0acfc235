"""From a router's scores to assignments: the choice, the capacity of each expert, and how even the choice is."""

from __future__ import annotations

import math

import torch
from torch import Tensor

from lab.layers import Assignments

SWITCHED_OFF = -1e30
"""The logit of an expert that is switched off: its share is 0, and no gradient of it is infinite."""
LEAST_SPREAD = 1e-6
"""Of noise that has vanished."""


def by_experts(scores: Tensor, share: float) -> Assignments:
    """Return the assignments where each expert takes its best tokens of each row (Zhou et al. 2022, section 3.2).

    Args:
        scores: (B, T, E), which are the weights, too.
        share: Experts per token in the mean: each takes ⌈share · T / E⌉ tokens.
    """
    B, T, E = scores.shape
    gates, index = scores.topk(min(T, math.ceil(share * T / E)), dim=1)  # (B, places, E)
    tokens = (index + T * torch.arange(B, device=index.device)[:, None, None]).flatten()
    groups = torch.arange(E, device=index.device).expand_as(index).flatten()
    order = tokens.argsort(stable=True)
    return Assignments(tokens[order], groups[order], gates.flatten()[order])


def within_capacity(assigned: Assignments, experts: int, length: int, places: int) -> Tensor:
    """Return which assignments find room, first come first served along each row.

    Tokens come one after another, each with all its choices. Where every first choice comes before any second one
    (Lepikhin et al. 2020, section 2.2), a later token can take the place of an earlier one, which so learns of it.

    Args:
        assigned: Where the tokens go; those of a token best first.
        experts: E.
        length: T, the tokens of a row.
        places: Of each expert in each row.

    Returns:
        (M,).
    """
    queues = assigned.groups + experts * (assigned.tokens // length)
    order = queues.argsort(stable=True)
    queued = queues[order]
    before = torch.arange(len(queues), device=queues.device) - torch.searchsorted(queued, queued)
    return torch.empty_like(before).index_put_((order,), before) < places


def chances(logits: Tensor, noisy: Tensor, spread: Tensor, active: int) -> Tensor:
    """Return the probability that each expert would be among the chosen if only its own noise were drawn again.

    Shazeer et al. 2017, eq. 8 and 9.

    Args:
        logits: (…, E) without noise.
        noisy: (…, E) with it.
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
    """Return the squared coefficient of variation of (E,): variance over squared mean, 0 where all are alike."""
    return amounts.var(correction=0) / amounts.mean().square()
