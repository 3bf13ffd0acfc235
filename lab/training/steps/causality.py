"""The check at the start of a training that a model which says it is causal reads no later token."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lab.base import Problem
from lab.base.problems import is_interrupt, plugin_of, remedy_for
from lab.base.torch_lock import own_draws
from lab.diagnostics.causality import Leak, leak_of
from lab.layers import LanguageModel
from lab.training.experiment import Experiment, check_reach
from lab.training.recording.model_copy import copy_of

DRAWS = 2
"""Second number of the seed of the check; steps and initial weights have others."""
LONGEST = 33
"""Tokens of the probe."""
NOISE = 0.02
"""Standard deviation of what is added to the weights of the copy: initial zeros would hide what they multiply."""
LARGEST = 50_000_000
"""Parameters up to which the copy is in float64, which tells a leak from a rounding error best."""


def check_causality(experiment: Experiment, model: LanguageModel) -> Problem | None:
    """Return a problem if a model that says it is causal reads later tokens; afterwards it no longer says so.

    Everything happens on a copy: model, buffers and random numbers stay as they are. Code that raises is not judged
    here, as the training reports it.

    Raises:
        BadInput: The objective carries a state, which a model that reads later tokens does not have.
    """
    if not (model.causal and model.task.causal):
        return None
    leak = None
    small = sum(parameter.numel() for parameter in model.parameters()) <= LARGEST
    for exact in (True, False) if small and experiment.placement.device.type == "cpu" else (False,):
        try:
            leak = next(_leaks(experiment, model, exact=exact), None)
            break
        except BaseException as error:
            if is_interrupt(error):
                raise
    if leak is None:
        return None
    model.causal = False
    check_reach(model, experiment.objective, experiment.recipe.objective.name)
    owners = {plugin for module in model.modules() if (plugin := plugin_of(type(module).__module__))}
    plugin = owners.pop() if len(owners) == 1 else experiment.architecture.plugin
    return Problem(
        f"the model says that it is causal, and its output at position {leak.position} changes with the tokens from "
        f"{leak.later} on: it sees the tokens it predicts, so its loss cannot be compared",
        field="architecture.name",
        value=experiment.architecture.card.name,
        remedy=f"Let position t read positions up to t, or set causal = False in the model. {remedy_for(plugin)}",
        plugin=plugin,
    )


def _leaks(experiment: Experiment, model: LanguageModel, *, exact: bool) -> Iterator[Leak]:
    """Yield the first leak in evaluation and in training mode, in the form in which the objective reads."""
    device, seed = experiment.placement.device, experiment.recipe.training.seed
    batch = experiment.objective.batch(experiment.train, np.arange(1), seed).to(device)
    given = {name: value for name, value in batch.inputs.items() if name not in ("tokens", "documents")}
    tokens = batch.inputs["tokens"] if given else batch.inputs["tokens"][:, :LONGEST]
    if tokens.shape[1] < 2:
        return
    targets = tokens.roll(-1, dims=1)

    def inputs(rows: int) -> dict[str, Tensor]:
        return {name: value.expand(rows, *value.shape[1:]) for name, value in given.items()}

    with torch.random.fork_rng(devices=[device] if device.type == "cuda" else []), torch.no_grad():
        copied: Any = copy_of(model)
        with own_draws(seed, DRAWS, device=device.type):
            _disturb(copied, exact=exact)

        def score(read: Tensor) -> Tensor:
            found: Tensor = copied.score(read, targets.expand(len(read), -1), **inputs(len(read)))
            return found

        def extend(read: Tensor) -> Tensor:
            logits: Tensor = copied.extend(read, copied.start(len(read), **inputs(len(read))))[0]
            return logits

        form = extend if experiment.objective.carries else score
        buffers = [(buffer, buffer.clone()) for buffer in copied.buffers()]

        def read(tokens: Tensor) -> Tensor:
            for buffer, before in buffers:
                buffer.copy_(before)
            with own_draws(seed, DRAWS, device=device.type):
                return form(tokens)

        for in_training in (False, True) if model.learns == "gradient" else (False,):
            copied.train(in_training)
            leak = leak_of(read, tokens, model.task.vocabulary_size, draws=in_training)
            if leak is not None:
                yield leak


def _disturb(model: Any, *, exact: bool) -> None:
    """Add noise to the weights of a model that learns by gradient, in float64 if `exact`."""
    if model.learns != "gradient":
        return
    if exact:
        wide = {torch.complex64: torch.complex128}
        model._apply(lambda one: one.to(wide.get(one.dtype, torch.float64 if one.is_floating_point() else one.dtype)))
    for parameter in model.parameters():
        parameter.add_(NOISE * torch.randn_like(parameter))
