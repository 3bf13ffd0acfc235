"""When the state of a training is kept, and why; the run writer then writes it in its own time."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from typing import Any

import torch

from lab.base import LabError
from lab.base.problems import attributed
from lab.layers import LanguageModel
from lab.runs.checkpoint_list import FOR_EVER, Reason
from lab.training.between_steps import Log
from lab.training.experiment import Experiment
from lab.training.recording.checkpoints import Kept, copied
from lab.training.steps.gradient import Learner
from lab.training.steps.live import live_settings

EDITS_APART = 2.0
"""Seconds within which live edits share the checkpoint before the first of them: a slider makes many of them."""


class CheckpointPolicy:
    """Keeps the state of one training when its time has come.

    Args:
        experiment: What is trained on what.
        model: The model.
        learner: What trains it.
        log: Who writes what is kept.
        take: Gives what is needed to go on, beside the model's tables: tensors by name, and facts.

    Attributes:
        best: The least validation loss so far, nats per target.
    """

    def __init__(
        self,
        experiment: Experiment,
        model: LanguageModel,
        learner: Learner,
        log: Log,
        take: Callable[[], tuple[Mapping[str, torch.Tensor], dict[str, Any]]],
    ) -> None:
        self._experiment, self._model, self._learner, self._log = experiment, model, learner, log
        self._take = take
        self.best: float | None = None
        self._step, self._time = 0, time.monotonic()  # of the last one; the beginning needs none
        self._reason: Reason | None = None  # of that one
        self._edited = -EDITS_APART

    def after_step(self, told: Mapping[str, Any]) -> None:
        """Keeps the state where an evaluation was the best one so far, or so many steps or seconds have passed.

        Args:
            told: What the trainer says of itself: "step", "validation_loss" where there was an evaluation just now.
        """
        training, step, loss = self._learner.training, told["step"], told["validation_loss"]
        every, seconds = training.checkpoint_every, training.checkpoint_seconds
        if loss is not None and (self.best is None or loss < self.best):
            self.best = loss
            if training.keep_best:
                self.keep("best", told)
        due = (every and step % every == 0) or (seconds and time.monotonic() - self._time >= seconds)
        if due and step != self._step:
            self.keep("interval", told)

    def before_edit(self, told: Mapping[str, Any]) -> None:
        """Keeps the state before a live edit, unless it is kept already or the last edit was just now."""
        now = time.monotonic()
        if told["step"] != self._step and now - self._edited >= EDITS_APART:
            self.keep("edit", told)
        self._edited = now

    def keep(self, reason: Reason, told: Mapping[str, Any]) -> None:
        """Hands a copy of all that is needed to go on to the run writer; of the weights alone where that fails.

        Args:
            reason: Why.
            told: What the trainer says of itself.
        """
        experiment, step = self._experiment, told["step"]
        if reason != "end":  # where all has arrived, or what arrives is why it ends
            self._learner.read_back()
        tensors, lacks = None, None
        try:
            try:
                with attributed(experiment.optimizer.plugin, "Keeping the state of the training"):
                    state, facts = self._take()
                    json.dumps(facts, allow_nan=False)  # here it is the plugin's failure, later the writer's
                    tensors = copied(state)
            except LabError as error:
                lacks = error.problem
                live = {"architecture": live_settings(self._model.config)}
                facts = {**told, "tokens": self._learner.tokens, "live": live, "lacks": lacks.line()}
            with attributed(experiment.architecture.plugin, "Saving the model"):
                model = copied(self._model.tables())
        except LabError as error:
            self._log.unkept(step, error.problem)
        else:
            if self._reason in FOR_EVER and self.has(step):
                reason = self._reason  # it takes the place of one that stays
            self._log.keep(Kept(step, reason, model, tensors, facts))
            if lacks is not None:
                self._log.unkept(step, lacks)
        self.is_kept(step, reason)

    def has(self, step: int) -> bool:
        """Whether the state after a step was kept, or gone on from."""
        return self._reason is not None and step == self._step

    def is_kept(self, step: int, reason: Reason) -> None:
        """The state after a step is kept, for some reason."""
        self._step, self._reason, self._time = step, reason, time.monotonic()
