"""Presets of S4: the diagonal one in its initialisations, and the full one; a CPU trains each in minutes."""

from __future__ import annotations

from typing import Any

# Rows continue the text of the step before, with its state, so that kernels are trained beyond the context too.


def _preset(steps: int = 800, **architecture: Any) -> dict[str, Any]:
    return {
        "architecture": {
            "layers": 2, "width": 128, "dropout": 0.0, "kernel": "s4d", "initialisation": "legs",
            "discretisation": "bilinear", "state": 64, "step_min": 1e-3, "step_max": 0.1, "feed_forward": "none",
            "tie": True, **architecture,
        },
        "objective": {"name": "carried"},
        "training": {
            "context_length": 128, "batch_size": 16, "steps": steps, "clip": 1.0,
            "optimizer": {"name": "adamw", "learning_rate": 4e-3, "beta1": 0.9, "beta2": 0.99, "weight_decay": 0.01},
            "schedule": {"name": "cosine", "warmup": 100, "floor": 0.05},
        },
    }  # fmt: skip


PRESETS = {
    "s4": _preset(kernel="s4", state=32),
    "s4d-legs": _preset(),
    "s4d-lin": _preset(initialisation="lin", discretisation="zoh"),
    "s4d-inv": _preset(initialisation="inv", discretisation="zoh"),
    "s4d-real": _preset(initialisation="real", discretisation="zoh"),
}
