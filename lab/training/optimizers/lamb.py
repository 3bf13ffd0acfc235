"""LAMB: Adam's updates, scaled to the size of each parameter."""

from __future__ import annotations

from typing import Any

import torch

from lab.api import ParameterGroup
from lab.training.optimizers.builtins import LAMBConfig
from lab.training.optimizers.makers import by_rate


class LAMB(torch.optim.Optimizer):
    """R ← M̂ / (√V̂ + ε) + λ W, W ← W − η (‖W‖ / ‖R‖) R, with Adam's means M̂ and V̂ (You et al. 2020, algorithm 2).

    A parameter whose norm is 0, or whose update is, has the factor 1.

    Args:
        groups: The groups, with "weight_decay".
        settings: "lr", "betas" and "eps".
    """

    def __init__(self, groups: list[dict[str, Any]], settings: dict[str, Any]) -> None:
        super().__init__(groups, settings)

    @torch.no_grad()
    def step(self, closure: None = None) -> None:  # type: ignore[override]  # no closure is passed
        """Make one update of all parameters that have a gradient."""
        del closure
        for group in self.param_groups:
            beta1, beta2 = group["betas"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                if "mean" not in state:
                    state.update(step=0, mean=torch.zeros_like(p), square=torch.zeros_like(p))
                state["step"] += 1
                mean = state["mean"].lerp_(p.grad, 1 - beta1) / (1 - beta1 ** state["step"])
                square = state["square"].lerp_(p.grad.square(), 1 - beta2) / (1 - beta2 ** state["step"])
                update = mean.div_(square.sqrt_().add_(group["eps"])).add_(p, alpha=group["weight_decay"])
                of_weights, of_update = p.norm(), update.norm()
                ratio = torch.where((of_weights > 0) & (of_update > 0), of_weights / of_update, 1.0)
                p.sub_(update.mul_(ratio), alpha=group["lr"])


def lamb(config: LAMBConfig, groups: list[ParameterGroup], device: torch.device) -> torch.optim.Optimizer:
    """Return LAMB."""
    del device
    settings = {"lr": config.learning_rate, "betas": (config.beta1, config.beta2), "eps": config.eps}
    return LAMB(by_rate(config, groups), settings)
