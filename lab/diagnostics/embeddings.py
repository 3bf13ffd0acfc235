"""The embeddings of the tokens that a model reads, for gradients by them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor, nn

from lab.api import capture


@contextlib.contextmanager
def embeddings(model: Any) -> Iterator[list[list[Tensor]]]:
    """Record the candidates for embeddings inside the `with`, with their graphs.

    Yields:
        A list that is filled at the end: the readings "embedding", then the output of the first table. Each is one
        (B, T, C), or T times (B, C) if tokens are read one by one; candidates that did not occur are left out.
    """
    outputs: list[Tensor] = []
    found: list[list[Tensor]] = []
    with contextlib.ExitStack() as hooks, capture(model, ("embedding",), graph=True) as reports:
        table = next((module for module in model.modules() if isinstance(module, nn.Embedding)), None)
        if table is not None:
            hooks.enter_context(table.register_forward_hook(lambda _, __, x: outputs.append(_followed(x))))
        yield found
    found += [x for x in ([one.values for one in reports], outputs) if x]


def _followed(x: Tensor) -> Tensor:
    """Return x with gradients enabled, which the output of a frozen table lacks."""
    return x if x.requires_grad or not torch.is_grad_enabled() else x.requires_grad_()
