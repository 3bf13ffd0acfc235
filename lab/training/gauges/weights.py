"""Gauges of the weights: norms, the size of updates, and largest singular values, by layer."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from lab.runs.metrics.gauges import SPECTRAL_NORM, UPDATE_RATIO, WEIGHT_NORM, Gauge
from lab.training.steps.clipping import layer_name

ITERATIONS = 12
"""Steps of the power iteration; the estimate comes from below, for random matrices from about 3 % below."""
LARGEST = 2**24
"""Most numbers of a matrix whose spectral norm is computed."""

Values = list[tuple[Gauge, Sequence[str], Tensor]]
"""A gauge, the names of L layers, and their values (L,) on the device."""


class WeightGauges:
    """The gauges of the trained parameters of a model; tied ones count once, under their first name.

    Args:
        model: The model in training.
    """

    def __init__(self, model: nn.Module) -> None:
        named = [(name, p) for name, p in model.named_parameters() if p.requires_grad]
        self.parameters = [p for _, p in named]
        names = [layer_name(name) for name, _ in named]
        self.layers = tuple(dict.fromkeys(names))
        self.numbers = [self.layers.index(name) for name in names]
        self.updates: list[Tensor] = []
        """The changes of the parameters in the measured step, until `forget`."""
        self._before: list[Tensor] = []

    @torch.no_grad()
    def before_update(self) -> None:
        """Copy the weights, so that the update can be measured."""
        self._before = [p.detach().clone() for p in self.parameters]

    @torch.no_grad()
    def after_update(self) -> Values:
        """Return the weight norms ‖w‖ before the update, and the update ratios ‖Δw‖ / ‖w‖.

        Weight decay and what modules do after a step are part of the update.
        """
        before, self._before = self._before, []
        self.updates = list(torch._foreach_sub([p.detach() for p in self.parameters], before))
        weights, changes = self._norms(before), self._norms(self.updates)
        ratios = changes / weights  # NaN where a layer was all zeros and remains so
        return [(UPDATE_RATIO, self.layers, ratios), (WEIGHT_NORM, self.layers, weights)]

    def forget(self) -> None:
        """Drop the copies of the weights."""
        self._before, self.updates = [], []

    def _norms(self, tensors: Sequence[Tensor]) -> Tensor:
        """Return the Euclidean norm (L,) of each layer."""
        squares = torch.stack(torch._foreach_norm(list(tensors))).float().square()
        index = torch.tensor(self.numbers, device=squares.device)
        return squares.new_zeros(len(self.layers)).index_add_(0, index, squares).sqrt_()

    @torch.no_grad()
    def spectral(self) -> Values:
        """Return the largest singular value among the matrices of each layer that has one."""
        largest: dict[int, Tensor] = {}
        for number, p in zip(self.numbers, self.parameters, strict=True):
            if p.ndim == 2 and min(p.shape) > 1 and p.numel() <= LARGEST:
                found = spectral_norm(p.detach())
                largest[number] = torch.maximum(largest[number], found) if number in largest else found
        names = [self.layers[number] for number in largest]
        return [(SPECTRAL_NORM, names, torch.stack([*largest.values()]))] if largest else []


def spectral_norm(matrix: Tensor) -> Tensor:
    """Return the largest singular value of a matrix (M, N) by power iteration, a scalar.

    The start is the same at every step, so that a resumed training records the same values.
    """
    matrix = matrix.float()
    wide = matrix.shape[1]
    vector = torch.cos(torch.arange(wide, device=matrix.device, dtype=torch.float32) * 2.3999632)  # the golden angle
    for _ in range(ITERATIONS):
        vector = torch.mv(matrix.T, torch.mv(matrix, vector))
        vector = vector / vector.norm().clamp(min=torch.finfo(vector.dtype).tiny)
    found: Tensor = torch.mv(matrix, vector).norm()
    return found
