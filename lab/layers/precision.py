"""Full precision under autocast, for operations where half precision is not enough."""

from __future__ import annotations

import contextlib

import torch
from torch import Tensor


def full_precision(x: Tensor) -> contextlib.AbstractContextManager[object]:
    """Return a context without autocast for operations on `x`: router logits, sums over many tokens, states.

    Operations inside keep the dtype of their inputs; widen bfloat16 inputs with `x.float()`.
    """
    if x.device.type == "meta" or not torch.is_autocast_enabled(x.device.type):
        return contextlib.nullcontext()
    return torch.autocast(x.device.type, enabled=False)
