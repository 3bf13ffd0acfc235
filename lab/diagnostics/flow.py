"""How the tokens of a text influence each other through a model: along its maps, and by what they change."""

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
"""Tokens of a text at most: it is read once for each."""
ROWS = 16
"""Copies of the text that are read at once."""
OTHERS = 4
"""Tokens that replace each one, where there are no gradients."""
SEED = 20240223
"""Of these tokens."""
LEAST = 1e-9
"""The least value of a probability whose logarithm is compared."""


def rollout(config: Any) -> ProbeFunction:
    """Return the probe of what is left of each token at each position after all layers (Abnar & Zuidema 2020, eq. 1).

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
    """Return the probe of how far each token s changes the prediction at each position t, for models of every kind.

    ‖∂ logit of the right token at t / ∂ embedding of s‖, in logits for an embedding that is 1 longer. Where gradients
    do not show it, the token s is replaced by others, drawn once: the mean |change of log p of the right token at t|,
    in nats. That is so for a model that counts, for one without a table of embeddings, and for one that predicts the
    next token and reads it: an expert that chooses among tokens has no slope, and the leak would not show. The units
    of the reading tell which it is.

    The right token is the next one, or the token itself where models may read both ways. The last position has no next
    one, and takes the likeliest.

    Numbers of one model at one step can be compared. The norm falls as embeddings grow, and has other units than nats:
    compare two models, or two steps, by the shares of a row, its numbers over their sum.
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
            raise BadInput("this model makes no guess at each token", remedy="Choose another probe")
        wanted = torch.where((truth := targets(model, tokens)) < 0, logits[0].argmax(-1), truth)
        leaks = model.task.causal and not model.causal
        slopes = None if leaks or model.learns == "counting" else _slopes(model, tokens, wanted)
        if slopes is not None:
            return [Reading("influence", ("query", "key"), slopes, units="logits")]
        return [Reading("influence", ("query", "key"), _changes(model, tokens, wanted), units="nats")]

    return probe


def _slopes(model: LanguageModel, tokens: Tensor, wanted: Tensor) -> Tensor | None:
    """Return (query, key) norms of the gradients of logits by embeddings; None where no embedding leads to a logit.

    One copy of the text gives its logit at one position, so one backward pass gives many rows of the map.
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
    """Return (rows, tokens) norms of the gradients by embeddings; zeros where there is none for each token."""
    if total.requires_grad and all(each.requires_grad for each in x):
        found = torch.autograd.grad(total, x, retain_graph=True, allow_unused=True, materialize_grads=True)
        each = [gradient if gradient.ndim == 3 else gradient[:, None] for gradient in found]
        norms: Tensor = torch.cat(each, dim=1).float().norm(dim=-1)
        if norms.shape[1] == tokens:
            return norms
    return total.new_zeros(1, tokens)


def _changes(model: LanguageModel, tokens: Tensor, wanted: Tensor) -> Tensor:
    """Return (query, key) means of |change of log p| when other tokens replace each."""
    T, V = tokens.shape[1], model.task.vocabulary_size
    if V < 2:
        raise BadInput("a model of one symbol has no other to put in its place", remedy="Choose another probe")
    further = 1 + torch.randperm(V - 1, generator=torch.Generator().manual_seed(SEED))[:OTHERS].to(tokens.device)
    texts = tokens.repeat(len(further), T, 1)  # by other token and by position
    texts.diagonal(0, 1, 2).add_(further[:, None]).remainder_(V)
    with torch.no_grad():
        parts = tokens, *torch.split(texts.flatten(0, 1), ROWS)
        scores = [model.score(part, wanted.expand(len(part), -1)) for part in parts]
    nats = torch.cat(scores).float().clamp(min=math.log(LEAST))
    return (nats[1:] - nats[0]).abs().view(-1, T, T).mean(0).T
