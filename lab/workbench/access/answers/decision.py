"""What the class of a text rests on: how its log-probability changes without each token, and by its gradient."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True)
class Decision:
    """The share of each token in the likeliest class of a text.

    Args:
        step: Optimizer updates that the model had; 0 is untrained.
        name: The likeliest class.
        probability: Its probability.
        labels: The label of each token.
        occlusion: By how many nats the class is less likely without the token (Zeiler & Fergus 2014, section 4.2);
            negative where it speaks against the class. None for the only token of a text.
        gradient: The gradient of its log-probability times the token's embedding, in nats (Shrikumar et al. 2017,
            section 3.1); None if the model has no embedding of tokens.
    """

    step: int
    name: str
    probability: float
    labels: tuple[str, ...]
    occlusion: tuple[float, ...] | None
    gradient: tuple[float, ...] | None


def without_each(model: Any, tokens: Sequence[int], picked: int, device: torch.device) -> tuple[float, ...] | None:
    """Return how many nats the log-probability of a class loses without each of the tokens; None of a single token."""
    import torch

    if len(tokens) < 2:
        return None
    whole = torch.tensor([tokens], device=device)
    keeps = ~torch.eye(len(tokens), dtype=torch.bool, device=device)
    shorter = whole.expand(len(tokens), -1)[keeps].view(len(tokens), -1)
    with torch.no_grad():
        known = _log_shares(model, whole)[0, picked]
        found = torch.cat([_log_shares(model, rows)[:, picked] for rows in torch.split(shorter, ROWS)])
    return tuple((known - found).tolist())


def gradients(model: Any, tokens: Sequence[int], picked: int, device: torch.device) -> tuple[float, ...] | None:
    """Return the gradient of the log-probability of a class times the embedding of each token; None without one."""
    import torch

    tables = [module for name, module in model.named_modules() if name.rpartition(".")[2] == "embedding"]
    if not tables or not isinstance(tables[0], torch.nn.Embedding):
        return None
    seen: list[torch.Tensor] = []

    def note(_module: Any, _inputs: Any, output: torch.Tensor) -> torch.Tensor:
        seen.append(output.detach().requires_grad_())
        return seen[-1]

    handle = tables[0].register_forward_hook(note)
    try:
        with torch.enable_grad():
            share = _log_shares(model, torch.tensor([tokens], device=device))[0, picked]
            (slope,) = torch.autograd.grad(share, seen[0])
    finally:
        handle.remove()
    return tuple((slope * seen[0]).sum(dim=-1)[0].tolist())


ROWS = 64
"""Texts without one token each that are read at once."""


def _log_shares(model: Any, read: torch.Tensor) -> torch.Tensor:
    import torch

    logits: torch.Tensor = model(read, mask=torch.ones_like(read, dtype=torch.bool))
    return logits.float().log_softmax(dim=-1)
