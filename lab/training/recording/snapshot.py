"""A second instance of a model that trains, for generation and readings beside the training."""

from __future__ import annotations

import copy
import threading
from typing import Any

import torch

from lab.api import ModelConfig
from lab.base import LabError, Problem
from lab.layers import LanguageModel


class Snapshot:
    """A copy of a training model, taken by the training thread at a step boundary and then left alone.

    The training neither waits for its reader nor sees it: its losses are the same bit for bit.
    """

    def __init__(self) -> None:
        self.model: LanguageModel | None = None
        self.step = 0
        self._taken = threading.Event()
        self._refusal: Problem | None = None

    def take(self, model: LanguageModel, step: int) -> None:
        """Copies parameters, buffers and live settings. Called by the training thread between two steps."""
        if self.model is None:
            self.model = instance_of(model)
        else:
            refresh(self.model, model)
        self.step = step
        self._taken.set()

    def refuse(self, problem: Problem) -> None:
        """There is no copy, and this is why. Called instead of `take`."""
        self._refusal = problem
        self._taken.set()

    def wait(self, seconds: float = 60.0) -> LanguageModel:
        """The copy, once it is taken.

        Raises:
            LabError: The training did not come to a step boundary in time, or the copy could not be made.
        """
        if not self._taken.wait(seconds):
            raise LabError(
                f"the training did not come to the end of a step within {seconds:.0f} seconds",
                remedy="Pause the run, or try again",
            )
        self._taken.clear()
        refusal, self._refusal = self._refusal, None
        if refusal is not None:
            raise LabError(refusal)
        assert self.model is not None
        return self.model


def instance_of(model: LanguageModel) -> LanguageModel:
    """A second instance in eval mode. Tables of counts are shared, since they are never written in place."""
    if model.learns == "counting":
        return copy.deepcopy(model, {id(table): table for table in model.buffers()}).eval()
    gradients = [(parameter, parameter.grad) for parameter in model.parameters()]
    for parameter, _ in gradients:
        parameter.grad = None  # a deepcopy would copy them too
    try:
        twin = copy.deepcopy(model).eval()
    finally:
        for parameter, gradient in gradients:
            parameter.grad = gradient
    return twin


@torch.no_grad()
def refresh(twin: LanguageModel, model: LanguageModel) -> None:
    """Brings an instance up to date: one copy of all parameters and buffers, and the live settings."""
    if model.learns == "counting":
        twin.load_tables(model.tables())
    else:
        own, new = _tensors(twin), _tensors(model)
        if own:
            torch._foreach_copy_(own, new)
    _refresh_settings(twin.config, model.config)


def _refresh_settings(own: Any, new: Any) -> None:
    """Field by field, nested configs too: the modules of a model hold on to the objects they were built with."""
    for name in type(new).model_fields:
        value = getattr(new, name)
        if isinstance(value, ModelConfig):
            _refresh_settings(getattr(own, name), value)
        elif getattr(own, name) != value:
            setattr(own, name, copy.deepcopy(value))


def _tensors(model: LanguageModel) -> list[torch.Tensor]:
    return [*model.parameters(), *model.buffers()]
