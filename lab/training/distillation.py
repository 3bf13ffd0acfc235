"""Distillation: a model learns the predictions of another one besides the data."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from lab.api import Batch, Loss, Objective, Shaped, Source, State, Task
from lab.base import BadInput
from lab.layers import LanguageModel
from lab.recipes import Distillation

FIELD = "distillation.teacher"
DATA, TEACHER = "data loss", "teacher loss"
"""The metrics with the two terms of the loss, each without its weight."""


class Distilled(Objective):
    """(1 − w) · data + w · T² · KL(p ‖ q), with p and q the softmax of the logits of teacher and model over T.

    Hinton et al. 2015, section 2, where the cross-entropy with p stands for its KL divergence: both differ by the
    entropy of p, which no gradient knows, and the divergence is 0 once the model predicts what the teacher does. T²
    keeps the size of the gradient when T changes. An evaluation has the loss of the data alone. With less teacher
    forcing the term of the data is of what the model then reads; p and q always are of the right tokens.

    Args:
        objective: What the model is trained for without a teacher.
        teacher: The teacher, in eval mode, on the device of the training.
        settings: Temperature and weight.

    Raises:
        BadInput: The objective carries a state, or predicts no symbols or classes.
    """

    def __init__(self, objective: Objective, teacher: LanguageModel, settings: Distillation) -> None:
        super().__init__(objective.config)
        if objective.carries or objective.needs not in ("causal", "masked", "classification", "sequence-to-sequence"):
            what = "carries a state" if objective.carries else "predicts no symbols or classes"
            raise BadInput(
                f"the objective of this run {what}, so it cannot learn from a teacher",
                field=FIELD,
                value=settings.teacher,
                remedy="Choose another objective, such as causal, or leave the teacher out",
            )
        self.objective, self.teacher, self.settings = objective, teacher, settings
        for name in (
            "needs", "reads", "symbols", "source_symbols", "written_symbols", "reads_documents", "carries", "unit",
            "has_perplexity",
        ):  # fmt: skip
            setattr(self, name, getattr(objective, name))

    def task(self, source: Shaped) -> Task:
        """Return the task of the objective."""
        return self.objective.task(source)

    def batch(self, source: Source, examples: np.ndarray, seed: int) -> Batch:
        """Return the batch of the objective."""
        return self.objective.batch(source, examples, seed)

    def figure(self, name: str, mean: Tensor) -> Tensor:
        """Return the number that is recorded for a metric."""
        return mean if name in (DATA, TEACHER) else self.objective.figure(name, mean)

    def loss(self, model: Any, batch: Batch, carry: State = None) -> Loss:
        """Return the mixed loss and both terms as metrics; of a model in eval mode the loss of the data alone."""
        if not model.training:
            return self.objective.loss(model, batch, carry)
        inputs: dict[str, Any] = dict(batch.inputs)
        tokens = inputs.pop("tokens")
        inputs.pop("forced", None)  # p and q are of the right tokens
        with outputs_of(model) as outputs:
            data = self.objective.loss(model, batch, carry)
        logits = outputs[-1] if outputs else model(tokens, **inputs)
        with torch.no_grad():
            taught = self.teacher(tokens, **inputs)
        scored, temperature, weight = batch.scored, self.settings.temperature, self.settings.weight
        term = torch.where(scored, divergence(taught, logits, temperature), 0.0)
        terms = {DATA: (data.nats.detach().sum(), batch.weight), TEACHER: (term.detach().sum(), batch.weight)}
        mixed = (1 - weight) * data.nats + weight * term
        return dataclasses.replace(data, nats=mixed, metrics={**data.metrics, **terms})


def divergence(taught: Tensor, logits: Tensor, temperature: float) -> Tensor:
    """Return T² · KL(softmax(taught / T) ‖ softmax(logits / T)) in nats.

    Args:
        taught: (…, V) logits of the teacher.
        logits: (…, V) logits of the model.
        temperature: T.

    Returns:
        (…) nats, in float32.
    """
    p = (taught.float() / temperature).log_softmax(dim=-1)
    q = (logits.float() / temperature).log_softmax(dim=-1)
    return temperature**2 * nn.functional.kl_div(q, p, reduction="none", log_target=True).sum(dim=-1)


@contextlib.contextmanager
def outputs_of(model: nn.Module) -> Iterator[list[Tensor]]:
    """Yield a list that collects what a model returns inside the `with`, so that its logits are computed once."""
    found: list[Tensor] = []
    handle = model.register_forward_hook(lambda _, __, output: found.append(output))
    try:
        yield found
    finally:
        handle.remove()


def check_teacher(teacher: LanguageModel, task: Task, settings: Distillation) -> None:
    """Refuse a teacher that predicts something else, or reads fewer tokens.

    Args:
        teacher: The teacher.
        task: The task of the model that learns from it.
        settings: They name the teacher.

    Raises:
        BadInput: It does.
    """
    own = teacher.task
    what = ""
    if (own.vocabulary_size, own.classes, own.by_token) != (task.vocabulary_size, task.classes, task.by_token):
        ours, others = task.classes or task.vocabulary_size, own.classes or own.vocabulary_size
        what = f"predicts one of {others} symbols or classes, and this run one of {ours}"
    elif own.causal != task.causal or own.input_shape != task.input_shape:
        what = "was trained for another objective"
    elif own.source_vocabulary_size != task.source_vocabulary_size:
        what = "reads other sources"
    elif teacher.learns == "counting":
        what = "counts, and has no logits for all symbols that could be softened"
    elif teacher.reach is not None and teacher.reach < task.context_length:
        what = f"reads at most {teacher.reach} tokens, and this run {task.context_length}"
    if what:
        raise BadInput(
            f"this teacher {what}",
            field=FIELD,
            value=settings.teacher,
            remedy="Choose a run with the same text, tokenizer and objective, and no shorter context",
        )
