"""The dense models that a mixture of experts is compared with: equal in active or in total parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from lab_moe.settings import MoeConfig


def equal_active(config: MoeConfig) -> Mapping[str, Any]:
    """Return dense feed-forward layers with as many parameters as a token uses in a layer of experts and its router."""
    return _dense(config, config.chosen)


def equal_total(config: MoeConfig) -> Mapping[str, Any]:
    """Return dense feed-forward layers with all parameters of a layer of experts."""
    return _dense(config, config.experts)


def _dense(config: MoeConfig, number: int) -> Mapping[str, Any]:
    """Return one expert with as many parameters as `number` experts, the shared ones and the router, to half a unit."""
    if config.experts == 1:
        return {}
    projections = 2 if config.gated else 1
    of_unit = (projections + 1) * config.width + (projections if config.bias else 0)
    of_output = config.width if config.bias else 0
    units = config.units(config.width)
    router = (2 if config.routing == "noisy-top-k" else 1) * config.experts * config.width
    parameters = number * (units * of_unit + of_output) + router
    if config.shared:
        parameters += config.shared * units * of_unit + of_output
    return {
        "experts": 1, "shared": 0, "hidden": max(1, round((parameters - of_output) / of_unit)),
        "dense_hidden": config.dense_units,
    }  # fmt: skip


BASELINES: Mapping[str, Callable[[Any], Mapping[str, Any]]] = {
    "dense, equal active parameters": equal_active,
    "dense, equal total parameters": equal_total,
}
"""The baselines by the names on the card."""
