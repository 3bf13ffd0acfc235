"""The mean of the last steps' weights: what the noise of single batches adds to the last of them averages out."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import nn

AVERAGE = "average"
"""Begin of the names under which it is kept."""


class TailAverage:
    """Averages a model's weights over the last steps of its training and puts the mean in their place at the end.

    The steps themselves are as they would be without (Polyak & Juditsky 1992; over the tail, Jain et al. 2018).

    Args:
        model: The model that trains.
        steps: How many of the last steps; 0 changes nothing.
        last_step: The number of the training's last step.
    """

    def __init__(self, model: nn.Module, steps: int, last_step: int) -> None:
        self._named = {name: p for name, p in model.named_parameters() if p.requires_grad} if steps else {}
        self._steps = steps
        self._first, self._last = last_step - steps, last_step
        # made now: once the weights are updated, nothing may fail for want of memory
        self._mean = [torch.empty_like(weight, requires_grad=False) for weight in self._named.values()]
        self._count = 0

    def end_at(self, last_step: int) -> None:
        """The training ends at another step now; a mean that began too early for it begins anew."""
        if last_step != self._last:
            self._first, self._last, self._count = last_step - self._steps, last_step, 0

    @torch.no_grad()
    def add(self, step: int) -> None:
        """The weights after `step`; after the last one the mean becomes the model's weights."""
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

    def kept(self) -> dict[str, torch.Tensor]:
        """The mean so far by parameter, and how many steps are in it; nothing before the first."""
        if not self._count:
            return {}
        means = {f"{AVERAGE}/{name}": mean for name, mean in zip(self._named, self._mean, strict=True)}
        return {**means, AVERAGE: torch.tensor(self._count)}

    def go_on_from(self, tensors: Mapping[str, torch.Tensor]) -> None:
        """Takes up where `kept` was made."""
        if AVERAGE in tensors:
            self._count = int(tensors[AVERAGE])
            self._mean = [tensors[f"{AVERAGE}/{name}"].to(p.device, copy=True) for name, p in self._named.items()]
