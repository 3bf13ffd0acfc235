"""How gradients agree: those of the two halves of a batch, and those of one step and the next."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from lab.base import BadInput, LabError
from lab.base.torch_lock import own_draws
from lab.training.experiment import Experiment
from lab.training.finders.noise import NoiseScale, measured
from lab.training.finders.trials import Prepare, Progress, Trial
from lab.training.measurements.surface import DRAWS, cosine, joined

STEPS = 20
"""Steps of training over which gradients are compared, unless another number is asked for."""
MOST_STEPS = 10_000


@dataclass(frozen=True)
class GradientPair:
    """How the gradients of a step agree.

    Args:
        step: Steps of the trial before it.
        halves: The cosine between the gradients of the two halves of its batch.
        previous: The cosine between its gradient and that of the step before; NaN in the first.
        norm: The length of its gradient.
    """

    step: int
    halves: float
    previous: float
    norm: float


@dataclass(frozen=True)
class Agreement:
    """How gradients agree over some steps.

    Args:
        steps: Each step.
        noise: The gradient noise scale at the weights where the trial starts.
        batch_size: The batch size of the recipe.
    """

    steps: tuple[GradientPair, ...]
    noise: NoiseScale
    batch_size: int

    @property
    def halves(self) -> float:
        """The mean cosine between halves of a batch."""
        return float(np.mean([one.halves for one in self.steps]))

    @property
    def previous(self) -> float:
        """The mean cosine between one step and the next; NaN for a single step."""
        known = [one.previous for one in self.steps if math.isfinite(one.previous)]
        return float(np.mean(known)) if known else math.nan


def measure_agreement(
    experiment: Experiment,
    prepare: Prepare = lambda *_: None,
    *,
    steps: int = STEPS,
    cancelled: Callable[[], bool] = lambda: False,
    progress: Progress = lambda _: None,
    report: Callable[[GradientPair], object] = lambda _: None,
) -> Agreement:
    """Measure the cosines of gradients while a copy of the model makes steps, and the noise scale before the first.

    A step of the copy is one of a training that starts at these weights with a new optimizer.

    Args:
        experiment: The experiment; its weights are not touched.
        prepare: Gives the model its weights.
        steps: Steps that are compared.
        cancelled: Called between steps; True ends it, and what was measured counts.
        progress: Called with the share that is done.
        report: Called with each step.

    Raises:
        BadInput: The number of steps or the batch cannot be used, the model counts, or its rows carry a state.
        LabError: It was cancelled before the first step, or a step failed.
    """
    if not 1 <= steps <= MOST_STEPS:
        raise BadInput("is not allowed", field="--trial", value=str(steps), allowed=f"1 to {MOST_STEPS:,}")
    size = experiment.recipe.training.batch_size
    if size < 2:
        raise BadInput("has no halves", field="training.batch_size", value=str(size), allowed="2 or more")
    if experiment.objective.carries:
        what = "carries the state from batch to batch, so that the gradients of two batches cannot be compared"
        remedy = "Choose a run with the objective causal"
        raise BadInput(what, field="objective.name", value=experiment.recipe.objective.name, remedy=remedy)
    trial = Trial(experiment, prepare)
    noise = measured(trial)
    found: list[GradientPair] = []
    before: Tensor | None = None
    for step in range(steps):
        if cancelled():
            break
        one, other = (_gradient(trial, half) for half in np.array_split(np.arange(step * size, (step + 1) * size), 2))
        share = (size - size // 2) / size
        now = share * one + (1 - share) * other
        previous = math.nan if before is None else cosine(before, now)
        found.append(GradientPair(step, cosine(one, other), previous, float(now.norm())))
        report(found[-1])
        before = now
        progress((step + 1) / steps)
        if step + 1 < steps:
            trial.advance()
    if not found:
        raise LabError("nothing was measured", remedy="Let it run for longer")
    return Agreement(tuple(found), noise, size)


def _gradient(trial: Trial, examples: np.ndarray) -> Tensor:
    """Return (N,) the gradient of the mean loss of examples, without dropout."""
    experiment, seed = trial.experiment, trial.learner.training.seed
    device = experiment.placement.device
    batch = experiment.objective.batch(experiment.train, examples, seed).to(device)
    parameters = [parameter for parameter in trial.model.parameters() if parameter.requires_grad]
    trial.model.eval()
    with own_draws(seed, DRAWS, trial.step, device=device.type):
        nats = experiment.objective.loss(trial.model, batch).nats.sum() / max(1, batch.weight)
        found = torch.autograd.grad(nats, parameters, allow_unused=True)
    trial.model.train()
    return joined(found, parameters)
