"""Optimizers that treat matrices in a way of their own, and leave all other parameters to AdamW."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import torch
from torch import Tensor


class MatrixOptimizer(torch.optim.Optimizer, ABC):
    """An optimizer of matrices with another one for the rest, whose groups and state become part of its own.

    Args:
        matrices: The groups of matrices, with "width" (the inputs of an output), "lr", "weight_decay".
        rest: The optimizer of all other parameters.
        settings: The other entries of the groups of matrices.
    """

    mark: str
    """A key of the state of every matrix, which AdamW has not."""

    def __init__(self, matrices: list[dict[str, Any]], rest: torch.optim.Optimizer, settings: dict[str, Any]) -> None:
        super().__init__(matrices, settings)
        self._rest, self._matrices = rest, self.param_groups[:]
        self.param_groups.extend(rest.param_groups)
        rest.state = self.state

    @torch.no_grad()
    def step(self, closure: None = None) -> None:  # type: ignore[override]  # no closure is passed
        """Make one update of all parameters that have a gradient."""
        for group in self._matrices:
            self.update(group, [p for p in group["params"] if p.grad is not None])
        self._leave_out_matrices()
        self._rest.step(closure)

    @abstractmethod
    def update(self, group: dict[str, Any], parameters: list[Tensor]) -> None:
        """Update the matrices of a group that have a gradient."""

    def _leave_out_matrices(self) -> None:
        """Start anew for a parameter of the rest whose state is from a checkpoint in which it was a matrix."""
        for group in self._rest.param_groups:
            for p in group["params"]:
                if self.mark in self.state.get(p, ()):
                    del self.state[p]


def as_matrices(x: Tensor, width: int) -> Tensor:
    """Return (E, outputs, inputs) of a matrix, a stack of matrices, or the weight of a convolution."""
    stack = x.ndim > 1 and x.shape[-1] == width
    return x.reshape(-1, x.shape[-2], width) if stack else x.reshape(1, -1, width)
