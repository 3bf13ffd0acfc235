"""One training step of a run as a program of expressions: what its computation graph is drawn from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lab.base import BadInput

if TYPE_CHECKING:
    from lab.api import Batch
    from lab.layers import LanguageModel
    from lab.training.experiment import Experiment

EXAMPLES = 4
"""Examples of a batch that are taken, unless another number is asked for: more are hard to read."""
MOST_NUMBERS = 2048
"""The largest number of weights of a model whose step is drawn."""
LOSSES: Mapping[str, str] = {
    "classification": "loss = −sum(T·log(softmax(y))) / {n}",
    "regression": "loss = mean((y − T)^2)",
    "binary": "loss = −mean(T·log(sigmoid(y)) + (1 − T)·log(1 − sigmoid(y)))",
}
"""The losses of y (n, K) and targets T (n, K) by the name of the objective."""


@dataclass(frozen=True)
class StepProgram:
    """A training step as a program: `Graph(program, inputs)` is its computation graph.

    Args:
        program: The statements; the last is the loss.
        inputs: The batch X (n, F), its targets T (n, K), and the weights, by name.
        weights: The names of those that are trained.
        rate: The learning rate if the step is plain gradient descent, so that it ends at w − rate · ∂loss/∂w; None of
            other optimizers.
        step: The number of the step, from 1.
        examples: How many examples of the batch are in it.
        batch: How many the batch has.
    """

    program: str
    inputs: Mapping[str, NDArray[np.float64]]
    weights: tuple[str, ...]
    rate: float | None
    step: int
    examples: int
    batch: int


def step_program(
    experiment: Experiment, model: LanguageModel, first: int, step: int, examples: int | None = None
) -> StepProgram:
    """Return the next training step of a model as a program.

    Args:
        experiment: What is trained.
        model: The model before the step.
        first: The number of the first example of its batch.
        step: The optimizer updates that it had.
        examples: The first so many examples of the batch are taken; None takes EXAMPLES.

    Raises:
        BadInput: The model, or its objective, cannot be written as expressions, or is too large to be drawn.
    """
    recipe = experiment.recipe
    count = EXAMPLES if examples is None else examples
    if not 1 <= count <= recipe.training.batch_size:
        raise BadInput(
            "is not allowed",
            field="--examples",
            value=count,
            allowed=f"1 ≤ x ≤ {recipe.training.batch_size}, the batch",
        )
    written = model.statements()
    if written is None:
        raise BadInput(
            "this model cannot be written as expressions",
            field="architecture.name",
            value=recipe.architecture.name,
            remedy="Choose a perceptron or a multi-layer network without normalisation, dropout and maxout",
        )
    statements, values = written
    numbers = sum(value.numel() for value in values.values())
    if numbers > MOST_NUMBERS:
        raise BadInput(
            "has too many weights to be drawn",
            field="architecture",
            value=f"{numbers:,}",
            allowed=f"up to {MOST_NUMBERS:,}",
            remedy="Choose a smaller network",
        )
    loss = LOSSES.get(recipe.objective.name)
    if loss is None or getattr(experiment.objective.config, "loss", "squares") != "squares":
        raise BadInput(
            "its loss cannot be written as an expression",
            field="objective.name",
            value=recipe.objective.name,
            allowed=", ".join(LOSSES),
        )
    batch = experiment.objective.batch(experiment.train, np.arange(first, first + count), recipe.training.seed)
    inputs = {name: value.detach().double().cpu().numpy() for name, value in values.items()}
    inputs["X"] = batch.inputs["tokens"].flatten(1).double().numpy()
    inputs["T"] = _targets(experiment, batch)
    optimizer = experiment.optimizer.config
    schedule = experiment.schedule.config
    constant = recipe.training.schedule.name == "constant" and not schedule.warmup
    plain = recipe.training.optimizer.name == "sgd" and not (optimizer.momentum or optimizer.weight_decay)
    rate = float(optimizer.learning_rate) if plain and constant else None
    return StepProgram(
        f"{statements}\n{loss.format(n=count)}",
        inputs,
        tuple(values),
        rate,
        step + 1,
        count,
        recipe.training.batch_size,
    )


def _targets(experiment: Experiment, batch: Batch) -> NDArray[np.float64]:
    """Return the targets as (n, K): numbers, or one-hot classes with the smoothing of labels."""
    targets = batch.targets.numpy()
    if batch.targets.is_floating_point():
        return np.asarray(targets, np.float64)
    classes = experiment.objective.task(experiment.train).classes or 0
    smoothing = float(getattr(experiment.objective.config, "label_smoothing", 0.0))
    return np.asarray(np.eye(classes)[targets] * (1 - smoothing) + smoothing / classes)
