"""One example on its way through a network and back: every sum, activation and derivative, by the chain rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from lab.api import BadInput
from lab_feedforward.network import MLP, Perceptron

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Layer:
    """A layer of units, with all that happens to one example in it.

    Args:
        weights: (units, inputs).
        bias: (units,), zeros where there is none.
        activation: The name of its activation; "identity" at the output.
        inputs: (inputs,) what it reads.
        sums: (units,) z = W x + b.
        values: (units,) f(z).
        outputs: (units,) what it hands on: f(z), and x again if it is residual.
        slopes: (units,) f′(z).
        residual: Whether x is added to f(z).
        value_gradients: (units,) ∂L/∂ of what it hands on.
        errors: (units,) δ = ∂L/∂z.
    """

    weights: Array
    bias: Array
    activation: str
    inputs: Array
    sums: Array
    values: Array
    outputs: Array
    slopes: Array
    residual: bool = False
    value_gradients: Array = field(default_factory=lambda: np.zeros(0))
    errors: Array = field(default_factory=lambda: np.zeros(0))

    @property
    def weight_gradients(self) -> Array:
        """∂L/∂W = δ xᵀ, (units, inputs); that of the biases is δ itself."""
        return np.outer(self.errors, self.inputs)


@dataclass(frozen=True, eq=False)
class Walk:
    """The way of one example forward and backward.

    Args:
        layers: The layers in order, the output last.
        logits: (K,) what the model gives.
        logit_gradients: (K,) ∂L/∂ of that.
        loss: The loss of the example.
        input_gradient: (inputs,) ∂L/∂ of the input.
    """

    layers: tuple[Layer, ...]
    logits: Array
    logit_gradients: Array
    loss: float
    input_gradient: Array


Gradients = Callable[[Tensor], Tensor]
"""Logits (1, K), float64, to the loss of the example, a scalar with its graph."""


def walk(model: Any, example: Tensor, loss: Gradients) -> Walk:
    """Return the way of one example through a perceptron or a multi-layer network.

    The layers are walked by hand, z = W x + b, a = f(z) forward and δ = f′(z) ∂L/∂a, ∂L/∂W = δ xᵀ, ∂L/∂x = Wᵀ δ
    backward (Rumelhart, Hinton and Williams 1986); only the derivative of the loss itself comes from autograd.

    Args:
        model: The model; dropout has no effect.
        example: (1, F) or (1, H, W, C).
        loss: The loss of logits.

    Raises:
        BadInput: It is another model, or has normalisation or maxout, whose derivatives are not those of single units.
    """
    x = example.detach().flatten().double().cpu().numpy()
    layers: list[Layer] = []
    for linear, activate, name, residual in _parts_of(model):
        weights = linear.weight.detach().double().cpu().numpy()
        bias = np.zeros(len(weights)) if linear.bias is None else linear.bias.detach().double().cpu().numpy()
        sums = weights @ x + bias
        values, slopes = _activated(activate, sums)
        outputs = x + values if residual else values
        layers.append(Layer(weights, bias, name, x, sums, values, outputs, slopes, residual))
        x = outputs
    spread = np.array([[-0.5], [0.5]]) if isinstance(model, Perceptron) and model.single else np.eye(len(x))
    logits = spread @ x
    given = torch.tensor(logits[None], requires_grad=True)
    with torch.enable_grad():
        nats = loss(given)
        (gradient,) = torch.autograd.grad(nats, given)
    logit_gradients = gradient[0].numpy()
    behind = spread.T @ logit_gradients
    done: list[Layer] = []
    for layer in reversed(layers):
        errors = behind * layer.slopes
        done.append(replace(layer, value_gradients=behind, errors=errors))
        behind = layer.weights.T @ errors + (behind if layer.residual else 0.0)
    return Walk(tuple(reversed(done)), logits, logit_gradients, float(nats.detach()), behind)


def _activated(activate: Any, sums: Array) -> tuple[Array, Array]:
    """Return f(z) and f′(z)."""
    if activate is None:
        return sums, np.ones_like(sums)
    given = torch.tensor(sums, requires_grad=True)
    with torch.enable_grad():
        values = activate(given)
        (slopes,) = torch.autograd.grad(values.sum(), given)
    return values.detach().numpy(), slopes.numpy()


def _parts_of(model: Any) -> Sequence[tuple[Any, Any, str, bool]]:
    """Return linear layer, activation, name of the activation and whether it is residual, layer by layer.

    Raises:
        BadInput: The layers of this model cannot be walked unit by unit.
    """
    if isinstance(model, Perceptron):
        return [(model.output, None, "identity", False)]
    if not isinstance(model, MLP):
        raise BadInput(
            "this probe reads perceptrons and multi-layer networks", field="readings.probes", value="network"
        )
    config: Any = model.config
    if config.norm != "none" or config.activation == "maxout":
        raise BadInput(
            "the derivatives of normalisation and of maxout are not those of single units, which are walked here",
            field="readings.probes",
            value="network",
            remedy="Choose a network without them",
        )
    activations = [_in_double(layer.activation) for layer in model.hidden]
    hidden = [
        (layer.linear, activate, config.activation, layer.residual)
        for layer, activate in zip(model.hidden, activations, strict=True)
    ]
    return [*hidden, (model.output, None, "identity", False)]


def _in_double(activation: Any) -> Any:
    """Return an activation that takes float64, those with parameters too."""
    if not any(True for _ in activation.parameters()):
        return activation
    slope = activation.weight.detach().double()
    return lambda z: torch.where(z > 0, z, slope * z)
