"""The probe of routing: the tokens that each expert takes, and how evenly the router of each block spreads them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from lab.api import BadInput, LanguageModel, ProbeFunction, Reading, capture
from lab_moe import GATES, ROUTING
from lab_moe.statistics import balance, by_class, co_activation, confidence, dead, entropy, likeliest, load, taken
from lab_moe.token_classes import CLASSES, classes_of

ASSIGNMENTS = "assignments"
"""The reading of which expert takes which token."""
AXES = ("batch", "token", "expert")


class _Routed(NamedTuple):
    """The output of the router of one block.

    Args:
        layer: The index of the block.
        path: The path of the module.
        probabilities: (tokens, experts), over all experts.
        gates: (tokens, experts), the factor on the output of each expert, 0 where it does not take the token.
    """

    layer: int | None
    path: str
    probabilities: NDArray[Any]
    gates: NDArray[Any]


def routing(config: Any) -> ProbeFunction:
    """Return the probe of assignments, load, balance, entropy, confidence, dead experts and co-activation per block.

    There is no co-activation if no token has two experts.
    """
    del config

    def probe(model: LanguageModel, tokens: Tensor) -> list[Reading]:
        with capture(model, (ROUTING, GATES)) as captured:
            model(tokens)
        found = _routed(captured)
        if not found:
            raise BadInput("this model sends no token to an expert of its choice", remedy="Choose another probe")
        return [reading for block in found for reading in _figures(block)]

    return probe


def by_token_class(readings: Sequence[Reading], labels: Sequence[str]) -> list[Reading]:
    """Return how each class of tokens is spread over the experts, for each block that was read.

    Args:
        readings: The readings of the probe.
        labels: The labels of the tokens that were read.
    """
    classes = classes_of(labels)
    names = tuple(name for name in CLASSES if name in classes)
    return [
        Reading(
            "experts by class",
            ("quantity", "expert"),
            by_class(one.values, classes, names),
            one.layer,
            one.path,
            coordinates={"quantity": names},
        )
        for one in readings
        if one.name == ASSIGNMENTS and one.axes == ("token", "expert")
    ]


def _routed(readings: Sequence[Reading]) -> list[_Routed]:
    """Return each block that reports its routing, in the order of the readings."""
    tables = {
        (one.name, one.layer, one.path): _table(one)
        for one in readings
        if one.name in (ROUTING, GATES) and {"token", "expert"} <= set(one.axes) <= set(AXES)
    }
    found = []
    for (name, layer, path), table in tables.items():
        gates = tables.get((GATES, layer, path))
        if name == ROUTING:
            if gates is None or gates.shape != table.shape:
                gates = likeliest(table)
            found.append(_Routed(layer, path, table, gates))
    return found


def _table(reading: Reading) -> NDArray[Any]:
    """Return a reading as (tokens, experts), with the tokens of all rows one after the other."""
    order = [reading.axes.index(axis) for axis in AXES if axis in reading.axes]
    values = np.asarray(reading.values).transpose(order)
    return values.reshape(-1, values.shape[-1])


def _figures(block: _Routed) -> list[Reading]:
    p, g = block.probabilities, block.gates
    loads, took = load(g), taken(g)
    figures: list[tuple[str, tuple[str, ...], Any, str | None]] = [
        (ASSIGNMENTS, ("token", "expert"), took.astype(np.uint8), None),
        ("load", ("expert",), np.float32(loads), None),
        ("balance", (), np.float32(balance(p, g)), None),
        ("router entropy", ("token",), np.float32(entropy(p)), "bits"),
        ("router confidence", ("token",), np.float32(confidence(p)), None),
        ("dead experts", (), dead(loads).sum(), "experts"),
    ]
    if (took.sum(-1) > 1).any():
        figures.append(("co-activation", ("expert", "partner"), np.float32(co_activation(g)), None))
    return [Reading(name, axes, values, block.layer, block.path, units) for name, axes, values, units in figures]
