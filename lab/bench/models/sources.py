"""Sources whose truth is known: the loss of a trained model beside the entropy that no predictor falls below."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lab.api import ENTROPY_RATE
from lab.bench.home import home_of_its_own
from lab.recipes import shipped, shipped_names

if TYPE_CHECKING:
    from lab.training.evaluation import Evaluation
    from lab.training.experiment import Experiment

PREFIX = "source-"
"""What the names of the recipes begin with that are trained here, each with a model that can represent its source."""
WITHIN = 0.01
"""Nats that a loss may lie from the truth."""
PARTS = 32
"""Stretches of a validation text, by whose losses the error of sampling is told."""
QUIET = {
    "training": {"evaluate_every": 0, "sample_tokens": 0, "checkpoint_seconds": 0, "device": "cpu", "threads": 1},
    "readings": {"moments": 0},
}
"""Nothing but the training and the evaluation at its end. The models are so small that threads would only wait."""


def sources(tell: Callable[[str], object]) -> dict[str, Any]:
    """Every recipe of the lab that trains on a source, through the workbench.

    Args:
        tell: Hears of each source that is done.

    Returns:
        How many lie "within" WITHIN nats of the truth, the one "furthest" from it, "seconds" in all, and by source what
        `_measured` tells.
    """
    from lab.host import Plugins
    from lab.workbench import Workbench

    found: dict[str, dict[str, Any]] = {}
    with home_of_its_own():
        bench = Workbench(Plugins(safe_mode=True))
        for name in shipped_names():
            if not name.startswith(PREFIX):
                continue
            run = bench.start(shipped(name).with_values(QUIET))
            run.wait_out()
            told = _measured(run.trainer)
            found[name.removeprefix(PREFIX)] = told
            tell(f"{name}: {told['difference']:+.4f} nats from the truth after {told['seconds']:.0f} s")
        bench.close()
    distance = {name: abs(told["difference"]) for name, told in found.items()}
    return {
        "within": sum(nats <= WITHIN for nats in distance.values()),
        "sources": len(found),
        "furthest": max(distance, key=lambda name: distance[name]),
        "largest_difference": max(distance.values()),
        "seconds": sum(told["seconds"] for told in found.values()),
        **found,
    }


def _measured(trainer: Any) -> dict[str, Any]:
    """What a trained model loses on validation, and what it must.

    Returns:
        "entropy", "loss" and their "difference" in nats per "unit", a character of a text or a scored token of an
        example; of a text also the "standard_error" of the loss, since a text is a sample; of examples the "accuracy".
        A model that reads only so far is asked with three quarters of its context before each token ("strided:N"):
        what a text tells by what stood before its windows is no fault of the model.
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
    parts = list(_parts(trainer))
    characters = [float(part.bytes or 0) for part in parts]  # the sources write ASCII
    nats = [part.loss * part.targets for part in parts]
    losses = [total / count for total, count in zip(nats, characters, strict=True)]
    entropy *= sum(part.targets for part in parts) / sum(characters)
    loss = sum(nats) / sum(characters)
    return found | {
        "unit": "character",
        "entropy": entropy,
        "loss": loss,
        "difference": loss - entropy,
        "standard_error": statistics.stdev(losses) / math.sqrt(len(losses)),
        "protocol": parts[0].protocol,
    }


def _parts(trainer: Any) -> Iterator[Evaluation]:
    """The evaluations of one stretch of the validation text after the other."""
    import numpy as np

    from lab.training.evaluation import evaluate

    experiment: Experiment = trainer.experiment
    validation: Any = experiment.validation
    protocol = "stream" if trainer.model.reach is None else f"strided:{validation.context_length // 4}"
    for tokens in np.array_split(validation.tokens, PARTS):
        yield evaluate(
            trainer.model,
            experiment.objective,
            replace(validation, tokens=tokens),
            protocol=protocol,
            device=experiment.placement.device,
            sizes=experiment.sizes,
        )
