"""Examples of updates, computed by the registered optimizers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lab.api.architecture import load
from lab.worked.examples import Computed
from lab.worked.parts.common import Figures, built_ins, inputs_of

if TYPE_CHECKING:
    from torch import Tensor, nn


def make_optimizer(name: str, parameters: list[nn.Parameter], **settings: Any) -> Any:
    """Make an optimizer of the lab."""
    import torch

    card = built_ins().card("optimizers", name)
    group = {"params": parameters, "names": [], "role": "matrix", "layer": None, "width": 1, "decays": False}
    made = load(card.build)(card.config(**settings), [group], torch.device("cpu"))
    for each in made.param_groups:
        each["lr"] = settings["learning_rate"]
    return made


def _stepped(name: str, start: Tensor, gradients: list[Tensor], **settings: Any) -> list[Tensor]:
    """Return a parameter after each step of an optimizer on given gradients."""
    from torch import nn

    parameter = nn.Parameter(start.clone().reshape(1, -1))
    optimizer = make_optimizer(name, [parameter], **settings)
    found = []
    for gradient in gradients:
        parameter.grad = gradient.clone().reshape(1, -1)
        optimizer.step()
        found.append(parameter.detach().clone()[0])
    return found


def momentum(computed: Computed) -> Figures:
    """Make two steps of SGD with momentum on given gradients."""
    W, g1, g2, beta, eta = inputs_of(computed, "W", "g1", "g2", "beta", "eta")
    after = _stepped("sgd", W, [g1, g2], learning_rate=float(eta), momentum=float(beta), weight_decay=0.0)
    return {"W_1": after[0], "W_2": after[1]}


def sgd_steps(computed: Computed) -> Figures:
    """Make a step of SGD for each rate."""
    gradient, etas = inputs_of(computed, "gradient", "etas")
    moved = [
        _stepped("sgd", 0 * gradient, [gradient], learning_rate=float(eta), momentum=0.0, weight_decay=0.0)[0]
        for eta in etas
    ]
    return dict(zip(("step_0.1", "step_0.5"), moved, strict=True))


def adam(computed: Computed) -> Figures:
    """Make Adam's first step."""
    gradient, epsilon = inputs_of(computed, "gradient", "epsilon")
    after = _stepped(
        "adam", 0 * gradient.reshape(1), [gradient], learning_rate=1.0, eps=float(epsilon), beta1=0.9, beta2=0.999
    )
    return {"beside": -after[0][0]}


def clipping(computed: Computed) -> Figures:
    """Clip a gradient by its norm."""
    import torch
    from torch import nn

    gradient, eta, threshold = inputs_of(computed, "gradient", "eta", "threshold")
    parameter = nn.Parameter(torch.zeros(1).double())
    parameter.grad = gradient.reshape(1)
    nn.utils.clip_grad_norm_([parameter], float(threshold), error_if_nonfinite=False)
    return {"clipped_update": eta * parameter.grad[0]}
