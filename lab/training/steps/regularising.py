"""What is added to the gradients of a step: the gradient of an L1 term, and noise that fades."""

from __future__ import annotations

import math
from collections.abc import Iterable

import torch
from torch import nn

from lab.base.torch_lock import own_draws

NOISE = 3
"""Second number of the seed of the noise of a step; steps, initial weights and the check of causality have others."""


@torch.no_grad()
def add_l1(parameters: Iterable[nn.Parameter], factor: float) -> None:
    """Add λ sign(w), the gradient of λ ∑ |w| (Tibshirani 1996), to the gradients of parameters; 0 adds nothing.

    Args:
        parameters: The parameters that decay; those without a gradient stay without.
        factor: λ.
    """
    if factor:
        for parameter in parameters:
            if parameter.grad is not None:
                parameter.grad.add_(parameter.sign(), alpha=factor)


@torch.no_grad()
def add_noise(parameters: Iterable[nn.Parameter], variance: float, decay: float, seed: int, step: int) -> None:
    """Add normal noise with the variance η / (1 + t)^γ to the gradients (Neelakantan et al. 2015, eq. 1).

    Args:
        parameters: The parameters; the noise depends on their order.
        variance: η; 0 adds nothing.
        decay: γ.
        seed: The seed of the training.
        step: t, the steps made before.
    """
    gradients = [parameter.grad for parameter in parameters if parameter.grad is not None] if variance else []
    if gradients:
        spread = math.sqrt(variance / (1 + step) ** decay)
        with own_draws(seed, NOISE, step, device=gradients[0].device.type):
            for gradient in gradients:
                gradient.add_(torch.randn_like(gradient), alpha=spread)
