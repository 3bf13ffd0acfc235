"""Presets of the linear attention cards: stacks that a CPU trains within minutes."""

from __future__ import annotations

from typing import Any


def _small(learning_rate: float = 3e-3, *, context: int = 128, batch: int = 16, **architecture: Any) -> dict[str, Any]:
    """Return a preset of three blocks with 128 channels."""
    return {
        "architecture": {"layers": 3, "width": 128, "heads": 4, "dropout": 0.0, **architecture},
        "objective": {"name": "causal"},
        "training": {
            "context_length": context, "batch_size": batch, "accumulation": 1, "order": "crops", "steps": 1000,
            "clip": 1.0, "average": 0,
            "optimizer": {
                "name": "adamw", "learning_rate": learning_rate, "beta1": 0.9, "beta2": 0.99, "eps": 1e-8,
                "weight_decay": 0.1,
            },
            "schedule": {"name": "cosine", "warmup": 50, "floor": 0.1},
        },
    }  # fmt: skip


LINEAR_ATTENTION = {
    "katharopoulos": _small(feature_map="elu", positions="sinusoidal", convolution=0),
    "performer": _small(feature_map="performer", positions="sinusoidal", convolution=0),
    "based": _small(feature_map="taylor", positions="none", convolution=3, feed_forward="swiglu"),
    "identity": _small(feature_map="identity", positions="none", convolution=3, feed_forward="swiglu"),
}
RETNET = {"small": _small(feed_forward="gelu")}
GLA = {"small": _small(feed_forward="swiglu")}
DELTANET = {
    "small": _small(eigenvalues="positive", convolution=4, feed_forward="swiglu"),
    "signed": _small(eigenvalues="signed", convolution=4, feed_forward="swiglu"),
}
GATED_DELTANET = {"small": _small(eigenvalues="positive", convolution=4, feed_forward="swiglu")}
RWKV6 = {"small": _small()}
