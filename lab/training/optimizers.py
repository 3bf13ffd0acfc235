"""The built-in optimizers, and the groups of parameters with and without weight decay."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from lab.training.builtins import AdamWConfig, SGDConfig


def parameter_groups(model: nn.Module) -> list[dict[str, Any]]:
    """Return two groups: matrices and higher decay, vectors and a mixer's `no_decay` do not (Radford et al. 2018)."""
    spared: set[int] = set()
    for module in model.modules():
        spared |= {id(module.get_parameter(name)) for name in getattr(module, "no_decay", ())}
    trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
    decays = [parameter.ndim >= 2 and id(parameter) not in spared for parameter in trained]
    return [
        {"params": [p for p, own in zip(trained, decays, strict=True) if own is wanted], "decays": wanted}
        for wanted in (True, False)
    ]


def set_in_groups(optimizer: torch.optim.Optimizer, setting: str, value: Any) -> None:
    """Set a live setting in the groups that have it; weight decay only in those that decay."""
    for group in optimizer.param_groups:
        if setting in group and (setting != "weight_decay" or group["decays"]):
            group[setting] = value


def adamw(config: AdamWConfig, groups: list[dict[str, Any]], device: torch.device) -> torch.optim.Optimizer:
    """Return AdamW (Loshchilov & Hutter 2019, algorithm 2), fused if the device supports it."""
    groups = [{**group, "weight_decay": config.weight_decay if group["decays"] else 0.0} for group in groups]
    settings: dict[str, Any] = {
        "lr": config.learning_rate,
        "betas": (config.beta1, config.beta2),
        "eps": config.eps,
    }
    try:
        return torch.optim.AdamW(groups, **settings, fused=True)
    except RuntimeError:  # no fused kernel for this kind of device
        return torch.optim.AdamW(groups, **settings, foreach=device.type != "cpu")


def sgd(config: SGDConfig, groups: list[dict[str, Any]], device: torch.device) -> torch.optim.Optimizer:
    """Return SGD: v ← μ v + g, p ← p − η v; Nesterov: p ← p − η (g + μ v)."""
    groups = [{**group, "weight_decay": config.weight_decay if group["decays"] else 0.0} for group in groups]
    return torch.optim.SGD(
        groups,
        lr=config.learning_rate,
        momentum=config.momentum,
        nesterov=config.nesterov and config.momentum > 0,
        foreach=device.type != "cpu",
    )
