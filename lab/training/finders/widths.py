"""Width: whether activations change as much in wide models as in narrow ones, and whether a learning rate holds."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from lab.api import hooked
from lab.api.interventions import BLOCK_OUTPUT, HookPoint
from lab.base import BadInput, LabError
from lab.training.experiment import Experiment
from lab.training.finders.trials import Prepare, Progress, Trial

STEPS = 4
"""Steps after which activations are compared."""
FLAT = 0.25
"""Exponent of width up to which a change counts as independent of it."""
LOGITS = "logits"
PROBED = 8
"""Examples on which activations are compared."""


@dataclass(frozen=True)
class CoordinateCheck:
    """How much activations change in the first steps, by width (Yang et al. 2022, section 8 and appendix D.1).

    Args:
        widths: The widths, ascending.
        changes: Of each point, such as "block 1" or "logits", the root mean square of x_t − x_0 after the last step,
            by width.
        exponents: Of each point the exponent of width: the slope of log change over log width.
    """

    widths: tuple[int, ...]
    changes: Mapping[str, tuple[float, ...]]
    exponents: Mapping[str, float]

    @property
    def holds(self) -> bool:
        """True if no change grows or shrinks with width."""
        return all(abs(exponent) <= FLAT for exponent in self.exponents.values())


@dataclass(frozen=True)
class Sweep:
    """The losses of several learning rates at several widths.

    Args:
        rates: The learning rates, ascending.
        losses: Of each width the loss by rate, NaN where the training diverged.
    """

    rates: tuple[float, ...]
    losses: Mapping[int, tuple[float, ...]]

    @property
    def best(self) -> dict[int, float]:
        """The best rate of each width."""
        return {width: self.rates[int(np.nanargmin(losses))] for width, losses in self.losses.items()}


def check_coordinates(
    experiments: Mapping[int, Experiment],
    prepare: Prepare = lambda *_: None,
    *,
    steps: int = STEPS,
    cancelled: Callable[[], bool] = lambda: False,
    progress: Progress = lambda _: None,
) -> CoordinateCheck:
    """Compare how much the activations of models of several widths change in the first steps.

    Args:
        experiments: The experiments by width; they differ in nothing else.
        prepare: Gives a model its weights.
        steps: Steps of each.
        cancelled: Called between widths; True ends the check, which then covers the widths so far.
        progress: Called with the share that is done.

    Raises:
        BadInput: There are fewer than two widths, or a model counts.
        LabError: A step failed, or it was cancelled before two widths were done.
    """
    if len(experiments) < 2:
        raise BadInput("needs at least two widths to compare", field="--widths", allowed="such as 64,128,256")
    found: dict[int, dict[str, float]] = {}
    for number, (width, experiment) in enumerate(sorted(experiments.items())):
        if cancelled():
            break
        trial = Trial(experiment, prepare, factor=lambda _: 1.0)
        tokens = experiment.objective.batch(experiment.train.ordered(), np.arange(PROBED), 0).inputs
        before = _activations(trial, tokens)
        for _ in range(steps):
            trial.advance()
        after = _activations(trial, tokens)
        found[width] = {name: float((after[name] - x).square().mean().sqrt()) for name, x in before.items()}
        progress((number + 1) / len(experiments))
    if len(found) < 2:
        raise LabError("fewer than two widths were compared", remedy="Let the check run for longer")
    widths = tuple(found)
    points = [name for name in found[widths[0]] if all(name in changes for changes in found.values())]
    changes = {name: tuple(found[width][name] for width in widths) for name in points}
    return CoordinateCheck(widths, changes, {name: slope(widths, values) for name, values in changes.items()})


def sweep(
    experiments: Mapping[int, Experiment],
    rates: Sequence[float],
    prepare: Prepare = lambda *_: None,
    *,
    cancelled: Callable[[], bool] = lambda: False,
    progress: Progress = lambda _: None,
    report: Callable[[int, float, float], object] = lambda *_: None,
) -> Sweep:
    """Train each width with each learning rate, with the steps and the schedule of its recipe.

    Args:
        experiments: The experiments by width.
        rates: The learning rates.
        prepare: Gives a model its weights.
        cancelled: Called between trainings; True ends the sweep, with NaN for what is missing.
        progress: Called with the share that is done.
        report: Called with width, rate and loss of each training.

    Raises:
        BadInput: A rate cannot be used, or a model counts.
    """
    for rate in rates:
        if not (math.isfinite(rate) and rate > 0):
            raise BadInput("is not allowed", field="--rates", value=str(rate), allowed="numbers above 0, with commas")
    ordered, losses = tuple(sorted(rates)), dict[int, tuple[float, ...]]()
    number = 0
    for width, experiment in sorted(experiments.items()):
        row = []
        for rate in ordered:
            row.append(math.nan if cancelled() else trained(experiment, rate, prepare))
            report(width, rate, row[-1])
            number += 1
            progress(number / (len(experiments) * len(ordered)))
        losses[width] = tuple(row)
    return Sweep(ordered, losses)


def trained(experiment: Experiment, rate: float, prepare: Prepare = lambda *_: None) -> float:
    """Return the mean loss of the last tenth of a training with a learning rate; NaN if it diverges."""
    schedule = experiment.schedule.make(experiment.recipe.training.steps)
    own = experiment.optimizer.config.learning_rate
    trial = Trial(experiment, prepare, factor=lambda step: schedule(step) * rate / own)
    steps = experiment.recipe.training.steps
    try:
        losses = [trial.advance() for _ in range(steps)]
    except LabError:
        return math.nan
    return float(np.mean(losses[-max(1, steps // 10) :]))


def slope(widths: Sequence[int], values: Sequence[float]) -> float:
    """Return the slope of log value over log width; NaN for values that are not above 0."""
    if min(values) <= 0 or not all(map(math.isfinite, values)):
        return math.nan
    return float(np.polyfit(np.log(widths), np.log(values), 1)[0])


def _activations(trial: Trial, inputs: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Return the outputs of the blocks and the logits of a trial's model."""
    given = {name: tensor.to(trial.experiment.placement.device) for name, tensor in inputs.items()}
    found: dict[str, torch.Tensor] = {}

    def note(point: HookPoint, values: torch.Tensor) -> torch.Tensor:
        if point.name == BLOCK_OUTPUT and point.layer is not None:
            found[f"block {point.layer + 1}"] = values.detach().float().clone()
        return values

    model = trial.model.eval()
    with torch.no_grad(), hooked(model, note):
        tokens = given.pop("tokens")
        found[LOGITS] = model(tokens, **given).float().clone()
    model.train()
    return found
