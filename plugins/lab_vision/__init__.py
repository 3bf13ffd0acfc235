"""Images as tokens: the vision transformer, on drawn digits, shapes, or pictures of one's own."""

from __future__ import annotations

from collections.abc import Callable

from lab.api import Architecture, Probe, hookimpl
from lab_vision import explanations
from lab_vision.presets import PRESET_NOTES, PRESETS, SIZES
from lab_vision.settings import VisionTransformerConfig

LAB_API_VERSION = 2


@hookimpl
def lab_register_architectures(register: Callable[[Architecture], None]) -> None:
    """Register the vision transformer."""
    register(
        Architecture(
            name="vit",
            title="Vision transformer",
            family="vision",
            summary="An image is cut into squares, each becomes a token, and a transformer reads them in all "
            "directions. Nothing tells it which squares are neighbours; it learns that from the pictures.",
            config=VisionTransformerConfig,
            build="lab_vision.model:build",
            tasks=frozenset({"classification", "regression"}),
            inputs=frozenset({"images"}),
            presets=PRESETS,
            preset_notes=PRESET_NOTES,
            sizes=SIZES,
            records=("predictions", "picture-attention", "attention-rollout"),
            equations=(
                r"z = [z_{class};\ E x_1;\ \ldots;\ E x_N] + P",
                r"z \leftarrow z + \mathrm{Attention}(\mathrm{norm}(z))",
                r"z \leftarrow z + W_2\, f(W_1\, \mathrm{norm}(z))",
                r"y = W\, \mathrm{norm}(z_{class}) + b",
            ),
            symbols={
                "x_N": "the pixels of the last square, one after the other",
                "N": "the number of squares",
                "E": "the embedding of squares, the same for all",
                "P": "the positions, one for each square",
                "z_{class}": "the class token; the mean of all squares without one",
                "z": "the residual stream, a vector for each token",
                "f": "the activation of the feed-forward layer",
                "W_1": "the first matrix of the feed-forward layer",
                "W_2": "its second matrix",
                "W": "the weights of the output",
                "b": "its biases",
                "y": "one number for each class",
            },
            symbol_parts={
                "E": "inputs",
                "W_1": "blocks.0.channel",
                "W_2": "blocks.0.channel",
                "W": "output",
                "b": "output",
                "y": "output",
            },
            symbol_settings={
                "N": "patch", "x_N": "patch", "P": "positions", "z_{class}": "pool", "f": "activation", "W_1": "hidden",
            },
            references=(
                "Dosovitskiy et al. 2021, An Image is Worth 16x16 Words",
                "Touvron et al. 2021, Training Data-Efficient Image Transformers",
                "Vaswani et al. 2017, Attention Is All You Need",
            ),
        )
    )  # fmt: skip


@hookimpl
def lab_register_probes(register: Callable[[Probe], None]) -> None:
    """Register the probes of filters and of where a model looks."""
    images = frozenset({"images"})
    register(
        Probe(
            name="patch-filters",
            title="Filters of the squares",
            build="lab_vision.probes:filters",
            summary="The weights by which each channel of a token reads the pixels of a square, as pictures.",
            reads=images,
            explanations=explanations.FILTERS,
        )
    )
    register(
        Probe(
            name="picture-attention",
            title="Attention over the picture",
            build="lab_vision.probes:by_head",
            summary="Which squares of a picture the token reads that the output is made of, by head and block.",
            reads=images,
            explanations=explanations.BY_HEAD,
        )
    )
    register(
        Probe(
            name="attention-rollout",
            title="Attention rollout",
            build="lab_vision.probes:through",
            summary="Which squares of a picture reach the output through all blocks together (Abnar & Zuidema 2020).",
            reads=images,
            explanations=explanations.THROUGH,
        )
    )
