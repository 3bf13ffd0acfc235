"""Schedule-free AdamW: the weights that are evaluated are a mean of the steps, without a falling rate."""

from __future__ import annotations

from typing import Any

import torch

from lab.api import ParameterGroup
from lab.training.optimizers.builtins import ScheduleFreeConfig
from lab.training.optimizers.makers import by_rate


class ScheduleFreeAdamW(torch.optim.Optimizer):
    """AdamW on z, with the gradients at a point y between z and the mean x of z (Defazio et al. 2024, algorithm 1).

    y = (1 − β₁) z + β₁ x, z ← z − η (g(y) / (√v̂ + ε) + λ y), x ← (1 − c) x + c z, with c = η² / ∑ η² over the steps so
    far. Between steps the parameters are x, the weights that are evaluated and saved; `look_ahead` makes them y.

    Args:
        groups: The groups, with "weight_decay".
        settings: "lr", "betas" and "eps".
    """

    def __init__(self, groups: list[dict[str, Any]], settings: dict[str, Any]) -> None:
        super().__init__(groups, settings)
        self._means: dict[torch.Tensor, torch.Tensor] = {}  # x of each parameter while it is y

    @torch.no_grad()
    def look_ahead(self) -> None:
        """Let the parameters be y, at which the gradients are computed."""
        for group in self.param_groups:
            for p in group["params"]:
                state = self.state.get(p, {})
                if "z" in state:  # before the first step all three are the same
                    self._means[p] = p.clone()
                    p.copy_(state["z"].lerp(p, group["betas"][0]))

    @torch.no_grad()
    def look_back(self) -> None:
        """Let the parameters be x again, without a step."""
        for p, mean in self._means.items():
            p.copy_(mean)
        self._means.clear()

    @torch.no_grad()
    def step(self, closure: None = None) -> None:  # type: ignore[override]  # no closure is passed
        """Update z and x from the gradients at y; the parameters are x afterwards."""
        del closure
        for group in self.param_groups:
            _, beta2 = group["betas"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                if "z" not in state:
                    state.update(step=0, weight=0.0, z=p.clone(), square=torch.zeros_like(p))
                mean = self._means.pop(p, None)
                mean = p.clone() if mean is None else mean  # at the first step
                state["step"] += 1
                state["weight"] += group["lr"] ** 2
                square = state["square"].mul_(beta2).addcmul_(p.grad, p.grad, value=1 - beta2)
                update = p.grad / (square / (1 - beta2 ** state["step"])).sqrt_().add_(group["eps"])
                state["z"].sub_(update.add_(p, alpha=group["weight_decay"]), alpha=group["lr"])
                share = group["lr"] ** 2 / state["weight"] if state["weight"] else 0.0
                p.copy_(mean.lerp(state["z"], share))
        self.look_back()  # parameters without a gradient


def schedule_free(config: ScheduleFreeConfig, groups: list[ParameterGroup], device: torch.device) -> ScheduleFreeAdamW:
    """Return schedule-free AdamW."""
    del device
    settings = {"lr": config.learning_rate, "betas": (config.beta1, config.beta2), "eps": config.eps}
    return ScheduleFreeAdamW(by_rate(config, groups), settings)
