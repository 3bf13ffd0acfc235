"""Sizes of the presets: the published ones with their counts, and the same shape scaled by width."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from lab.api import Size

WIDTHS = (64, 128, 192, 256, 384, 512)
"""Channels of the scaled sizes."""
WIDTH, LAYERS = 128, 4
"""Width and layers of a preset, which a laptop trains in minutes."""
HEAD = 32
"""Channels of a scaled head."""
UNITS = 8
"""Units of a scaled expert are a multiple of this: such matrices are multiplied fastest."""


def _ladder(ratio: float, published: Sequence[Size] = (), **fixed: int) -> tuple[Size, ...]:
    """Return scaled sizes, with a depth by the root of the width, followed by the published ones.

    Args:
        ratio: Units of an expert over the width.
        published: Sizes of papers.
        **fixed: Settings of every scaled size.
    """
    scaled = [
        Size(
            f"width {width}",
            {
                "layers": 2 * max(1, round(LAYERS * math.sqrt(width / WIDTH) / 2)),
                "width": width,
                "heads": width // HEAD,
                "hidden": UNITS * round(ratio * width / UNITS),
                **fixed,
            },
        )
        for width in WIDTHS
    ]
    return (*scaled, *published)


# ------------------------------------- Jiang et al. 2024, table 1, and the releases: 46.7B, of which 12.9B are active,
# and 141B, of which 39B are active. The shape of the second model is from its config.
_MIXTRAL = [
    Size(
        "8x7B",
        {"layers": 32, "width": 4096, "heads": 32, "hidden": 14_336, "kv_heads": 8, "experts": 8},
        32_000,
        32_768,
        46.7e9,
        "Jiang et al. 2024, table 1",
    ),
    Size(
        "8x22B",
        {"layers": 56, "width": 6144, "heads": 48, "hidden": 16_384, "kv_heads": 8, "experts": 8},
        32_768,
        65_536,
        141e9,
        "Mistral AI 2024, release of Mixtral 8x22B",
    ),
]
# ------------------------------------------ Dai et al. 2024, section 5.1.2: an expert is 0.25 of a dense layer with
# 5632 units, and the first block is dense, with the 10,944 units of the released weights.
_DEEPSEEK_MOE = [
    Size(
        "16B",
        {
            "layers": 28, "width": 2048, "heads": 16, "hidden": 1408, "experts": 64, "chosen": 6, "shared": 2,
            "dense_hidden": 10_944,
        },
        102_400,
        4096,
        16.4e9,
        "Dai et al. 2024, section 5.1.2",
    )
]  # fmt: skip

SIZES: Mapping[str, tuple[Size, ...]] = {
    "mixtral": _ladder(1.75, _MIXTRAL, kv_heads=2, experts=8),
    "switch": _ladder(4.0),
    "deepseek-moe": _ladder(0.5, _DEEPSEEK_MOE, experts=16, chosen=4, shared=2, dense_hidden=0),
    "deepseek-v3": _ladder(0.5),
    "noisy-top-k": _ladder(2.0),
    "expert-choice": _ladder(2.0),
}
"""The sizes of every preset, by width."""


def settings_at(preset: str, width: int) -> Mapping[str, Any]:
    """Return the settings of a preset at a width that one of its sizes has."""
    return next(size.settings for size in SIZES[preset] if size.settings["width"] == width)
