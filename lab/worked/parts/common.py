"""What the parts share: tensors of an example's inputs, slots, and models of registered architectures."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from lab.api import Slot, Task
from lab.api.architecture import load
from lab.host import Plugins
from lab.worked.examples import Computed

if TYPE_CHECKING:
    from torch import Tensor

Figures = Mapping[str, Any]
"""Figures by the names of steps."""


def as_data(value: Any) -> Any:
    """Return tensors as nested lists."""
    if hasattr(value, "detach"):
        return value.detach().double().tolist()
    return [as_data(each) for each in value] if isinstance(value, list | tuple) else value


def to_tensor(value: Any) -> Tensor:
    """Return a float64 tensor of its own, as parts may change what they are given."""
    import torch

    if isinstance(value, torch.Tensor):
        return value.double()
    return torch.tensor(np.array(value, np.float64))  # a copy, as parts may change it


def inputs_of(computed: Computed, *names: str) -> list[Tensor]:
    """Return inputs of an example as float64 tensors of their own."""
    return [to_tensor(computed.inputs[name]) for name in names]


def make_slot(width: int, *, causal: bool = True, context: int = 64, **settings: Any) -> Slot:
    """Return the position of a layer in a stack of one block."""
    return Slot(width, 0, 1, context, causal, SimpleNamespace(dropout=0.0, **settings))


@functools.cache
def built_ins() -> Plugins:
    """Return the built-in plugins, loaded once."""
    return Plugins(safe_mode=True).load()


def make_model(name: str, task: Task, **settings: Any) -> Any:
    """Build the model of a registered architecture in float64."""
    card = built_ins().card("architectures", name)
    return load(card.build)(card.config(**settings), task).double()


def backward(loss: Tensor) -> None:
    """Compute gradients."""
    loss.backward()  # type: ignore[no-untyped-call]


def fill(parameter: Tensor, value: Any) -> None:
    """Set the values of a parameter."""
    import torch

    with torch.no_grad():
        parameter.copy_(to_tensor(value).reshape(parameter.shape))
