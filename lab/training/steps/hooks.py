"""The rules that modules of a model apply after each optimizer step."""

from __future__ import annotations

from typing import Any

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
