"""Where an optimizer wants the gradients: at the weights, ahead of them, or at several points of a step.

An optimizer may have the methods `look_ahead`, called before the loss of a step is computed, and `look_back`, called if
the step fails or is left out: between them the model has the weights at which the gradients are computed, and otherwise
those that are evaluated, copied and saved. One with `needs_closure` calls the function that its `step` is given.
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


def make_update(optimizer: Any, closure: Callable[[], torch.Tensor]) -> None:
    """Make a step of an optimizer; one that computes the loss several times does so by the closure."""
    if needs_closure(optimizer):
        optimizer.step(closure)
    else:
        optimizer.step()
