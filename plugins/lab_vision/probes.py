"""Probes of models of images: filters of squares, where they look, and which caption belongs to which image."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from lab.api import ProbedRows, Reading, capture, probed_rows
from lab_vision.clip import Clip
from lab_vision.model import VisionTransformer

Probe = Callable[[Any, Tensor], list[Reading]]
PICTURES = ("unit", "y", "x")
MATCHED = 12
"""Most images and captions that are compared."""


def filters(config: Any) -> Probe:
    """Return the probe of the weights by which each channel of a token reads the pixels of a square, as pictures."""
    del config

    def probe(model: Any, tokens: Tensor) -> list[Reading]:
        del tokens
        own = image_encoder(probed_rows(model).model)
        if own is None:
            return []
        side = own.side
        weight = own.squares.project.weight.detach()  # (C, side · side · channels), pixel by pixel
        return [Reading("patch filters", PICTURES, weight.view(len(weight), side, side, -1).mean(-1))]

    return probe


def by_head(config: Any) -> Probe:
    """Return the probe of what the output's token reads of a picture, by head and block."""
    del config

    def probe(model: Any, tokens: Tensor) -> list[Reading]:
        own, readings = image_encoder(probed_rows(model).model), list[Reading]()
        if own is None:
            return []
        for layer, each in enumerate(_maps(own, tokens)):
            names = tuple(f"head {number}" for number in range(1, len(each) + 1))
            seen = read_by_output(each, own).reshape(-1, own.rows, own.columns)
            readings.append(Reading("attention over the picture", PICTURES, seen, layer, coordinates={"unit": names}))
        return readings

    return probe


def through(config: Any) -> Probe:
    """Return the probe of what reaches the output through all blocks: the rollout of Abnar & Zuidema 2020, section 3.

    Half of each token is its own, through the residual, half the mean of the heads; the matrices of the blocks are
    multiplied from the first to the last.
    """
    del config

    def probe(model: Any, tokens: Tensor) -> list[Reading]:
        own = image_encoder(probed_rows(model).model)
        if own is None:
            return []
        maps = _maps(own, tokens)
        seen = read_by_output(rollout(maps), own).view(1, own.rows, own.columns)
        return [Reading("attention rollout", PICTURES, seen, coordinates={"unit": ("all blocks",)})]

    return probe


def similarity(config: Any) -> Probe:
    """Return the probe of how close images are to captions: the cosines, and the softmax over captions.

    The first is the inspected image, with its own caption; others of the validation split with other captions follow.
    """
    del config

    def probe(model: Any, tokens: Tensor) -> list[Reading]:
        del tokens  # the first of the images
        rows = probed_rows(model)
        own = rows.model
        if not isinstance(own, Clip):
            return []
        numbers = _of_different_captions(rows)
        captions, images = rows.targets[numbers], rows.inputs[numbers]
        with torch.no_grad():
            found = own.of_images(images) @ own.of_texts(captions.clamp(min=0), captions >= 0).T
            shares = (own.scale() * found).softmax(dim=1)
        texts = tuple(rows.captions[number] for number in numbers)
        named = {"example": tuple(f"image of {text}" for text in texts), "class": texts}
        axes = ("example", "class")
        return [
            Reading("similarity", axes, found, units="cosine", coordinates=named),
            Reading("caption of the image", axes, shares, units="probability", coordinates=named),
        ]

    return probe


def _of_different_captions(rows: ProbedRows) -> list[int]:
    """Return the inspected row, and the first ones of other captions, each another."""
    ordered = sorted(range(len(rows.captions)), key=lambda number: number != rows.example)
    first = {rows.captions[number]: number for number in reversed(ordered)}
    return sorted(first.values(), key=ordered.index)[:MATCHED]


def image_encoder(model: Any) -> VisionTransformer | None:
    """Return the vision transformer of a model of images; None if it has none."""
    own = model.images if isinstance(model, Clip) else model
    return own if isinstance(own, VisionTransformer) else None


def _maps(model: VisionTransformer, tokens: Tensor) -> list[Tensor]:
    """Return the (H, T, T) weights of each block on one picture."""
    with torch.no_grad(), capture(model, ("mixing",), graph=True) as found:
        model(tokens)
    return [one.values[0].detach().double() for one in found]


def rollout(maps: list[Tensor]) -> Tensor:
    """Return the (T, T) share of each token of the input in each token after all blocks.

    Args:
        maps: (H, T, T) attention weights of each block, rows with the sum 1.
    """
    whole = torch.eye(maps[0].shape[-1], dtype=maps[0].dtype, device=maps[0].device)
    for each in maps:
        whole = (0.5 * each.mean(0) + 0.5 * torch.eye(len(whole), dtype=whole.dtype, device=whole.device)) @ whole
    return whole


def read_by_output(weights: Tensor, model: VisionTransformer) -> Tensor:
    """Return the weights (…, T, T) of the token that the output reads, of the patches alone: (…, N)."""
    if model.class_token is not None:
        return weights[..., 0, 1:]
    return weights.mean(-2)
