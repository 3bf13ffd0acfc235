"""Where an optimizer wants the gradients: at the weights, ahead of them, or at several points of a step.

An optimizer may have the methods `look_ahead`, called before the loss of a step is computed, and `look_back`, called if
the step fails or is left out: between them the model has the weights at which the gradients are computed, and otherwise
those that are evaluated, copied and saved. One with `needs_closure` calls the function that its `step` is given. One
with `draws_labels` gets the gradients for labels drawn from the model before the update, by its method `note_drawn`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch


def look_ahead(optimizer: torch.optim.Optimizer) -> None:
    """Give the model the weights at which the gradients of a step are computed."""
    ahead: Any = getattr(optimizer, "look_ahead", None)
    if ahead is not None:
        ahead()


def look_back(optimizer: torch.optim.Optimizer) -> None:
    """Give the model the weights from before `look_ahead` again, after a step that was not made."""
    back: Any = getattr(optimizer, "look_back", None)
    if back is not None:
        back()


def needs_closure(optimizer: torch.optim.Optimizer) -> bool:
    """Return True if the optimizer computes the loss of a step several times."""
    return bool(getattr(optimizer, "needs_closure", False))


def draws_labels(optimizer: torch.optim.Optimizer) -> bool:
    """Return True if the optimizer estimates a curvature before its next update."""
    return bool(getattr(optimizer, "draws_labels", False))


def make_update(optimizer: Any, closure: Callable[[], torch.Tensor], draw: Callable[[], int]) -> None:
    """Make a step of an optimizer.

    Args:
        optimizer: The optimizer.
        closure: Computes the loss and the gradients of the step again, for one that computes it several times.
        draw: Adds the gradients of the mean loss of labels that are drawn from the model, and returns how many there
            are, for one that estimates a curvature.
    """
    if draws_labels(optimizer):
        parameters = [p for group in optimizer.param_groups for p in group["params"]]
        gradients = [p.grad for p in parameters]
        optimizer.zero_grad(set_to_none=True)
        optimizer.note_drawn(draw())
        for p, gradient in zip(parameters, gradients, strict=True):
            p.grad = gradient
    if needs_closure(optimizer):
        optimizer.step(closure)
    else:
        optimizer.step()
