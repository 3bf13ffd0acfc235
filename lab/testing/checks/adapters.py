"""Checks of adapters: what they add to a finished model, what they leave alone, and how they are folded in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch
from torch import Tensor

from lab.api import BadInput, ModelAdapter, ModelConfig, Task
from lab.testing.check import remedied, require, require_same
from lab.testing.registration_case import RegistrationCase, registration_check, use_of
from lab.testing.tiny import CONTEXT, VOCABULARY, Small, tokens_for

MODELS = {"a causal model": True, "a bidirectional model": False}
"""The models that are adapted, and whether they are causal."""

SPREAD = 0.1
"""Standard deviation of what is added to trained parameters, so that they have an effect."""


def made_by(case: RegistrationCase, config: ModelConfig | None = None) -> ModelAdapter | None:
    """Return the adapter of the card; None where all weights are trained."""
    made = case.make(config=config)
    fits = made is None or isinstance(made, ModelAdapter)
    require(fits, f"its factory returns a {type(made).__name__}", "return a lab.api.ModelAdapter, or None")
    return made  # type: ignore[no-any-return]


def adapted(adapter: ModelAdapter) -> Iterator[tuple[Any, dict[str, Tensor], Tensor, Tensor]]:
    """Yield (model, its tables before, tokens, its output before) for each model that is not refused."""
    for what, causal in MODELS.items():
        with torch.random.fork_rng():
            torch.default_generator.manual_seed(0)
            model = Small(adapter.task(Task(VOCABULARY, CONTEXT, causal=causal))).eval()
        tables, tokens = model.tables(), tokens_for(model, CONTEXT)
        for parameter in model.parameters():
            parameter.requires_grad_(False)
        before = computed(model, tokens)
        remedy = "attach to every model that learns by gradient, or raise BadInput for unsupported ones"
        with remedied(f"attaching to {what}", remedy):
            try:
                adapter.attach(model)
            except BadInput:
                continue
            adapter.initialise(model)
        yield model.eval(), tables, tokens, before


def computed(model: Any, tokens: Tensor) -> Tensor:
    """Return the output of a model for these tokens."""
    with torch.no_grad():
        found: Tensor = model(tokens)
    return found


@use_of("adapters")
def attached(case: RegistrationCase, config: ModelConfig | None = None) -> None:
    """Attach an adapter to small models and let them compute."""
    adapter = made_by(case, config)
    if adapter is not None:
        for model, _, tokens, _ in adapted(adapter):
            computed(model, tokens)


@registration_check("adapters", name="contract", after="card")
def adds_what_is_trained(case: RegistrationCase) -> None:
    """Attached to a model, it trains some parameter, and the model's own tensors stay what and where they were."""
    adapter = made_by(case)
    if adapter is None:
        return
    every = list(adapted(adapter))
    require(bool(every), f"it refuses {' and '.join(MODELS)}", "raise BadInput only for unsupported models")
    for model, tables, tokens, before in every:
        trained = [name for name, one in model.named_parameters() if one.requires_grad]
        require(bool(trained), "no parameter is trained", "add nn.Parameters, which require gradients")
        now = {id(one): one for one in (*model.parameters(), *model.buffers())}
        lost = [name for name, one in tables.items() if not any(_same_memory(one, other) for other in now.values())]
        remedy = "leave the model's own parameters in it, under whatever names"
        require(not lost, f"it took {', '.join(lost[:3])} out of the model", remedy)
        found = computed(model, tokens)
        shape = found.shape == before.shape and bool(found.isfinite().all())
        remedy = "leave the shape of the outputs, and begin with finite numbers"
        require(shape, "the model's output has another shape, or is not finite", remedy)
        require(model.task.vocabulary_size == VOCABULARY, "task changes the vocabulary", "change the room alone")


@registration_check("adapters", name="merges")
def is_folded_in(case: RegistrationCase) -> None:
    """If its card says that it merges, the merged model computes the same with the tables that it had before."""
    adapter = made_by(case)
    if adapter is None or not case.card.merges:
        return
    for model, tables, tokens, _ in adapted(adapter):
        with torch.no_grad(), torch.random.fork_rng():
            torch.default_generator.manual_seed(1)
            for parameter in model.parameters():
                if parameter.requires_grad:
                    parameter.add_(SPREAD * torch.randn_like(parameter))
        expected = computed(model, tokens)
        with remedied("merging", "write merge, or leave merges out of the card"):
            adapter.merge(model)
        own = model.tables().keys()
        remedy = "fold what was added into the weights, and remove it"
        require(own == tables.keys(), f"after merging the model has other tables: {_difference(own, tables)}", remedy)
        require_same(computed(model, tokens), expected, "outputs of the merged model, and before", remedy)


def _same_memory(one: Tensor, other: Tensor) -> bool:
    return one.data_ptr() == other.data_ptr() and one.shape == other.shape


def _difference(own: Any, tables: Any) -> str:
    return ", ".join(sorted(set(own) ^ set(tables))[:3])
