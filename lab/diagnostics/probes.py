"""The probes of the lab: each turns a model and a probe text into readings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from lab.api import Reading, capture

ProbeFunction = Callable[[Any, Tensor], list[Reading]]


def reports(config: Any) -> ProbeFunction:
    """What the model's modules report in one forward pass."""
    del config

    def probe(model: Any, tokens: Tensor) -> list[Reading]:
        with capture(model) as readings:
            model(tokens)
        return readings

    return probe


def surprise(config: Any) -> ProbeFunction:
    """−log p of each token of the probe text, 0 for the first."""
    del config

    def probe(model: Any, tokens: Tensor) -> list[Reading]:
        nats = torch.zeros(tokens.shape[1])
        if tokens.shape[1] > 1:
            nats[1:] = -model.score(tokens[:, :-1], tokens[:, 1:])[0].float().cpu()
        return [Reading("surprise", ("token",), nats.numpy(), units="nats")]

    return probe
