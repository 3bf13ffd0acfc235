"""The cards of the vision transformer and of CLIP."""

from __future__ import annotations

from lab.api import Architecture
from lab_vision.clip_settings import ClipConfig
from lab_vision.presets import CLIP_NOTES, CLIP_PRESETS, CLIP_SIZES, PRESET_NOTES, PRESETS, SIZES
from lab_vision.settings import VisionTransformerConfig

VIT = Architecture(
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
)  # fmt: skip
CLIP = Architecture(
    name="clip",
    title="CLIP",
    family="vision",
    summary="A vision transformer reads images, a transformer reads texts, and both give vectors that are close where "
    "they belong together. It classifies an image by the texts that might describe it, without classes in training.",
    config=ClipConfig,
    build="lab_vision.clip:build",
    tasks=frozenset({"contrastive"}),
    inputs=frozenset({"images"}),
    presets=CLIP_PRESETS,
    preset_notes=CLIP_NOTES,
    sizes=CLIP_SIZES,
    records=("similarity", "picture-attention", "attention-rollout"),
    equations=(
        r"u = \frac{W_I f(x)}{|W_I f(x)|}",
        r"v = \frac{W_T g(t)}{|W_T g(t)|}",
        r"P(t_j | x_i) = \mathrm{softmax}_j(s\ u_i \cdot v_j)",
    ),
    symbols={
        "x": "the image",
        "x_i": "the image of a row of the batch",
        "t": "the text of an image",
        "t_j": "the text of a row of the batch",
        "P": "the probability of a text for an image",
        "f": "the image encoder",
        "g": "the text encoder",
        "W_I": "the projection of images into the shared space",
        "W_T": "the projection of texts into the shared space",
        "u": "the vector of an image, of length 1",
        "v": "the vector of a text, of length 1",
        "u_i": "the vector of the image",
        "v_j": "the vector of the text",
        "s": "the learned factor of the cosines, 1 / temperature",
    },
    symbol_parts={
        "f": "images",
        "g": "texts",
        "W_I": "images.output",
        "W_T": "texts.output",
        "u": "images.output",
        "u_i": "images.output",
        "v": "texts.output",
        "v_j": "texts.output",
    },
    symbol_settings={"s": "temperature", "P": "temperature"},
    references=(
        "Radford et al. 2021, Learning Transferable Visual Models From Natural Language Supervision",
        "Dosovitskiy et al. 2021, An Image is Worth 16x16 Words",
    ),
)
