"""Checks of what a model says about itself: readings, the capture that hears them, mixing maps."""

from __future__ import annotations

import numpy as np
import torch

from lab.api import capture
from lab.testing.check import check, require, require_same
from lab.testing.subject import Subject


@check(remedy="report(name, values, axes): one name of lab.api.AXES per dimension of values, the batch first")
def readings(subject: Subject) -> None:
    """Readings are finite, named once per layer, and their axes are what they are called."""
    model = subject.model()
    B, T = 2, min(7, subject.longest(model))
    tokens = subject.tokens(B, T)
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


@check(remedy="let reports change nothing: values may be a callable, called only when it is captured")
def silence(subject: Subject) -> None:
    """Being captured changes no output, and draws nothing."""
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


@check(remedy="write mixing_map(x) as a pure method (B, T, C) -> (B, head, query, key)")
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
