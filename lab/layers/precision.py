"""Where half the digits are too few: a part of a model that keeps full precision under autocast."""

from __future__ import annotations

import contextlib

import torch
from torch import Tensor


def full_precision(x: Tensor) -> contextlib.AbstractContextManager[object]:
    """A context without autocast for what is computed from `x`: router logits, sums over many tokens, states.

    Inside, operations keep the dtype of their inputs; what came in as bfloat16 is made wider by `x.float()`.
    """
    if x.device.type == "meta" or not torch.is_autocast_enabled(x.device.type):
        return contextlib.nullcontext()
    return torch.autocast(x.device.type, enabled=False)
