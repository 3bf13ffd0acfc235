"""Sophia-G: a momentum divided by an estimate of the curvature, clipped weight by weight."""

from __future__ import annotations

from typing import Any

import torch

from lab.api import ParameterGroup
from lab.training.optimizers.builtins import SophiaConfig
from lab.training.optimizers.makers import by_rate


class Sophia(torch.optim.Optimizer):
    """θ ← θ − η λ θ, then θ ← θ − η clip(m / max(γ h, ε), 1) (Liu et al. 2024, algorithm 3).

    m ← β₁ m + (1 − β₁) g is the mean gradient. Every `every` steps, the first one included, h ← β₂ h + (1 − β₂) B ĝ²
    with the gradient ĝ of the mean loss of B labels drawn from the model itself, the Gauss-Newton-Bartlett estimate
    of the diagonal of the Hessian (algorithm 2).

    Args:
        groups: The groups, with "weight_decay".
        settings: "lr", "betas", "gamma", "eps" and "every".
    """

    def __init__(self, groups: list[dict[str, Any]], settings: dict[str, Any]) -> None:
        super().__init__(groups, settings)

    @property
    def draws_labels(self) -> bool:
        """True if the next update begins with a new estimate of the curvature."""
        steps = [state["step"] for state in self.state.values() if "step" in state]
        return bool(max(steps, default=0) % self.defaults["every"] == 0)

    @torch.no_grad()
    def note_drawn(self, labels: int) -> None:
        """Bring the curvature up to date by the gradients of the mean loss of so many drawn labels.

        Numbers that overflowed, as in float16, leave it as it is.
        """
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    curvature, estimate = self._state_of(p)["curvature"], labels * p.grad.square()
                    curvature.copy_(
                        torch.where(estimate.isfinite(), curvature.lerp(estimate, 1 - group["betas"][1]), curvature)
                    )

    @torch.no_grad()
    def step(self, closure: None = None) -> None:  # type: ignore[override]  # no closure is passed
        """Make one update of all parameters that have a gradient."""
        del closure
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self._state_of(p)
                state["step"] += 1
                mean = state["mean"].lerp_(p.grad, 1 - group["betas"][0])
                p.mul_(1 - group["lr"] * group["weight_decay"])
                size = (group["gamma"] * state["curvature"]).clamp_(min=group["eps"])
                p.sub_((mean / size).clamp_(-1, 1), alpha=group["lr"])

    def _state_of(self, p: torch.Tensor) -> dict[str, Any]:
        state: dict[str, Any] = self.state[p]
        if "mean" not in state:
            state.update(step=0, mean=torch.zeros_like(p), curvature=torch.zeros_like(p))
        return state


def sophia(config: SophiaConfig, groups: list[ParameterGroup], device: torch.device) -> torch.optim.Optimizer:
    """Return Sophia-G."""
    del device
    settings = {
        "lr": config.learning_rate,
        "betas": (config.beta1, config.beta2),
        "gamma": config.gamma,
        "eps": config.eps,
        "every": config.every,
    }
    return Sophia(by_rate(config, groups), settings)
