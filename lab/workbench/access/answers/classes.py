"""The classes that a model predicts for a text, for each of its words, or for a picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lab.api import BadInput

if TYPE_CHECKING:
    from collections.abc import Sequence

    import torch


@dataclass(frozen=True)
class PredictedClasses:
    """The distribution over the classes of a text or a picture.

    Args:
        step: Optimizer updates that the model had; 0 is untrained.
        names: The name of each class.
        shares: The probability of each class, in one row for the text or picture, or in one for each word.
        words: The words, if each has a class; () if there is one for all.
    """

    step: int
    names: tuple[str, ...]
    shares: tuple[tuple[float, ...], ...]
    words: tuple[str, ...] = ()

    def ranked(self, row: int = 0) -> list[tuple[str, float]]:
        """Return (name, probability) of each class of a row, likeliest first; of equals the first."""
        return sorted(zip(self.names, self.shares[row], strict=True), key=lambda one: -one[1])


def class_shares(model: Any, tokens: Sequence[int], device: torch.device) -> tuple[tuple[float, ...], ...]:
    """Return the probability of each class, in one row for a text or in one for each of its tokens.

    Args:
        model: A classifier of token sequences, in eval mode.
        tokens: At least one token.
        device: Where the model is.

    Raises:
        BadInput: The model was built for shorter texts.
    """
    import torch

    longest = model.task.context_length
    if len(tokens) > longest:
        what = f"has {len(tokens)} tokens, more than this model reads"
        raise BadInput(what, field="prompt", allowed=f"at most {longest} tokens", remedy="Shorten it")
    read = torch.tensor([tokens], device=device)
    with torch.no_grad():
        shares = model(read, mask=torch.ones_like(read, dtype=torch.bool)).float().softmax(dim=-1)[0].cpu()
    rows = shares if shares.ndim == 2 else shares[None]
    return tuple(tuple(row) for row in rows.tolist())
