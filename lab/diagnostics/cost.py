"""What a model costs, measured on the meta device: nothing is allocated and nothing computed, however large it is."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from lab.api import Architecture, Cost, Task, state_bytes

LOOPED = (16, 32)
"""Lengths at which operations of a loop over tokens are counted: on the meta device every operation costs its time."""


def blueprint(architecture: Architecture, config: Any, task: Task) -> Any:
    """The model on the meta device: every shape of it and none of its numbers."""
    with torch.device("meta"):
        return architecture.make(config, task)


def measure(architecture: Architecture, config: Any, task: Task, *, flops: bool = True, model: Any = None) -> Cost:
    """Parameters, active parameters, operations per token and bytes of decoding state.

    Operations are those of matrix products, forward and backward, at the whole context length, and what mixers add in
    `extra_flops`; a multiplication with an addition counts as two. Where a loop over tokens stands for a sequence form
    that nobody wrote, they are counted at two short lengths and drawn on in a straight line.

    Args:
        architecture: The card; its own `cost`, if it has one, is asked instead.
        config: Its settings.
        task: What it is built for.
        flops: Whether to count operations, which takes longest.
        model: Its blueprint, where there is one already.
    """
    if architecture.cost is not None:
        return architecture.cost(config, task)
    model = blueprint(architecture, config, task) if model is None else model
    sizes = {name: parameter.numel() for name, parameter in model.named_parameters()}
    active = {name: size * _share(model, name) for name, size in sizes.items()}
    per_token = _flops(model, task) if flops and model.learns == "gradient" else None
    return Cost(sum(sizes.values()), round(sum(active.values())), per_token, _state_bytes(model, task))


def _share(model: nn.Module, parameter: str) -> float:
    """Share of a parameter that one token uses: the product of what the modules above it say of their children."""
    share, path = 1.0, parameter.split(".")
    for depth in range(len(path)):
        module = model.get_submodule(".".join(path[:depth])) if depth < len(path) else None
        share *= getattr(module, "active_share", {}).get(path[depth], 1.0)
    return share


def _flops(model: Any, task: Task) -> float | None:
    if task.source_vocabulary_size is not None or task.input_shape is not None or task.classes is not None:
        return None  # only the objective knows such a model's inputs
    T = task.context_length
    if LOOPED[1] >= T or not any(_loops(module) for module in model.modules()):
        return _flops_per_token(model, T)
    few, more = (_flops_per_token(model, length) for length in LOOPED)
    return few + (more - few) * (T - LOOPED[0]) / (LOOPED[1] - LOOPED[0])


def _loops(module: Any) -> bool:
    """Whether a module's sequence form is derived from its step."""
    writes = getattr(module, "writes", None)
    return writes is not None and writes("step") and not writes("extend") and not writes("forward")


def _flops_per_token(model: Any, length: int) -> float:
    tokens = torch.zeros(1, length, dtype=torch.long, device="meta")
    counter = FlopCounterMode(display=False)
    with counter:
        model.score(tokens, tokens).sum().backward()
    mixers = [module for module in model.modules() if getattr(module, "extra_flops", None) is not None]
    return float(counter.get_total_flops() + sum(mixer.extra_flops(length) for mixer in mixers)) / length


def _state_bytes(model: Any, task: Task) -> int | None:
    if not model.causal or task.source_vocabulary_size is not None:
        return None
    tokens = torch.zeros(1, task.context_length, dtype=torch.long, device="meta")
    with torch.no_grad():
        return state_bytes(model.extend(tokens, model.start(1), last=1)[1])
