"""Checks of what is applied to a model or a run: samplers, probes, observers, interventions."""

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

from lab.api import BadInput, ModelConfig, Problem, Reading, RunObserver, checked_readings, settings_of
from lab.recipes import Recipe
from lab.testing.check import Broken, remedied, require
from lab.testing.checks.learning import change_to_another
from lab.testing.registration_case import RegistrationCase, registration_check, use_of
from lab.testing.tiny import CONTEXT, models, tokens_for
from lab.training.recording.model_copy import copy_of

# ---- samplers


@use_of("samplers")
def filtered(case: RegistrationCase, config: ModelConfig | None = None) -> Tensor:
    """Return what a sampler makes of `logits`."""
    return case.make(config=config)(logits())  # type: ignore[no-any-return]


def logits() -> Tensor:
    """Return logits (4, V): arbitrary numbers, some tokens removed, all equal, and one nearly certain."""
    rows = torch.randn(4, 17, generator=torch.Generator().manual_seed(0))
    rows[1, ::2] = -torch.inf
    rows[2] = 0.0
    rows[3, 5] = 100.0
    return rows


@registration_check("samplers", name="contract", after="card")
def gives_logits(case: RegistrationCase) -> None:
    """Logits (B, V) become logits (B, V) with a token left in every row; the input is not changed."""
    given, sampler = logits(), case.make()
    require(callable(sampler), f"the factory gives a {type(sampler).__name__}", "return a function of logits (B, V)")
    found = sampler(given)
    shape = f"{tuple(found.shape)} {found.dtype}" if isinstance(found, Tensor) else f"a {type(found).__name__}"
    right = isinstance(found, Tensor) and found.shape == given.shape and found.is_floating_point()
    require(right, f"logits (4, 17) become {shape}", "return logits of the same shape, not probabilities or a token")
    remedy = "work on a copy: masked_fill instead of masked_fill_, torch.where instead of logits[…] = …"
    require(torch.equal(given, logits()), "it writes into the logits it is given", remedy)
    number = "take tokens away with −inf, and give no NaN and no +inf: look for a division by zero"
    require(not bool((found.isnan() | (found == torch.inf)).any()), "it gives NaN or +inf", number)
    empty = (~found.isfinite().any(dim=-1)).nonzero().flatten().tolist()
    keep = "always keep the likeliest token"
    require(not empty, f"no token is left in row {empty[0] if empty else ''} of its logits", keep)


@registration_check("samplers", name="pure")
def draws_nothing(case: RegistrationCase) -> None:
    """The same logits give the same result, and nothing is drawn: the token stream draws, from its own seed."""
    sampler, before = case.make(), torch.get_rng_state()
    first, second = sampler(logits()), sampler(logits())
    require(torch.equal(first, second), "the same logits become different ones", "keep nothing from call to call")
    drawn = not torch.equal(before, torch.get_rng_state())
    require(not drawn, "it draws from torch's default generator", "filter the logits, and leave the draw to the lab")


@registration_check("samplers", name="rows")
def treats_rows_alone(case: RegistrationCase) -> None:
    """A row gives the same result alone as in its batch."""
    sampler = case.make()
    whole = sampler(logits())
    last = "take any number of rows, and reduce over the last axis alone: dim=-1, keepdim=True"
    for row in range(len(whole)):
        with remedied(f"row {row} alone", last):
            same = torch.allclose(sampler(logits()[row : row + 1])[0], whole[row], atol=1e-5)
        require(same, f"row {row} becomes something else in a batch than alone", last)


@registration_check("samplers", name="live")
def follows_live_settings(case: RegistrationCase) -> None:
    """A live setting acts at once."""
    for setting in settings_of(type(case.given)):
        config = case.config()
        sampler = case.make(config=config)
        if not setting.live or not change_to_another(config, setting):
            continue
        same = torch.allclose(sampler(logits()), filtered(case, config.model_copy(deep=True)), atol=1e-5)
        at_use = f"read config.{setting.name} inside of the function that filters, at each call"
        require(same, f"a change of {setting.name} has no effect on a sampler that is in use", at_use)


# ---- probes


def readable(case: RegistrationCase) -> Iterator[tuple[str, Any, Tensor]]:
    """Yield (description, a copy as probes get it, tokens (1, T)) for each model and two lengths of text."""
    for what, model in models().items() if case.model is None else [("the model", case.model)]:
        for length in (min(CONTEXT, model.reach or CONTEXT), 1):
            yield f"{what} and {length} tokens", copy_of(model), tokens_for(model, length)


def readings(probe: Any, what: str, model: Any, tokens: Tensor) -> list[Reading]:
    """Return the readings of one model; none if the probe refuses it with BadInput."""
    with remedied(f"probing {what}", "read every model, or raise BadInput for those that the probe is not made for"):
        try:
            found = probe(model, tokens)
        except BadInput:
            return []
    listed = "return [Reading(name, axes, values)], with one axis per dimension of values"
    with remedied(f"the readings of {what}", listed):
        return checked_readings(found)


@use_of("probes")
def probed(case: RegistrationCase, config: ModelConfig | None = None) -> list[list[Reading]]:
    """Return the readings of every model."""
    probe = case.make(config=config)
    require(callable(probe), f"the factory gives a {type(probe).__name__}", "return a function (model, tokens (1, T))")
    return [readings(probe, *one) for one in readable(case)]


@registration_check("probes", name="contract", after="card")
def gives_readings(case: RegistrationCase) -> None:
    """A model and tokens become readings whose axes fit their finite values; other models are refused."""
    every = probed(case)
    mine = "raise BadInput for other models alone, and test it on one it is made for: check_registration(…, model=…)"
    require(any(every), f"it reads nothing in any of {', '.join(models())}", mine)
    for (what, model, tokens), found in zip(readable(case), every, strict=True):
        T = tokens.shape[1]
        sizes = {"batch": 1, "token": T, "query": T, "vocabulary": model.task.vocabulary_size}
        for reading in found:
            where = f"the reading {reading.name!r} of {what}"
            shape = reading.values.shape
            for axis, size in zip(reading.axes, shape, strict=True):
                wanted = sizes.get(axis, size)
                order = f"name the axes in the order of the dimensions {shape}, and give each token a place"
                require(size == wanted, f"{where} has {size} along {axis!r}, not {wanted}", order)
            real = "give real numbers: integers or floats"
            require(reading.values.dtype.kind in "biuf", f"{where} holds {reading.values.dtype}", real)
            finite = "give numbers that can be drawn; where NaN or infinities are meant, say so in the card's summary"
            meant = re.search(r"\bnan\b|infinit|∞", case.card.summary, re.IGNORECASE)
            require(bool(meant or np.isfinite(reading.values).all()), f"{where} is not finite", finite)


@registration_check("probes", name="pure")
def leaves_the_model_alone(case: RegistrationCase) -> None:
    """Probing does not change the model and draws nothing, and a second time gives the same."""
    probe = case.make()
    for what, model, tokens in readable(case):
        before, read = state_of(model), tokens.clone()
        first = readings(probe, what, model, tokens)
        after = state_of(model)
        changed = ", ".join(name for name, value in before.items() if not equal(value, after[name]))
        alone = "work on a copy (copy.deepcopy(model)), or put back in `finally` what was changed; draw nothing"
        require(not changed, f"probing {what} changes {changed}", alone)
        require(torch.equal(tokens, read), f"probing {what} changes the tokens", "work on a copy: tokens.clone()")
        second = readings(probe, what, model, tokens)
        same = [one.name for one in first] == [one.name for one in second] and all(
            np.array_equal(one.values, other.values, equal_nan=one.values.dtype.kind == "f")
            for one, other in zip(first, second, strict=True)
        )
        keep = "keep nothing from call to call, and draw from a generator of your own with a seed of its own"
        require(same, f"probing {what} twice gives different readings", keep)


def state_of(model: Any) -> dict[str, Any]:
    """Return what a probe must not change, by its description."""
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
"""Likely meanings of names that are not similar to the right ones."""

HINTS = {
    "started": "take run as a Path, the run's folder, and recipe as a dict of plain data",
    "stepped": 'ask with values.get("train loss"): on a GPU the first steps have no values yet',
    "evaluated": 'ask with values.get(…) for what is not "validation loss"',
    "ended": "begin in __init__ what ended needs: a run may end before its first step",
}
VALUES = {"train loss": 2.1, "gradient norm": 0.5}
PROBLEM = Problem("the loss is no number any more", remedy="Lower the learning rate")


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


def notify(observer: Any, what: str, *news: Any) -> None:
    """Call one method with copies, and check that they are not changed."""
    received = copy.deepcopy(news)
    with remedied(what, HINTS[what]):
        getattr(observer, what)(*received)
    require(received == news, f"{what} changes what it is given", "change a copy: dict(values)")


@use_of("observers")
def observed(case: RegistrationCase, config: ModelConfig | None = None) -> None:
    """Run an observer through the events of a finished run."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as run:
        life(case.make(config=config), Path(run))


@registration_check("observers", name="contract", after="card")
def has_the_methods(case: RegistrationCase) -> None:
    """It has the methods that a run calls, with their arguments, and no other public one."""
    observer = case.make()
    for name in CONTRACT:
        method: Any = getattr(observer, name, None)
        inherit = f"make it a subclass of lab.api.RunObserver, or write {name} too"
        require(callable(method), f"{kind_of(observer)} has no method {name}", inherit)
        arguments = list(inspect.signature(getattr(RunObserver, name)).parameters)
        try:
            inspect.signature(method).bind(*arguments[1:])
        except TypeError as error:
            write = f"write def {name}({', '.join(arguments)})"
            raise Broken(f"{name} of {kind_of(observer)} cannot be called so: {error}", write) from None
        waits = f"write def {name}, not async def: nobody waits for it"
        require(not inspect.iscoroutinefunction(method), f"{name} of {kind_of(observer)} is a coroutine", waits)
    for name in own_methods(type(observer)):
        near = [MEANT[name]] if name in MEANT else difflib.get_close_matches(name.removeprefix("on_"), CONTRACT, n=1)
        ask = f"did you mean {near[0]}? " if near else ""
        rename = f"{ask}A method of your own begins with _: _{name}"
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
    """Every run gets an observer of its own."""
    remedy = "make one in the factory: build=lambda config: Mine(config)"
    require(case.make() is not case.make(), "the factory gives the same object for every run", remedy)


def own_methods(kind: type) -> Iterator[str]:
    """Yield the public methods that the author wrote in addition to those of the contract."""
    mine = [base for base in kind.__mro__ if base.__module__ == kind.__module__]
    for name in dict.fromkeys(
        name for base in mine for name, member in vars(base).items() if inspect.isfunction(member)
    ):
        if not name.startswith("_") and name not in CONTRACT:
            yield name


def kind_of(observer: Any) -> str:
    """Return the name of its class."""
    return type(observer).__name__


# ---- interventions


def changeable(case: RegistrationCase) -> Iterator[tuple[str, Any, Tensor, list[str]]]:
    """(what it is, a model in eval mode, tokens (1, T), addresses) for each model in which it finds a target."""
    for what, model in models().items() if case.model is None else [("the model", case.model)]:
        copied = copy_of(model)
        tokens = tokens_for(copied, min(CONTEXT, copied.reach or CONTEXT))
        with remedied(f"the targets in {what}", "return [] for a model in which there is nothing to change"):
            addresses = case.card.addresses(copied, tokens)
        if addresses:
            yield what, copied, tokens, addresses


@registration_check("interventions", name="contract", after="card")
def changes_a_model(case: RegistrationCase) -> None:
    """It has targets in a model, called by distinct texts, and what it does there changes what the model computes."""
    every = list(changeable(case))
    mine = "test it on a model that it is made for: check_registration(…, model=…)"
    require(bool(every), f"it finds no target in any of {', '.join(models())}", mine)
    for what, model, tokens, addresses in every:
        plain = "return texts as 2.3, each once, without commas and stars"
        fit = all(isinstance(one, str) and one and not set(one) & set(",*") and one == one.strip() for one in addresses)
        require(fit and len(set(addresses)) == len(addresses), f"the targets in {what} are {addresses[:4]}", plain)
        read = tokens.flip(-1)  # another text: a value of the text itself would change nothing
        before = computed(model, read)
        with remedied(f"changing {what}", "return a context manager, as contextlib.contextmanager makes one"):
            after = []
            for address in addresses[:8]:
                with case.card.make(model, [address], tokens):
                    after.append(computed(model, read))
        changed = any(not torch.equal(before, one) for one in after)
        require(changed, f"{what} computes the same inside", "change the model where its forward pass reads it")


@registration_check("interventions", name="reversible")
def is_taken_back(case: RegistrationCase) -> None:
    """Afterwards the model computes the same, bit for bit, also where an error left the context."""
    for what, model, tokens, addresses in changeable(case):
        before, was = computed(model, tokens), state_of(model)
        for error in (None, KeyError("an evaluation failed")):
            with contextlib.suppress(KeyError), case.card.make(model, addresses[:1], tokens):
                computed(model, tokens)
                if error is not None:
                    raise error
            how = "an error in between" if error else "the end"
            back = "put everything back in `finally`"
            require(torch.equal(computed(model, tokens), before), f"{what} computes something else after {how}", back)
            now = state_of(model)
            changed = ", ".join(name for name, value in was.items() if not equal(value, now[name]))
            require(not changed, f"after {how} {changed} of {what} are not as before", back)


def computed(model: Any, tokens: Tensor) -> Tensor:
    """What a model makes of tokens."""
    with torch.no_grad():
        found: Tensor = model(tokens)
    return found
