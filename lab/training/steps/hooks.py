"""What modules of a model do after each optimizer step by a rule of their own, beside the gradients."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn


class StepHooks:
    """Calls `after_step()` of every module that defines it; what these have in buffers goes back when a step fails.

    Args:
        model: The model that trains.
    """

    def __init__(self, model: nn.Module) -> None:
        self._modules: list[Any] = [module for module in model.modules() if hasattr(type(module), "after_step")]

    @torch.no_grad()
    def call(self) -> None:
        """A step was made: calls them all, those that hold others before these."""
        for module in self._modules:
            module.after_step()

    def kept(self) -> dict[tuple[nn.Module, str], Tensor]:
        """Copies of the buffers of these modules and their parts, by module and name."""
        own = ((module, name, buffer) for module in self._modules for name, buffer in module.named_buffers())
        return {(module, name): buffer.clone() for module, name, buffer in own}

    def put_back(self, kept: dict[tuple[nn.Module, str], Tensor]) -> None:
        """The step failed: its passes shall not count when it is made again."""
        for (module, name), buffer in kept.items():
            module.get_buffer(name).data = buffer  # on a device that failed nothing can be copied
