"""The token that a model is to predict at each position of a probe text."""

from __future__ import annotations

import torch
from torch import Tensor

from lab.api import LanguageModel


def targets(model: LanguageModel, tokens: Tensor) -> Tensor:
    """Return (T,) the next token at each position, −1 at the last; where models may read both ways, the token itself.

    The task decides: a model that is to predict the next token may read it nevertheless.

    Args:
        model: The model.
        tokens: (1, T).
    """
    if not model.task.causal:
        return tokens[0]
    return torch.cat([tokens[0, 1:], tokens.new_full((1,), -1)])
