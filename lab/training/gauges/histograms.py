"""Histograms of many numbers by layer, between bounds that follow their size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

BINS = 41
"""Bins of a histogram; the middle one is at zero."""
WIDTH = 4.0
"""Upper bound of the last bin, in root mean squares; what lies beyond is in the outermost bins."""
MOST = 2**15
"""Most numbers of a layer that are counted; of more, every second, third, … is."""


@torch.no_grad()
def histogram(values: Tensor) -> Tensor:
    """Return the upper bound and the counts of a histogram, (1 + BINS,) float32 on the device.

    Args:
        values: Numbers of any shape; those that are not finite are left out.
    """
    flat = values.detach().flatten()
    flat = flat[:: -(-len(flat) // MOST)].float()
    flat = flat[flat.isfinite()] if flat.device.type == "cpu" else flat.nan_to_num(0.0, 0.0, 0.0)
    bound = WIDTH * flat.square().mean().sqrt()
    scaled = (flat / bound.clamp(min=torch.finfo(torch.float32).tiny)).clamp_(-1, 1)
    if flat.device.type == "cpu":
        counts = torch.histc(scaled, BINS, -1, 1)
    else:  # there histc counts in another order each time, which deterministic training refuses
        index = ((scaled + 1) * (BINS / 2)).long().clamp_(0, BINS - 1)
        counts = torch.zeros(BINS, device=flat.device).index_add_(0, index, torch.ones_like(scaled))
    return torch.cat([bound[None], counts])


def by_layer(tensors: Sequence[Tensor], numbers: Sequence[int], layers: Sequence[str]) -> dict[str, Tensor]:
    """Return a histogram of all numbers of each layer.

    Args:
        tensors: N tensors.
        numbers: The index of the layer of each.
        layers: The names of the layers.
    """
    groups: dict[int, list[Tensor]] = {}
    sizes = [0] * len(layers)
    for number, tensor in zip(numbers, tensors, strict=True):
        sizes[number] += tensor.numel()
    for number, tensor in zip(numbers, tensors, strict=True):
        groups.setdefault(number, []).append(tensor.detach().flatten()[:: -(-sizes[number] // MOST)])
    return {layers[number]: histogram(torch.cat(group)) for number, group in groups.items()}


def as_record(kinds: Mapping[str, Mapping[str, Tensor]]) -> dict[str, Any]:
    """Return histograms by kind and layer as plain data: {"weights": {"blocks.0": {"bound": 0.1, "counts": […]}}}."""
    record: dict[str, Any] = {}
    for kind, layers in kinds.items():
        rows = torch.stack(list(layers.values())).cpu().tolist() if layers else []
        record[kind] = {
            layer: {"bound": row[0], "counts": [round(count) for count in row[1:]]}
            for layer, row in zip(layers, rows, strict=True)
        }
    return record
