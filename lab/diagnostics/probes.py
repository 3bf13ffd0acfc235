"""The probes that read a model's reports and its surprise at each token."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from lab.api import BadInput, LanguageModel, ProbeFunction, Reading, capture
from lab.base import Problem
from lab.base.notices import notify


def reports(config: Any) -> ProbeFunction:
    """Return the probe of all reports of one forward pass; a report with wrong axes is left out, with one notice."""
    del config
    notified: set[str] = set()

    def probe(model: LanguageModel, tokens: Tensor) -> list[Reading]:
        errors: list[ValueError] = []
        with capture(model, errors=errors) as readings:
            model(tokens)
        for error in map(str, errors):
            if error not in notified:
                notified.add(error)
                notify("warning", Problem(error, field="readings", remedy="The other reports are recorded"))
        return readings

    return probe


def surprise(config: Any) -> ProbeFunction:
    """Return the probe of −log p of each token of the text, 0 for the first."""
    del config

    def probe(model: LanguageModel, tokens: Tensor) -> list[Reading]:
        if not model.task.causal:
            raise BadInput("a model that reads both ways predicts no next token", remedy="Choose another probe")
        nats = torch.zeros(tokens.shape[1])
        if tokens.shape[1] > 1:
            nats[1:] = -model.score(tokens[:, :-1], tokens[:, 1:])[0].float().cpu()
        return [Reading("surprise", ("token",), nats.numpy(), units="nats")]

    return probe
