"""Probes of the influence of tokens on each other: along the maps of a model, and by the changes they cause."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from lab.api import BadInput, LanguageModel, ProbeFunction, Reading
from lab.diagnostics.embeddings import embeddings
from lab.diagnostics.maps import mixing_maps
from lab.diagnostics.targets import targets

LONGEST = 64
"""The largest number of tokens of a text, which is read once for each of them."""
ROWS = 16
"""Number of copies of the text that are read at once."""
OTHERS = 4
"""Number of tokens that replace each token if there are no gradients."""
SEED = 20240223
"""The seed of these tokens."""
LEAST = 1e-9
"""The smallest probability whose logarithm is compared."""


def rollout(config: Any) -> ProbeFunction:
    """Return the probe of the share of each token at each position after all layers (Abnar & Zuidema 2020, eq. 1).

    This is the product of (W + I) / 2 over the layers, rows normalised, where W is the mean of a layer's heads with
    negative weights set to 0. A layer without a map passes its tokens on.
    """
    del config

    def probe(model: LanguageModel, tokens: Tensor) -> list[Reading]:
        T = tokens.shape[1]
        flow = same = torch.eye(T, device=tokens.device)
        for maps in mixing_maps(model, tokens).values():
            if maps.shape[-2:] != (T, T):
                raise BadInput("this model also reads a second text", remedy="Choose another probe")
            layer = maps[0].clamp(min=0).mean(0) + same
            flow = layer / layer.sum(-1, keepdim=True) @ flow
        return [Reading("rollout", ("query", "key"), flow, units="share")]

    return probe


def influence(config: Any) -> ProbeFunction:
    """Return the probe of how much each token s changes the prediction at each position t, for models of every kind.

    It is ‖∂ logit of the right token at t / ∂ embedding of s‖, in logits for a change of the embedding of length 1.
    Where gradients are not enough, the token s is replaced by others, drawn once, and it is the mean |change of log p
    of the right token at t|, in nats. This concerns a model that counts, one without a table of embeddings, and one
    that is to predict the next token but reads it: an expert that chooses among tokens has no gradient there, which
    would hide the leak. The units of the reading identify the method.

    The right token is the next one, or the token itself if models may read both ways. The last position has no next
    token and uses the likeliest one.

    Numbers of one model at one step can be compared. The norm decreases as embeddings grow, and is not in nats:
    compare two models, or two steps, by the shares within a row, its numbers over their sum.
    """
    del config

    def probe(model: LanguageModel, tokens: Tensor) -> list[Reading]:
        T = tokens.shape[1]
        if T > LONGEST:
            raise BadInput(
                "influences take a pass over the text for each of its tokens, and it has too many",
                field="readings.tokens", value=T, allowed=f"at most {LONGEST}", remedy="Read fewer tokens",
            )  # fmt: skip
        logits = model(tokens)
        if logits.shape[:-1] != tokens.shape:
            raise BadInput("this model makes no prediction at each token", remedy="Choose another probe")
        wanted = torch.where((truth := targets(model, tokens)) < 0, logits[0].argmax(-1), truth)
        leaks = model.task.causal and not model.causal
        slopes = None if leaks or model.learns == "counting" else _slopes(model, tokens, wanted)
        if slopes is not None:
            return [Reading("influence", ("query", "key"), slopes, units="logits")]
        return [Reading("influence", ("query", "key"), _changes(model, tokens, wanted), units="nats")]

    return probe


def _slopes(model: LanguageModel, tokens: Tensor, wanted: Tensor) -> Tensor | None:
    """Return (query, key) norms of the gradients of logits by embeddings; None if no logit depends on an embedding.

    Each copy of the text contributes its logit at one position, so one backward pass gives many rows of the map.
    """
    parts: list[list[Tensor]] = []  # of each pass, by what may be the embeddings
    for rows in torch.split(torch.arange(len(wanted), device=tokens.device), ROWS):
        with torch.enable_grad():
            with embeddings(model) as candidates:
                logits = model(tokens.expand(len(rows), -1))
            total = logits[torch.arange(len(rows)), rows, wanted[rows]].float().sum()
            parts.append([_norms(total, x, tokens.shape[1]) for x in candidates])
    found = [torch.cat(norms) for norms in zip(*parts, strict=True)]
    return next((norms for norms in found if norms.any()), None)


def _norms(total: Tensor, x: Sequence[Tensor], tokens: int) -> Tensor:
    """Return (rows, tokens) norms of the gradients by embeddings; zeros if there is not one for each token."""
    if total.requires_grad and all(each.requires_grad for each in x):
        found = torch.autograd.grad(total, x, retain_graph=True, allow_unused=True, materialize_grads=True)
        each = [gradient if gradient.ndim == 3 else gradient[:, None] for gradient in found]
        norms: Tensor = torch.cat(each, dim=1).float().norm(dim=-1)
        if norms.shape[1] == tokens:
            return norms
    return total.new_zeros(1, tokens)


def _changes(model: LanguageModel, tokens: Tensor, wanted: Tensor) -> Tensor:
    """Return (query, key) means of |change of log p| when each token is replaced by others."""
    T, V = tokens.shape[1], model.task.vocabulary_size
    if V < 2:
        raise BadInput("a model of one symbol has no other to replace it", remedy="Choose another probe")
    further = 1 + torch.randperm(V - 1, generator=torch.Generator().manual_seed(SEED))[:OTHERS].to(tokens.device)
    texts = tokens.repeat(len(further), T, 1)  # by other token and by position
    texts.diagonal(0, 1, 2).add_(further[:, None]).remainder_(V)
    with torch.no_grad():
        parts = tokens, *torch.split(texts.flatten(0, 1), ROWS)
        scores = [model.score(part, wanted.expand(len(part), -1)) for part in parts]
    nats = torch.cat(scores).float().clamp(min=math.log(LEAST))
    return (nats[1:] - nats[0]).abs().view(-1, T, T).mean(0).T
