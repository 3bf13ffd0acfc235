"""The loss of a target that is written token by token, with its metrics."""

from __future__ import annotations

from torch import Tensor

from lab.api import Batch, Loss
from lab.layers.model import unreduced_cross_entropy

EXACT_MATCH = "exact match"
"""The metric of a model that writes: the share of rows of which every token is the likeliest after the right ones.

Greedy decoding writes exactly these without a mistake: as long as it makes none, it reads the right tokens.
"""


def written_loss(logits: Tensor, batch: Batch, smoothing: float = 0.0) -> Loss:
    """Return nats per target, "accuracy", the share of right tokens, and "exact match", that of faultless rows.

    Args:
        logits: (B, T, V).
        batch: The batch, with targets (B, T).
        smoothing: ε of label smoothing (Szegedy et al. 2016, section 7).
    """
    hits = (logits.detach().argmax(dim=-1) == batch.targets) & batch.scored
    metrics = {"accuracy": (hits.sum(), batch.weight), EXACT_MATCH: right_rows(hits, batch.scored)}
    return Loss(unreduced_cross_entropy(logits, batch.targets, smoothing), metrics)


def right_rows(hits: Tensor, scored: Tensor) -> tuple[Tensor, int]:
    """Return how many rows of (B, T) are right in every scored target, and how many rows have any."""
    any_scored = scored.any(dim=1)
    return ((hits | ~scored).all(dim=1) & any_scored).sum(), int(any_scored.sum())
