"""Presets of the recurrent cards: one of each that a CPU trains within a minute, and one for tinyshakespeare."""

from __future__ import annotations

from typing import Any

# Rows continue the text of the step before, with its state: truncated backpropagation through time.
_CARRIED = {"objective": {"name": "carried"}}


def _small(learning_rate: float, **architecture: Any) -> dict[str, Any]:
    """Return a preset of one layer with 128 units, trained within a minute."""
    return {
        "architecture": {"layers": 1, "width": 128, "dropout": 0.0, "tie": True, **architecture},
        **_CARRIED,
        "training": {
            "context_length": 64, "batch_size": 32, "steps": 1000, "clip": 1.0,
            "optimizer": {
                "name": "adamw", "learning_rate": learning_rate, "beta1": 0.9, "beta2": 0.99, "weight_decay": 0.01,
            },
            "schedule": {"name": "cosine", "warmup": 50, "floor": 0.05},
        },
    }  # fmt: skip


RNN_PRESETS = {
    "small": _small(5e-3, nonlinearity="tanh", initialisation="orthogonal"),
    "irnn": _small(3e-3, nonlinearity="relu", initialisation="identity", embedding_std=0.1),
}
GRU_PRESETS = {"small": _small(1e-2, initialisation="orthogonal")}
LSTM_PRESETS = {
    "small": _small(1e-2, initialisation="orthogonal", forget_bias=1.0),
    "shakespeare": {
        "architecture": {
            "layers": 1, "width": 512, "dropout": 0.2, "tie": True, "initialisation": "orthogonal", "forget_bias": 1.0,
            "embedding_std": 0.05,
        },
        **_CARRIED,
        "training": {
            "context_length": 64, "batch_size": 64, "steps": 1500, "clip": 1.0,
            "optimizer": {"name": "adamw", "learning_rate": 3e-3, "beta1": 0.9, "beta2": 0.99, "weight_decay": 0.01},
            "schedule": {"name": "cosine", "warmup": 50, "floor": 0.05},
        },
    },
}  # fmt: skip
