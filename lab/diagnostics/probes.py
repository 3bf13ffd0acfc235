"""The probes of the lab: each turns a model and a probe text into readings."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from lab.api import BadInput, LanguageModel, ProbeFunction, Reading, capture
from lab.base import Problem
from lab.base.notices import notify


def reports(config: Any) -> ProbeFunction:
    """What the model's modules report in one forward pass; a report with wrong axes is left out, and told once."""
    del config
    told: set[str] = set()

    def probe(model: LanguageModel, tokens: Tensor) -> list[Reading]:
        faults: list[ValueError] = []
        with capture(model, errors=faults) as readings:
            model(tokens)
        for fault in map(str, faults):
            if fault not in told:
                told.add(fault)
                notify("warning", Problem(fault, field="readings", remedy="The other reports are recorded"))
        return readings

    return probe


def surprise(config: Any) -> ProbeFunction:
    """−log p of each token of the probe text, 0 for the first."""
    del config

    def probe(model: LanguageModel, tokens: Tensor) -> list[Reading]:
        if not model.task.causal:
            raise BadInput("a model that reads both ways does not guess the next token", remedy="Choose another probe")
        nats = torch.zeros(tokens.shape[1])
        if tokens.shape[1] > 1:
            nats[1:] = -model.score(tokens[:, :-1], tokens[:, 1:])[0].float().cpu()
        return [Reading("surprise", ("token",), nats.numpy(), units="nats")]

    return probe
