"""A copy of a training model, for generation and readings during training."""

from __future__ import annotations

import copy
import threading
from typing import Any

import torch

from lab.api import ModelConfig
from lab.base import LabError, Problem
from lab.layers import LanguageModel


class ModelCopy:
    """A copy of a training model, taken by the training thread at a step boundary.

    The training does not wait for users of the copy, and its losses stay the same bit for bit.
    """

    def __init__(self) -> None:
        self.model: LanguageModel | None = None
        self.step = 0
        self._taken = threading.Event()
        self._refusal: Problem | None = None

    def take(self, model: LanguageModel, step: int) -> None:
        """Copy parameters, buffers and live settings. The training thread calls this between two steps."""
        if self.model is None:
            self.model = copy_of(model)
        else:
            update_copy(self.model, model)
        self.step = step
        self._taken.set()

    def refuse(self, problem: Problem) -> None:
        """Report why there is no copy, instead of `take`."""
        self._refusal = problem
        self._taken.set()

    def wait(self, seconds: float = 60.0) -> LanguageModel:
        """Return the copy as soon as it is taken.

        Raises:
            LabError: The training did not reach a step boundary in time, or the copy could not be made.
        """
        if not self._taken.wait(seconds):
            raise LabError(
                f"the training did not finish a step within {seconds:.0f} seconds",
                remedy="Pause the run, or try again",
            )
        self._taken.clear()
        refusal, self._refusal = self._refusal, None
        if refusal is not None:
            raise LabError(refusal)
        assert self.model is not None
        return self.model


class ReusedCopy:
    """A copy of a training model that the training thread itself uses between two steps, and brings up to date.

    Args:
        model: The model.
    """

    def __init__(self, model: LanguageModel) -> None:
        self._model = model
        self._copy: LanguageModel | None = None

    def updated(self) -> LanguageModel:
        """Return the copy, in eval mode, with the present parameters, buffers and live settings."""
        if self._copy is None:
            self._copy = copy_of(self._model)
        else:
            update_copy(self._copy, self._model)
        return self._copy


def copy_of(model: LanguageModel) -> LanguageModel:
    """Return a copy of a model in eval mode. Tables of counts are shared, since they are never changed in place."""
    if model.learns == "counting":
        return copy.deepcopy(model, {id(table): table for table in model.buffers()}).eval()
    gradients = [(parameter, parameter.grad) for parameter in model.parameters()]
    for parameter, _ in gradients:
        parameter.grad = None  # a deepcopy would copy them too
    try:
        copied = copy.deepcopy(model).eval()
    finally:
        for parameter, gradient in gradients:
            parameter.grad = gradient
    return copied


@torch.no_grad()
def update_copy(copied: LanguageModel, model: LanguageModel) -> None:
    """Update a copy: all parameters, buffers and live settings."""
    if model.learns == "counting":
        copied.load_tables(model.tables())
    else:
        own, new = _tensors(copied), _tensors(model)
        if own:
            torch._foreach_copy_(own, new)
    _update_settings(copied.config, model.config)


def _update_settings(own: Any, new: Any) -> None:
    """Set field by field, also in nested configs, as modules hold references to the configs they were built with."""
    for name in type(new).model_fields:
        value = getattr(new, name)
        if isinstance(value, ModelConfig):
            _update_settings(getattr(own, name), value)
        elif getattr(own, name) != value:
            setattr(own, name, copy.deepcopy(value))


def _tensors(model: LanguageModel) -> list[torch.Tensor]:
    return [*model.parameters(), *model.buffers()]
