"""The embeddings of the tokens that a model reads, for whoever takes gradients by them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor, nn

from lab.api import capture


@contextlib.contextmanager
def embeddings(model: Any) -> Iterator[list[list[Tensor]]]:
    """Hears what may be the embeddings inside, with their graphs.

    Yields:
        A list that is filled when it ends: what was reported by that name, then what the first table gave. Each is
        one (B, T, C), or T times (B, C) where tokens are read one by one; those that were not heard are left out.
    """
    looked_up: list[Tensor] = []
    found: list[list[Tensor]] = []
    with contextlib.ExitStack() as hooks, capture(model, ("embedding",), graph=True) as heard:
        table = next((module for module in model.modules() if isinstance(module, nn.Embedding)), None)
        if table is not None:
            hooks.enter_context(table.register_forward_hook(lambda _, __, x: looked_up.append(_followed(x))))
        yield found
    found += [x for x in ([one.values for one in heard], looked_up) if x]


def _followed(x: Tensor) -> Tensor:
    """x, of which a frozen table gives no gradients by itself."""
    return x if x.requires_grad or not torch.is_grad_enabled() else x.requires_grad_()
