"""The optimizers of torch, made from their settings, with the rates and the weight decay of each group."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import torch

from lab.api import ParameterGroup
from lab.base import BadInput
from lab.training.optimizers.builtins import (
    AdafactorConfig,
    AdagradConfig,
    AdamConfig,
    AdamSettings,
    AdamWConfig,
    NAdamConfig,
    RAdamConfig,
    RateSettings,
    RMSPropConfig,
    SGDConfig,
)

WIDENED = ("matrix", "head")
"""Roles of matrices with as many inputs as the model is wide."""


def rate_factor(config: RateSettings, groups: Iterable[ParameterGroup]) -> Callable[[ParameterGroup], float]:
    """Return the function from a group to the factor of its learning rate, from the settings.

    The last of L layers has the factor 1, the one before it the layer decay d, and what lies below all layers d^L: the
    embedding (Clark et al. 2020).
    """
    layers = 1 + max((group["layer"] for group in groups if group["layer"] is not None), default=-1)
    of_role = {"embedding": config.embedding_rate, "head": config.head_rate, "recurrence": config.recurrence_rate}

    def factor(group: ParameterGroup) -> float:
        below = layers - 1 - group["layer"] if group["layer"] is not None else 0
        below = layers if group["layer"] is None and group["role"] == "embedding" else below
        return of_role.get(group["role"], 1.0) * config.layer_decay**below

    return factor


def merged(
    groups: Iterable[ParameterGroup],
    rate: Callable[[ParameterGroup], float],
    weight_decay: float,
    *,
    by_width: bool = False,
) -> list[dict[str, Any]]:
    """Return fewer groups, one for each learning rate and decay; at least one, and those that decay first.

    Args:
        groups: The groups of a model.
        rate: The learning rate of a group.
        weight_decay: The weight decay of those that decay.
        by_width: Whether groups also differ in their "width".
    """
    found: dict[tuple[bool, float, int], dict[str, Any]] = {}
    for group in sorted(groups, key=lambda group: not group["decays"]):
        key = group["decays"], rate(group), group["width"] if by_width else 0
        decay = weight_decay if group["decays"] else 0.0
        new = {"params": [], "width": key[2], "decays": group["decays"], "lr": key[1], "weight_decay": decay}
        found.setdefault(key, new)["params"].extend(group["params"])
    return list(found.values()) or [{"params": [], "width": 0, "decays": True, "weight_decay": weight_decay}]


def adamw(config: AdamWConfig, groups: list[ParameterGroup], device: torch.device) -> torch.optim.Optimizer:
    """Return AdamW (Loshchilov & Hutter 2019, algorithm 2).

    With `base_width` the rates of matrices and the head are divided by inputs / base width (Yang et al. 2022, table 3).

    Raises:
        BadInput: There is a base width, and the model has no head of its own.
    """
    factor = rate_factor(config, groups)
    if config.base_width and not any(group["role"] == "head" for group in groups):
        raise BadInput(
            "this model has no head of its own, whose rate and initial weights would follow the width",
            field="training.optimizer.base_width",
            value=config.base_width,
            remedy="Untie the head from the embedding (architecture.tie=false), or set the base width to 0",
        )

    def rate(group: ParameterGroup) -> float:
        by_width = config.base_width / group["width"] if config.base_width and group["role"] in WIDENED else 1.0
        return config.learning_rate * (factor(group) * by_width)

    return adamw_of(config, merged(groups, rate, config.weight_decay), device)


def adamw_of(config: AdamSettings, groups: list[dict[str, Any]], device: torch.device) -> torch.optim.AdamW:
    """Return AdamW of groups with their own rates and decays, fused if the device supports it."""
    settings: dict[str, Any] = {
        "lr": config.learning_rate,
        "betas": (config.beta1, config.beta2),
        "eps": config.eps,
    }
    try:
        return torch.optim.AdamW(groups, **settings, fused=True)
    except RuntimeError:  # no fused kernel for this kind of device
        return torch.optim.AdamW(groups, **settings, foreach=device.type != "cpu")


def sgd(config: SGDConfig, groups: list[ParameterGroup], device: torch.device) -> torch.optim.Optimizer:
    """Return SGD: v ← μ v + g, p ← p − η v; Nesterov: p ← p − η (g + μ v)."""
    factor = rate_factor(config, groups)
    return torch.optim.SGD(
        merged(groups, lambda group: config.learning_rate * factor(group), config.weight_decay),
        lr=config.learning_rate,
        momentum=config.momentum,
        nesterov=config.nesterov and config.momentum > 0,
        foreach=device.type != "cpu",
    )


def by_rate(config: Any, groups: Iterable[ParameterGroup]) -> list[dict[str, Any]]:
    """Return one group for each learning rate and decay that the settings give."""
    groups = list(groups)
    factor = rate_factor(config, groups)
    return merged(groups, lambda group: config.learning_rate * factor(group), config.weight_decay)


def adam(config: AdamConfig, groups: list[ParameterGroup], device: torch.device) -> torch.optim.Optimizer:
    """Return Adam (Kingma & Ba 2015, algorithm 1), whose weight decay λ is added to the gradient: g ← g + λ p."""
    return torch.optim.Adam(
        by_rate(config, groups),
        lr=config.learning_rate,
        betas=(config.beta1, config.beta2),
        eps=config.eps,
        foreach=device.type != "cpu",
    )


def nadam(config: NAdamConfig, groups: list[ParameterGroup], device: torch.device) -> torch.optim.Optimizer:
    """Return NAdam (Dozat 2016): AdamW whose mean gradient is taken one step ahead.

    The momentum of step t is μ_t = β₁ (1 − 0.5 · 0.96^(t ψ)).
    """
    return torch.optim.NAdam(
        by_rate(config, groups),
        lr=config.learning_rate,
        betas=(config.beta1, config.beta2),
        eps=config.eps,
        momentum_decay=config.momentum_decay,
        decoupled_weight_decay=True,
        foreach=device.type != "cpu",
    )


def radam(config: RAdamConfig, groups: list[ParameterGroup], device: torch.device) -> torch.optim.Optimizer:
    """Return RAdam (Liu et al. 2020): AdamW that scales an update once its mean squared gradient can be trusted.

    With ρ_∞ = 2 / (1 − β₂) − 1 and ρ_t = ρ_∞ − 2 t β₂^t / (1 − β₂^t), steps with ρ_t ≤ 5 follow the mean gradient
    alone, and later ones are multiplied by √((ρ_t − 4) (ρ_t − 2) ρ_∞ / ((ρ_∞ − 4) (ρ_∞ − 2) ρ_t)).
    """
    return torch.optim.RAdam(
        by_rate(config, groups),
        lr=config.learning_rate,
        betas=(config.beta1, config.beta2),
        eps=config.eps,
        decoupled_weight_decay=True,
        foreach=device.type != "cpu",
    )


def adagrad(config: AdagradConfig, groups: list[ParameterGroup], device: torch.device) -> torch.optim.Optimizer:
    """Return Adagrad (Duchi et al. 2011): s ← s + g², p ← p − η g / (√s + ε)."""
    return torch.optim.Adagrad(
        by_rate(config, groups),
        lr=config.learning_rate,
        eps=config.eps,
        initial_accumulator_value=config.initial,
        foreach=device.type != "cpu",
    )


def rmsprop(config: RMSPropConfig, groups: list[ParameterGroup], device: torch.device) -> torch.optim.Optimizer:
    """Return RMSProp (Tieleman & Hinton 2012): s ← α s + (1 − α) g², v ← μ v + g / (√s + ε), p ← p − η v.

    Centred, s is the variance: without the square of the mean gradient (Graves 2013, eq. 38 to 40).
    """
    return torch.optim.RMSprop(
        by_rate(config, groups),
        lr=config.learning_rate,
        alpha=config.alpha,
        eps=config.eps,
        momentum=config.momentum,
        centered=config.centered,
        foreach=device.type != "cpu",
    )


def adafactor(config: AdafactorConfig, groups: list[ParameterGroup], device: torch.device) -> torch.optim.Optimizer:
    """Return Adafactor (Shazeer & Stern 2018, algorithms 4 and 5), which keeps R + C numbers for a matrix of R × C.

    At step t the mean of the squared gradients has the decay 1 − t^−0.8, an update has a root mean square of at most
    `clipping`, and the rate is min(η, 1 / √t) times the root mean square of the weights.
    """
    return torch.optim.Adafactor(
        by_rate(config, groups),
        lr=config.learning_rate,
        beta2_decay=-config.decay,
        eps=(None, config.least_scale),
        d=config.clipping,
        foreach=device.type != "cpu",
    )
