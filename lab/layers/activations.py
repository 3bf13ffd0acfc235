"""The table of activation functions, plain and gated."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias

import torch
import torch.nn.functional as F
from torch import Tensor

from lab.api import GATED_ACTIVATIONS, FeedForwardActivation

Activation: TypeAlias = (
    FeedForwardActivation | Literal["identity", "sigmoid", "tanh", "elu", "selu", "softplus", "mish"]
)


def _relu2(x: Tensor) -> Tensor:
    """Return max(x, 0)² (So et al. 2021)."""
    return F.relu(x).square()


def _identity(x: Tensor) -> Tensor:
    """Return x itself."""
    return x


def _gelu_tanh(x: Tensor) -> Tensor:
    """Return GPT-2's approximation of GELU."""
    return F.gelu(x, approximate="tanh")


def _gelu_sigmoid(x: Tensor) -> Tensor:
    """Return x σ(1.702 x), an approximation of GELU (Hendrycks & Gimpel 2016, section 2)."""
    return x * torch.sigmoid(1.702 * x)


_PLAIN: Mapping[str, Callable[[Tensor], Tensor]] = {
    "relu": F.relu,
    "relu2": _relu2,
    "gelu": F.gelu,
    "gelu-tanh": _gelu_tanh,
    "gelu-sigmoid": _gelu_sigmoid,
    "silu": F.silu,
    "tanh": torch.tanh,
    "identity": _identity,
    "sigmoid": torch.sigmoid,
    "elu": F.elu,
    "selu": F.selu,
    "softplus": F.softplus,
    "mish": F.mish,
}
ACTIVATIONS = {**_PLAIN, **{gated: _PLAIN[gate] for gated, gate in GATED_ACTIVATIONS.items()}}
"""Every activation function by name; for a gated activation, the function of its gate."""


def activate(x: Tensor, activation: Activation) -> Tensor:
    """Return f(x); for a gated activation f(gate) ⊙ value, the two halves of x along its last axis."""
    function = ACTIVATIONS[activation]
    if activation not in GATED_ACTIVATIONS:
        return function(x)
    gate, value = x.chunk(2, dim=-1)
    return function(gate) * value
