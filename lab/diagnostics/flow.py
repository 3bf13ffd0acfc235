"""How the tokens of a text move one another through the whole model: along its maps, and by gradients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from lab.api import BadInput, LanguageModel, ProbeFunction, Reading
from lab.diagnostics.embeddings import embeddings
from lab.diagnostics.maps import mixing_maps
from lab.diagnostics.targets import targets

LONGEST = 64
"""Tokens of a text whose influences are taken: each needs a backward pass."""


def rollout(config: Any) -> ProbeFunction:
    """What of each token is left at each position after all layers (Abnar & Zuidema 2020, eq. 1).

    The product of (W + I) / 2 over the layers, rows normalised, where W is the mean of a layer's heads with negative
    weights taken as 0. A layer without a map passes its tokens on.
    """
    del config

    def probe(model: LanguageModel, tokens: Tensor) -> list[Reading]:
        T = tokens.shape[1]
        flow = same = torch.eye(T, device=tokens.device)
        for maps in mixing_maps(model, tokens).values():
            if maps.shape[-2:] != (T, T):
                raise BadInput("this model reads another text beside its own", remedy="Choose another probe")
            layer = maps[0].clamp(min=0).mean(0) + same
            flow = layer / layer.sum(-1, keepdim=True) @ flow
        return [Reading("rollout", ("query", "key"), flow, units="share")]

    return probe


def influence(config: Any) -> ProbeFunction:
    """‖∂ logit of the next token at t / ∂ embedding of s‖ for every t and s: one map for models of every kind.

    The last position has no next token, and stands with the likeliest.
    """
    del config

    def probe(model: LanguageModel, tokens: Tensor) -> list[Reading]:
        T = tokens.shape[1]
        if T > LONGEST:
            raise BadInput(
                "influences take a backward pass for each token, and the text has too many",
                field="readings.tokens", value=T, allowed=f"at most {LONGEST}", remedy="Read fewer tokens",
            )  # fmt: skip
        if model.learns == "counting" or not isinstance(model, nn.Module):
            raise BadInput("a model that counts has no gradients", remedy="Choose one that learns by gradient")
        with torch.enable_grad():
            with embeddings(model) as places:
                logits = model(tokens)[0].float()
            asked = torch.where((truth := targets(model, tokens)) < 0, logits.argmax(-1), truth)
            wanted = logits.gather(-1, asked[:, None])[:, 0].unbind()  # T scalars
            for x in places:
                if not all(one.requires_grad for one in x):
                    continue
                rows = [_gradient(y, x) for y in wanted]
                if len(rows[0]) == T and any(bool(row.any()) for row in rows):
                    return [Reading("influence", ("query", "key"), torch.stack(rows).norm(dim=-1))]
        raise BadInput("no embedding of this model leads to its logits", remedy="Choose another probe")

    return probe


def _gradient(y: Tensor, x: Sequence[Tensor]) -> Tensor:
    """(tokens, channels) of a scalar by the embeddings; 0 where it was not made from them."""
    found = torch.autograd.grad(y, x, retain_graph=True, allow_unused=True, materialize_grads=True)
    return torch.cat([each.float().flatten(end_dim=-2) for each in found])
