"""Sizes of the presets: the published ones with the papers' counts, and the family's shape scaled by width."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from lab.api import Size

WIDTHS = (64, 128, 192, 256, 384, 512)
"""Channels of the scaled sizes."""
HEADS = 2
"""Least heads of keys and values in a scaled size, if its family shares them among groups of queries."""
UNITS = 32
"""Units of a scaled feed-forward layer are a multiple of this, unless its family has 4 × width."""


def scaled(like: Mapping[str, int], width: int, **fixed: int) -> dict[str, Any]:
    """Return the settings of a published size scaled to another width.

    Layers and heads scale with the square root of the width, so that depth, number of heads and width of a head stay
    in proportion: 32 layers and 32 heads at 4096 channels are 8 and 8 at 256. The number of heads becomes a power of
    two. The feed-forward layer, and the heads that share keys and values, keep their ratios.

    Args:
        like: Settings of the published size.
        width: Channels.
        **fixed: Settings of every scaled size, independent of the width.
    """
    root = math.sqrt(width / like["width"])
    heads: int = 2 ** math.floor(math.log2(like["heads"] * root) + 0.499)  # halfway rounds down
    found: dict[str, Any] = {"layers": round(like["layers"] * root), "width": width, "heads": heads}
    if "head_width" in like:
        found["head_width"] = 0
    if "kv_heads" in like:
        shared = like["kv_heads"]
        found["kv_heads"] = shared if shared < HEADS else max(HEADS, heads * shared // like["heads"])
    if "hidden" in like:
        found["hidden"] = UNITS * math.ceil(like["hidden"] * width / like["width"] / UNITS)
    return {**found, **fixed}


def _ladder(like: Mapping[str, int], published: Sequence[Size], **fixed: int) -> tuple[Size, ...]:
    """Return scaled and published sizes, by width; no size is scaled to a published width."""
    taken = {size.settings["width"] for size in published}
    own = [Size(f"width {width}", scaled(like, width, **fixed)) for width in WIDTHS if width not in taken]
    return tuple(sorted([*own, *published], key=lambda size: int(size.settings["width"])))


def _shape(layers: int, width: int, heads: int, **more: int) -> dict[str, int]:
    return {"layers": layers, "width": width, "heads": heads, **more}


# ---------------------------------------------------------------------------------- Radford et al. 2019, table 2: GPT-2
# The counts in the table are wrong, as the authors state in the repository gpt-2; the sizes here have the right ones.
_GPT_2 = [
    Size("124M", _shape(12, 768, 12), 50_257, 1024, 124e6, "Radford et al. 2019, table 2, where it is 117M"),
    Size("355M", _shape(24, 1024, 16), 50_257, 1024, 355e6, "Radford et al. 2019, table 2, where it is 345M"),
    Size("774M", _shape(36, 1280, 20), 50_257, 1024, 774e6, "Radford et al. 2019, table 2, where it is 762M"),
    Size("1.5B", _shape(48, 1600, 25), 50_257, 1024, 1.5e9, "Radford et al. 2019, table 2, where it is 1542M"),
]
# ---------------------------------------------------------------------------------- Brown et al. 2020, table 2.1: GPT-3
# Every second layer is sparse in the paper, which changes no parameter. 24 heads of 128 channels, as the table has for
# 1.3B, would be 1.5B parameters; 16 are 1.3B. The width of 13B is not a multiple of its heads; it is used as printed.
_GPT_3 = [
    Size(
        name,
        _shape(layers, width, heads, head_width=head_width),
        50_257,
        2048,
        count,
        f"Brown et al. 2020, table 2.1{note}",
    )
    for name, layers, width, heads, head_width, count, note in (
        ("125M", 12, 768, 12, 0, 125e6, ""),
        ("350M", 24, 1024, 16, 0, 350e6, ""),
        ("760M", 24, 1536, 16, 0, 760e6, ""),
        ("1.3B", 24, 2048, 16, 0, 1.3e9, ", where it has 24 heads"),
        ("2.7B", 32, 2560, 32, 0, 2.7e9, ""),
        ("6.7B", 32, 4096, 32, 0, 6.7e9, ""),
        ("13B", 40, 5140, 40, 128, 13e9, ""),
        ("175B", 96, 12_288, 96, 0, 175e9, ""),
    )
]
# -------------------------------------------------- Touvron et al. 2023: hidden is 8/3 × width, up to a multiple of 256
_LLAMA = [
    Size(name, _shape(layers, width, heads, hidden=hidden), 32_000, 2048, count, "Touvron et al. 2023a, table 2")
    for name, layers, width, heads, hidden, count in (
        ("7B", 32, 4096, 32, 11_008, 6.7e9),
        ("13B", 40, 5120, 40, 13_824, 13e9),
        ("33B", 60, 6656, 52, 17_920, 32.5e9),
        ("65B", 80, 8192, 64, 22_016, 65.2e9),
    )
]
# Only the largest model shares keys and values: it has 8 heads of them, and a wider feed-forward layer instead.
_LLAMA_2 = [
    Size(
        name,
        _shape(layers, width, heads, kv_heads=kv_heads, hidden=hidden),
        32_000,
        4096,
        count,
        "Touvron et al. 2023b, table 1",
    )
    for name, layers, width, heads, kv_heads, hidden, count in (
        ("7B", 32, 4096, 32, 0, 11_008, 7e9),
        ("13B", 40, 5120, 40, 0, 13_824, 13e9),
        ("70B", 80, 8192, 64, 8, 28_672, 70e9),
    )
]
# --------------------------------------------------------------------------------- Chowdhery et al. 2022, table 1: PaLM
# SwiGLU has three matrices of 4 × width here, not of 8/3; 48 heads of 256 channels are narrower than 18,432.
_PALM = [
    Size(
        name,
        _shape(layers, width, heads, head_width=256, kv_heads=1, hidden=4 * width),
        256_000,
        2048,
        count,
        "Chowdhery et al. 2022, table 1",
    )
    for name, layers, width, heads, count in (
        ("8B", 32, 4096, 16, 8.63e9),
        ("62B", 64, 8192, 32, 62.5e9),
        ("540B", 118, 18_432, 48, 540.35e9),
    )
]
_MISTRAL = [
    Size(
        "7B",
        _shape(32, 4096, 32, kv_heads=8, hidden=14_336, window=4096),
        32_000,
        8192,
        7e9,
        "Jiang et al. 2023, table 1",
    )
]
# ---------------------------------------------------- Beltagy et al. 2020, table 12: character models of the Longformer
# Their positions are Transformer-XL's, with a matrix of width × width in each layer, which rotary positions lack.
_LONGFORMER = [
    Size(
        name,
        _shape(layers, 512, 8, window=512),
        205,
        2048,
        count,
        f"Beltagy et al. 2020, table 12, with {layers * 512**2 / 1e6:.1f}M for Transformer-XL's positions",
    )
    for name, layers, count in (("41M", 12, 41e6), ("102M", 30, 102e6))
]
# ----------------------------------------------------- Vaswani et al. 2017, table 3: the decoder, without an encoder
_VASWANI = [
    Size("base", _shape(6, 512, 8, hidden=2048), 37_000, None, None, "Vaswani et al. 2017, table 3, the decoder"),
    Size("big", _shape(6, 1024, 16, hidden=4096), 37_000, None, None, "Vaswani et al. 2017, table 3, the decoder"),
]
# --------------------------------------------------------------- nanoGPT, which does not count the positions
_CPU = [Size("0.80M", _shape(4, 128, 4), 65, 64, 0.8e6, "nanoGPT, without the 8 k of its positions")]
_GPU = [Size("10.65M", _shape(6, 384, 6), 65, 256, 10.65e6, "nanoGPT, without the 98 k of its positions")]


SIZES: Mapping[str, tuple[Size, ...]] = {
    "gpt-2": _ladder(_GPT_2[0].settings, _GPT_2),
    "gpt-3": _ladder(_GPT_3[0].settings, _GPT_3),
    "llama": _ladder(_LLAMA[0].settings, _LLAMA),
    "llama-2": _ladder({**_LLAMA_2[0].settings, "kv_heads": 4}, _LLAMA_2),  # 8 queries share keys, as in the largest
    "palm": _ladder(_PALM[0].settings, _PALM),
    "mistral": _ladder(_MISTRAL[0].settings, _MISTRAL, window=128),
    "longformer": _ladder(_LONGFORMER[0].settings, _LONGFORMER, window=64),
    "vaswani-2017": _ladder(_VASWANI[0].settings, _VASWANI),
    "nanogpt-cpu": _ladder(_CPU[0].settings, _CPU),
    "modern-cpu": _ladder(_CPU[0].settings, ()),
    "shakespeare": _ladder(_CPU[0].settings, ()),
    "nanogpt-gpu": _ladder(_GPU[0].settings, _GPU),
}
"""The sizes of every preset, by width."""


def settings_at(preset: str, width: int) -> Mapping[str, Any]:
    """Return the settings of a preset at a width that one of its sizes has."""
    return next(size.settings for size in SIZES[preset] if size.settings["width"] == width)
