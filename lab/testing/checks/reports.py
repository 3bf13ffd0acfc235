"""Checks of the reports of a model: readings, their capture, mixing maps, names."""

from __future__ import annotations

import contextlib
import copy
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch
from torch import nn

from lab.api import ROLES, capture
from lab.layers import LanguageModel, parameter_roles
from lab.layers.reports import Reports
from lab.testing.check import Broken, check, remedied, require, require_same
from lab.testing.model_case import ModelCase

MEMBERS = {*dir(LanguageModel)} - {*dir(nn.Module)} | {"forward", "config", "task"}
"""The names of LanguageModel that a submodule or a parameter of the same name hides, or that hide it."""
ONCE = "use different names for the readings of one layer, and report each once per forward pass, or once in step"


@check()
def readings(case: ModelCase) -> None:
    """Readings are finite, unique in their layer, and have the axes that their names declare."""
    model = case.model()
    B, T = 2, min(7, case.longest(model))
    tokens = case.tokens(B, T)
    remedy = "report(name, values, axes): one name of lab.api.AXES per dimension of values, the batch first"
    with remedied("a captured pass", remedy):
        with _once_per_token(model, T), capture(model) as found:
            model(tokens)
        with capture(model) as of_one_row:
            model(tokens[1:])
    sizes = {"batch": B, "token": T, "query": T, "vocabulary": case.task.vocabulary_size}
    seen = set()
    remedy = "report the same names for every batch"
    require(len(found) == len(of_one_row), "two rows and one row give different readings", remedy)
    for reading, single in zip(found, of_one_row, strict=True):
        where = f"the reading {reading.name!r} of {reading.path or 'the model'}"
        require((reading.name, reading.layer) not in seen, f"{where} occurs twice in layer {reading.layer}", ONCE)
        seen.add((reading.name, reading.layer))
        remedy = "report numbers that can be drawn: probabilities instead of logarithms of zero"
        require(bool(np.isfinite(reading.values).all()), f"{where} is not finite", remedy)
        for axis, size in zip(reading.axes, reading.values.shape, strict=True):
            remedy = f"name the axes in the order of the dimensions {reading.values.shape}"
            require(size == sizes.get(axis, size), f"{where} has {size} along {axis!r}, not {sizes.get(axis)}", remedy)
        if reading.axes[:1] == ("batch",):
            rows = torch.from_numpy(np.array(reading.values[1])), torch.from_numpy(np.array(single.values))
            remedy = "put the batch first in the values, and compute each row by itself"
            require_same(rows[0], rows[1], f"row 1 of {where} in its batch, and alone", remedy)


@check(after="readings")
def silence(case: ModelCase) -> None:
    """A capture changes no output and draws nothing, and a copy of a captured model is not captured."""
    for training in (False, True):
        model = case.model(training=training)
        tokens = case.tokens(2, min(20, case.longest(model)))
        torch.default_generator.manual_seed(1)
        expected, drawn = model(tokens), torch.rand(())
        torch.default_generator.manual_seed(1)
        with capture(model):
            found = model(tokens)
        remedy = "compute the same under reporting(…), and report copies of tensors that are changed later"
        require_same(found, expected, "logits while captured, and otherwise", remedy)
        remedy = "draw no random numbers for a report"
        require(bool(torch.rand(()) == drawn), "a capture changes later random numbers", remedy)
        with capture(model) as readings:
            copy.deepcopy(model)(tokens)
        remedy = "report through self.report of the module itself, never through another module that was stored"
        require(not readings, "a copy of a captured model reports into the capture", remedy)


TURNED = "; the axes are (batch, head, query, key), so check that no head is transposed or reversed"


@check(after="readings")
def mixing(case: ModelCase) -> None:
    """A mixing map has a row per query and a column per key, and is 0 only where the query does not read the key."""
    model = case.model()
    T = min(70, case.longest(model))
    with capture(model, {"mixing"}) as readings:
        model(case.tokens(2, T))
    for reading in readings:
        remedy = "return (B, head, query, key), the last two as long as the text"
        right = reading.axes == ("batch", "head", "query", "key") and reading.values.shape[-2:] == (T, T)
        require(right, f"the mixing map of {reading.path} is {reading.axes} of {reading.values.shape}", remedy)
    _shows_what_is_read(model, {reading.path for reading in readings}, case.tokens(1, min(12, T)))
    for reading in readings:
        if model.causal:
            later = np.abs(np.triu(reading.values, 1))
            _, head, query, key = np.unravel_index(later.argmax(), later.shape)
            remedy = f"set keys that a query does not read to zero, such as every later key{TURNED}"
            measured = f"the mixing map of {reading.path} shows {later.max():.2g} at keys after the query: in head "
            measured += f"{head}, the query at position {query} and the key at position {key}"
            require(later.max() <= 1e-6, measured, remedy)


@check(after="build")
def names(case: ModelCase) -> None:
    """No layer has the name of a member of LanguageModel; `no_decay`, `roles`, `active_share` name what exists."""
    model = case.model()
    for name in sorted(MEMBERS & {*dict(model.named_children()), *dict(model.named_parameters(recurse=False))}):
        what = f"self.{name} is a layer or a parameter, but LanguageModel has a member of that name"
        require(False, what, f"rename it, such as self.{name}_layer")
    for path, module in model.named_modules():
        parameters = dict(module.named_parameters(recurse=False))
        for name in getattr(module, "no_decay", ()):
            known = ", ".join(parameters) or "none"
            require(
                name in parameters, f"{path}.no_decay names {name!r}, which is not a parameter of it", f"use {known}"
            )
        parts = {**dict(module.named_children()), **parameters}
        for name in getattr(module, "active_share", {}):
            known = ", ".join(parts) or "none"
            what = f"{path}.active_share names {name!r}, which is neither a child nor a parameter of it"
            require(name in parts, what, f"use {known}")
    with remedied("the roles of its parameters", f"name parameters of the module, and roles of {', '.join(ROLES)}"):
        parameter_roles(model)


@contextlib.contextmanager
def _once_per_token(model: Any, tokens: int) -> Iterator[None]:
    """Raise Broken if a module reports a name more often than a pass has tokens: that is, twice in one step."""
    calls: Counter[tuple[str, str]] = Counter()

    def counted(path: str, report: Any) -> Any:
        def counting(name: str, *given: Any, **named: Any) -> None:
            calls[path, name] += 1
            report(name, *given, **named)

        return counting

    reporters: list[Any] = [(path, part) for path, part in model.named_modules() if isinstance(part, Reports)]
    for path, part in reporters:
        part.report = counted(path, part.report)
    try:
        yield
    except Exception as error:
        _require_once(calls, tokens, error)  # the stacked readings did not fit
        raise
    finally:
        for _, part in reporters:
            del part.report
    _require_once(calls, tokens, None)


def _require_once(calls: Counter[tuple[str, str]], tokens: int, error: Exception | None) -> None:
    for (path, name), times in calls.items():
        if times > tokens > 1:
            measured = f"the reading {name!r} of {path or 'the model'} was reported twice in one step: {times} times "
            raise Broken(f"{measured}over {tokens} tokens", ONCE) from error


def _inputs(model: Any, modules: dict[str, Any], tokens: torch.Tensor) -> dict[str, torch.Tensor]:
    """Return the input of each of these modules for these tokens, if it is one tensor (B, T, C)."""
    given: dict[str, tuple[Any, ...]] = {}
    hooks = [
        module.register_forward_pre_hook(lambda _, inputs, path=path: given.setdefault(path, inputs) and None)
        for path, module in modules.items()
    ]
    model(tokens)
    for hook in hooks:
        hook.remove()
    alone = {path: inputs[0] for path, inputs in given.items() if len(inputs) == 1}
    tensors = {path: x for path, x in alone.items() if isinstance(x, torch.Tensor)}
    return {path: x for path, x in tensors.items() if x.ndim == 3 and x.is_floating_point()}


def _shows_what_is_read(model: Any, paths: set[str], tokens: torch.Tensor) -> None:
    """Raise Broken if the output of a mixer depends on an input at which its map is 0 in every head.

    The output's own position is left out, since a query, a gate or a residual may read it.
    """
    mixers = {path: part for path, part in model.named_modules() if path in paths and hasattr(part, "mixing_map")}
    for path, x in _inputs(model, mixers, tokens).items():
        T = x.shape[1]
        shown = mixers[path].mixing_map(x)[0].abs().amax(dim=0)  # (query, key), over heads
        with torch.enable_grad():
            rows = x.detach().repeat(T, 1, 1).requires_grad_()  # row q is for the output at q
            y = mixers[path](rows)
            if not y.requires_grad:
                continue
            direction = torch.linspace(0.5, 1.5, y.shape[-1], dtype=y.dtype, device=y.device)
            total = (y.diagonal(dim1=0, dim2=1) * direction[:, None].cos()).sum()
            (gradient,) = torch.autograd.grad(total, rows)
        influence = gradient.abs().amax(dim=-1)  # (query, key)
        influence = influence - influence.diag().diag()
        hidden = (shown == 0) & (influence > 1e-9 * influence.max())
        if hidden.any():
            query, key = hidden.nonzero()[0].tolist()
            measured = f"the mixing map of {path} is 0 in every head for the query at position {query} and the key at "
            measured += f"position {key}, but the output at {query} changes with the input at {key}"
            require(False, measured, f"return a nonzero value wherever a query reads a key{TURNED}")
