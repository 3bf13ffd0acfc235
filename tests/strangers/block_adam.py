"""Adam with one squared gradient for each group, as in Adam-mini (Zhang et al. 2024), and rates by role."""

from __future__ import annotations

from typing import Any

import torch

from lab.api import ModelConfig, Optimizer, ParameterGroup, Register, hookimpl, setting

LAB_API_VERSION = 2


class BlockAdamConfig(ModelConfig):
    """The settings of the optimizer."""

    learning_rate: float = setting(1e-3, gt=0, le=1, log=True, live=True, help="Size of an update.")
    beta1: float = setting(0.9, ge=0, lt=1, help="Decay of the mean gradient.")
    beta2: float = setting(0.95, ge=0, lt=1, help="Decay of the mean squared gradient of a group.")
    embedding_factor: float = setting(3.0, gt=0, help="Factor of the learning rate of embeddings.")


class BlockAdam(torch.optim.Optimizer):
    """m ← β₁ m + (1 − β₁) g for each number; v ← β₂ v + (1 − β₂) mean(g²) for each group."""

    def __init__(self, groups: list[dict[str, Any]], config: BlockAdamConfig) -> None:
        own = [{**group, "steps": 0, "squared": torch.zeros(())} for group in groups]
        super().__init__(own, {"lr": config.learning_rate})
        self.beta1, self.beta2 = config.beta1, config.beta2

    @torch.no_grad()
    def step(self, closure: Any = None) -> None:  # type: ignore[override]  # the lab gives no closure
        for group in self.param_groups:
            trained = [p for p in group["params"] if p.grad is not None]
            if not trained:
                continue
            group["steps"] += 1
            numbers = sum(p.numel() for p in trained)
            mean = torch.stack([p.grad.square().sum() for p in trained]).sum() / numbers
            group["squared"] = self.beta2 * group["squared"].to(mean) + (1 - self.beta2) * mean
            size = (group["squared"] / (1 - self.beta2 ** group["steps"])).sqrt() + 1e-8
            for p in trained:
                state = self.state[p]
                state["mean"] = self.beta1 * state.get("mean", 0.0) + (1 - self.beta1) * p.grad
                p.sub_(state["mean"] / (1 - self.beta1 ** group["steps"]) / size * group["lr"])


def make(config: BlockAdamConfig, groups: list[ParameterGroup], device: torch.device) -> BlockAdam:
    factors = {"embedding": config.embedding_factor}
    rates = [config.learning_rate * factors.get(group["role"], 1.0) for group in groups]
    return BlockAdam([{**group, "lr": rate} for group, rate in zip(groups, rates, strict=True)], config)


@hookimpl
def lab_register_optimizers(register: Register[Optimizer]) -> None:
    register(Optimizer(name="block-adam", title="Block Adam", build=make, config=BlockAdamConfig, roles=True))
