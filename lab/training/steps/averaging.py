"""The mean of the last steps' weights, in which the noise of single batches averages out."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import nn

AVERAGE = "average"
"""Prefix of the names under which it is saved."""


class TailAverage:
    """The mean of a model's weights over the last steps of a training, which becomes the model's weights at the end.

    It does not change the steps themselves (Polyak & Juditsky 1992; over the last steps, Jain et al. 2018).

    Args:
        model: The model in training.
        steps: The number of last steps to average; 0 disables this.
        last_step: The number of the training's last step.
    """

    def __init__(self, model: nn.Module, steps: int, last_step: int) -> None:
        self._named = {name: p for name, p in model.named_parameters() if p.requires_grad} if steps else {}
        self._steps = steps
        self._first, self._last = last_step - steps, last_step
        # allocated now, as nothing may run out of memory after the update of the weights
        self._mean = [torch.empty_like(weight, requires_grad=False) for weight in self._named.values()]
        self._count = 0

    def end_at(self, last_step: int) -> None:
        """Set another last step; a mean that started too early for it starts again."""
        if last_step != self._last:
            self._first, self._last, self._count = last_step - self._steps, last_step, 0

    @torch.no_grad()
    def add(self, step: int) -> None:
        """Add the weights after `step`; after the last step the mean becomes the model's weights."""
        if not self._named or step <= self._first:
            return
        weights = [weight.detach() for weight in self._named.values()]
        self._count += 1
        if self._count == 1:
            torch._foreach_copy_(self._mean, weights)
        else:
            torch._foreach_lerp_(self._mean, weights, 1 / self._count)
        if step == self._last:
            torch._foreach_copy_(weights, self._mean)

    def state_dict(self) -> dict[str, torch.Tensor]:
        """Return the mean so far by parameter, and its number of steps; {} before the first."""
        if not self._count:
            return {}
        means = {f"{AVERAGE}/{name}": mean for name, mean in zip(self._named, self._mean, strict=True)}
        return {**means, AVERAGE: torch.tensor(self._count)}

    def load_state_dict(self, tensors: Mapping[str, torch.Tensor]) -> None:
        """Continue from what `state_dict` returned."""
        if AVERAGE in tensors:
            self._count = int(tensors[AVERAGE])
            self._mean = [tensors[f"{AVERAGE}/{name}"].to(p.device, copy=True) for name, p in self._named.items()]
