"""Probes of networks on vectors and images: weights, what passes through activations, gradients by depth, the walk."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor

from lab.api import BadInput, ProbedRows, Reading, capture, probed_rows
from lab_feedforward.images import Convolution, ConvolutionalNetwork
from lab_feedforward.network import MLP
from lab_feedforward.walk import walk

ROWS = 256
"""Rows whose sums are counted and whose gradients are averaged."""
BINS = 48
"""Bins of the histogram of the sums of a layer."""
TAIL = 0.002
"""Share of the sums at each end that may lie beyond the histogram."""
FLAT = 0.05
"""Part of the largest derivative of an activation below which a unit passes nearly nothing on."""
MOST_WEIGHTS = 1_000_000
"""The largest number of weights of a network that is walked."""

Probe = Callable[[Any, Tensor], list[Reading]]
SUMS = "weighted sum"
STAGES = ("weight", "gradient", "weighted sum", "activation", "output", "value gradient", "error")
"""The quantities of a layer of the walk; that of the derivative follows, named after the activation."""


def weights(config: Any) -> Probe:
    """Return the probe of the weights of each layer; of the first layer on images also as pictures."""
    del config

    def probe(model: Any, tokens: Tensor) -> list[Reading]:
        del tokens
        rows = probed_rows(model)
        own: Any = rows.model
        readings = []
        if isinstance(own, ConvolutionalNetwork):
            kernels = cast("Convolution", own.convolutions[0]).convolution.weight.detach()
            return [Reading("unit weights", ("unit", "y", "x"), kernels.mean(1), layer=0)]
        first = own.layers[0].linear if getattr(own, "layers", ()) else own.output
        if rows.are_images:
            height, width, channels = rows.inputs.shape[1:]
            pictures = first.weight.detach().view(-1, height, width, channels).mean(-1)
            layer = None if first is own.output else 0
            readings.append(Reading("unit weights", ("unit", "y", "x"), pictures, layer=layer))
        for number, hidden in enumerate(getattr(own, "layers", ())):
            readings.append(Reading("weights", ("unit", "channel"), hidden.linear.weight.detach(), layer=number))
        readings.append(Reading("output weights", ("unit", "channel"), own.output.weight.detach()))
        return readings

    return probe


def signals(config: Any) -> Probe:
    """Return the probe of what passes through the activations of each layer, and of what comes back."""
    del config

    def probe(model: Any, tokens: Tensor) -> list[Reading]:
        del tokens
        rows = probed_rows(model)
        own = rows.model
        return _signals(own, rows) if isinstance(own, MLP) and len(own.layers) else []

    return probe


def _signals(model: MLP, rows: ProbedRows) -> list[Reading]:
    inputs, targets = rows.inputs[:ROWS].clone().requires_grad_(), rows.targets[:ROWS]
    with torch.enable_grad(), capture(model, (SUMS,), graph=True) as found:
        nats = rows.losses(model, inputs, targets).sum()
    sums = [one.values for one in found]
    with torch.enable_grad():
        gradients = torch.autograd.grad(nats, sums, allow_unused=True)
    readings, slopes = [], []
    dead, flat = [], []
    for number, (layer, z) in enumerate(zip(model.hidden, sums, strict=True)):
        values, slope = _activation_at(layer.activation, z.detach())
        readings.append(_passing(layer.activation, z.detach(), number))
        sizes = slope.abs()
        slopes.append(float(sizes.mean()))
        dead.append(float((sizes.amax(0) == 0).double().mean()))
        flat.append(float((sizes < FLAT * sizes.max().clamp(min=1e-12)).double().mean()))
        del values
    norms = [float("nan") if one is None else float(one.norm(dim=1).mean()) for one in gradients]
    products = np.cumprod(np.array(slopes)[::-1])[::-1]
    depth = len(sums)
    quantities: dict[str, Any] = {"gradient": norms, "product of derivatives": products}
    if all(getattr(layer.activation, "name", "") == "sigmoid" for layer in model.hidden):
        quantities["bound"] = 0.25 ** np.arange(depth, 0, -1)
    readings.append(_by_layer("gradient by depth", quantities))
    shares = {"without gradient for every example": dead, "nearly without gradient": flat}
    return [*readings, _by_layer("units at rest", shares, "share")]


def _by_layer(name: str, quantities: dict[str, Any], units: str | None = None) -> Reading:
    stacked = np.array([list(values) for values in quantities.values()], np.float64)
    return Reading(name, ("quantity", "layer"), stacked, units=units, coordinates={"quantity": tuple(quantities)})


def _activation_at(activation: Any, z: Tensor) -> tuple[Tensor, Tensor]:
    """Return f(z) and the derivative by z, of maxout by each piece."""
    with torch.enable_grad():
        given = z.detach().requires_grad_()
        values = activation(given)
        (slope,) = torch.autograd.grad(values.sum(), given)
    return values.detach(), slope


def _passing(activation: Any, z: Tensor, layer: int) -> Reading:
    """Return the histogram of the sums of a layer, with the activation and its derivative over the same numbers."""
    flat = z.flatten().double().cpu().numpy()
    low, high = np.quantile(flat, [TAIL, 1 - TAIL])
    low, high = min(float(low), -1.0), max(float(high), 1.0)
    counts, edges = np.histogram(flat.clip(low, high), BINS, (low, high))
    centres = (edges[1:] + edges[:-1]) / 2
    quantities = {"share of the sums, the largest as 1": counts / max(1, counts.max())}
    is_of_units = not hasattr(activation, "pieces")
    if is_of_units:
        points = torch.from_numpy(centres).to(z)
        values, slope = _activation_at(activation, points)
        quantities |= {"activation": values.double().cpu().numpy(), "derivative": slope.double().cpu().numpy()}
    places: dict[str, tuple[str | float, ...]] = {"quantity": tuple(quantities), "bin": tuple(map(float, centres))}
    stacked = np.stack(list(quantities.values()))
    return Reading("passing through", ("quantity", "bin"), stacked, layer=layer, coordinates=places)


def network(config: Any) -> Probe:
    """Return the probe of the network as a graph: one example on its way forward and backward."""
    del config

    def probe(model: Any, tokens: Tensor) -> list[Reading]:
        rows = probed_rows(model)
        own = rows.model
        count = sum(parameter.numel() for parameter in own.parameters())
        if count > MOST_WEIGHTS:
            raise BadInput(
                "this network has too many weights to be walked", field="readings.probes", value=f"{count:,}",
                allowed=f"up to {MOST_WEIGHTS:,}", remedy="Choose a smaller network",
            )  # fmt: skip
        target = rows.targets[rows.example : rows.example + 1].cpu()
        target = target.double() if target.is_floating_point() else target
        found = walk(own, tokens, lambda logits: rows.losses(lambda _: logits, tokens.cpu(), target).sum())
        return walk_readings(found, rows)

    return probe


def walk_readings(found: Any, rows: ProbedRows) -> list[Reading]:
    """Return a walk as readings (quantity, unit, channel): each layer, the example, and what it gives.

    The last channel of a layer is its bias. What a unit has once is repeated along its channels.
    """
    axes = ("quantity", "unit", "channel")
    readings = []
    for number, layer in enumerate(found.layers):
        shape = (len(layer.weights), layer.weights.shape[1] + 1)
        every = [
            np.column_stack([layer.weights, layer.bias]),
            np.column_stack([layer.weight_gradients, layer.errors]),
            *(np.broadcast_to(values[:, None], shape) for values in (
                layer.sums, layer.values, layer.outputs, layer.value_gradients, layer.errors, layer.slopes)),
        ]  # fmt: skip
        named = (*STAGES, f"derivative of {layer.activation}")
        readings.append(Reading("network", axes, np.stack(every), layer=number, coordinates={"quantity": named}))
    example = np.stack([found.layers[0].inputs, found.input_gradient])[:, None, :]
    readings.append(Reading("network example", axes, example, coordinates={"quantity": ("input", "gradient")}))
    target = rows.targets[rows.example].cpu().double().numpy()
    wanted = np.eye(len(rows.classes))[int(target)] if rows.classes else target
    given = np.stack([found.logits, found.logit_gradients, wanted, np.full(len(found.logits), found.loss)])[:, None, :]
    readings.append(
        Reading("network output", axes, given, units=rows.objective.unit,
                coordinates={"quantity": ("output", "gradient", "target", "loss"),
                             "channel": rows.classes or rows.outputs})
    )  # fmt: skip
    return readings
