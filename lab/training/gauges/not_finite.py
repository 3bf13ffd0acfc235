"""The first tensor that is not finite: among the weights, the outputs of modules, or the gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from lab.layers.reports import layer_of


class NotFinite(NamedTuple):
    """The first tensor that is not finite.

    Args:
        where: "weights", "forward" or "backward": what it is among.
        tensor: The name of the parameter, or the path of the module.
        layer: The layer that it belongs to; "" if it belongs to none.
    """

    where: str
    tensor: str
    layer: str


def first_not_finite(model: nn.Module, copy: nn.Module, compute: Callable[[], object]) -> NotFinite | None:
    """Return the first tensor that is not finite in a step; None if all are.

    Args:
        model: The model in training, with its gradients.
        copy: A copy of it.
        compute: Passes the examples of the step through the copy.
    """
    for name, parameter in model.named_parameters():
        if not _is_finite(parameter):
            return NotFinite("weights", name, layer_of(name))
    found: list[str] = []
    hooks = [part.register_forward_hook(_noting(path, found)) for path, part in copy.named_modules() if path]
    try:
        with torch.no_grad():
            compute()
    finally:
        for hook in hooks:
            hook.remove()
    if found:  # an inner module ends before the one that holds it
        return NotFinite("forward", found[0], layer_of(found[0]))
    norms = {name: p.grad.float().norm() for name, p in model.named_parameters() if p.grad is not None}
    broken = [name for name, norm in norms.items() if not _is_finite(norm)]  # a norm overflows before its numbers
    # the backward pass starts at the loss: the last layer is the first to have a gradient
    return NotFinite("backward", broken[-1], layer_of(broken[-1])) if broken else None


def _is_finite(tensor: Tensor) -> bool:
    return bool(tensor.detach().isfinite().all())


def _noting(path: str, found: list[str]) -> Any:
    def note(_module: nn.Module, _given: Any, output: Any) -> None:
        values = output if isinstance(output, tuple | list) else (output,)
        if not found and not all(_is_finite(v) for v in values if isinstance(v, Tensor) and v.is_floating_point()):
            found.append(path)

    return note
