"""The gradient norm, of the model and per layer, and clipping: of the norm, of values, or relative to the weights."""

from __future__ import annotations

import re

import torch
from torch import Tensor, nn

from lab.layers import parameter_roles
from lab.layers.reports import layer_of
from lab.training.processes import is_part, whole

LEAST_WEIGHTS = 1e-3
"""Smallest norm of a unit's weights in adaptive clipping, so that weights of 0 can be left (Brock et al. 2021)."""


def layer_name(parameter: str) -> str:
    """Return the layer of a parameter: its name up to the first integer ("blocks.0"), or its first part.

    Fused recurrent layers number themselves in the last part ("rnn.weight_ih_l2" -> "rnn.l2").
    """
    first = parameter.split(".")[0]
    fused = re.search(r"_(l\d+)(_reverse)?$", parameter)
    return layer_of(parameter) or (f"{first}.{fused.group(1)}" if fused else first)


class GradientNorms:
    """Euclidean norms of a model's gradients; tied parameters count once, under their first name.

    Args:
        model: The model in training.
    """

    def __init__(self, model: nn.Module) -> None:
        named = [(name, parameter) for name, parameter in model.named_parameters() if parameter.requires_grad]
        names = [layer_name(name) for name, _ in named]
        self.layers = tuple(dict.fromkeys(names))
        self._parameters = [parameter for _, parameter in named]
        self._numbers = [self.layers.index(name) for name in names]
        self._index = torch.tensor(self._numbers)
        self._indexed: list[int] = []
        heads = {name for name, role in parameter_roles(model).items() if role == "head"}
        self._head = next((parameter for name, parameter in named if name in heads), None)

    def measure_and_clip(self, limit: float, by: str = "norm") -> Tensor:
        """Measure the gradients, then clip them to `limit` unless that is 0.

        Args:
            limit: The limit.
            by: What it is the limit of. "norm": the norm of all gradients, with the factor min(1, limit / (norm +
                1e-6)), as in torch.nn.utils.clip_grad_norm_. "value": each value. "adaptive": ‖g‖ / max(‖w‖, 10⁻³) of
                each unit, a row of a matrix or a whole vector, except of the head (Brock et al. 2021, eq. 3).

        Returns:
            Norms (1 + layers,) before clipping, that of all gradients first. With a limit there are two more numbers:
            the norm of all gradients after clipping, and 1 if they were clipped, else 0.
        """
        found = [(p.grad, n) for p, n in zip(self._parameters, self._numbers, strict=True) if p.grad is not None]
        gradients = [gradient for gradient, _ in found]
        squares = whole(torch.stack(torch._foreach_norm(gradients))).float().square()
        numbers = [number for _, number in found]
        if numbers != self._indexed:  # a parameter may have no gradient in a step
            self._index, self._indexed = torch.tensor(numbers, device=squares.device), numbers
        per_layer = squares.new_zeros(len(self.layers)).index_add_(0, self._index, squares)
        total = squares.sum()
        norms = torch.cat([total[None], per_layer]).sqrt_()
        if limit and by == "norm":
            factor = (limit / (norms[0] + 1e-6)).clamp(max=1.0)
            if norms.device.type != "cpu" or factor < 1:
                torch._foreach_mul_(gradients, float(factor) if is_part(gradients[0]) else factor)
            norms = torch.cat([norms, torch.stack([norms[0] * factor, (factor < 1).float()])])
        elif limit:
            if by == "value":
                clipped = torch.stack([(gradient.abs() > limit).any() for gradient in gradients]).any()
                torch._foreach_clamp_min_(gradients, -limit)
                torch._foreach_clamp_max_(gradients, limit)
            else:
                clipped = torch.stack([clip_units(p, limit) for p in self._parameters if p is not self._head]).any()
            after = torch.stack(torch._foreach_norm(gradients)).float().square().sum().sqrt()
            norms = torch.cat([norms, torch.stack([after, clipped.float()])])
        return norms


@torch.no_grad()
def clip_units(parameter: nn.Parameter, limit: float) -> Tensor:
    """Clip the gradient of each unit of a parameter to `limit` times its norm; return whether any was, bool ()."""
    gradient = parameter.grad
    if gradient is None:
        return torch.zeros((), dtype=torch.bool, device=parameter.device)
    axes = tuple(range(1, parameter.ndim)) or (0,)
    of_weights = torch.linalg.vector_norm(parameter, dim=axes, keepdim=True).clamp(min=LEAST_WEIGHTS)
    of_gradient = torch.linalg.vector_norm(gradient, dim=axes, keepdim=True)
    factor = limit * of_weights / of_gradient.clamp(min=1e-6)
    gradient.mul_(factor.clamp(max=1.0))
    clipped: Tensor = (factor < 1).any()
    return clipped
