"""The pace of a training: the learning rate and the momentum of each step, and the last step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch

from lab.base import BadInput
from lab.training.amounts.budget import parse_budget
from lab.training.experiment import Experiment
from lab.training.optimizers.groups import set_rates
from lab.training.schedules.factors import CheckedSchedule


class Pace:
    """The schedule of a training along its steps, or along its seconds if these are its budget.

    In a training of so many seconds the schedule, made for the steps of the recipe, is stretched over them.

    Args:
        experiment: The experiment.
        optimizer: The optimizer whose rates and momentum are set.

    Attributes:
        last_step: The number of the last step; of a budget of seconds an estimate, until they are over.

    Raises:
        BadInput: The schedule sets a momentum, and the optimizer has none.
    """

    def __init__(self, experiment: Experiment, optimizer: torch.optim.Optimizer) -> None:
        self._experiment, self._optimizer = experiment, optimizer
        self._steps = self.last_step = experiment.recipe.training.steps
        self._schedule = CheckedSchedule(experiment.schedule, self._steps)
        budget = parse_budget(experiment.recipe.training.budget)
        self._limit = budget.amount if budget is not None and budget.unit == "seconds" else 0.0
        self._seconds = 0.0
        self._given = self._schedule.momentum(0) is not None
        if self._given and not any("betas" in one or "momentum" in one for one in optimizer.param_groups):
            raise BadInput(
                "this optimizer has no momentum",
                field="training.schedule.cycle_momentum",
                value="true",
                remedy="Switch it off, or choose an optimizer with momentum, such as sgd or adamw",
            )

    def set(self, step: int, rate: float) -> dict[str, float]:
        """Set the rates and the momentum of the optimizer; return the values of their series by name.

        Args:
            step: The steps made before.
            rate: The learning rate of the settings.
        """
        position = self._position(step)
        factor = self._schedule(position)
        set_rates(self._optimizer, rate, factor)
        values = {"learning rate": factor * rate}
        if self._given:
            momentum = self._schedule.momentum(position)
            assert momentum is not None  # as at the first step
            set_momentum(self._optimizer, momentum)
            values["momentum"] = momentum
        return values

    def _position(self, step: int) -> int:
        return round(min(1.0, self._seconds / self._limit) * self._steps) if self._limit else step

    def note_seconds(self, step: int, seconds: float) -> None:
        """Note the time of the training after a step, which ends one whose budget is seconds.

        The estimate of the last step has two digits until it is near, so that it seldom changes.
        """
        if self._limit:
            self._seconds = seconds = self._experiment.processes.led(seconds)
            estimate = step * self._limit / seconds if seconds > 0 else self._steps
            self.last_step = step if seconds >= self._limit else max(step + 1, round(float(f"{estimate:.2g}")))

    def note_loss(self, loss: float) -> None:
        """Tell the schedule a validation loss."""
        self._schedule.note_loss(loss)

    def end_at(self, last_step: int) -> None:
        """Set another last step, which ends a budget of seconds; what the schedule knows of the training stays."""
        state = self._schedule.state_dict()
        self._limit, self._steps, self.last_step = 0.0, last_step, last_step
        self._schedule = CheckedSchedule(self._experiment.schedule, last_step)
        self._schedule.load_state_dict(state)

    def state_dict(self) -> dict[str, Any]:
        """Return the state of the schedule, plain data."""
        return self._schedule.state_dict()

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Continue from what `state_dict` returned."""
        self._schedule.load_state_dict(state)


def set_momentum(optimizer: torch.optim.Optimizer, momentum: float) -> None:
    """Set the momentum of the groups of an optimizer that have one, or the first of their betas."""
    for group in optimizer.param_groups:
        if "betas" in group:
            group["betas"] = (momentum, *group["betas"][1:])
        if "momentum" in group:
            group["momentum"] = momentum
