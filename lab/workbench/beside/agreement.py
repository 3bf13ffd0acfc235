"""How alike the predictions of two models are, token by token."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class Agreement:
    """The prediction q of a column beside that of the first column, p, at the same token; both before all filters.

    Args:
        kl: KL(p ‖ q) = Σ p ln(p / q) in nats: what is lost when q stands for p. Infinite where q excludes a token of p.
        overlap: Σ min(p, q), from 0 to 1: 1 less the total variation distance.
        same_likeliest: Whether both have the same likeliest token.
        same_token: Whether both chose the same token, with the same random numbers.
        same_text: Whether both had read the same tokens, so that they answer the same question.
    """

    kl: float
    overlap: float
    same_likeliest: bool
    same_token: bool
    same_text: bool


@dataclass(frozen=True)
class AgreementSummary:
    """The agreement of a column with the first one over several tokens.

    Args:
        tokens: The number of tokens.
        kl: The mean of KL(first ‖ column) in nats.
        overlap: The mean overlap.
        same_likeliest: The share of tokens at which both have the same likeliest token.
        same_token: The share at which both chose the same token.
        apart: The position, from 1, of the first token before which the texts differ; None if they never do.
    """

    tokens: int
    kl: float
    overlap: float
    same_likeliest: float
    same_token: float
    apart: int | None


def divergence(first: Tensor, other: Tensor) -> tuple[float, float]:
    """Return KL(p ‖ q) in nats, and Σ min(p, q).

    Args:
        first: (V,) logits of p.
        other: (V,) logits of q.
    """
    import torch

    logs, others = first.double().log_softmax(dim=-1), other.double().log_softmax(dim=-1)
    p = logs.exp()
    kl = torch.where(p > 0, p * (logs - others), 0.0).sum()
    return max(0.0, float(kl)), min(1.0, float(torch.minimum(p, others.exp()).sum()))


def summary_of(agreements: Sequence[Agreement]) -> AgreementSummary | None:
    """Return what holds on average; None of no tokens."""
    count = len(agreements)
    if not count:
        return None
    apart = next((at for at, one in enumerate(agreements, start=1) if not one.same_text), None)
    return AgreementSummary(
        count,
        math.fsum(one.kl for one in agreements) / count,
        math.fsum(one.overlap for one in agreements) / count,
        sum(one.same_likeliest for one in agreements) / count,
        sum(one.same_token for one in agreements) / count,
        apart,
    )
