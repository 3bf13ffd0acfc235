"""Networks on vectors: one layer of weights, and several."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, cast

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from lab.api import BadInput
from lab.layers import ACTIVATIONS, LanguageModel
from lab_feedforward.layers import activation, initialise, pieces, vector_norm

if TYPE_CHECKING:
    from lab.api import Task
    from lab_feedforward.settings import LinearConfig, MLPConfig, RandomFeaturesConfig


def features_of(task: Task, kind: str) -> int:
    """Return how many numbers an input has; images are read as one row of numbers.

    Raises:
        BadInput: The inputs are tokens.
    """
    if task.input_shape is None:
        raise BadInput(
            f"{kind} reads vectors and images, not tokens",
            field="architecture.name",
            remedy="Choose data in rows, such as the corpus points; or bengio, which reads text",
        )
    return math.prod(task.input_shape)


def outputs_of(task: Task) -> int:
    """Return how many numbers the task asks for."""
    return task.classes or task.outputs or task.vocabulary_size


def widths_are_possible(widths: list[int], field: str) -> None:
    """Raise BadInput unless every layer has a number of units that can be used."""
    for width in widths:
        if not 1 <= width <= 65536:
            raise BadInput("a layer has a number of units that is not possible", field=field, value=width,
                           allowed="1 to 65,536 for each layer")  # fmt: skip


class Perceptron(LanguageModel):
    """One layer of weights, f(x) = W x + b; what it becomes is decided by its objective.

    With two classes there is a single unit, whose sign decides: the logits are (−f / 2, f / 2), so that cross-entropy
    is that of logistic regression, log(1 + exp(∓f)), and the margin losses see f itself. Rosenblatt's rule is the
    gradient of the loss "perceptron" of the objective `margin`; with squared errors it is ADALINE.

    Args:
        config: The settings.
        task: The task that the model is built for.
    """

    def __init__(self, config: LinearConfig, task: Task) -> None:
        super().__init__(config, task)
        self.single = task.classes == 2
        units = 1 if self.single else outputs_of(task)
        self.output = nn.Linear(features_of(task, "the perceptron"), units, bias=config.bias)
        if config.spread:
            nn.init.normal_(self.output.weight, std=config.spread)
        else:
            nn.init.zeros_(self.output.weight)
        if config.bias:
            nn.init.zeros_(self.output.bias)

    def forward(self, tokens: Tensor, **given: Tensor) -> Tensor:
        """Return logits (B, classes), or numbers (B, outputs), of vectors (B, F) or images (B, H, W, C)."""
        del given
        found: Tensor = self.output(tokens.flatten(1))
        self.report("weighted sum", found, axes=("batch", "unit"))
        return torch.cat([-found, found], dim=1) / 2 if self.single else found

    def statements(self) -> tuple[str, dict[str, Tensor]]:
        """Return f = X Wᵀ + b, and with a single unit the two logits of it."""
        values = {"W": self.output.weight}
        text = "X @ Wᵀ"
        if cast("LinearConfig", self.config).bias:
            values["b"], text = self.output.bias, f"{text} + b"
        return (f"f = {text}\ny = f @ [[−0.5, 0.5]]" if self.single else f"y = {text}"), values


_ACTIVATED = {
    "identity": "{z}",
    "sigmoid": "sigmoid({z})",
    "tanh": "tanh({z})",
    "relu": "relu({z})",
    "leaky-relu": "relu({z}) − {slope}·relu(−{z})",
    "prelu": "relu({z}) − {slope}·relu(−{z})",
    "elu": "relu({z}) + exp(min({z}, 0)) − 1",
    "selu": "1.0507009873554805·(relu({z}) + 1.6732632423543772·(exp(min({z}, 0)) − 1))",
    "gelu": "gelu({z})",
    "gelu-tanh": "0.5·{z}·(1 + tanh(0.7978845608028654·({z} + 0.044715·{z}^3)))",
    "silu": "silu({z})",
    "softplus": "softplus({z})",
    "mish": "{z}·tanh(softplus({z}))",
}
"""Activations as expressions of their sum z; maxout has several sums."""


class RandomFeatures(LanguageModel):
    """A linear model of random features, f(x) = W φ(x), φ(x) = act(R x + r) / √N (Rahimi & Recht 2007).

    R and r are drawn once and are never trained; W starts at zeros, so that gradient descent on squares ends at the
    smallest W of all with the least error (Hastie et al. 2022, proposition 1).

    Args:
        config: The settings.
        task: The task that the model is built for.
    """

    random_weight: Tensor
    random_bias: Tensor

    def __init__(self, config: RandomFeaturesConfig, task: Task) -> None:
        super().__init__(config, task)
        inputs = features_of(task, "the model of random features")
        self.register_buffer("random_weight", torch.randn(config.features, inputs) * (config.spread * inputs**-0.5))
        self.register_buffer("random_bias", torch.randn(config.features) * config.spread)
        self.output = nn.Linear(config.features, outputs_of(task), bias=False)
        nn.init.zeros_(self.output.weight)

    def forward(self, tokens: Tensor, **given: Tensor) -> Tensor:
        """Return logits (B, classes), or numbers (B, outputs), of vectors (B, F) or images (B, H, W, C)."""
        del given
        sums = F.linear(tokens.flatten(1), self.random_weight, self.random_bias)
        self.report("weighted sum", sums, axes=("batch", "unit"), layer=0)
        config = cast("RandomFeaturesConfig", self.config)
        units = self.hook_point("units", ACTIVATIONS[config.activation](sums), ("batch", "unit"))
        self.report("activation", units, axes=("batch", "unit"), layer=0)
        return self.output(units * config.features**-0.5)  # type: ignore[no-any-return]


class Hidden(nn.Module):
    """One hidden layer: weighted sums, normalisation, activation, dropout, and the input again if it is residual.

    Args:
        config: The settings.
        inputs: Numbers that it reads.
        units: Numbers that it gives.
    """

    def __init__(self, config: MLPConfig, inputs: int, units: int) -> None:
        super().__init__()
        self.linear = nn.Linear(inputs, units * pieces(config), bias=config.bias)
        self.norm = vector_norm(config.norm, units * pieces(config), config.groups)
        self.activation = activation(config)
        self.residual = config.residual and inputs == units
        initialise(self.linear, config, config.activation)


class MLP(LanguageModel):
    """A multi-layer network: each hidden layer is a_l = f(norm(W_l a_{l−1} + b_l)), the output W a_L + b.

    Args:
        config: The settings; dropout is read at each step.
        task: The task that the model is built for.
    """

    def __init__(self, config: MLPConfig, task: Task) -> None:
        super().__init__(config, task)
        widths_are_possible(config.widths, "architecture.widths")
        sizes = [features_of(task, "the multi-layer network"), *config.widths]
        self.layers = nn.ModuleList(Hidden(config, inputs, units) for inputs, units in pairwise(sizes))
        self.output = nn.Linear(sizes[-1], outputs_of(task), bias=config.bias)
        initialise(self.output, config)

    def forward(self, tokens: Tensor, **given: Tensor) -> Tensor:
        """Return logits (B, classes), or numbers (B, outputs), of vectors (B, F) or images (B, H, W, C)."""
        del given
        x = tokens.flatten(1)
        dropout = cast("MLPConfig", self.config).dropout
        for number, layer in enumerate(self.hidden):
            sums = layer.norm(layer.linear(x))
            self.report("weighted sum", sums, axes=("batch", "unit"), layer=number)
            units = self.hook_point("units", layer.activation(sums), ("batch", "unit"))
            self.report("activation", units, axes=("batch", "unit"), layer=number)
            units = F.dropout(units, dropout, self.training)
            x = x + units if layer.residual else units
        return self.output(x)  # type: ignore[no-any-return]

    def statements(self) -> tuple[str, dict[str, Tensor]] | None:
        """Return the sums and activations of each layer; None with normalisation, maxout, or dropout."""
        config = cast("MLPConfig", self.config)
        if config.norm != "none" or config.dropout or config.activation not in _ACTIVATED:
            return None
        lines: list[str] = []
        values: dict[str, Tensor] = {}

        def weighted(linear: nn.Linear, before: str, number: int) -> str:
            values[f"W{number}"] = linear.weight
            if not config.bias:
                return f"{before} @ W{number}ᵀ"
            values[f"b{number}"] = linear.bias
            return f"{before} @ W{number}ᵀ + b{number}"

        before = "X"
        for number, layer in enumerate(self.hidden, 1):
            lines.append(f"z{number} = {weighted(layer.linear, before, number)}")
            slope = str(config.slope)
            if config.activation == "prelu":
                slope, values[f"s{number}"] = f"s{number}", cast("Tensor", layer.activation.weight)
            activated = _ACTIVATED[config.activation].format(z=f"z{number}", slope=slope)
            lines.append(f"a{number} = {activated}{f' + {before}' if layer.residual else ''}")
            before = f"a{number}"
        lines.append(f"y = {weighted(self.output, before, len(self.hidden) + 1)}")
        return "\n".join(lines), values

    @property
    def hidden(self) -> list[Hidden]:
        """The hidden layers, from the one that reads the input."""
        return list(self.layers)  # type: ignore[arg-type]


def build_perceptron(config: LinearConfig, task: Task) -> Perceptron:
    """Return a layer of weights."""
    return Perceptron(config, task)


def build_random_features(config: RandomFeaturesConfig, task: Task) -> RandomFeatures:
    """Return a linear model of random features."""
    return RandomFeatures(config, task)


def build_mlp(config: MLPConfig, task: Task) -> MLP:
    """Return a multi-layer network."""
    return MLP(config, task)
