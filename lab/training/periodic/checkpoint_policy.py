"""The policy that decides when and why a checkpoint is saved; the run writer writes it in its own thread."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from typing import Any

import torch

from lab.base import LabError
from lab.base.problems import attributed
from lab.layers import LanguageModel
from lab.runs.checkpoint_list import PERMANENT, Reason
from lab.training.adapters.attaching import stored_tables
from lab.training.experiment import Experiment
from lab.training.recording.checkpoints import CheckpointData, copied
from lab.training.recording.log import Log
from lab.training.steps.learner import Learner
from lab.training.steps.live import live_settings

EDITS_APART = 2.0
"""Seconds within which live edits share the checkpoint before the first one, as a slider makes many edits."""


class CheckpointPolicy:
    """The policy that saves the state of one training when a checkpoint is due.

    Args:
        experiment: The experiment.
        model: The model.
        learner: The learner that trains it.
        log: The log that takes the checkpoints.
        take: Returns the state to continue from, without the model's tables: tensors by name, and plain data.

    Attributes:
        best: The lowest validation loss so far, nats per target.
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
        self._step, self._time = 0, time.monotonic()  # of the last checkpoint; the start needs none
        self._reason: Reason | None = None  # of the last checkpoint
        self._edited = -EDITS_APART

    def after_step(self, facts: Mapping[str, Any]) -> None:
        """Save the state if the last evaluation was the best so far, or if enough steps or seconds have passed.

        Args:
            facts: Facts of the trainer: "step", and "validation_loss" if it was just evaluated.
        """
        training, step, loss = self._learner.training, facts["step"], facts["validation_loss"]
        every, seconds = training.checkpoint_every, training.checkpoint_seconds
        if loss is not None and (self.best is None or loss < self.best):
            self.best = loss
            if training.keep_best:
                self.save("best", facts)
        late = bool(seconds) and time.monotonic() - self._time >= seconds
        if self._experiment.processes.sharded:  # all save their parts together
            late = self._experiment.processes.led(late)
        due = late or (every and step % every == 0)
        if due and step != self._step:
            self.save("interval", facts)

    def before_edit(self, facts: Mapping[str, Any]) -> None:
        """Save the state before a live edit, unless it is saved already or there was an edit just before."""
        now, processes = time.monotonic(), self._experiment.processes
        now = processes.led(now) if processes.sharded else now
        if facts["step"] != self._step and now - self._edited >= EDITS_APART:
            self.save("edit", facts)
        self._edited = now

    def save(self, reason: Reason, facts: Mapping[str, Any]) -> None:
        """Pass a copy of the state to continue from to the run writer, or of the weights alone if that fails.

        Args:
            reason: The reason for saving it.
            facts: Facts of the trainer.
        """
        experiment, step = self._experiment, facts["step"]
        if not experiment.processes.leads and not experiment.processes.sharded:
            self.note_saved(step, reason)
            return
        if reason != "end":  # at the end all has arrived, or an error that arrived ended the run
            self._learner.read_back()
        tensors, lacks = None, None
        try:
            try:
                with attributed(experiment.optimizer.plugin, "Saving the state of the training"):
                    state, data = self._take()
                    json.dumps(data, allow_nan=False)  # an error here is the plugin's, later it would be the writer's
                    tensors = copied(state)
            except LabError as error:
                lacks = error.problem
                live = {"architecture": live_settings(self._model.config)}
                data = {**facts, "tokens": self._learner.tokens, "live": live, "lacks": lacks.line()}
            with attributed(experiment.architecture.plugin, "Saving the model"), self._learner.gathered():
                own, rest = stored_tables(self._model)
                model = copied(own)
        except LabError as error:
            self._log.checkpoint_failed(step, error.problem)
        else:
            if self._reason in PERMANENT and self.has(step):
                reason = self._reason  # it replaces a permanent checkpoint
            self._log.checkpoint(CheckpointData(step, reason, model, tensors, data, on_base=bool(rest)))
            if lacks is not None:
                self._log.checkpoint_failed(step, lacks)
        self.note_saved(step, reason)

    def has(self, step: int) -> bool:
        """Return True if the state after a step was saved or loaded."""
        return self._reason is not None and step == self._step

    def note_saved(self, step: int, reason: Reason) -> None:
        """Record that the state after a step is saved, and the reason."""
        self._step, self._reason, self._time = step, reason, time.monotonic()
