"""SOAP: Adam in the eigenbasis of Shampoo, with AdamW for all other parameters."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from lab.api import ParameterGroup
from lab.training.optimizers.builtins import SOAPConfig
from lab.training.optimizers.makers import adamw_of, merged, rate_factor
from lab.training.optimizers.matrices import MatrixOptimizer, as_matrices


class SOAP(MatrixOptimizer):
    """Adam of matrices in a basis that follows their gradients, AdamW for the rest (Vyas et al. 2024, algorithm 3).

    For a matrix G of gradients, the means L ← β₂ L + (1 − β₂) G Gᵀ and R ← β₂ R + (1 − β₂) Gᵀ G have the eigenvectors
    Q_L and Q_R. The update is Q_L (Q_Lᵀ M̂ Q_R / (√V̂ + ε)) Q_Rᵀ, with the mean M of the gradients and the mean V of the
    squares of Q_Lᵀ G Q_R. The bases are computed at the first step, which changes no weight, and brought up to date by
    one step of a power iteration, Q ← QR(L Q), every `every` steps (algorithm 4).

    Args:
        matrices: The groups of matrices, with "width" (the inputs of an output), "lr" and "weight_decay".
        rest: The optimizer of all other parameters; its groups and state become part of this optimizer's.
        settings: "lr", "betas", "eps" and "every".
    """

    mark = "left_basis"

    def update(self, group: dict[str, Any], parameters: list[Tensor]) -> None:
        """Update the matrices of a group that have a gradient."""
        for p in parameters:
            self._update(group, p)

    def _update(self, group: dict[str, Any], p: Tensor) -> None:
        assert p.grad is not None  # of these only
        state, (beta1, beta2) = self.state[p], group["betas"]
        gradient = as_matrices(p.grad, group["width"])  # (E, O, I)
        if "left_basis" not in state:
            left, right = (1 - beta2) * gradient @ gradient.mT, (1 - beta2) * gradient.mT @ gradient
            state.update(step=0, mean=torch.zeros_like(gradient), square=torch.zeros_like(gradient))
            state.update(left=left, right=right, left_basis=_eigenvectors(left), right_basis=_eigenvectors(right))
            return
        state["step"] += 1
        step, left, right = state["step"], state["left_basis"], state["right_basis"]
        mean = state["mean"].lerp_(gradient, 1 - beta1) / (1 - beta1**step)
        square = state["square"].lerp_((left.mT @ gradient @ right).square(), 1 - beta2) / (1 - beta2**step)
        rotated = (left.mT @ mean @ right).div_(square.sqrt_().add_(group["eps"]))
        p.mul_(1 - group["lr"] * group["weight_decay"])
        p.sub_((left @ rotated @ right.mT).reshape(p.shape), alpha=group["lr"])
        state["left"].lerp_(gradient @ gradient.mT, 1 - beta2)
        state["right"].lerp_(gradient.mT @ gradient, 1 - beta2)
        if step % group["every"] == 0:
            state["left_basis"] = torch.linalg.qr(state["left"] @ left)[0]
            state["right_basis"] = torch.linalg.qr(state["right"] @ right)[0]


def _eigenvectors(symmetric: Tensor) -> Tensor:
    """Return the eigenvectors of matrices as columns, those of the largest eigenvalues first."""
    vectors: Tensor = torch.linalg.eigh(symmetric)[1]
    return vectors.flip(-1).contiguous()


def soap(config: SOAPConfig, groups: list[ParameterGroup], device: torch.device) -> torch.optim.Optimizer:
    """Return SOAP for matrices and AdamW for embeddings, head, norms, vectors and recurrences."""
    factor, rate = rate_factor(config, groups), config.learning_rate
    own, other = ([group for group in groups if (group["role"] == "matrix") is it] for it in (True, False))
    matrices = merged(own, lambda group: rate * factor(group), config.weight_decay, by_width=True)
    rest = merged(other, lambda group: rate * factor(group), config.weight_decay)
    settings = {"lr": rate, "betas": (config.beta1, config.beta2), "eps": config.eps, "every": config.every}
    return SOAP(matrices, adamw_of(config, rest, device), settings)
