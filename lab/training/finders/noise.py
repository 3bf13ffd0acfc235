"""The gradient noise scale: how many examples a step needs before more of them say little that is new."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from lab.base import BadInput
from lab.base.torch_lock import own_draws
from lab.training.experiment import Experiment
from lab.training.finders.trials import Prepare, Progress, Trial

PIECES, GROUPS = 8, 4
"""Pieces of a large batch whose gradients are compared with their mean, and how many such batches are read."""
STEPS = 100
"""Steps of training over which the scale is measured, as it grows while the loss falls."""
MEASURED = 4
"""How often it is measured: at the start, at the end, and between."""
DRAWS = 5
"""Second number of the seed of draws while gradients are measured."""


@dataclass(frozen=True)
class NoiseScale:
    """The noise scale at a step.

    Args:
        step: Steps of training before it.
        loss: The mean loss of the examples that were read.
        examples: B = tr Σ / |G|² in examples; infinite where the mean gradient is not told from 0.
        error: Its standard error, by the jackknife over the batches.
    """

    step: int
    loss: float
    examples: float
    error: float


@dataclass(frozen=True)
class NoiseTest:
    """The noise scale over the first steps of a training.

    Args:
        scales: The scale at each step that was measured.
        batch_size: The batch size of the recipe.
        context_length: Tokens of one example.
    """

    scales: tuple[NoiseScale, ...]
    batch_size: int
    context_length: int

    @property
    def critical(self) -> float:
        """The critical batch size in examples: the last scale, with which a training takes twice the fewest steps."""
        return self.scales[-1].examples


def find_noise(
    experiment: Experiment,
    prepare: Prepare = lambda *_: None,
    *,
    steps: int = STEPS,
    cancelled: Callable[[], bool] = lambda: False,
    progress: Progress = lambda _: None,
    report: Callable[[NoiseScale], object] = lambda _: None,
) -> NoiseTest:
    """Measure the noise scale while a copy of the model is trained (McCandlish et al. 2018, appendix A.1).

    Args:
        experiment: The experiment; its weights are not touched.
        prepare: Gives the model its weights.
        steps: Steps of training; 0 measures only the start.
        cancelled: Called between steps; True ends the test, and what was measured counts.
        progress: Called with the share that is done.
        report: Called with each scale.

    Raises:
        BadInput: The number of steps cannot be used, the model counts, or its rows carry a state.
        LabError: A step failed.
    """
    if not 0 <= steps <= 100_000:
        raise BadInput("is not allowed", field="--trial", value=str(steps), allowed="0 to 100,000")
    if experiment.objective.carries:
        what = "carries the state from batch to batch, so that the gradients of two batches cannot be compared"
        name = experiment.recipe.objective.name
        raise BadInput(what, field="objective.name", value=name, remedy="Choose the objective causal")
    trial = Trial(experiment, prepare)
    wanted = sorted({round(steps * share / (MEASURED - 1)) for share in range(MEASURED)})
    found: list[NoiseScale] = []
    for step in range(steps + 1):
        if step in wanted:
            found.append(measured(trial))
            report(found[-1])
        progress((step + 1) / (steps + 1))
        if cancelled() or step == steps:
            break
        trial.advance()
    training = experiment.recipe.training
    return NoiseTest(tuple(found), training.batch_size, training.context_length)


def measured(trial: Trial) -> NoiseScale:
    """Return the noise scale of a trial's model, from examples that it has not read."""
    size = trial.learner.training.batch_size
    first = 1 << 32  # far behind the examples that the steps read
    trial.model.eval()  # the noise of the data alone, without draws of dropout and terms of experts
    means, squares, losses = [], [], []
    for group in range(GROUPS):
        total: list[torch.Tensor] = []
        each: list[float] = []
        for piece in range(PIECES):
            start = first + (group * PIECES + piece) * size
            loss, gradients = _gradients(trial, np.arange(start, start + size), group * PIECES + piece)
            each.append(_square(gradients))
            losses.append(loss)
            if total:
                torch._foreach_add_(total, gradients)
            else:
                total = [gradient.clone() for gradient in gradients]
        squares.append(float(np.mean(each)))
        means.append(_square(total) / PIECES**2)
    trial.model.train()
    examples, error = scale_of(means, squares, size, PIECES)
    return NoiseScale(trial.step, float(np.mean(losses)), examples, error)


def scale_of(means: Sequence[float], squares: Sequence[float], size: int, pieces: int) -> tuple[float, float]:
    """Return B = tr Σ / |G|² in examples and its standard error.

    Args:
        means: |mean gradient|² of each group of pieces.
        squares: The mean of |gradient|² over the pieces of each group.
        size: Examples in a piece.
        pieces: Pieces in a group.
    """
    m = np.asarray(means)
    s = np.asarray(squares)
    signal = (pieces * m - s) / (pieces - 1)  # unbiased estimates of |G|² and tr Σ
    noise = size * (s - m) * pieces / (pieces - 1)

    def ratio(picked: np.ndarray) -> float:
        below = float(signal[picked].sum())
        return float(noise[picked].sum()) / below if below > 0 else math.inf

    every = np.arange(len(m))
    value = ratio(every)
    without = [ratio(np.delete(every, index)) for index in every] if len(every) > 1 else []
    known = bool(without) and all(map(math.isfinite, [value, *without]))
    spread = np.asarray(without) - np.mean(without) if known else np.zeros(0)
    error = math.sqrt((len(without) - 1) / len(without) * float((spread**2).sum())) if known else math.inf
    return value, error


def _gradients(trial: Trial, examples: np.ndarray, number: int) -> tuple[float, list[torch.Tensor]]:
    """Return the mean loss of examples, and its gradients."""
    experiment, seed = trial.experiment, trial.learner.training.seed
    device = experiment.placement.device
    batch = experiment.objective.batch(experiment.train, examples, seed).to(device)
    parameters = [parameter for parameter in trial.model.parameters() if parameter.requires_grad]
    with own_draws(seed, DRAWS, trial.step, number, device=device.type):
        with experiment.placement.autocasting():
            nats = experiment.objective.loss(trial.model, batch).nats.sum() / max(1, batch.weight)
        found = torch.autograd.grad(nats, parameters, allow_unused=True)
    return float(nats.detach()), [one for one in found if one is not None]


def _square(gradients: Sequence[torch.Tensor]) -> float:
    return float(torch.stack(torch._foreach_norm(list(gradients))).double().square().sum())
