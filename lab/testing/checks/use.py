"""Checks of what is applied to a model or a run: probes, observers, rules, interventions."""

from __future__ import annotations

import contextlib
import copy
import difflib
import inspect
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lab.api import BadInput, Finding, ModelConfig, Problem, Reading, RunObserver, RunRecord, checked_readings
from lab.recipes import Recipe
from lab.testing.check import Broken, remedied, require
from lab.testing.registration_case import RegistrationCase, registration_check, use_of
from lab.testing.tiny import CONTEXT, models, row_model, rows_for, tokens_for
from lab.training.recording.model_copy import copy_of

# ---- probes


def readable(case: RegistrationCase) -> Iterator[tuple[str, Any, Tensor]]:
    """Yield (description, a copy as probes get it, what they read) for each model.

    They read tokens (1, T), of two lengths; or one of several rows of vectors (1, F) or of images (1, H, W, C), if the
    card says so.
    """
    of_rows = case.card.reads & {"vectors", "images"}
    if of_rows:
        given = {f"a model of {kind}": row_model(kind) for kind in sorted(of_rows)}
        for what, model in given.items() if case.model is None else [("the model", case.model)]:
            read = rows_for(model)
            yield f"{what} and a row", read.bound(copy_of(model)), read.batch(torch.device("cpu"))
        return
    for what, model in models().items() if case.model is None else [("the model", case.model)]:
        for length in (min(CONTEXT, model.reach or CONTEXT), 1):
            yield f"{what} and {length} tokens", copy_of(model), tokens_for(model, length)


def readings(probe: Any, what: str, model: Any, tokens: Tensor) -> list[Reading]:
    """Return the readings of one model; none if the probe refuses it with BadInput."""
    with remedied(f"probing {what}", "read every model, or raise BadInput for unsupported ones"):
        try:
            found = probe(model, tokens)
        except BadInput:
            return []
    remedy = "return [Reading(name, axes, values)], with one axis per dimension of values"
    with remedied(f"the readings of {what}", remedy):
        return checked_readings(found)


@use_of("probes")
def probed(case: RegistrationCase, config: ModelConfig | None = None) -> list[list[Reading]]:
    """Return the readings of every model."""
    probe = case.make(config=config)
    require(
        callable(probe), f"the factory returns a {type(probe).__name__}", "return a function (model, tokens (1, T))"
    )
    return [readings(probe, *one) for one in readable(case)]


@registration_check("probes", name="contract", after="card")
def gives_readings(case: RegistrationCase) -> None:
    """A model and tokens give readings whose axes fit their finite values; other models are refused."""
    every = probed(case)
    remedy = (
        "raise BadInput only for unsupported models, and test it on a supported one: check_registration(…, model=…)"
    )
    every_model = ", ".join(what for what, *_ in readable(case))
    require(any(every), f"it has no readings for any of {every_model}", remedy)
    for (what, model, tokens), found in zip(readable(case), every, strict=True):
        T = tokens.shape[1]
        sizes = {"batch": 1}
        if tokens.ndim == 2 and not tokens.is_floating_point():
            sizes |= {"token": T, "query": T, "vocabulary": model.task.vocabulary_size}
        for reading in found:
            where = f"the reading {reading.name!r} of {what}"
            shape = reading.values.shape
            for axis, size in zip(reading.axes, shape, strict=True):
                wanted = sizes.get(axis, size)
                remedy = f"name the axes in the order of the dimensions {shape}, with one index per token"
                require(size == wanted, f"{where} has {size} along {axis!r}, not {wanted}", remedy)
            remedy = "return real numbers: integers or floats"
            require(reading.values.dtype.kind in "biuf", f"{where} holds {reading.values.dtype}", remedy)
            remedy = "return finite numbers; if NaN or infinities are intended, mention them in the card's summary"
            meant = re.search(r"\bnan\b|infinit|∞", case.card.summary, re.IGNORECASE)
            require(bool(meant or np.isfinite(reading.values).all()), f"{where} is not finite", remedy)


@registration_check("probes", name="pure")
def leaves_the_model_alone(case: RegistrationCase) -> None:
    """Probing does not change the model, draws nothing, and gives the same result a second time."""
    probe = case.make()
    for what, model, tokens in readable(case):
        before, read = state_of(model), tokens.clone()
        first = readings(probe, what, model, tokens)
        after = state_of(model)
        changed = ", ".join(name for name, value in before.items() if not equal(value, after[name]))
        remedy = "work on a copy (copy.deepcopy(model)), or restore it in `finally`; draw nothing"
        require(not changed, f"probing {what} changes {changed}", remedy)
        require(torch.equal(tokens, read), f"probing {what} changes the tokens", "work on a copy: tokens.clone()")
        second = readings(probe, what, model, tokens)
        same = [one.name for one in first] == [one.name for one in second] and all(
            np.array_equal(one.values, other.values, equal_nan=one.values.dtype.kind == "f")
            for one, other in zip(first, second, strict=True)
        )
        remedy = "store nothing between calls, and draw from your own generator with a fixed seed"
        require(same, f"probing {what} twice gives different readings", remedy)


def state_of(model: Any) -> dict[str, Any]:
    """Return the state that a probe must not change, by description."""
    modules, parameters = list(model.modules()), list(model.parameters())
    hooks = ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks", "_backward_pre_hooks")
    return {
        "the weights": [tensor.detach().clone() for tensor in (*parameters, *model.buffers())],
        "the mode (train or eval)": [module.training for module in modules],
        "requires_grad of its parameters": [parameter.requires_grad for parameter in parameters],
        "the gradients of its parameters": [parameter.grad is not None for parameter in parameters],
        "the hooks of its modules": [len(getattr(module, name)) for module in modules for name in hooks],
        "its config": model.config.model_dump(),
        "torch's default generator": [torch.get_rng_state()],
        "whether torch computes gradients": torch.is_grad_enabled(),
    }


def equal(one: Any, other: Any) -> bool:
    """Return True if two values of `state_of` are the same."""
    if isinstance(one, list) and one and isinstance(one[0], Tensor):
        return all(torch.equal(a, b) for a, b in zip(one, other, strict=True))
    return bool(one == other)


# ---- observers

CONTRACT = tuple(name for name, member in vars(RunObserver).items() if inspect.isfunction(member))
"""The methods that a run calls."""

MEANT = {
    "finished": "ended",
    "finish": "ended",
    "stopped": "ended",
    "stop": "ended",
    "failed": "ended",
    "begun": "started",
}
"""Likely intended methods for names that are not similar to them."""

HINTS = {
    "started": "accept run as a Path, the run's folder, and recipe as a dict of plain data",
    "stepped": 'use values.get("train loss"): on a GPU the first steps have no values yet',
    "evaluated": 'use values.get(…) for all but "validation loss"',
    "ended": "prepare in __init__ what ended needs: a run may end before its first step",
}
VALUES = {"train loss": 2.1, "gradient norm": 0.5}
PROBLEM = Problem("the loss is not a number any more", remedy="Lower the learning rate")


def life(observer: Any, run: Path, state: str = "finished") -> None:
    """Notify an observer of all events of a run, and check that it does not change its arguments."""
    problem = PROBLEM if state == "failed" else None
    notify(observer, "started", run, Recipe().model_dump(mode="json", exclude_none=True))
    if state != "stopped":  # before its first step
        notify(observer, "stepped", 1, {})
        notify(observer, "stepped", 2, VALUES)
        notify(observer, "evaluated", 2, {"validation loss": 2.0})
        notify(observer, "stepped", 3, VALUES)
        notify(observer, "evaluated", 3, {"validation loss": 1.9, "tokens per second": 1e5})
    notify(observer, "ended", state, problem)


def notify(observer: Any, what: str, *arguments: Any) -> None:
    """Call one method with copies, and check that it does not change them."""
    received = copy.deepcopy(arguments)
    with remedied(what, HINTS[what]):
        getattr(observer, what)(*received)
    require(received == arguments, f"{what} changes its arguments", "change a copy: dict(values)")


@use_of("observers")
def observed(case: RegistrationCase, config: ModelConfig | None = None) -> None:
    """Notify an observer of the events of a finished run."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as run:
        life(case.make(config=config), Path(run))


@registration_check("observers", name="contract", after="card")
def has_the_methods(case: RegistrationCase) -> None:
    """It has the methods that a run calls, with their arguments, and no other public ones."""
    observer = case.make()
    for name in CONTRACT:
        method: Any = getattr(observer, name, None)
        remedy = f"make it a subclass of lab.api.RunObserver, or write {name} too"
        require(callable(method), f"{kind_of(observer)} has no method {name}", remedy)
        arguments = list(inspect.signature(getattr(RunObserver, name)).parameters)
        try:
            inspect.signature(method).bind(*arguments[1:])
        except TypeError as error:
            remedy = f"write def {name}({', '.join(arguments)})"
            raise Broken(
                f"{name} of {kind_of(observer)} cannot be called with the arguments of a run: {error}", remedy
            ) from None
        remedy = f"write def {name}, not async def: it is not awaited"
        require(not inspect.iscoroutinefunction(method), f"{name} of {kind_of(observer)} is a coroutine", remedy)
    for name in own_methods(type(observer)):
        near = [MEANT[name]] if name in MEANT else difflib.get_close_matches(name.removeprefix("on_"), CONTRACT, n=1)
        hint = f"did you mean {near[0]}? " if near else ""
        rename = f"{hint}Names of your own methods start with _: _{name}"
        require(
            False, f"{kind_of(observer)} has the method {name}, which no training calls", rename[0].lower() + rename[1:]
        )


@registration_check("observers", name="life")
def observes_a_run(case: RegistrationCase) -> None:
    """It handles runs that finished, stopped before the first step, and failed, without raising."""
    for state in ("finished", "stopped", "failed"):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as run:
            life(case.make(), Path(run), state)


@registration_check("observers", name="apart")
def is_made_for_each_run(case: RegistrationCase) -> None:
    """Every run gets its own observer."""
    remedy = "create it in the factory: build=lambda config: Mine(config)"
    require(case.make() is not case.make(), "the factory returns the same object for every run", remedy)


def own_methods(kind: type) -> Iterator[str]:
    """Yield the public methods that the author added to those of the contract."""
    mine = [base for base in kind.__mro__ if base.__module__ == kind.__module__]
    for name in dict.fromkeys(
        name for base in mine for name, member in vars(base).items() if inspect.isfunction(member)
    ):
        if not name.startswith("_") and name not in CONTRACT:
            yield name


def kind_of(observer: Any) -> str:
    """Return the name of the observer's class."""
    return type(observer).__name__


# ---- rules of the doctor


def records() -> list[RunRecord]:
    """Return records of runs: one without any series, one that goes well, and one whose loss is no number."""
    steps = np.arange(1, 201)
    series = {
        "train loss": (steps, 2 + 2 * np.exp(-steps / 40)),
        "gradient norm": (steps, np.full(200, 0.5)),
        "update ratio blocks.0": (steps[19::20], np.full(10, 1e-3)),
        "validation loss": (steps[49::50], np.array([3.0, 2.5, 2.2, 2.1])),
    }
    recipe = Recipe().model_dump(mode="json", exclude_none=True)
    broken = {**series, "train loss": (steps, np.full(200, np.nan))}
    facts = {"targets": 65, "floors": {"unigram": 3.3}, "tokens": 10_000}
    good = RunRecord(recipe, series, facts)
    return [RunRecord(), good, RunRecord(recipe, broken, facts, (), "the loss is nan at step 200")]


@use_of("rules")
def examined(case: RegistrationCase, config: ModelConfig | None = None) -> None:
    """Examine records of runs."""
    rule = case.make(config=config)
    require(callable(rule), f"its factory returns a {type(rule).__name__}", "return a function (record) -> [Finding]")
    for record in records():
        with remedied("the rule", "return [] where a series that it needs is missing, empty or no number"):
            found = rule(record)
        right = isinstance(found, list) and all(isinstance(one, Finding) for one in found)
        require(right, "it does not return a list of findings", "return a list of lab.api.Finding, [] for none")


@registration_check("rules", name="contract", after="card")
def examines_runs(case: RegistrationCase) -> None:
    """It examines runs without series, good ones and broken ones, and returns findings."""
    examined(case)


# ---- interventions


def changeable(case: RegistrationCase) -> Iterator[tuple[str, Any, Tensor, list[str]]]:
    """Yield (description, model in eval mode, tokens (1, T), addresses) for each model with a target."""
    for what, model in models().items() if case.model is None else [("the model", case.model)]:
        copied = copy_of(model)
        tokens = tokens_for(copied, min(CONTEXT, copied.reach or CONTEXT))
        with remedied(f"the targets in {what}", "return [] for a model without targets"):
            addresses = case.card.addresses(copied, tokens)
        if addresses:
            yield what, copied, tokens, addresses


@registration_check("interventions", name="contract", after="card")
def changes_a_model(case: RegistrationCase) -> None:
    """It has targets in a model, with distinct addresses, and what it does there changes the model's output."""
    every = list(changeable(case))
    remedy = "test it on a supported model: check_registration(…, model=…)"
    require(bool(every), f"it finds no target in any of {', '.join(models())}", remedy)
    for what, model, tokens, addresses in every:
        remedy = "return unique texts such as 2.3, without commas and stars"
        fit = all(isinstance(one, str) and one and not set(one) & set(",*") and one == one.strip() for one in addresses)
        require(fit and len(set(addresses)) == len(addresses), f"the targets in {what} are {addresses[:4]}", remedy)
        read = tokens.flip(-1)  # another text, since a value from the text itself would change nothing
        before = computed(model, read)
        with remedied(f"changing {what}", "return a context manager, such as one made by contextlib.contextmanager"):
            after = []
            for address in addresses[:8]:
                with case.card.make(model, [address], tokens):
                    after.append(computed(model, read))
        changed = any(not torch.equal(before, one) for one in after)
        require(changed, f"{what} computes the same inside the context", "change what the model's forward pass reads")


@registration_check("interventions", name="reversible")
def is_taken_back(case: RegistrationCase) -> None:
    """Afterwards the model computes the same, bit for bit, even if an error left the context."""
    for what, model, tokens, addresses in changeable(case):
        before, was = computed(model, tokens), state_of(model)
        for error in (None, KeyError("an evaluation failed")):
            with contextlib.suppress(KeyError), case.card.make(model, addresses[:1], tokens):
                computed(model, tokens)
                if error is not None:
                    raise error
            how = "an error in between" if error else "the end"
            remedy = "restore everything in `finally`"
            require(
                torch.equal(computed(model, tokens), before), f"{what} computes a different result after {how}", remedy
            )
            now = state_of(model)
            changed = ", ".join(name for name, value in was.items() if not equal(value, now[name]))
            require(not changed, f"after {how} {changed} of {what} are not as before", remedy)


def computed(model: Any, tokens: Tensor) -> Tensor:
    """Return the output of a model for these tokens."""
    with torch.no_grad():
        found: Tensor = model(tokens)
    return found
