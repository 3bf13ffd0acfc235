"""Lion: updates by the sign of a momentum."""

from __future__ import annotations

from typing import Any

import torch

from lab.api import ParameterGroup
from lab.training.optimizers.builtins import LionConfig
from lab.training.optimizers.makers import by_rate


class Lion(torch.optim.Optimizer):
    """W ← W − η (sign(β₁ M + (1 − β₁) G) + λ W), then M ← β₂ M + (1 − β₂) G (Chen et al. 2023, algorithm 2).

    Args:
        groups: The groups, with "weight_decay".
        settings: "lr" and "betas".
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
                if "momentum" not in state:
                    state["momentum"] = torch.zeros_like(p)
                momentum = state["momentum"]
                p.mul_(1 - group["lr"] * group["weight_decay"])
                p.sub_(momentum.lerp(p.grad, 1 - beta1).sign_(), alpha=group["lr"])
                momentum.lerp_(p.grad, 1 - beta2)


def lion(config: LionConfig, groups: list[ParameterGroup], device: torch.device) -> torch.optim.Optimizer:
    """Return Lion."""
    del device
    return Lion(by_rate(config, groups), {"lr": config.learning_rate, "betas": (config.beta1, config.beta2)})
