"""Presets of Mamba and Mamba-2, with their sizes: the published ones, and the preset's scaled by width."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from lab.api import Size

WIDTHS = (64, 128, 192, 256, 384, 512)
"""Channels of the scaled sizes."""
WIDTH, LAYERS = 128, 4
"""Width and layers of the preset, which a laptop trains in minutes."""


def _trained(learning_rate: float) -> dict[str, Any]:
    """Return the training of the preset: a higher rate than a transformer's, and clipping (Gu & Dao 2023, E.2)."""
    return {
        "objective": {"name": "causal"},
        "training": {
            "context_length": 128, "batch_size": 12, "accumulation": 1, "order": "crops", "steps": 1000, "clip": 1.0,
            "average": 0,
            "optimizer": {
                "name": "adamw", "learning_rate": learning_rate, "beta1": 0.9, "beta2": 0.95, "eps": 1e-8,
                "weight_decay": 0.1,
            },
            "schedule": {"name": "cosine", "warmup": 100, "floor": 0.1},
        },
    }  # fmt: skip


def _shape(layers: int, width: int, **more: int) -> dict[str, Any]:
    return {"layers": layers, "width": width, **more}


def _ladder(published: Sequence[Size], **fixed: int) -> tuple[Size, ...]:
    """Return scaled sizes, with a depth by the root of the width, followed by the published ones."""
    scaled = [
        Size(f"width {width}", _shape(round(LAYERS * math.sqrt(width / WIDTH)), width, **fixed)) for width in WIDTHS
    ]
    return (*scaled, *published)


# ------------------------------------------- The released weights; their vocabulary is GPT-NeoX's 50,277, padded to a
# multiple of 8 and of 16. The tables give the counts, and twice the layers of a transformer of that size.
_SHAPES = ((24, 768), (48, 1024), (48, 1536), (48, 2048), (64, 2560))
_MAMBA = [
    Size(name, _shape(*shape, state=16), 50_280, 2048, count, "Gu & Dao 2023, zero-shot evaluations")
    for shape, (name, count) in zip(
        _SHAPES, (("130M", 130e6), ("370M", 370e6), ("790M", 790e6), ("1.4B", 1.4e9), ("2.8B", 2.8e9)), strict=True
    )
]
_MAMBA_2 = [
    Size(name, _shape(*shape, state=128, head_width=64), 50_288, 2048, count, "Dao & Gu 2024, zero-shot evaluations")
    for shape, (name, count) in zip(
        _SHAPES, (("130M", 130e6), ("370M", 370e6), ("780M", 780e6), ("1.3B", 1.3e9), ("2.7B", 2.7e9)), strict=True
    )
]

MAMBA_SIZES: Mapping[str, tuple[Size, ...]] = {"small": _ladder(_MAMBA, state=16)}
MAMBA2_SIZES: Mapping[str, tuple[Size, ...]] = {"small": _ladder(_MAMBA_2, state=64, head_width=32)}
"""The sizes of every preset, by width."""

MAMBA_PRESETS: Mapping[str, Mapping[str, Any]] = {
    "small": {"architecture": _shape(LAYERS, WIDTH, state=16), **_trained(4e-3)},
}
MAMBA2_PRESETS: Mapping[str, Mapping[str, Any]] = {
    "small": {"architecture": _shape(LAYERS, WIDTH, state=64, head_width=32), **_trained(4e-3)},
}
"""Partial recipes by name. Settings of the architecture that are missing here have their defaults."""
