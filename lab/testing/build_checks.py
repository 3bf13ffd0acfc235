"""Checks of cards and construction: configs, seeds, the meta device, how much a model reads."""

from __future__ import annotations

import contextlib
import itertools
import json
from typing import Any

import torch

from lab.api import State, settings_of, tensors_of
from lab.testing.check import check, require
from lab.testing.subject import Subject, read_preset, task_of_length


@check(remedy="declare every field with setting(default, help=…), and give presets only what the config allows")
def config(subject: Subject) -> None:
    """Defaults and presets are allowed, every setting is explained, and configs survive JSON."""
    architecture = subject.architecture
    for setting in settings_of(architecture.config):
        explain = f"declare it as {setting.name} = setting(…, help=…), with one plain sentence"
        require(bool(setting.help.strip()), f"the setting {setting.name} has no help", explain)
    made = {"defaults": architecture.config(), "the config under test": subject.config()}
    made |= {name: read_preset(architecture, preset) for name, preset in architecture.presets.items()}
    for name, config in made.items():
        again = type(config).read(json.loads(config.model_dump_json()))
        lost = [field for field in type(config).model_fields if getattr(again, field) != getattr(config, field)]
        use = "use whole numbers, numbers, text, choices, lists and nested configs"
        require(not lost, f"{name}: {', '.join(lost)} came back from JSON changed", use)


@check(remedy="see that build(config, task) makes a model from every config that the config allows")
def build(subject: Subject) -> None:
    """The model is built, equal from equal seeds, around the config it was given."""
    config = subject.config()
    before = config.model_dump()
    model, twin = subject.model(config), subject.model()
    name = type(model).__name__
    require(model.config is config, f"{name}.config is not the config that was given", "hand it to super().__init__")
    require(config.model_dump() == before, "building changed the config", "keep what is computed outside the config")
    wanted = subject.task.causal
    settle = "set causal from task.causal, or take the task off the card's tasks"
    require(model.causal == wanted, f"{name}.causal is {model.causal} where the task says {wanted}", settle)
    tables, others = model.tables(), twin.tables()
    differing = [key for key, table in tables.items() if key not in others or not torch.equal(table, others[key])]
    draw = "draw initial weights from torch's default generator alone, not from numpy, random, sets or the clock"
    require(not differing, f"two builds from one seed differ in {', '.join(differing[:3])}", draw)


@check(remedy="name own parameters and children only")
def names(subject: Subject) -> None:
    """What `no_decay` and `active_share` name is there."""
    for path, module in subject.model().named_modules():
        parameters = dict(module.named_parameters(recurse=False))
        for name in getattr(module, "no_decay", ()):
            known = ", ".join(parameters) or "none"
            require(name in parameters, f"{path}.no_decay names {name!r}, which is no parameter of it", f"use {known}")
        children = dict(module.named_children())
        for name in getattr(module, "active_share", {}):
            known = ", ".join(children) or "none"
            require(name in children, f"{path}.active_share names {name!r}, which is no child of it", f"use {known}")


@check(
    "gradient",
    remedy="make every tensor where the others are (x.new_zeros(…), parameter.new_zeros(…), device=x.device), compute "
    "constants with math instead of .item(), and take a balanced path `if x.is_meta` where code depends on the data",
)
def meta(subject: Subject) -> None:
    """The full-size model runs on the meta device, as costs need it: no tensor stands on a device of its own."""
    for name, (config, length) in subject.whole.items():
        task = task_of_length(subject.task, length)
        with torch.device("meta"):
            model: Any = subject.architecture.make(config.model_copy(deep=True), task)
        weights = itertools.chain(model.named_parameters(), model.named_buffers())
        stray = [path for path, tensor in weights if not tensor.is_meta]
        make = "make parameters with torch's factories and no device of their own"
        require(not stray, f"{name}: built on meta, {', '.join(stray[:3])} stands elsewhere", make)
        T = min(model.reach or length, 20)
        tokens = torch.zeros(2, T, dtype=torch.long, device="meta")
        with torch.enable_grad():
            torch.autograd.backward(model.score(tokens, tokens).sum())
        shapes: dict[str, tuple[torch.Tensor, tuple[int, ...]]] = {
            "forward": (model(tokens), (2, T, task.vocabulary_size))
        }
        if model.causal:
            state = model.start(2)
            place = "make the state with new_zeros of a parameter, so that it lies where the model is"
            require(_all_meta(state), f"{name}: start is not on the model's device", place)
            if T > 1:
                logits, state = model.extend(tokens[:, 1:], state)
                shapes["extend"] = logits, (2, T - 1, task.vocabulary_size)
            logits, state = model.step(tokens[:, 0], state)
            shapes["step"] = logits, (2, task.vocabulary_size)
            require(_all_meta(state), f"{name}: the state left the model's device", place)
        for form, (logits, shape) in shapes.items():
            measured = f"{name}: {form} gives {tuple(logits.shape)} where {shape} is expected"
            require(tuple(logits.shape) == shape, measured, f"give logits for each token and each symbol in {form}")


@check(remedy="read one token as well as the whole context, and set `reach` to the most positions that can be read")
def context(subject: Subject) -> None:
    """One token is read, the whole context is, and more than that where the model has no reach."""
    model = subject.model()
    longest = subject.longest(model)
    lengths = [1, longest] + ([longest + 9] if model.reach is None else [])
    for length in lengths:
        logits = model(subject.tokens(2, length))
        shape = 2, length, subject.task.vocabulary_size
        measured = f"forward of {length} tokens gives {tuple(logits.shape)} where {shape} is expected"
        require(tuple(logits.shape) == shape, measured, "give logits (B, T, V) for tokens (B, T)")
        finite = "look for a division by zero, a logarithm of zero, or a row in which everything is masked"
        require(bool(logits.isfinite().all()), f"forward of {length} tokens gives numbers that are not finite", finite)


def _all_meta(state: State) -> bool:
    with contextlib.suppress(TypeError):  # no plain data: the check of states tells
        return all(tensor.is_meta for tensor in tensors_of(state))
    return True
