"""Sources with known entropy: the loss of a trained model, and the entropy that no predictor beats."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lab.api import ENTROPY_RATE
from lab.bench.home import temporary_home
from lab.recipes import shipped, shipped_names

if TYPE_CHECKING:
    from lab.training.evaluation import Evaluation
    from lab.training.experiment import Experiment

PREFIX = "source-"
"""Prefix of the recipes that are trained here, each with a model that can represent its source."""
WITHIN = 0.01
"""Largest distance of a loss from the entropy, in nats."""
PASSAGES = 32
"""Number of passages of a validation text whose losses give the standard error of sampling."""
QUIET = {
    "training": {"evaluate_every": 0, "sample_tokens": 0, "checkpoint_seconds": 0, "device": "cpu", "threads": 1},
    "readings": {"moments": 0},
}
"""Settings for the training and its final evaluation only; the models are too small for several threads."""


def sources(report: Callable[[str], object]) -> dict[str, Any]:
    """Train every recipe of the lab on a source, through the workbench.

    Args:
        report: Called with a line for each finished source.

    Returns:
        The number of losses "within" WITHIN nats of the entropy, the "furthest" source, "seconds", and by source the
        result of `_measured`.
    """
    from lab.host import Plugins
    from lab.workbench import Workbench

    found: dict[str, dict[str, Any]] = {}
    with temporary_home():
        bench = Workbench(Plugins(safe_mode=True))
        for name in shipped_names():
            if not name.startswith(PREFIX):
                continue
            run = bench.start(shipped(name).with_values(QUIET))
            run.wait_out()
            result = _measured(run.trainer)
            found[name.removeprefix(PREFIX)] = result
            report(f"{name}: {result['difference']:+.4f} nats from the entropy after {result['seconds']:.0f} s")
        bench.close()
    distance = {name: abs(result["difference"]) for name, result in found.items()}
    return {
        "within": sum(nats <= WITHIN for nats in distance.values()),
        "sources": len(found),
        "furthest": max(distance, key=lambda name: distance[name]),
        "largest_difference": max(distance.values()),
        "seconds": sum(result["seconds"] for result in found.values()),
        **found,
    }


def _measured(trainer: Any) -> dict[str, Any]:
    """Return the validation loss of a trained model, and the entropy of its source.

    Returns:
        "entropy", "loss" and their "difference" in nats per "unit", a character of a text or a scored token of an
        example; for a text also the "standard_error" of the loss, since a text is a sample; for examples the
        "accuracy". A model with a limited context is evaluated with three quarters of it before each token
        ("strided:N"), so that it is not penalised for the tokens before its windows.
    """
    from lab.text.examples.source import ExampleSource

    experiment: Experiment = trainer.experiment
    card = experiment.architecture
    found: dict[str, Any] = {
        "architecture": card.card.name,
        **{name: value for name, value in card.config.stored().items() if name in ("order", "layers", "width")},
        "parameters": sum(parameter.numel() for parameter in trainer.model.parameters()),
        "steps": trainer.step,
        "seconds": trainer.seconds,
    }
    entropy = experiment.floors[ENTROPY_RATE]
    if isinstance(experiment.validation, ExampleSource):
        last: Evaluation = trainer.evaluation
        loss, accuracy = last.loss, last.metrics["accuracy"]
        return found | {
            "unit": "scored token",
            "entropy": entropy,
            "loss": loss,
            "difference": loss - entropy,
            "accuracy": accuracy,
            "protocol": last.protocol,
        }
    passages = list(_passages(trainer))
    characters = [float(each.bytes or 0) for each in passages]  # the sources write ASCII
    nats = [each.loss * each.targets for each in passages]
    losses = [total / count for total, count in zip(nats, characters, strict=True)]
    entropy *= sum(each.targets for each in passages) / sum(characters)
    loss = sum(nats) / sum(characters)
    return found | {
        "unit": "character",
        "entropy": entropy,
        "loss": loss,
        "difference": loss - entropy,
        "standard_error": statistics.stdev(losses) / math.sqrt(len(losses)),
        "protocol": passages[0].protocol,
    }


def _passages(trainer: Any) -> Iterator[Evaluation]:
    """Yield the evaluations of the passages of the validation text."""
    import numpy as np

    from lab.training.evaluation import evaluate

    experiment: Experiment = trainer.experiment
    validation: Any = experiment.validation
    protocol = "stream" if trainer.model.reach is None else f"strided:{validation.context_length // 4}"
    for tokens in np.array_split(validation.tokens, PASSAGES):
        yield evaluate(
            trainer.model,
            experiment.objective,
            replace(validation, tokens=tokens),
            protocol=protocol,
            device=experiment.placement.device,
            sizes=experiment.sizes,
        )
