"""Decays in tokens."""

from __future__ import annotations

import math

import torch
from torch import Tensor


def half_life(log_decay: Tensor) -> Tensor:
    """Return the number of tokens after which half of a state is left: ln 2 / −ln a.

    Args:
        log_decay: Logarithms of decays a, any shape; 0 or less.

    Returns:
        Tokens, in the same shape, finite: the greatest finite number for states that do not decay.
    """
    return (-math.log(2) / log_decay.clamp(max=0)).abs().clamp(max=torch.finfo(log_decay.dtype).max)
