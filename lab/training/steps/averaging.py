"""The mean of several steps' weights, in which the noise of single batches averages out."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any

import torch
from torch import nn

AVERAGE = "average"
"""Prefix of the names under which the mean is saved, and the name of the number of its steps."""
LAST = "last weights"
"""Prefix of the names under which the weights of the last step are saved, once the mean has replaced them."""
CONTINUES_FROM_MEAN = (
    "the checkpoint was made by an older version, and has the mean of the last steps' weights (training.average) "
    "without the weights of the last step: the training continues from the mean"
)
"""Notice of a training that cannot continue from the weights of its last step."""


class WeightAverage:
    """The mean of a model's weights over some steps of a training, which does not change the steps themselves.

    The mean of the last steps ("tail") becomes the model's weights at the end (Polyak & Juditsky 1992; Jain et al.
    2018): if more steps follow after all, they continue from the weights of the last step, to which the optimizer's
    state belongs. Two others stay beside the model:

    - "ema": ∑ dᵗ⁻ⁱ wᵢ / ∑ dᵗ⁻ⁱ after step t, with the decay d, so that it has no bias at the start.
    - "swa": the mean of every n-th of the last steps (Izmailov et al. 2018, algorithm 1).

    Args:
        model: The model in training.
        training: The settings of the training: "averaging", "average", "average_every" and "average_decay".
        last_step: The number of the training's last step.
    """

    def __init__(self, model: nn.Module, training: Any, last_step: int) -> None:
        self._kind, self._steps = training.averaging, training.average
        self._every = training.average_every if self._kind == "swa" else 1
        self._decay = training.average_decay if self._kind == "ema" else 1.0
        is_on = self._kind == "ema" or bool(self._steps)
        self._named = {name: p for name, p in model.named_parameters() if p.requires_grad} if is_on else {}
        self._place(last_step)
        # allocated now, as nothing may run out of memory after the update of the weights
        self._mean = [torch.empty_like(weight, requires_grad=False) for weight in self._named.values()]
        largest = max(self._named.values(), key=lambda weight: weight.nbytes, default=None)
        self._room = None if largest is None else torch.empty(largest.nbytes, dtype=torch.uint8, device=largest.device)
        self._count = 0
        self._ended = False  # then the model has the mean, and `_mean` the weights of the last step
        self._lost = False  # the model has the mean, and the weights of the last step are unknown

    def _place(self, last_step: int) -> None:
        self._first, self._last = (0 if self._kind == "ema" else last_step - self._steps), last_step

    def end_at(self, last_step: int) -> bool:
        """Set another last step; a mean that started too early for it starts again.

        Returns:
            False if the training continues from the mean, since an older checkpoint lacks the weights of its last step.
        """
        if last_step == self._last:
            return True
        if self._ended:
            self._swap()
        known, self._lost, self._ended = not self._lost, False, False
        self._place(last_step)
        self._count = self._count if self._kind == "ema" else 0
        return known

    @torch.no_grad()
    def add(self, step: int) -> None:
        """Add the weights after `step`; after the last step the mean of a tail becomes the model's weights."""
        if not self._named or step <= self._first or (step - self._first) % self._every:
            return
        weights = [weight.detach() for weight in self._named.values()]
        self._count += 1
        if self._count == 1:
            torch._foreach_copy_(self._mean, weights)
        else:
            d = self._decay
            torch._foreach_lerp_(self._mean, weights, 1 / self._count if d == 1 else (1 - d) / (1 - d**self._count))
        if step == self._last and self._kind == "tail":
            self._swap()
            self._ended = True

    @property
    def is_apart(self) -> bool:
        """True if there is a mean and the model has other weights."""
        return bool(self._count) and not self._ended

    @property
    def is_model(self) -> bool:
        """True if the mean has become the model's weights."""
        return self._ended

    @contextlib.contextmanager
    def in_model(self) -> Iterator[None]:
        """Let the model have the mean in the body; then it has its own weights again, bit for bit."""
        self._swap()
        try:
            yield
        finally:
            self._swap()

    @torch.no_grad()
    def _swap(self) -> None:
        """Exchange the model's weights and `_mean`, without memory of their size."""
        assert self._room is not None  # there are weights
        for weight, mean in zip(self._named.values(), self._mean, strict=True):
            copied = self._room[: weight.nbytes].view(weight.dtype).view(weight.shape)
            copied.copy_(weight)
            weight.copy_(mean)
            mean.copy_(copied)

    def state_dict(self) -> dict[str, torch.Tensor]:
        """Return the mean so far by parameter, and its number of steps; {} before the first.

        After the last step the mean of a tail is the model's weights; those of the last step are returned in its place.
        """
        if not self._count:
            return {}
        prefix = LAST if self._ended else AVERAGE
        saved = {f"{prefix}/{name}": tensor for name, tensor in zip(self._named, self._mean, strict=True)}
        return {**saved, AVERAGE: torch.tensor(self._count)}

    def load_state_dict(self, tensors: Mapping[str, torch.Tensor], step: int) -> None:
        """Continue from what `state_dict` returned after `step`."""
        if AVERAGE in tensors:
            self._count = int(tensors[AVERAGE])
            self._ended = any(f"{LAST}/{name}" in tensors for name in self._named)
            self._lost = self._kind == "tail" and step == self._last and not self._ended
            prefix = LAST if self._ended else AVERAGE
            self._mean = [tensors[f"{prefix}/{name}"].to(p.device, copy=True) for name, p in self._named.items()]


def last_weights(tensors: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Return the weights of the last step by parameter from a saved state; {} where the model has them itself."""
    return {name.removeprefix(f"{LAST}/"): tensor for name, tensor in tensors.items() if name.startswith(f"{LAST}/")}


def mean_weights(tensors: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor] | None:
    """Return the mean by parameter from a saved state; {} where it is the model's weights, None where there is none."""
    if AVERAGE not in tensors:
        return None
    return {name.removeprefix(f"{AVERAGE}/"): mean for name, mean in tensors.items() if name.startswith(f"{AVERAGE}/")}
