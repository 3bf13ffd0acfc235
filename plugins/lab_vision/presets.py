"""Presets of the vision transformer: one that trains within minutes on a laptop, and the published sizes."""

from __future__ import annotations

from typing import Any

from lab.api import Size


def _shape(layers: int, width: int, heads: int, **more: Any) -> dict[str, Any]:
    return {"layers": layers, "width": width, "heads": heads, **more}


PRESETS: dict[str, dict[str, Any]] = {
    "small": {
        "architecture": _shape(4, 64, 4, patch=4, positions="learned", pool="class-token", hidden=128),
        "training": {
            "optimizer": {"name": "adamw", "learning_rate": 3e-3, "weight_decay": 0.05},
            "schedule": {"name": "cosine", "warmup": 50, "floor": 0.0},
            "batch_size": 64,
            "steps": 1000,
            "clip": 1.0,
        },
    },
    "mean": {
        "architecture": _shape(4, 64, 4, patch=4, positions="sinusoidal", pool="mean", hidden=128),
        "training": {
            "optimizer": {"name": "adamw", "learning_rate": 3e-3, "weight_decay": 0.05},
            "schedule": {"name": "cosine", "warmup": 50, "floor": 0.0},
            "batch_size": 64,
            "steps": 1000,
            "clip": 1.0,
        },
    },
}
PRESET_NOTES = {
    "small": "A class token and learned positions, as in the paper, for pictures whose sides 4 divides",
    "mean": "The mean of all patches and sinusoids of row and column: nothing is learned about places",
}
SIZES = {
    "small": (
        Size("tiny", _shape(2, 32, 2, hidden=64)),
        Size("small", _shape(4, 64, 4, hidden=128)),
        Size("middle", _shape(6, 128, 4, hidden=512)),
        Size("Ti", _shape(12, 192, 3, hidden=768)),
        Size("S", _shape(12, 384, 6, hidden=1536)),
        Size("B", _shape(12, 768, 12, hidden=3072)),
        Size("L", _shape(24, 1024, 16, hidden=4096)),
        Size("H", _shape(32, 1280, 16, hidden=5120)),
    )
}

CLIP_PRESETS: dict[str, dict[str, Any]] = {
    "small": {
        "architecture": _shape(
            3, 64, 4, patch=4, hidden=128, text_layers=2, text_width=64, text_heads=4, text_hidden=128,
            embedding_width=64,
        ),
        "objective": {"name": "contrastive"},
        "training": {
            "optimizer": {"name": "adamw", "learning_rate": 2e-3, "weight_decay": 0.05, "beta2": 0.98, "eps": 1e-6},
            "schedule": {"name": "cosine", "warmup": 100, "floor": 0.0},
            "batch_size": 128,
            "context_length": 64,
            "steps": 1500,
            "clip": 1.0,
        },
    },
}  # fmt: skip
CLIP_NOTES = {"small": "Two encoders of two and three blocks, for pictures of shapes and what is said of them"}


def _clip(layers: int, width: int, heads: int, text: int, text_heads: int, shared: int, patch: int) -> dict[str, Any]:
    texts = {"text_layers": 12, "text_width": text, "text_heads": text_heads, "embedding_width": shared}
    return _shape(layers, width, heads, patch=patch, hidden=0, text_hidden=0, **texts)


CLIP_SIZES = {
    "small": (
        Size("tiny", _shape(2, 32, 2, hidden=64, text_layers=1, text_width=32, text_heads=2, text_hidden=64)),
        Size("small", _shape(3, 64, 4, hidden=128, text_layers=2, text_width=64, text_heads=4, text_hidden=128)),
        Size("B/32", _clip(12, 768, 12, 512, 8, 512, 32)),
        Size("B/16", _clip(12, 768, 12, 512, 8, 512, 16)),
        Size("L/14", _clip(24, 1024, 16, 768, 12, 768, 14)),
    )
}
