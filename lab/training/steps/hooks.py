"""What happens within a step besides the step itself: rules of modules, and the observer that measures it."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor, nn


class StepHooks:
    """A caller of `after_step()` of every module that defines it, which restores their buffers if a step fails.

    Args:
        model: The model in training.
    """

    def __init__(self, model: nn.Module) -> None:
        self._modules: list[Any] = [module for module in model.modules() if hasattr(type(module), "after_step")]

    @torch.no_grad()
    def call(self) -> None:
        """Call all modules after a step, outer modules before those inside them."""
        for module in self._modules:
            module.after_step()

    def copy_buffers(self) -> dict[tuple[nn.Module, str], Tensor]:
        """Return copies of the buffers of these modules and their submodules, by module and name."""
        own = ((module, name, buffer) for module in self._modules for name, buffer in module.named_buffers())
        return {(module, name): buffer.clone() for module, name, buffer in own}

    def restore_buffers(self, buffers: dict[tuple[nn.Module, str], Tensor]) -> None:
        """Restore the buffers after a failed step, whose passes must not count twice."""
        for (module, name), buffer in buffers.items():
            module.get_buffer(name).data = buffer  # nothing can be copied on a device that failed


class StepObserver(Protocol):
    """An observer of the steps of a learner. It changes nothing, and an error in it ends nothing."""

    def start(self, step: int) -> None:
        """Handle the start of the step after which `step` steps are made."""
        ...

    def passed(self, part: str) -> None:
        """Handle the end of a part of the step, one of lab.runs.metrics.gauges.STEP_PARTS."""
        ...

    def before_update(self) -> None:
        """Handle the clipped gradients, just before the weights change."""
        ...

    def after_update(self, examples: np.ndarray) -> None:
        """Handle the new weights, after the step of the examples with these numbers (B,)."""
        ...

    def not_finite(self, examples: np.ndarray) -> None:
        """Handle a loss or gradient that is not finite: the gradients are there, and the weights have not changed."""
        ...

    def read_back(self) -> None:
        """Wait for the numbers that are still on their way from the device."""
        ...


class NoObserver:
    """An observer that does nothing."""

    def start(self, step: int) -> None:
        """Do nothing."""

    def passed(self, part: str) -> None:
        """Do nothing."""

    def before_update(self) -> None:
        """Do nothing."""

    def after_update(self, examples: np.ndarray) -> None:
        """Do nothing."""

    def not_finite(self, examples: np.ndarray) -> None:
        """Do nothing."""

    def read_back(self) -> None:
        """Do nothing."""
