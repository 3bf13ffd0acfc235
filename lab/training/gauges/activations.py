"""Gauges of the activations: a short forward pass of a copy of the model, whose values are measured on their way."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor, nn

from lab.api import Batch, HookPoint, LanguageModel, capture, hooked
from lab.api.interventions import BLOCK_INPUT, BLOCK_OUTPUT
from lab.layers import Attention
from lab.layers.reports import layer_of
from lab.runs.metrics.gauges import (
    ACTIVATION_KURTOSIS,
    ACTIVATION_LARGEST,
    ACTIVATION_MEAN,
    ACTIVATION_RMS,
    ATTENTION_ENTROPY,
    DEAD_UNITS,
    RESIDUAL_SHARE,
    SATURATED_UNITS,
    UNUSED_EXPERTS,
)
from lab.training.gauges.weights import Values

ROWS, LENGTH = 4, 32
"""Examples that are read, and the tokens of each if they can be cut."""
CUT = {"tokens", "documents"}
"""Inputs of a model that can be cut after any token."""
DEAD = 0.01
"""A unit is dead if it never exceeds this share of the root mean square of its layer."""
SATURATED = 0.97
"""A unit between −1 and 1 is saturated beyond this; a gate beyond it and below the rest to 1."""
UNUSED = 0.1
"""An expert is unused if it gets less than this share of an equal load."""
HIDDEN, EXPERTS = "hidden state", "gates"
REPORTS = (
    *("reset gate", "update gate", "input gate", "forget gate", "output gate", "recurrence gate", "gate"),
    *("reset", "update", HIDDEN, EXPERTS),
)
"""The names of reports that hold gates, states between −1 and 1, and the gates of experts."""


def shortened(batch: Batch) -> Batch:
    """Return the first tokens of the first rows of a batch, as a part of a text that starts there."""
    rows = {name: tensor[:ROWS] for name, tensor in batch.inputs.items()}
    targets = batch.targets[:ROWS]
    length = rows["tokens"].shape[1] if rows["tokens"].ndim > 1 else 0
    if set(rows) <= CUT and targets.shape == rows["tokens"].shape and length > LENGTH:
        rows = {name: tensor[:, :LENGTH] for name, tensor in rows.items()}
        targets = targets[:, :LENGTH]
    return replace(batch, inputs=rows, targets=targets, weight=max(1, int(targets.numel())), fresh=True)


class ActivationGauges:
    """The values that pass through a model in one forward pass, measured by layer.

    Args:
        model: A copy of the model in eval mode. Layers are its blocks, or what it consists of if it has none.
    """

    def __init__(self, model: LanguageModel) -> None:
        self._model: Any = model
        self._inputs: dict[str, Tensor] = {}
        self._points: dict[str, list[Tensor]] = {}  # values at hook points on units, by layer
        self._axes: dict[str, tuple[str, ...]] = {}
        self._entropies: dict[str, list[Tensor]] = {}
        self._outputs: dict[str, Tensor] = {}
        self._shares: dict[str, Tensor] = {}
        self.activations: dict[str, Tensor] = {}
        """The output of each layer in the last pass."""

    @contextlib.contextmanager
    def listening(self) -> Iterator[Values]:
        """Measure what passes inside the `with`; the list is filled when it ends."""
        found: Values = []
        with contextlib.ExitStack() as stack:
            for path, module in self._model.named_modules():
                if isinstance(module, Attention):
                    hook = self._on_attention(layer_of(path) or path)
                    stack.callback(module.register_forward_pre_hook(hook, with_kwargs=True).remove)
            for path, module in self._layers():
                stack.callback(module.register_forward_hook(self._on_output(path)).remove)
            stack.enter_context(hooked(self._model, self._pass))
            reported = stack.enter_context(capture(self._model, REPORTS, errors=[]))
            yield found
        self.activations = {**self._outputs}
        for layer, values in self._outputs.items():
            found += _statistics(layer, values)
        found += [(RESIDUAL_SHARE, layer, share) for layer, share in self._shares.items()]
        for layer, parts in self._points.items():
            found.append((DEAD_UNITS, layer, _dead(parts, self._axes[layer])))
        for layer, entropies in self._entropies.items():
            found.append((ATTENTION_ENTROPY, layer, torch.stack(entropies).mean()))
        found += _of_reports(reported)

    def _layers(self) -> list[tuple[str, nn.Module]]:
        """Return the numbered parts of the model that are one layer each; all its parts if it has none."""
        numbered = [(path, part) for path, part in self._model.named_modules() if path and layer_of(path) == path]
        return numbered or list(self._model.named_children())

    def _on_output(self, path: str) -> Any:
        def note(_module: nn.Module, _given: Any, output: Any) -> None:
            value = output[0] if isinstance(output, tuple) and output else output
            if isinstance(value, Tensor) and value.is_floating_point() and value.ndim >= 2:
                self._outputs[path] = value.detach().float()

        return note

    def _on_attention(self, layer: str) -> Any:
        def note(module: Any, given: tuple[Any, ...], named: dict[str, Any]) -> None:
            weights = module.mixing_map(*given, **named).float()
            entropy = -torch.xlogy(weights, weights).sum(-1).mean() / math.log(2)
            self._entropies.setdefault(layer, []).append(entropy)

        return note

    def _pass(self, point: HookPoint, values: Tensor) -> Tensor:
        layer = layer_of(point.path) or point.path
        if point.name == BLOCK_INPUT:
            self._inputs[point.path] = values
        elif point.name == BLOCK_OUTPUT:
            self._outputs[layer] = values.detach().float()
            before = self._inputs.pop(point.path, None)
            if before is not None and before.shape == values.shape:
                size = values.float().norm()
                self._shares[layer] = (values - before).float().norm() / size.clamp(min=1e-30)
        elif "unit" in point.axes and point.name == "units":
            self._points.setdefault(layer, []).append(values.detach().float())
            self._axes[layer] = point.axes
        return values


def _statistics(layer: str, values: Tensor) -> Values:
    mean, centred = values.mean(), values - values.mean()
    squares = centred.square()
    variance = squares.mean()
    kurtosis = squares.square().mean() / variance.square().clamp(min=torch.finfo(torch.float32).tiny)
    return [
        (ACTIVATION_MEAN, layer, mean),
        (ACTIVATION_RMS, layer, values.square().mean().sqrt()),
        (ACTIVATION_KURTOSIS, layer, kurtosis),
        (ACTIVATION_LARGEST, layer, values.abs().amax()),
    ]


def _dead(parts: list[Tensor], axes: tuple[str, ...]) -> Tensor:
    """Return the share of units that stay near zero for all tokens, of values with a unit along one axis."""
    unit = axes.index("unit")
    rows = torch.cat([part.movedim(unit, -1).flatten(0, -2) for part in parts])  # (tokens, units)
    return (rows.abs().amax(0) < DEAD * rows.square().mean().sqrt()).float().mean()


def _of_reports(readings: list[Any]) -> Values:
    """Return the share of saturated gates of each layer, or of saturated states without gates, and unused experts."""
    gates: dict[str, list[Tensor]] = {}
    states: dict[str, list[Tensor]] = {}
    found: Values = []
    for reading in readings:
        layer, values = layer_of(reading.path) or reading.path, torch.as_tensor(reading.values)
        if "expert" in reading.axes:
            load = (values != 0).float().movedim(reading.axes.index("expert"), -1).flatten(0, -2).mean(0)
            found.append((UNUSED_EXPERTS, layer, (load < UNUSED * load.mean()).float().mean()))
        elif reading.name == HIDDEN:
            states.setdefault(layer, []).append(values.abs() > SATURATED)
        elif reading.name != EXPERTS and bool(((values >= 0) & (values <= 1)).all()):
            gates.setdefault(layer, []).append((values > SATURATED) | (values < 1 - SATURATED))
    for layer, several in {**states, **gates}.items():
        found.append((SATURATED_UNITS, layer, torch.cat([one.flatten() for one in several]).float().mean()))
    return found
