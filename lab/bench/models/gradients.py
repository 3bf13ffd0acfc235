"""Vanishing gradients: how far back a loss has an effect in recurrent networks, before and after training."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from lab.host import Plugins
from lab.recipes import Recipe

MODELS: Mapping[str, Mapping[str, Any]] = {
    "RNN": {"name": "rnn", "initialisation": "uniform"},
    "RNN, orthogonal": {"name": "rnn", "initialisation": "orthogonal"},
    "GRU": {"name": "gru", "initialisation": "uniform"},
    "LSTM, forget bias 0": {"name": "lstm", "initialisation": "uniform", "forget_bias": 0.0},
    "LSTM, forget bias 1": {"name": "lstm", "initialisation": "uniform", "forget_bias": 1.0},
}
"""One layer of 128 units each. Uniform numbers within 1 / √width are the initial weights of torch."""
TEXT: Mapping[str, Any] = {"name": "python-manual"}
STEPS = 400
"""Steps of each training."""
CONTEXT = 100
"""Tokens of a training window, and of a text through which gradients are propagated."""
TEXTS = 16
"""Number of passages of the validation text over which gradients are averaged."""
LAGS = (0, 1, 2, 5, 10, 20, 30, 40, 50, 60, 70)


def gradients(report: Callable[[str], object]) -> dict[str, Any]:
    """Measure the norm of ∂L_t/∂h_{t−50} over that of ∂L_t/∂h_{t−1}, before and after a short training.

    Args:
        report: Called with a line for each finished model.

    Returns:
        "text", "steps" and "lags"; and by model "at_lag_50_over_lag_1"; the "curves" over the lags relative to lag 0,
        both "first" and "trained" (for an RNN with the bound from the largest singular value of its recurrent matrix,
        "bound"); the "spectral_radius" of its matrix or gates; and the "train_loss" in nats per character.
    """
    recipe = Recipe().with_values(
        {
            "corpus": TEXT,
            "tokenizer": {"name": "character"},
            "architecture": {"name": "rnn", "layers": 1, "width": 128},
            "objective": {"name": "causal"},
            "training": {
                "steps": STEPS, "batch_size": 32, "context_length": CONTEXT, "clip": 1.0, "seed": 0, "device": "cpu",
                "threads": 1, "evaluate_every": 0, "sample_tokens": 0,
                "optimizer": {"name": "adamw", "learning_rate": 3e-3, "weight_decay": 0.0},
                "schedule": {"name": "constant", "warmup": 20},
            },
            "readings": {"moments": 0},
        }
    )  # fmt: skip
    found: dict[str, Any] = {"text": TEXT["name"], "steps": STEPS, "lags": LAGS}
    plugins = Plugins(safe_mode=True)
    for model, settings in MODELS.items():
        found[model] = _trained(recipe.with_values({"architecture": settings}), plugins)
        ratio = found[model]["at_lag_50_over_lag_1"]
        report(f"{model}: {ratio['first']:.1e} at first, {ratio['trained']:.1e} after {STEPS} steps")
    return found


def _trained(recipe: Recipe, plugins: Plugins) -> dict[str, Any]:
    """Train one model, and measure how far back its losses have an effect before and after."""
    from lab.training.experiment import prepare
    from lab.training.trainer import Trainer

    trainer = Trainer(prepare(recipe, plugins))
    measured = {"first": _curves(trainer, plugins)}
    for _ in range(STEPS):
        trainer.advance()
    measured["trained"] = _curves(trainer, plugins)
    ratios: dict[str, float] = {}
    for when, curves in measured.items():
        for quantity, curve in curves.items():
            name = when if quantity == "measured" else f"{quantity}_{when}"
            ratios[name] = float(curve[50] / curve[1])
    return {
        "at_lag_50_over_lag_1": ratios,
        "curves": {when: curves["measured"][[*LAGS]].tolist() for when, curves in measured.items()},
        "spectral_radius": _spectral_radius(trainer, plugins),
        "train_loss": trainer.train_loss(),
    }


def _curves(trainer: Any, plugins: Plugins) -> dict[str, np.ndarray]:
    """Return the curves of the probe by quantity, as means over passages of the validation text."""
    text = trainer.experiment.validation.tokens[: TEXTS * CONTEXT].reshape(TEXTS, CONTEXT)
    (coordinates, *_), values = zip(
        *(_probed(trainer, plugins, "gradient-by-lag", row)[0] for row in text), strict=True
    )
    return dict(zip(coordinates["quantity"], np.mean(values, axis=0), strict=True))


def _spectral_radius(trainer: Any, plugins: Plugins) -> float | dict[str, float]:
    text = trainer.experiment.validation.tokens[:1]
    coordinates, values = _probed(trainer, plugins, "recurrent-matrices", text)[1]
    return dict(zip(coordinates["quantity"], values.tolist(), strict=True)) if coordinates else float(values)


def _probed(
    trainer: Any, plugins: Plugins, name: str, tokens: np.ndarray
) -> list[tuple[Mapping[str, Any], np.ndarray]]:
    """Return coordinates and values of a probe's readings of the current model."""
    import torch

    card = plugins.card("probes", name)
    with torch.no_grad():
        readings = card.make(card.config())(trainer.model, torch.from_numpy(tokens.astype(np.int64))[None])
    return [(reading.coordinates, np.asarray(reading.values)) for reading in readings]
