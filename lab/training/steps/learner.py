"""The interface of all learners; `model.learns` selects the learner of a model."""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Mapping
from typing import Any, Protocol

import torch

from lab.base import BadInput
from lab.layers import LanguageModel
from lab.recipes import Training
from lab.training.distillation import FIELD, Distilled
from lab.training.experiment import Experiment
from lab.training.recording.telemetry import Ring
from lab.training.steps.counting import CountingLearner
from lab.training.steps.gradient import GradientLearner


class Learner(Protocol):
    """The interface of learners for the trainer.

    Attributes:
        model: The model.
        training: The recipe's training, with live edits.
        tokens: Tokens read so far.
        recent_losses: Training losses of the last hundred steps that were read back.
        latest: Values by series of the last step that was read back.
        evaluate_every: The largest number of steps between evaluations.
        activation_bytes: Measured bytes per token stored for the backward pass; None before the first step, and for a
            model that counts.
    """

    model: LanguageModel
    training: Training
    tokens: int
    recent_losses: deque[float]
    latest: dict[str, float]
    evaluate_every: int
    activation_bytes: float | None

    @property
    def last_step(self) -> int:
        """The number of the last step."""
        ...

    @property
    def epochs(self) -> float | None:
        """The epochs read so far; None if the examples have no end."""
        ...

    @property
    def has_averaged(self) -> bool:
        """True if the averaged weights have become those of the model."""
        ...

    def make_step(self, step: int) -> None:
        """Make one step; on an error leave weights, carried state and `tokens` unchanged."""
        ...

    def read_back(self) -> None:
        """Record the numbers that are still on their way from the device."""
        ...

    def check_live(self, path: str, value: Any) -> None:
        """Raise BadInput if `set_live` would; changes nothing, and may be called from any thread."""
        ...

    def set_live(self, path: str, value: Any) -> tuple[Any, Any]:
        """Change a live setting and return its old and new value, or raise BadInput."""
        ...

    def note_seconds(self, step: int, seconds: float) -> None:
        """Note the time of the training after a step, which may be its budget."""
        ...

    def note_loss(self, loss: float) -> None:
        """Note a validation loss, which the schedule may ask for."""
        ...

    def gathered(self) -> contextlib.AbstractContextManager[object]:
        """Return a context in which the model has all its weights in this process; all processes enter it together."""
        ...

    def in_average(self) -> contextlib.AbstractContextManager[object] | None:
        """Return a context in which the model has its averaged weights; None if there are none apart from its own."""
        ...

    def state_dict(self) -> tuple[dict[str, torch.Tensor], dict[str, Any]]:
        """Return the state to continue from, without the model's tables: tensors by name, and facts."""
        ...

    def load_state_dict(self, tensors: Mapping[str, torch.Tensor], facts: Mapping[str, Any]) -> None:
        """Continue from what `state_dict` returned."""
        ...


def learner_of(experiment: Experiment, model: LanguageModel, ring: Ring) -> Learner:
    """Return the learner of a model: by counting or by gradient.

    Raises:
        BadInput: The recipe names a teacher that this model cannot learn from.
    """
    teacher = experiment.recipe.distillation.teacher
    if teacher and (model.learns == "counting" or not isinstance(experiment.objective, Distilled)):
        what = "this model counts, and learns nothing from the predictions of a teacher"
        if model.learns != "counting":
            what = "the teacher of this training was not opened"
        raise BadInput(what, field=FIELD, value=teacher, remedy="Leave the teacher out: distillation.teacher=")
    kind = CountingLearner if model.learns == "counting" else GradientLearner
    return kind(experiment, model, ring)
