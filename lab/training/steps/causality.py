"""The check at the start of a training that a model which says it is causal reads no later token."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from lab.base import Problem
from lab.base.notices import notify
from lab.base.problems import is_interrupt, plugin_of, problem_of, remedy_for
from lab.base.process_state import put_back
from lab.base.torch_lock import own_draws, torch_lock
from lab.diagnostics.causality import Leak, leak_of
from lab.layers import LanguageModel
from lab.training.experiment import Experiment, check_reach
from lab.training.recording.model_copy import copy_of

SHORT = 33
"""Tokens of most probes; that of the whole context, for what reads far or across chunks, is made in one form."""
DRAWS = 2
"""Second number of the seed of the check; steps and initial weights have others."""
NOISE = 0.02
"""Standard deviation of what is added to the weights of the copy: initial zeros would hide what they multiply."""
LARGEST = 50_000_000
"""Parameters up to which the copy is in float64, which tells a leak from a rounding error best."""


class Causality(NamedTuple):
    """The result of checking a model.

    Args:
        leak: The problem of a model that reads later tokens; None if it reads none.
        failure: Why the model could not be checked; None if it was.
    """

    leak: Problem | None = None
    failure: Problem | None = None


def check_causality(experiment: Experiment, model: LanguageModel) -> Causality:
    """Check that a model which says that it is causal reads no later token; if it does, it no longer says so.

    Everything happens on a copy: model, buffers and random numbers stay as they are. What the code of plugins changes
    of the process is put back and told, see `put_back`.

    Raises:
        BadInput: The objective carries a state, which a model that reads later tokens does not have.
    """
    if not (model.causal and model.task.causal):
        return Causality()
    owners = dict.fromkeys(name for module in model.modules() if (name := plugin_of(type(module).__module__)))
    plugin = next(iter(owners)) if len(owners) == 1 else experiment.architecture.plugin
    leak = failure = None
    small = sum(parameter.numel() for parameter in model.parameters()) <= LARGEST
    forms = (True, False) if small and experiment.placement.device.type == "cpu" else (False,)
    with put_back(plugin, "Checking which tokens the model reads"):
        for exact in forms:
            try:
                leak = _first_leak(experiment, model, plugin, exact=exact)
                break
            except BaseException as error:
                if is_interrupt(error):
                    raise
                if exact == forms[-1]:
                    failure = problem_of(error, plugin=plugin, doing="Checking that no later token is read")
    if leak is None:
        return Causality(failure=failure)
    model.causal = False
    check_reach(model, experiment.objective, experiment.recipe.objective.name)
    problem = Problem(
        f"the model says that it is causal, and its output at position {leak.position} changes with the tokens from "
        f"{leak.later} on: it sees the tokens it predicts, so its loss cannot be compared",
        field="architecture.name",
        value=experiment.architecture.card.name,
        remedy=f"Let position t read positions up to t, or set causal = False in the model. {remedy_for(plugin)}",
        plugin=plugin,
    )
    return Causality(leak=problem)


def _first_leak(experiment: Experiment, model: LanguageModel, plugin: str, *, exact: bool) -> Leak | None:
    """Return the first leak in evaluation or training mode, in the form in which the objective reads."""
    device, seed = experiment.placement.device, experiment.recipe.training.seed
    batch = experiment.objective.batch(experiment.train, np.arange(1), seed).to(device)
    given = {name: value for name, value in batch.inputs.items() if name not in ("tokens", "documents")}
    tokens = batch.inputs["tokens"]
    if tokens.shape[1] < 2:
        return None
    targets = tokens.roll(-1, dims=1)

    def inputs(rows: int) -> dict[str, Tensor]:
        return {name: value.expand(rows, *value.shape[1:]) for name, value in given.items()}

    devices = [device] if device.type == "cuda" else []
    with torch_lock, torch.random.fork_rng(devices=devices), torch.no_grad():
        copied: Any = copy_of(model)
        with own_draws(seed, DRAWS, device=device.type):
            _disturb(copied, exact=exact)

        def score(read: Tensor) -> Tensor:
            expected = targets[:, : read.shape[1]].expand(len(read), -1)
            found: Tensor = copied.score(read, expected, **inputs(len(read)))
            return found

        def extend(read: Tensor) -> Tensor:
            logits: Tensor = copied.extend(read, copied.start(len(read), **inputs(len(read))))[0]
            return logits

        form = extend if experiment.objective.carries else score
        seeding: list[Tensor] = []
        buffers = [(buffer, buffer.clone()) for buffer in copied.buffers()]

        def read(tokens: Tensor) -> Tensor:
            for buffer, before in buffers:
                buffer.copy_(before)
            with own_draws(seed, DRAWS, device=device.type):
                seeded = torch.initial_seed()
                found = form(tokens)
                if torch.initial_seed() != seeded:
                    seeding.append(found)
                return found

        short = tokens if given else tokens[:, :SHORT]
        half, last = max(1, short.shape[1] // 2 - 1 | 1), short.shape[1] - 1  # within a chunk, whose length is even
        probes = [(short, [half, last], False)]
        if model.learns == "gradient":
            probes.append((short, [half], True))
        if tokens.shape[1] > short.shape[1]:
            probes.append((tokens, [tokens.shape[1] // 2], False))  # the border of a chunk, in most contexts
        leak = None
        for probe, starts, in_training in probes:
            copied.train(in_training)
            apart = in_training or probe is not short
            leak = leak_of(read, probe, model.task.vocabulary_size, starts, apart=apart)
            if leak is not None:
                break
    if seeding:
        what = "its forward pass seeds torch's random numbers, which all code shares: every step draws the same"
        notify(
            "warning", Problem(what, plugin=plugin, remedy=f"Use a torch.Generator of its own. {remedy_for(plugin)}")
        )
    return leak


def _disturb(model: Any, *, exact: bool) -> None:
    """Add noise to the weights of a model that learns by gradient, in float64 if `exact`."""
    if model.learns != "gradient":
        return
    if exact:
        wide = {torch.complex64: torch.complex128}
        model._apply(lambda one: one.to(wide.get(one.dtype, torch.float64 if one.is_floating_point() else one.dtype)))
    for parameter in model.parameters():
        parameter.add_(NOISE * torch.randn_like(parameter))
