"""The tokens that a model is to predict at the positions of a probe text."""

from __future__ import annotations

import torch
from torch import Tensor

from lab.api import LanguageModel


def targets(model: LanguageModel, tokens: Tensor) -> Tensor:
    """Return (T,) the next token at each position, −1 at the last; if models may read both ways, the token itself.

    This depends only on the task: a model that is to predict the next token may nevertheless read it.

    Args:
        model: The model.
        tokens: (1, T).
    """
    if not model.task.causal:
        return tokens[0]
    return torch.cat([tokens[0, 1:], tokens.new_full((1,), -1)])
