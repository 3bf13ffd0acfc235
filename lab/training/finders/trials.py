"""A trial: the first steps of an experiment on a model of its own, with other settings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from lab.api import ModelConfig, NoSettings, Schedule
from lab.base import BadInput
from lab.layers import LanguageModel
from lab.training.experiment import Experiment
from lab.training.recording.telemetry import Ring
from lab.training.resolution import Resolved
from lab.training.steps.gradient import GradientLearner
from lab.training.steps.learner import learner_of

Prepare = Callable[[Experiment, LanguageModel], object]
"""Gives the model of an experiment the weights that a training would start with."""
Progress = Callable[[float], object]
"""Called with the share that is done."""


class Trial:
    """A model and its learner, which make the steps of an experiment. Any number can be made of one experiment.

    Args:
        experiment: The experiment; it stays as it is.
        prepare: Gives the model its weights; those of an initialisation stay otherwise.
        factor: The factor of the learning rate by step; None takes the schedule of the experiment.
        settings: Settings of the training that differ.

    Raises:
        BadInput: The model counts, and has no steps by gradient.
    """

    def __init__(
        self,
        experiment: Experiment,
        prepare: Prepare = lambda *_: None,
        *,
        factor: Callable[[int], float] | None = None,
        **settings: Any,
    ) -> None:
        recipe = experiment.recipe.with_values({"training": settings})
        optimizer = replace(experiment.optimizer, config=experiment.optimizer.config.model_copy(deep=True))
        schedule = experiment.schedule if factor is None else fixed_schedule(factor)
        self.experiment = replace(experiment, recipe=recipe, optimizer=optimizer, schedule=schedule)
        self.experiment.placement.apply()
        self.model = self.experiment.build()
        if self.model.learns == "counting":
            raise BadInput(
                "this model counts, and makes no steps by gradient that could be tried",
                field="architecture.name",
                value=recipe.architecture.name,
                remedy="Choose another architecture",
            )
        prepare(self.experiment, self.model)
        learner = learner_of(self.experiment, self.model, Ring())
        assert isinstance(learner, GradientLearner)  # it does not count
        self.learner = learner
        self.step = 0

    def advance(self) -> float:
        """Make one step and return its loss, in the unit of the objective.

        Raises:
            LabError: The step failed, or its loss is no finite number.
        """
        self.learner.make_step(self.step)
        self.step += 1
        self.learner.read_back()
        return float(self.learner.recent_losses[-1])


def fixed_schedule(factor: Callable[[int], float]) -> Resolved:
    """Return a schedule that is a function of the step."""

    def build(config: ModelConfig, steps: int) -> Callable[[int], float]:
        del config, steps
        return factor

    return Resolved(Schedule(name="trial", title="Trial", build=build), NoSettings(), "lab", "training.schedule")
