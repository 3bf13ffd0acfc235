"""Which parameters an optimizer updates at which rate, and which of them decay."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import nn

from lab.training.optimizers.groups import optimizer_of, parameter_groups
from lab.training.resolution import Resolved


@dataclass(frozen=True)
class UpdatedGroup:
    """Parameters of one role that are updated alike.

    Args:
        role: Their role (lab.api.Role).
        layers: The first and the last layer they are in, from 0; None outside of the layers.
        parameters: Their number.
        rate: Their learning rate, before the factor of the schedule; None if the optimizer has none for them.
        weight_decay: Their weight decay; 0 for none.
    """

    role: str
    layers: tuple[int, int] | None
    parameters: int
    rate: float | None
    weight_decay: float


def updated_groups(model: nn.Module, optimizer: Resolved) -> list[UpdatedGroup]:
    """Return the groups of a model's trained parameters by role, rate and decay, in the order of the model.

    Args:
        model: The model, also on the meta device.
        optimizer: The optimizer's card and config.

    Raises:
        BadInput: The optimizer refuses its settings or the model.
        LabError: Its code raised.
    """
    roles = {id(p): (one["role"], one["layer"]) for one in parameter_groups(model, roles=True) for p in one["params"]}
    made = optimizer_of(optimizer, parameter_groups(model, roles=optimizer.card.roles), torch.device("cpu"))
    settings = {id(p): group for group in made.param_groups for p in group["params"]}
    found: dict[tuple[str, float | None, float], list[tuple[int | None, int]]] = {}
    for p in model.parameters():
        if id(p) in settings and id(p) in roles:
            group, (role, layer) = settings[id(p)], roles[id(p)]
            key = role, group.get("lr"), float(group.get("weight_decay", 0.0))
            found.setdefault(key, []).append((layer, p.numel()))
    rows = []
    for (role, rate, decay), parts in found.items():
        layers = [layer for layer, _ in parts if layer is not None]
        span = (min(layers), max(layers)) if layers else None
        rows.append(UpdatedGroup(role, span, sum(count for _, count in parts), rate, decay))
    return rows
