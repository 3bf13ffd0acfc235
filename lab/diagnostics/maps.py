"""The maps between positions that a model reports, all in one shape."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from lab.api import BadInput, LanguageModel, Reading, capture

ONE_MAP = ("map",)
"""The label of the map of a layer that has no heads."""


@dataclass(frozen=True)
class LayerMaps:
    """The maps of one layer.

    Args:
        weights: (B, map, query, key), float32.
        labels: What each map is; () for the maps of numbered heads.
    """

    weights: Tensor
    labels: tuple[str, ...] = ()


def labelled_maps(model: LanguageModel, tokens: Tensor) -> dict[str, LayerMaps]:
    """Return the maps of each module that reports "mixing", in the order of the forward pass.

    Args:
        model: The model.
        tokens: (B, T).

    Returns:
        The maps by the number of the layer, from 1; by the module's path if a layer has several, or if it is in none.

    Raises:
        BadInput: The model reports none.
    """
    with capture(model, ("mixing",), graph=True) as readings:
        model(tokens)
    found = [one for one in readings if {"query", "key"} <= set(one.axes) <= {"batch", "head", "query", "key"}]
    if not found:
        raise BadInput("this model reports no map of where its positions read", remedy="Choose another probe")
    layers = [one.layer for one in found]
    alone = [one.layer is not None and layers.count(one.layer) == 1 for one in found]
    return {
        str(one.layer + 1) if single and one.layer is not None else one.path: LayerMaps(
            _permuted(one.values.float(), one.axes), _labels_of(one)
        )
        for one, single in zip(found, alone, strict=True)
    }


def mixing_maps(model: LanguageModel, tokens: Tensor) -> dict[str, Tensor]:
    """Return (B, head, query, key) of each module that reports "mixing"; see `labelled_maps`."""
    return {name: maps.weights for name, maps in labelled_maps(model, tokens).items()}


def _labels_of(reading: Reading) -> tuple[str, ...]:
    is_of_the_model = reading.path == "" and reading.layer is None
    if "head" not in reading.axes or (is_of_the_model and reading.values.shape[reading.axes.index("head")] == 1):
        return ONE_MAP
    return tuple(map(str, reading.coordinates.get("head", ())))


def _permuted(values: Tensor, axes: tuple[str, ...]) -> Tensor:
    for axis in ("batch", "head"):
        if axis not in axes:
            values, axes = values[None], (axis, *axes)
    return values.permute([axes.index(axis) for axis in ("batch", "head", "query", "key")])


def shares(maps: Tensor) -> Tensor:
    """Return the maps with each row divided by the sum of its absolute weights; rows without weight stay 0."""
    sizes = maps.abs()
    return sizes / sizes.sum(-1, keepdim=True).clamp(min=torch.finfo(sizes.dtype).tiny)
