"""Hugging Face's names of the activations of feed-forward layers, plain and gated."""

from __future__ import annotations

from collections.abc import Mapping

from lab.api.config import GATED_ACTIVATIONS

HUGGING_FACE_PLAIN: Mapping[str, str] = {
    "gelu": "gelu", "gelu_new": "gelu-tanh", "gelu_pytorch_tanh": "gelu-tanh", "relu": "relu", "relu2": "relu2",
    "silu": "silu", "swish": "silu", "quick_gelu": "gelu-sigmoid",
}  # fmt: skip
"""Activations without a gate, by Hugging Face's name; an activation that has several is written with the first."""
HUGGING_FACE_GATED: Mapping[str, str] = {
    theirs: gated
    for theirs, ours in HUGGING_FACE_PLAIN.items()
    for gated, gate in GATED_ACTIVATIONS.items()
    if ours == gate
}
"""Activations with a gate, by Hugging Face's name of the gate's activation."""
