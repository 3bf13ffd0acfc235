"""How alike the predictions of two models are, token by token."""

from __future__ import annotations

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


class AgreementSeries:
    """The agreement of a column with the first one, token by token, as it grows.

    Attributes:
        positions: The positions, from 1, of the compared tokens.
        kl: KL(first ‖ column) at each, in nats.
        overlap: The overlap at each.
        same_likeliest: How many of the compared tokens up to each have the same likeliest token.
    """

    def __init__(self) -> None:
        self.positions: list[int] = []
        self.kl: list[float] = []
        self.overlap: list[float] = []
        self.same_likeliest: list[int] = []
        self._total_kl = self._total_overlap = 0.0
        self._same_tokens = 0
        self._apart: int | None = None

    def add(self, position: int, found: Agreement) -> None:
        """Append the agreement at a position."""
        self.positions.append(position)
        self.kl.append(found.kl)
        self.overlap.append(found.overlap)
        before = self.same_likeliest[-1] if self.same_likeliest else 0
        self.same_likeliest.append(before + found.same_likeliest)
        self._total_kl += found.kl
        self._total_overlap += found.overlap
        self._same_tokens += found.same_token
        if self._apart is None and not found.same_text:
            self._apart = position

    @property
    def summary(self) -> AgreementSummary | None:
        """What holds on average; None of no tokens."""
        count = len(self.positions)
        if not count:
            return None
        return AgreementSummary(
            count, self._total_kl / count, self._total_overlap / count, self.same_likeliest[-1] / count,
            self._same_tokens / count, self._apart,
        )  # fmt: skip
