"""Muon: updates of matrices that are orthogonalised, with AdamW for all other parameters."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from lab.api import ParameterGroup
from lab.training.optimizers.builtins import MuonConfig
from lab.training.optimizers.makers import adamw_of, merged, rate_factor
from lab.training.optimizers.matrices import MatrixOptimizer, as_matrices

COEFFICIENTS = (3.4445, -4.7750, 2.0315)
"""Of the polynomial a x + b x³ + c x⁵, which moves singular values near 1 in few iterations (Jordan et al. 2024)."""
LEAST_NORM = 1e-7
"""Smallest norm that a matrix is divided by."""


def orthogonalised(matrices: Tensor, iterations: int) -> Tensor:
    """Return matrices with the same singular vectors and singular values between about 0.7 and 1.2.

    Newton–Schulz iterations: X ← a X + (b X Xᵀ + c (X Xᵀ)²) X from X = M / ‖M‖ (Jordan et al. 2024).

    Args:
        matrices: (E, outputs, inputs).
        iterations: Their number; 5 are enough for training.
    """
    a, b, c = COEFFICIENTS
    tall = matrices.shape[1] > matrices.shape[2]
    x: Tensor = matrices.transpose(1, 2) if tall else matrices
    x = x / x.norm(dim=(1, 2), keepdim=True).clamp(min=LEAST_NORM)
    for _ in range(iterations):
        gram = x @ x.mT
        x = a * x + (b * gram + c * gram @ gram) @ x
    return x.transpose(1, 2) if tall else x


class Muon(MatrixOptimizer):
    """M ← μ M + (1 − μ) G, W ← (1 − η λ) W − η s · orthogonalised((1 − μ) G + μ M) for matrices; AdamW for the rest.

    Matrices of one shape are orthogonalised at once, in bfloat16 on a GPU.

    Args:
        matrices: The groups of matrices, with "width", "lr", "weight_decay".
        rest: The optimizer of all other parameters; its groups and state become part of this optimizer's.
        settings: "lr", "momentum", "iterations", and "scaling": "rms" for s = 0.2 √max(outputs, inputs), which gives
            updates the size of AdamW's (Liu et al. 2025, eq. 4), or "spectral" for √max(1, outputs / inputs).
    """

    mark = "momentum"

    def update(self, group: dict[str, Any], parameters: list[Tensor]) -> None:
        """Update the matrices of a group that have a gradient."""
        for some in _of_one_shape(parameters):
            self._update(group, some)

    def _update(self, group: dict[str, Any], parameters: list[Tensor]) -> None:
        momentum, directions = group["momentum"], []
        for p in parameters:
            gradient = p.grad
            assert gradient is not None  # of these only
            if "momentum" not in self.state[p]:
                self.state[p]["momentum"] = torch.zeros_like(gradient)
            mean = self.state[p]["momentum"]
            mean.lerp_(gradient, 1 - momentum)
            directions.append(as_matrices(gradient.lerp(mean, momentum), group["width"]))
        stacked = torch.cat(directions)
        half = stacked.device.type == "cuda" and stacked.dtype == torch.float32
        updates = orthogonalised(stacked.bfloat16() if half else stacked, group["iterations"]).to(stacked.dtype)
        outputs, inputs = stacked.shape[1:]
        by_shape = (
            0.2 * math.sqrt(max(outputs, inputs)) if group["scaling"] == "rms" else max(1, outputs / inputs) ** 0.5
        )
        for p, update in zip(parameters, updates.tensor_split(len(parameters)), strict=True):
            p.mul_(1 - group["lr"] * group["weight_decay"])
            p.sub_(update.reshape(p.shape), alpha=group["lr"] * by_shape)


def _of_one_shape(parameters: list[Tensor]) -> Iterator[list[Tensor]]:
    """Yield the parameters by their shape."""
    by_shape: dict[torch.Size, list[Tensor]] = {}
    for p in parameters:
        by_shape.setdefault(p.shape, []).append(p)
    yield from by_shape.values()


def muon(config: MuonConfig, groups: list[ParameterGroup], device: torch.device) -> torch.optim.Optimizer:
    """Return Muon for matrices and AdamW for embeddings, head, norms, vectors and recurrences."""
    factor, rate = rate_factor(config, groups), config.learning_rate
    matrices = [group for group in groups if group["role"] == "matrix"]
    others = [group for group in groups if group["role"] != "matrix"]
    own = merged(matrices, lambda group: rate * factor(group), config.weight_decay, by_width=True)
    rest = merged(others, lambda group: rate * (config.adamw_rate * factor(group)), config.weight_decay)
    settings = {
        "lr": rate,
        "momentum": config.momentum,
        "iterations": config.iterations,
        "scaling": config.scaling,
    }
    return Muon(own, adamw_of(config, rest, device), settings)
