"""What is known of a run before its model is built: what it costs, and whether this machine can hold it."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import psutil  # type: ignore[import-untyped]

from lab.base import BadInput, Problem
from lab.base.problems import problem_of
from lab.base.units import short
from lab.recipes import Training

if TYPE_CHECKING:
    from lab.training.experiment import Experiment

FLOAT = 4
"""Bytes of a number."""

COPIES = 4
"""Of each parameter while it is trained: itself, its gradient, the two means that AdamW keeps."""


def cost_of(experiment: Experiment) -> tuple[dict[str, Any] | None, Problem | None]:
    """What the model costs (lab.api.Cost); None and why where it cannot run without memory.

    Raises:
        BadInput: It would not fit into memory.
    """
    from lab.base.torch_lock import torch_lock
    from lab.diagnostics.cost import blueprint, measure

    given = (experiment.architecture.card, experiment.architecture.config, experiment.task)
    try:
        with torch_lock:  # a model that draws while it is built must not disturb another training
            model = blueprint(*given)
    except Exception:  # noqa: BLE001 - a plugin's code; what is wrong with it shows when it is built
        return None, None
    if model.learns == "gradient":
        check_batch(experiment.recipe.training, experiment.task.vocabulary_size)
    check_memory(sum(parameter.numel() for parameter in model.parameters()), experiment.placement.device.type)
    try:
        with torch_lock:
            return asdict(measure(*given, model=model)), None
    except Exception as error:  # noqa: BLE001 - a plugin's code; the run goes on without these figures
        problem = problem_of(error, plugin=experiment.architecture.plugin, doing="Measuring the cost of the model")
        return None, replace(problem, remedy="The run goes without it; pytest --conformance says what to change")


def check_memory(parameters: int, device: str) -> None:
    """Refuses a model before it is built that would bring the machine to a stand.

    Raises:
        BadInput: Weights, and on the processor gradients and the two means of AdamW too, need more than is free.
    """
    needed = parameters * FLOAT * (COPIES if device == "cpu" else 1)
    free = psutil.virtual_memory().available
    if needed > free:
        raise BadInput(
            f"a model of {short(parameters)} parameters does not fit into memory: it needs {short(needed)}B to be "
            f"trained, {short(free)}B are free",
            field="architecture",
            allowed=f"at most {short(parameters * free // needed)} parameters now",
            remedy="Make it smaller (fewer layers, less width), or close other programs",
        )


def check_batch(training: Training, vocabulary_size: int) -> None:
    """Refuses a batch whose tokens alone, or the logits of one piece of it, are more than the machine's memory.

    Raises:
        BadInput: They do not fit.
    """
    rows = -(-training.batch_size // training.accumulation)
    needed = (
        training.batch_size * training.context_length * 16 + rows * training.context_length * vocabulary_size * FLOAT
    )
    free = psutil.virtual_memory().available
    if needed > free:
        raise BadInput(
            f"a batch of {training.batch_size} examples of {training.context_length} tokens does not fit into memory: "
            f"tokens and logits alone take {short(needed)}B, {short(free)}B are free",
            field="training.batch_size",
            value=str(training.batch_size),
            remedy="Lower it or training.context_length, or raise training.accumulation",
        )
