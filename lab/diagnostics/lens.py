"""The logit lens: what a model would predict if it ended after each of its blocks."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from lab.api import BadInput, LanguageModel, ProbeFunction, Reading, capture
from lab.diagnostics.targets import targets

QUANTITIES = ("choice", "KL to the end", "rank of the truth")
UNITS = {"KL to the end": "nats"}


def logit_lens(config: Any) -> ProbeFunction:
    """Return the probe that reads the residual stream after each block by the model's head (nostalgebraist 2020).

    It gives three quantities for the embedding and each block: the likeliest token; KL(end ‖ lens) in nats, the loss
    from ending there (Belrose et al. 2023, section 3); and the rank of the true next token, 1 for the likeliest, NaN at
    the last position, which has none.
    """
    del config

    def probe(model: LanguageModel, tokens: Tensor) -> list[Reading]:
        head = getattr(model, "head", None)
        with capture(model, ("embedding", "residual"), graph=True) as readings:
            logits = model(tokens)
        stream = [one for one in readings if one.axes == ("batch", "token", "channel")]
        if not callable(head) or not any(one.name == "residual" for one in stream):
            raise BadInput("this model has no residual stream that its head can read", remedy="Choose another probe")
        end, truth = logits[0].float().log_softmax(-1), targets(model, tokens)
        values = torch.stack([_seen(head(one.values)[0], end, truth) for one in stream], dim=1)
        layers = tuple("embedding" if one.layer is None else str(one.layer + 1) for one in stream)
        axes, coordinates = ("quantity", "layer", "token"), {"quantity": QUANTITIES, "layer": layers}
        found = values.cpu().numpy().astype(np.float32)
        return [Reading("logit lens", axes, found, coordinates=coordinates, quantity_units=UNITS)]

    return probe


def _seen(logits: Tensor, end: Tensor, truth: Tensor) -> Tensor:
    """Return (quantity, T) of logits (T, V); a function, so that only one block's logits are in memory at a time."""
    lens = logits.float().log_softmax(-1)
    lost = torch.where(end > -torch.inf, end.exp() * (end - lens), 0).sum(-1).clamp(min=0)  # 0 · log 0 is 0
    of_truth = lens.gather(-1, truth.clamp(min=0)[:, None])
    rank = 1.0 + (lens > of_truth).sum(-1)
    return torch.stack([lens.argmax(-1).float(), lost, rank.masked_fill(truth < 0, torch.nan)])
