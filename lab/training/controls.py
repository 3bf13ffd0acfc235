"""The check that a training can do what its controls ask for, before its corpus is read."""

from __future__ import annotations

from typing import Any

import torch

from lab.api import Architecture, Corpus, Objective, Optimizer, settings_of
from lab.base import BadInput, Problem
from lab.recipes import Training
from lab.training.amounts.budget import parse_budget
from lab.training.optimizers.points import draws_labels

OF_GRADIENTS = ("l1", "gradient_noise", "batch_warmup", "context_warmup")
"""Settings of a training that only steps by gradient have."""


def check_controls(training: Training, architecture: Architecture, objective: Objective, corpus: Corpus) -> None:
    """Refuse controls that this training cannot do.

    Raises:
        BadInput: There is one; the problem names the field.
    """
    budget = parse_budget(training.budget)
    averages = training.averaging == "ema" or training.average > 0
    if architecture.learns == "counting":
        _check_counting(training, averages=averages)
        return
    if budget is not None and budget.unit == "seconds" and averages and training.averaging != "ema":
        what = "a mean of the last steps needs to know the last one, which a budget of seconds does not tell"
        raise _refused(training, "averaging", what, "ema")
    if training.patience and not training.evaluate_every:
        what, remedy = "counts evaluations, and there are none", "Set training.evaluate_every, or patience to 0"
        raise BadInput(what, field="training.patience", value=training.patience, remedy=remedy)
    if training.batch_warmup and objective.carries:
        what = "the rows of a batch carry a state, and each reads its own part of the text: no row can be added"
        raise BadInput(what, field="training.batch_warmup", value=training.batch_warmup, allowed="0")
    reads = corpus.kind == "text" and objective.needs == "causal" and not objective.carries
    if training.context_warmup and not reads:
        raise BadInput(
            "only windows of a text whose next tokens are predicted can be shortened",
            field="training.context_warmup",
            value=training.context_warmup,
            allowed="0",
            remedy="Set it to 0, or choose a text and the objective causal",
        )
    scores = objective.needs in ("causal", "masked") and not objective.carries and corpus.kind == "text"
    if training.loss_chunk and (not scores or getattr(objective.config, "label_smoothing", 0)):
        raise BadInput(
            "only the loss of the tokens of a text, neither carried nor smoothed, is computed in pieces",
            field="training.loss_chunk",
            value=training.loss_chunk,
            allowed="0",
            remedy="Set it to 0, or raise training.accumulation",
        )
    if training.accumulation > 1 and objective.compared_rows:
        raise BadInput(
            "compares all rows of a batch with one another, which a step in pieces does not",
            field="training.accumulation",
            value=training.accumulation,
            allowed="1",
            remedy="Set training.accumulation=1, or lower training.batch_size to save memory",
        )
    if training.recompute and objective.carries:
        what = "a state is carried through the blocks, which are then not computed again"
        raise BadInput(what, field="training.recompute", value="true", remedy="Set it to false")
    if training.schedule.name == "plateau" and not training.evaluate_every:
        raise BadInput(
            "falls with the validation loss, and there are no evaluations before the end",
            field="training.schedule.name",
            value=training.schedule.name,
            remedy="Set training.evaluate_every, or choose another schedule",
        )


def _check_counting(training: Training, *, averages: bool) -> None:
    """Refuse what a model that counts has not: gradients, and weights that change from step to step."""
    if averages:
        field = "averaging" if training.averaging == "ema" else "average"
        what = "this model counts its text: it has no weights of several steps to average"
        raise _refused(training, field, what, "tail" if field == "averaging" else "0")
    for name in OF_GRADIENTS:
        if getattr(training, name):
            raise _refused(training, name, "this model counts its text and has no steps by gradient", "0")


def _refused(training: Training, name: str, what: str, allowed: str) -> BadInput:
    field, value = f"training.{name}", str(getattr(training, name))
    return BadInput(what, field=field, value=value, allowed=allowed, remedy=f"Set {field}={allowed}")


def check_draws(optimizer: torch.optim.Optimizer, objective: Objective) -> None:
    """Refuse an optimizer that draws labels from the model where the objective has none.

    Raises:
        BadInput: The objective has no labels.
    """
    if draws_labels(optimizer) and type(objective).drawn_loss is Objective.drawn_loss:
        raise BadInput(
            "estimates the curvature by labels drawn from the model, and this objective has none that can be drawn",
            field="training.optimizer.name",
            remedy="Choose another optimizer, such as adamw",
        )


def check_full_batch(training: Training, optimizer: Optimizer, epoch: int | None, *, carries: bool) -> None:
    """Refuse an optimizer for full batches where a step does not read all training examples in the same way.

    Args:
        training: The settings of the training.
        optimizer: The card of the optimizer.
        epoch: Examples of one epoch; None if they have no end.
        carries: Whether the objective carries a state from step to step.

    Raises:
        BadInput: There is a reason against it.
    """
    if not optimizer.full_batch:
        return
    budget = parse_budget(training.budget)
    what, remedy = "", "Choose another optimizer, such as adamw"
    if epoch is None or carries:
        what = "needs all training examples in each step, and these " + ("go on" if carries else "have no end")
    elif training.order != "epochs" or training.batch_size != epoch or training.batch_warmup:
        what = f"compares losses of the same data: each step must read all {epoch:,} training examples"
        remedy = f"Set training.order=epochs, training.batch_size={epoch} and training.batch_warmup=0, or choose adamw"
    elif training.gradient_noise or training.precision == "float16":
        what = "compares losses and gradients exactly, without noise or scaling"
        remedy = "Set training.gradient_noise=0 and training.precision=float32"
    elif budget is not None and budget.unit in ("tokens", "FLOPs"):
        what = "reads the text as often as its search needs, so its tokens are not known beforehand"
        remedy = "Choose a budget of steps, epochs or seconds"
    if what:
        raise BadInput(what, field="training.optimizer.name", value=optimizer.name, remedy=remedy)


def save_memory(model: Any, training: Training) -> None:
    """Let a model compute blocks or logits again in the backward pass, as the settings say; check that it can.

    Raises:
        BadInput: This model cannot.
    """
    names = [name for name in ("recompute", "loss_chunk", "compile") if getattr(training, name)]
    off = {"recompute": "false", "loss_chunk": "0", "compile": "false"}
    if names and not getattr(model, "can_recompute", False):
        raise BadInput(
            "this model is no plain stack of blocks, or counts while it computes, so nothing can be computed again "
            "or compiled",
            field=f"training.{names[0]}",
            value=getattr(training, names[0]),
            remedy=f"Set training.{names[0]}={off[names[0]]}, or choose another architecture",
        )
    for name in names:
        if name != "compile":
            setattr(model, name, getattr(training, name))


def schedule_beyond(schedule: Any, steps: int) -> Problem | None:
    """Return the problem of a schedule of which a part is longer than the training; None if all of it fits.

    Args:
        schedule: The settings of the schedule; those in steps are compared.
        steps: The steps of the training.
    """
    for setting in settings_of(type(schedule), nested=False):
        value = getattr(schedule, setting.name)
        if setting.unit == "steps" and isinstance(value, int) and value > steps > 0:
            return Problem(
                f"is longer than the training, which has {steps:,} steps: the learning rate does not get there",
                field=f"training.schedule.{setting.name}",
                value=f"{value:,} steps",
                remedy=f"Lower it, or train for more than {value:,} steps",
            )
    return None
