"""Checks of construction: acceptance by the host, configs, seeds, shapes."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import torch

from lab.layers.reports import Derives
from lab.testing.cards import Offer
from lab.testing.check import check, remedied, require, require_finite, require_shape
from lab.testing.model_case import ModelCase, read_preset


@check("plugin", after=None)
def loads(offer: Offer) -> None:
    """The host accepts the plugin, as `lm-lab` does: its hooks are found, and none of its cards is refused."""
    _ = offer.architectures  # raises the host's error


@check(after=None)
def config(case: ModelCase) -> None:
    """Presets are allowed, and configs survive JSON."""
    architecture = case.architecture
    made = {"the config under test": case.config()}
    for name, preset in architecture.presets.items():
        with remedied(f"the preset {name}", "use only settings in presets that a recipe allows"):
            made[f"the preset {name}"], _ = read_preset(architecture, preset)
    for name, config in made.items():
        again = type(config).read(json.loads(config.model_dump_json()))
        lost = [field for field in type(config).model_fields if getattr(again, field) != getattr(config, field)]
        remedy = "use whole numbers, numbers, text, choices, lists and nested configs"
        require(not lost, f"{name}: {', '.join(lost)} came back from JSON changed", remedy)


@check(after=None)
def build(case: ModelCase) -> None:
    """The model can be built, identically from equal seeds, and holds the config it was given."""
    config = case.config()
    before = config.model_dump()
    model, twin = case.model(config), case.model()
    name = type(model).__name__
    require(
        model.config is config,
        f"{name}.config is not the config that was given",
        "pass it to super().__init__, and call nothing else so",
    )
    require(config.model_dump() == before, "building changed the config", "store computed values outside the config")
    wanted = case.task.causal
    remedy = "set causal from task.causal, or remove the task from the card's tasks"
    # for task.causal a model may read ahead (experts that choose tokens); the check `future` tests whether it does
    require(wanted or not model.causal, f"{name}.causal is True although task.causal is False", remedy)
    tables, others = model.tables(), twin.tables()
    differing = [key for key, table in tables.items() if key not in others or not torch.equal(table, others[key])]
    remedy = "draw initial weights from torch's default generator alone, not from numpy, random, sets or the clock"
    require(not differing, f"two builds from one seed differ in {', '.join(differing[:3])}", remedy)


@check(after="build")
def shape(case: ModelCase) -> None:
    """Forward and extend return (B, T, V), step (B, V), score (B, T), and mixers keep their input shape."""
    model, V = case.model(), case.task.vocabulary_size
    for part in model.modules():
        if isinstance(part, Derives):
            for form in ("extend", "step"):
                setattr(part, form, _pairs(getattr(part, form), f"{form} of {type(part).__name__}"))
    B, T = 3, min(5, case.longest(model))
    tokens = case.tokens(B, T)
    logits = model(tokens)
    require_shape(logits, f"forward of tokens {B, T}", "(B, T, V)", (B, T, V))
    require_finite(logits, f"forward of tokens {B, T}")
    require_shape(model.score(tokens, tokens), f"score of tokens {B, T}", "(B, T)", (B, T))
    if not model.causal:
        return
    state = model.start(B)
    if T > 1:
        logits, state = model.extend(tokens[:, 1:], state)
        require_shape(logits, f"extend of tokens {B, T - 1}", "(B, T, V)", (B, T - 1, V))
    logits, _ = model.step(tokens[:, 0], state)
    require_shape(logits, f"step of tokens {(B,)}", "(B, V)", (B, V))


def _pairs(call: Callable[..., Any], what: str) -> Callable[..., Any]:
    """Wrap a form so that it raises Broken unless it returns an output and a state."""

    def checked(*given: Any, **named: Any) -> Any:
        answer = call(*given, **named)
        right = isinstance(answer, tuple | list) and len(answer) == 2
        require(right, f"{what} returns a {type(answer).__name__}, not a pair", "return the output and the new state")
        return answer

    return checked
