"""Gauges of the activations: a short forward pass of a copy of the model, whose values are measured on their way."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor, nn

from lab.api import Batch, HookPoint, LanguageModel, capture, watched
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
        self._points: dict[str, list[Tensor]] = {}  # values at hook points on units, (tokens, units), by layer
        self._entropies: dict[str, list[Tensor]] = {}
        self._outputs: dict[str, Tensor] = {}
        self._added: dict[str, Tensor] = {}  # what a block adds to the stream
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
            stack.enter_context(watched(self._model, self._watch))
            reported = stack.enter_context(capture(self._model, REPORTS, errors=[]))
            yield found
        for reading in reported:
            if reading.name == HIDDEN:  # a cell that is no module's call
                self._outputs.setdefault(layer_of(reading.path) or reading.path, torch.as_tensor(reading.values))
        self.activations = {layer: values.float() for layer, values in self._outputs.items()}
        for layers, values in rows_of(self.activations):
            found += _statistics(layers, values)
        shares = [layer for layer in self._added if layer in self.activations]
        if shares:
            added = torch.stack([self._added[layer].float().norm() for layer in shares])
            sizes = torch.stack([self.activations[layer].norm() for layer in shares])
            found.append((RESIDUAL_SHARE, shares, added / sizes.clamp(min=1e-30)))
        for layers, values in rows_of({layer: torch.cat(parts) for layer, parts in self._points.items()}):
            found.append((DEAD_UNITS, layers, _dead(values)))
        if self._entropies:
            entropies = [torch.stack(several).mean() for several in self._entropies.values()]
            found.append((ATTENTION_ENTROPY, [*self._entropies], torch.stack(entropies)))
        found += _of_reports(reported)

    def _layers(self) -> list[tuple[str, nn.Module]]:
        """Return the numbered parts of the model that are one layer each; all its parts if it has none."""
        numbered = [(path, part) for path, part in self._model.named_modules() if path and layer_of(path) == path]
        return numbered or list(self._model.named_children())

    def _on_output(self, path: str) -> Any:
        def note(_module: nn.Module, _given: Any, output: Any) -> None:
            value = output[0] if isinstance(output, tuple) and output else output
            if isinstance(value, Tensor) and value.is_floating_point() and value.ndim >= 2:
                self._outputs[path] = value.detach()

        return note

    def _on_attention(self, layer: str) -> Any:
        def note(module: Any, given: tuple[Any, ...], named: dict[str, Any]) -> None:
            weights = module.mixing_map(*given, **named).float()
            entropy = -torch.xlogy(weights, weights).sum(-1).mean() / math.log(2)
            self._entropies.setdefault(layer, []).append(entropy)

        return note

    def _watch(self, point: HookPoint, values: Tensor) -> None:
        layer = layer_of(point.path) or point.path
        if point.name == BLOCK_INPUT:
            self._inputs[point.path] = values
        elif point.name == BLOCK_OUTPUT:
            self._outputs[layer] = values.detach()
            before = self._inputs.pop(point.path, None)
            if before is not None and before.shape == values.shape:
                self._added[layer] = values - before
        elif "unit" in point.axes and point.name == "units":
            units = values.detach().movedim(point.axes.index("unit"), -1).flatten(0, -2)
            self._points.setdefault(layer, []).append(units.float())


def rows_of(values: Mapping[str, Tensor]) -> list[tuple[list[str], Tensor]]:
    """Return the names and the values of layers of one shape, stacked (L, …), so that they are measured at once."""
    shapes: dict[torch.Size, list[str]] = {}
    for layer, tensor in values.items():
        shapes.setdefault(tensor.shape, []).append(layer)
    return [(layers, torch.stack([values[layer] for layer in layers])) for layers in shapes.values()]


def _statistics(layers: list[str], values: Tensor) -> Values:
    """Return mean, root mean square, kurtosis and largest value of each layer's values (L, …)."""
    values = values.flatten(1)
    mean = values.mean(1)
    squares = (values - mean[:, None]).square_()
    variance = squares.mean(1)
    kurtosis = squares.square_().mean(1) / variance.square().clamp(min=torch.finfo(torch.float32).tiny)
    return [
        (ACTIVATION_MEAN, layers, mean),
        (ACTIVATION_RMS, layers, (variance + mean.square()).sqrt()),
        (ACTIVATION_KURTOSIS, layers, kurtosis),
        (ACTIVATION_LARGEST, layers, torch.linalg.vector_norm(values, math.inf, dim=1)),
    ]


def _dead(units: Tensor) -> Tensor:
    """Return the share (L,) of units that stay near zero for all tokens, of values (L, tokens, units)."""
    size = units.square().mean((1, 2)).sqrt()
    return (units.abs().amax(1) < DEAD * size[:, None]).float().mean(1)


def _of_reports(readings: list[Any]) -> Values:
    """Return the share of saturated gates of each layer, or of saturated states without gates, and unused experts."""
    gates: dict[str, list[Tensor]] = {}
    states: dict[str, list[Tensor]] = {}
    found: Values = []
    for reading in readings:
        layer, values = layer_of(reading.path) or reading.path, torch.as_tensor(reading.values)
        if "expert" in reading.axes:
            load = (values != 0).float().movedim(reading.axes.index("expert"), -1).flatten(0, -2).mean(0)
            found.append((UNUSED_EXPERTS, [layer], (load < UNUSED * load.mean()).float().mean()[None]))
        elif reading.name == HIDDEN:
            states.setdefault(layer, []).append(values.flatten().abs() > SATURATED)
        elif reading.name != EXPERTS and _is_gate(values):
            gates.setdefault(layer, []).append((values.flatten() - 0.5).abs() > SATURATED - 0.5)
    saturated = {**states, **gates}
    if saturated:
        shares = torch.stack([torch.cat(several).float().mean() for several in saturated.values()])
        found.append((SATURATED_UNITS, [*saturated], shares))
    return found


def _is_gate(values: Tensor) -> bool:
    least, largest = values.aminmax()
    return bool((least >= 0) & (largest <= 1))
