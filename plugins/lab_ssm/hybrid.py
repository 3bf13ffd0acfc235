"""The hybrid: a stack whose blocks are any registered mixers, named by a pattern, and its published patterns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lab.api import Architecture, PatternStackConfig, pattern_setting


class HybridConfig(PatternStackConfig):
    """The settings of the hybrid; those of every registered mixer are added under its name."""

    pattern: str = pattern_setting("mamba+mlp, attention+mlp")


def _trained(steps: int, *, context: int = 128, batch: int = 12) -> dict[str, Any]:
    """Return all training settings of a preset, so that they replace those of an earlier preset."""
    return {
        "objective": {"name": "causal"},
        "training": {
            "context_length": context, "batch_size": batch, "accumulation": 1, "order": "crops", "steps": steps,
            "clip": 1.0, "average": 0,
            "optimizer": {
                "name": "adamw", "learning_rate": 3e-3, "beta1": 0.9, "beta2": 0.95, "eps": 1e-8, "weight_decay": 0.1,
            },
            "schedule": {"name": "cosine", "warmup": 100, "floor": 0.1},
        },
    }  # fmt: skip


_MAMBA = {"state": 16, "expand": 2, "convolution": 4}

PRESETS: Mapping[str, Mapping[str, Any]] = {
    "small": {
        "architecture": {
            "layers": 4, "width": 64, "pattern": "mamba+mlp, attention+mlp", "mamba": {**_MAMBA, "state": 8},
            "attention": {"heads": 4, "positions": "none"}, "mlp": {"activation": "swiglu"},
        },
        **_trained(1000, context=64, batch=16),
    },
    # Lieber et al. 2024, figure 2 and section 3.1: one of eight layers, the fifth, is attention without positions, and
    # every second feed-forward layer is a mixture of 16 experts (8 here), each as large as the dense layer.
    "jamba": {
        "architecture": {
            "layers": 8, "width": 128, "tie": False,
            "pattern": "(mamba+mlp, mamba+moe)*2, attention+mlp, mamba+moe, mamba+mlp, mamba+moe",
            "mamba": _MAMBA, "attention": {"heads": 8, "kv_heads": 2, "positions": "none"},
            "mlp": {"activation": "swiglu", "hidden": 448},
            "moe": {
                "experts": 8, "chosen": 2, "activation": "swiglu", "hidden": 448, "renormalise": False,
                "balance": 0.001,
            },
        },
        **_trained(1500),
    },
    # Glorioso et al. 2024, section 3: six Mamba layers, and a shared block of attention next to the residual stream.
    "zamba": {
        "architecture": {
            "layers": 14, "width": 96, "pattern": "mamba*4, [attention+mlp], mamba*2", "mamba": _MAMBA,
            "attention": {"heads": 4, "positions": "none"}, "mlp": {"activation": "geglu", "hidden": 384},
        },
        **_trained(1500),
    },
    # Ren et al. 2024, section 3.1: Mamba and windowed attention alternate, each followed by SwiGLU.
    "samba": {
        "architecture": {
            "layers": 8, "width": 128, "pattern": "mamba+mlp, attention+mlp", "mamba": _MAMBA,
            "attention": {"heads": 4, "kv_heads": 2, "window": 32, "positions": "rotary"},
            "mlp": {"activation": "swiglu"},
        },
        **_trained(1500),
    },
}  # fmt: skip

ARCHITECTURES = (
    Architecture(
        name="hybrid",
        title="Hybrid",
        family="state spaces",
        summary="Blocks of different mixers on one residual stream, named by a pattern: Mamba and attention as in "
        "Jamba, Zamba or Samba, or any others.",
        config=HybridConfig,
        build="lab.layers.pattern:stack_of_pattern",
        presets=PRESETS,
        equations=(
            r"x \leftarrow x + \mathrm{token}_i(\mathrm{norm}(x)), \qquad"
            r" x \leftarrow x + \mathrm{channel}_i(\mathrm{norm}(x))",
            r"[\cdot]:\quad a = W_i\,\mathrm{channel}(\mathrm{norm}(W\,\mathrm{token}(\mathrm{norm}([x; e])))), \qquad"
            r" x \leftarrow x + \mathrm{token}_{i+1}(\mathrm{norm}(x + a))",
        ),
        symbol_parts={"e": "embedding"},
        symbol_settings=dict.fromkeys(("i", "a", "W_i", "W"), "pattern"),
        symbols={
            "x": "the residual stream, a vector for each token",
            "i": "the number of the block in the pattern",
            "a": "what a shared block adds",
            "W_i": "the matrix of its own that each use of a shared block has",
            "W": "the matrix from twice the width into the shared block",
            "e": "the embedding of the tokens",
        },
        records=("state", "eigenvalues"),
        references=(
            "Lieber et al. 2024, Jamba: A Hybrid Transformer-Mamba Language Model",
            "Glorioso et al. 2024, Zamba: A Compact 7B SSM Hybrid Model",
            "Ren et al. 2024, Samba: Simple Hybrid State Space Models for Efficient Unlimited Context Language "
            "Modeling",
        ),
    ),
)
