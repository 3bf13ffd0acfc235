"""Presets of networks on vectors, images and windows of tokens: each trains within a minute on a laptop."""

from __future__ import annotations

from typing import Any


def _sgd(rate: float, **training: Any) -> dict[str, Any]:
    """Return plain gradient descent with a constant rate."""
    return {
        "optimizer": {"name": "sgd", "learning_rate": rate, "momentum": 0.0, "weight_decay": 0.0},
        "schedule": {"name": "constant", "warmup": 0},
        "clip": 0.0,
        **training,
    }


def _adam(rate: float, **training: Any) -> dict[str, Any]:
    """Return AdamW with a rate that falls to nothing along a cosine."""
    return {
        "optimizer": {"name": "adamw", "learning_rate": rate, "weight_decay": 0.0},
        "schedule": {"name": "cosine", "warmup": 0, "floor": 0.0},
        "clip": 0.0,
        **training,
    }


_LINEAR = {"bias": True, "spread": 0.0}
PERCEPTRON_PRESETS = {
    # One example at a time with rate 1 is Rosenblatt's rule: w ← w + y x at each mistake.
    "perceptron": {
        "architecture": _LINEAR,
        "objective": {"name": "margin", "loss": "perceptron"},
        "training": _sgd(1.0, batch_size=1, steps=2000),
    },
    "adaline": {
        "architecture": _LINEAR,
        "objective": {"name": "margin", "loss": "squares"},
        "training": _sgd(0.01, batch_size=8, steps=1000),
    },
    "logistic": {
        "architecture": _LINEAR,
        "objective": {"name": "classification"},
        "training": _sgd(0.5, batch_size=32, steps=1000),
    },
}
RANDOM_FEATURES_PRESETS = {
    "small": {
        "architecture": {"features": 100, "activation": "relu", "spread": 1.0},
        "training": _adam(3e-2, batch_size=64, steps=1000),
    },
}
MLP_PRESETS = {
    "small": {
        "architecture": {"widths": [32, 32], "activation": "relu", "initialisation": "he"},
        "training": _adam(1e-2, batch_size=64, steps=1000),
    },
    "deep-sigmoid": {
        "architecture": {"widths": [64] * 20, "activation": "sigmoid", "initialisation": "xavier"},
        "training": _adam(1e-3, batch_size=64, steps=1000),
    },
    "deep-residual": {
        "architecture": {
            "widths": [64] * 20, "activation": "relu", "initialisation": "he", "norm": "layer", "residual": True,
        },
        "training": _adam(1e-3, batch_size=64, steps=1000),
    },
}  # fmt: skip
CONVOLUTIONAL_PRESETS = {
    "small": {
        "architecture": {"channels": [16, 32], "widths": [64], "norm": "batch", "bias": True},
        "training": _adam(3e-3, batch_size=64, steps=500),
    },
}
BENGIO_PRESETS = {
    "small": {
        "architecture": {"window": 4, "width": 32, "hidden": 128, "direct": False},
        "training": _adam(1e-2, batch_size=32, context_length=64, steps=1000),
    },
    "direct": {
        "architecture": {"window": 4, "width": 32, "hidden": 128, "direct": True},
        "training": _adam(1e-2, batch_size=32, context_length=64, steps=1000),
    },
}
LOG_BILINEAR_PRESETS = {
    "small": {
        "architecture": {"window": 4, "width": 64, "diagonal": False},
        "training": _adam(1e-2, batch_size=32, context_length=64, steps=1000),
    },
}
LOGISTIC_PRESETS = {
    "small": {
        "architecture": {"window": 4},
        "training": _adam(3e-2, batch_size=32, context_length=64, steps=1000),
    },
}
TOKEN_CONVOLUTION_PRESETS = {
    "small": {
        "architecture": {"layers": 4, "width": 64, "kernel": 3, "dilated": True},
        "training": _adam(3e-3, batch_size=32, context_length=64, steps=1000),
    },
}
