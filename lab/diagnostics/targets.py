"""What a model is asked to guess at each position of a probe text."""

from __future__ import annotations

import torch
from torch import Tensor

from lab.api import LanguageModel


def targets(model: LanguageModel, tokens: Tensor) -> Tensor:
    """(T,) the next token at each position, −1 at the last; where models may read both ways, the token itself.

    The task says which: a model that is to guess the next token and reads it all the same is asked for it too.

    Args:
        model: The model.
        tokens: (1, T).
    """
    if not model.task.causal:
        return tokens[0]
    return torch.cat([tokens[0, 1:], tokens.new_full((1,), -1)])
