"""The loss of fixed examples as a function of the weights."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import torch
from torch import Tensor
from torch.nn.utils import parameters_to_vector, vector_to_parameters

from lab.api import Batch, Source
from lab.base import BadInput
from lab.base.torch_lock import own_draws
from lab.layers import LanguageModel
from lab.training.experiment import Experiment

EXAMPLES = 16
"""Examples on which a loss is measured, unless another number is asked for."""
MOST_EXAMPLES = 4096
FAR = 1 << 32
"""The number of the first example: far behind those that a training reads."""
DRAWS = 6
"""Second number of the seed of draws while losses are measured."""
APART, APART_IN_FLOAT32 = 1e-5, 1e-2
"""How far a product with the Hessian looks to either side."""

Progress = Callable[[float], object]
"""Called with the share that is done."""


class LossSurface:
    """The loss of fixed examples over the trained weights, without dropout, smoothing and auxiliary losses.

    Everything is computed in float64, so that differences of gradients are exact to about seven digits; on a device
    that has none, in float32. The weights of the model change: it must be a copy.

    Args:
        experiment: The experiment; its objective and examples are read.
        model: A model of the experiment, which belongs to this surface from now on.
        count: How many examples are read.
        source: The split to read; None takes that of the training.

    Attributes:
        weights: (N,) the weights where the model was.

    Raises:
        BadInput: The number of examples cannot be used, or the model counts.
    """

    def __init__(
        self, experiment: Experiment, model: LanguageModel, *, count: int = EXAMPLES, source: Source | None = None
    ) -> None:
        check_gradient(experiment, model)
        if not 1 <= count <= MOST_EXAMPLES:
            raise BadInput("is not allowed", field="--examples", value=str(count), allowed=f"1 to {MOST_EXAMPLES:,}")
        self._experiment, self.model = experiment, in_full_precision(model).eval()
        read = experiment.train if source is None else source.ordered()
        first = FAR if source is None else 0
        known = getattr(read, "examples", None)
        count = count if source is None or known is None else min(count, int(known))
        seed, at_once = experiment.recipe.training.seed, experiment.recipe.training.batch_size
        numbers = first + np.arange(count)
        pieces = np.array_split(numbers, math.ceil(count / at_once))
        self.count = count
        self._batches = [experiment.objective.batch(read, piece, seed) for piece in pieces]
        self._weight = max(1, sum(batch.weight for batch in self._batches))
        self.weights = self.vector()

    @property
    def parameters(self) -> list[torch.nn.Parameter]:
        """The parameters that are trained."""
        return [parameter for parameter in self.model.parameters() if parameter.requires_grad]

    def vector(self) -> Tensor:
        """Return (N,) a copy of the weights of the model."""
        return parameters_to_vector([parameter.detach() for parameter in self.parameters]).clone()

    def move_to(self, weights: Tensor) -> None:
        """Give the model these weights, (N,)."""
        vector_to_parameters(weights, self.parameters)

    def loss(self, weights: Tensor | None = None) -> float:
        """Return the mean loss of the targets at these weights; None takes those of the model."""
        if weights is not None:
            self.move_to(weights)
        total = 0.0
        with torch.no_grad():
            for number, batch in enumerate(self._batches):
                total += float(self._nats(number, batch))
        return total / self._weight

    def gradient(self, weights: Tensor | None = None) -> Tensor:
        """Return (N,) the gradient of the mean loss at these weights; None takes those of the model."""
        if weights is not None:
            self.move_to(weights)
        parameters = self.parameters
        total = torch.zeros_like(self.weights)
        for number, batch in enumerate(self._batches):
            found = torch.autograd.grad(self._nats(number, batch), parameters, allow_unused=True)
            total += joined(found, parameters)
        return total / self._weight

    def product(self, vector: Tensor) -> Tensor:
        """Return (N,) the product of the Hessian at `weights` with a vector, from gradients at either side.

        (∇L(w + h v) − ∇L(w − h v)) / 2h has an error of the order h². Unlike a second backward pass it needs nothing of
        a model but its gradient, which scans and fused attention have.
        """
        length = float(vector.norm())
        if not length > 0:
            return torch.zeros_like(vector)
        distance = APART if self.weights.dtype == torch.float64 else APART_IN_FLOAT32
        step = vector * (distance / length)
        ahead, behind = self.gradient(self.weights + step), self.gradient(self.weights - step)
        self.move_to(self.weights)
        return (ahead - behind) * (length / (2 * distance))

    def _nats(self, number: int, batch: Batch) -> Tensor:
        seed, device = self._experiment.recipe.training.seed, self._experiment.placement.device
        with own_draws(seed, DRAWS, number, device=device.type):
            return self._experiment.objective.loss(self.model, self._on_device(batch)).nats.sum()

    def _on_device(self, batch: Batch) -> Batch:
        moved = batch.to(self._experiment.placement.device)
        for name, value in moved.inputs.items():
            if isinstance(value, Tensor) and value.is_floating_point():
                moved.inputs[name] = value.to(self.weights_dtype)
        if moved.targets.is_floating_point():
            moved.targets = moved.targets.to(self.weights_dtype)
        moved.fresh = True
        return moved

    @property
    def weights_dtype(self) -> torch.dtype:
        """The number format of the weights."""
        return next(iter(self.model.parameters())).dtype


def check_gradient(experiment: Experiment, model: LanguageModel) -> None:
    """Refuse a model that counts.

    Raises:
        BadInput: It does.
    """
    if model.learns == "counting":
        raise BadInput(
            "this model counts, and has no gradient that could be measured",
            field="architecture.name",
            value=experiment.recipe.architecture.name,
            remedy="Choose a run of another architecture",
        )


def in_full_precision(model: LanguageModel) -> LanguageModel:
    """Return the model in float64, or as it is where its device has none."""
    on = next(iter(model.parameters())).device.type
    return model if on == "mps" else model.double()


def cosine(one: Tensor, other: Tensor) -> float:
    """Return the cosine of the angle between two vectors; NaN if one has no length."""
    lengths = float(one.norm()) * float(other.norm())
    return float(one @ other) / lengths if lengths > 0 else math.nan


def joined(gradients: Sequence[Tensor | None], parameters: Sequence[Tensor]) -> Tensor:
    """Return (N,) the gradients of all parameters, 0 where one has none."""
    pairs = zip(gradients, parameters, strict=True)
    return torch.cat([(torch.zeros_like(p) if g is None else g).reshape(-1) for g, p in pairs])
