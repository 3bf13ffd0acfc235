"""Checks of what a model says about itself: readings, the capture that hears them, mixing maps, names."""

from __future__ import annotations

import copy

import numpy as np
import torch

from lab.api import capture
from lab.testing.check import check, remedied, require, require_same
from lab.testing.subject import Subject


@check()
def readings(subject: Subject) -> None:
    """Readings are finite, named once per layer, and their axes are what they are called."""
    model = subject.model()
    B, T = 2, min(7, subject.longest(model))
    tokens = subject.tokens(B, T)
    named = "report(name, values, axes): one name of lab.api.AXES per dimension of values, the batch first"
    with remedied("a captured pass", named):
        with capture(model) as found:
            model(tokens)
        with capture(model) as of_one_row:
            model(tokens[1:])
    sizes = {"batch": B, "token": T, "query": T, "vocabulary": subject.task.vocabulary_size}
    once = "give the readings of one layer different names, and report each once per forward pass"
    seen = set()
    steady = "report the same names for every batch"
    require(len(found) == len(of_one_row), "two rows and one row give different readings", steady)
    for reading, single in zip(found, of_one_row, strict=True):
        where = f"the reading {reading.name!r} of {reading.path or 'the model'}"
        require((reading.name, reading.layer) not in seen, f"{where} comes twice in layer {reading.layer}", once)
        seen.add((reading.name, reading.layer))
        finite = "report numbers that can be drawn: probabilities instead of logarithms of zero"
        require(bool(np.isfinite(reading.values).all()), f"{where} is not finite", finite)
        for axis, size in zip(reading.axes, reading.values.shape, strict=True):
            name = f"name the axes in the order of the dimensions {reading.values.shape}"
            require(size == sizes.get(axis, size), f"{where} has {size} along {axis!r}, not {sizes.get(axis)}", name)
        if reading.axes[:1] == ("batch",):
            rows = torch.from_numpy(np.array(reading.values[1])), torch.from_numpy(np.array(single.values))
            first = "put the batch first in the values, and compute each row by itself"
            require_same(rows[0], rows[1], f"row 1 of {where} in its batch, and alone", first)


@check(after="readings")
def silence(subject: Subject) -> None:
    """Being captured changes no output and draws nothing, and a copy of a captured model is heard by nobody."""
    for training in (False, True):
        model = subject.model(training=training)
        tokens = subject.tokens(2, min(20, subject.longest(model)))
        torch.manual_seed(1)
        expected, drawn = model(tokens), torch.rand(())
        torch.manual_seed(1)
        with capture(model):
            found = model(tokens)
        equal = "compute the same in the path taken under reporting(…), and report copies of what is changed later"
        require_same(found, expected, "logits while captured, and otherwise", equal)
        quiet = "draw no random number for a report"
        require(bool(torch.rand(()) == drawn), "a capture changes what is drawn after it", quiet)
        with capture(model) as readings:
            copy.deepcopy(model)(tokens)
        apart = "report through self.report of the module itself, never through another module that was stored"
        require(not readings, "a copy of a captured model reports into the capture", apart)


@check(after="readings")
def mixing(subject: Subject) -> None:
    """A mixing map has a row per query and a column per key, and shows no later key where the model is causal."""
    model = subject.model()
    T = min(70, subject.longest(model))
    with capture(model, {"mixing"}) as readings:
        model(subject.tokens(2, T))
    for reading in readings:
        shape = "give (B, head, query, key), the last two as long as the text"
        right = reading.axes == ("batch", "head", "query", "key") and reading.values.shape[-2:] == (T, T)
        require(right, f"the mixing map of {reading.path} is {reading.axes} of {reading.values.shape}", shape)
        if model.causal:
            later = np.abs(np.triu(reading.values, 1)).max()
            zero = "set what a query does not read to zero: every key after it"
            require(later <= 1e-6, f"the mixing map of {reading.path} shows {later:.2g} at keys after the query", zero)


@check()
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
