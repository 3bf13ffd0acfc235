"""Associative recall: what each architecture learns in the same number of steps, and the size of its state."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lab.base import BadInput, LabError
from lab.bench.models.sources import QUIET
from lab.host import Plugins
from lab.recipes import Recipe, shipped

RECIPE = "mqar-attention"
"""The recipe of all trainings, except for architecture and learning rate."""
SIZE: Mapping[str, Any] = {"layers": 2, "width": 64, "tie": False}
BASED: Mapping[str, Any] = {"feature_map": "taylor", "convolution": 4, "positions": "none"}
"""Linear attention as in Based, without its layers of sliding-window attention."""
MODELS: Mapping[str, tuple[float, Mapping[str, Any]]] = {
    "attention": (3e-3, {}),
    "sliding window": (3e-3, {"window": 16}),
    "linear attention (elu)": (3e-3, {"name": "linear-attention", "heads": 1, **SIZE}),
    "linear attention (Taylor)": (3e-3, {"name": "linear-attention", "heads": 1, **BASED, **SIZE}),
    "RetNet": (3e-3, {"name": "retnet", "heads": 1, **SIZE}),
    "GLA": (3e-3, {"name": "gla", "heads": 1, **SIZE}),
    "DeltaNet": (3e-3, {"name": "deltanet", "heads": 1, **SIZE}),
    "Gated DeltaNet": (3e-3, {"name": "gated-deltanet", "heads": 1, **SIZE}),
    "RWKV-6": (3e-3, {"name": "rwkv6", "heads": 1, **SIZE}),
    "S4": (1e-2, {"name": "s4", **SIZE}),
    "Mamba": (3e-3, {"name": "mamba", **SIZE}),
    "Mamba-2": (3e-3, {"name": "mamba2", **SIZE}),
    "LSTM": (1e-2, {"name": "lstm", **SIZE}),
}
"""The learning rate of each model, and its settings that differ from the recipe."""
SEEDS = (1, 2, 3)


def recall(models: Sequence[str], report: Callable[[str], object]) -> dict[str, Any]:
    """Measure multi-query associative recall as in Arora et al. 2024, with other settings: see the recipe `RECIPE`.

    Args:
        models: Names of MODELS; () takes all.
        report: Called with a line for each finished model.

    Returns:
        "corpus", "steps", "batch_size", "chance" (the accuracy of guessing among the values), "seeds";
        and by model the "accuracy" of each seed on validation, their "median" and "spread", its "parameters", "state"
        (the bytes of its decoding state after an example), its "learning_rate" and the "seconds" of all trainings.

    Raises:
        BadInput: There is no such model.
    """
    unknown = next((name for name in models if name not in MODELS), None)
    if unknown is not None:
        raise BadInput("is not one of these models", field="--models", value=unknown, allowed=", ".join(MODELS))
    recipe, plugins = shipped(RECIPE), Plugins(safe_mode=True)
    corpus = dict(recipe.corpus.settings)
    found: dict[str, Any] = {
        "corpus": corpus,
        "steps": recipe.training.steps,
        "batch_size": recipe.training.batch_size,
        "chance": 1 / corpus["pairs"],
        "seeds": SEEDS,
    }
    for name in models or MODELS:
        found[name] = trained = _trained(name, plugins)
        report(f"{name}: {trained['median']:.3f} after {trained['seconds']:.0f} s")
    return found


def trained_by(model: str, seed: int) -> Recipe:
    """Return the recipe of one model and seed."""
    rate, architecture = MODELS[model]
    training = {"seed": seed, "optimizer": {"learning_rate": rate}}
    return shipped(RECIPE).with_values(QUIET, {"architecture": architecture, "training": training})


def _trained(model: str, plugins: Plugins) -> dict[str, Any]:
    """Train one model with each seed."""
    from lab.training.experiment import prepare
    from lab.training.trainer import Trainer
    from lab.workbench.launch.summary import state_size

    accuracies, seconds = [], 0.0
    for seed in SEEDS:
        trainer = Trainer(prepare(trained_by(model, seed), plugins))
        trainer.run()
        if trainer.problem is not None:
            raise LabError(trainer.problem)
        assert trainer.evaluation is not None
        accuracies.append(trainer.evaluation.metrics["accuracy"])
        seconds += trainer.seconds
    return {
        "accuracy": accuracies,
        "median": statistics.median(accuracies),
        "spread": [min(accuracies), max(accuracies)],
        "parameters": sum(parameter.numel() for parameter in trainer.model.parameters()),
        "state": state_size(trainer),
        "learning_rate": MODELS[model][0],
        "seconds": seconds,
    }
