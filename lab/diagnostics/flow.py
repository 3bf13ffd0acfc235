"""How the tokens of a text move one another through the whole model: along its maps, and by what they change."""

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
"""Tokens of a text whose influences are taken: it is read once for each."""
ROWS = 16
"""Copies of the text that are read at once."""
OTHERS = 4
"""Tokens that are put in the place of each, where there are no gradients."""
SEED = 20240223
"""Of these tokens."""
LEAST = 1e-9
"""What a probability counts as at least, where its logarithm is compared."""


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
    """How far each token s moves what is guessed at each position t: one map for models of every kind.

    ‖∂ logit of the right token at t / ∂ embedding of s‖, in logits for an embedding that is 1 longer. Where gradients
    do not tell it, the token s is replaced by others, drawn once and for all: the mean |change of log p of the right
    token at t|, in nats. That is where a model counts, where it looks its tokens up in no table, and where it is to
    guess the next token and reads it: an expert that chooses among tokens has no slope, and the leak would not show.
    The units of the reading say which it is.

    The right token is the next one, or the token itself where models may read both ways. The last position has no next
    one, and stands with the likeliest.

    Numbers of one model compare, at one moment. The norm falls as embeddings grow, and nats are none of its units: two
    models, or two moments, compare by the shares of a row, its numbers over their sum.
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
        asked = torch.where((truth := targets(model, tokens)) < 0, logits[0].argmax(-1), truth)
        leaks = model.task.causal and not model.causal
        slopes = None if leaks or model.learns == "counting" else _slopes(model, tokens, asked)
        if slopes is not None:
            return [Reading("influence", ("query", "key"), slopes, units="logits")]
        return [Reading("influence", ("query", "key"), _changes(model, tokens, asked), units="nats")]

    return probe


def _slopes(model: LanguageModel, tokens: Tensor, asked: Tensor) -> Tensor | None:
    """(query, key) norms of the gradients of logits by embeddings; None where no embedding leads to a logit.

    Each copy of the text is asked for its logit at one position, so one pass backward gives many rows of the map.
    """
    parts: list[list[Tensor]] = []  # of each pass, by what may be the embeddings
    for rows in torch.split(torch.arange(len(asked), device=tokens.device), ROWS):
        with torch.enable_grad():
            with embeddings(model) as places:
                logits = model(tokens.expand(len(rows), -1))
            wanted = logits[torch.arange(len(rows)), rows, asked[rows]].float().sum()
            parts.append([_norms(wanted, x, tokens.shape[1]) for x in places])
    found = [torch.cat(norms) for norms in zip(*parts, strict=True)]
    return next((norms for norms in found if norms.any()), None)


def _norms(wanted: Tensor, x: Sequence[Tensor], tokens: int) -> Tensor:
    """(rows, tokens) norms of the gradients by embeddings; zeros where there is none for each token."""
    if wanted.requires_grad and all(each.requires_grad for each in x):
        found = torch.autograd.grad(wanted, x, retain_graph=True, allow_unused=True, materialize_grads=True)
        each = [gradient if gradient.ndim == 3 else gradient[:, None] for gradient in found]
        norms: Tensor = torch.cat(each, dim=1).float().norm(dim=-1)
        if norms.shape[1] == tokens:
            return norms
    return wanted.new_zeros(1, tokens)


def _changes(model: LanguageModel, tokens: Tensor, asked: Tensor) -> Tensor:
    """(query, key) means of |change of log p| when other tokens stand in the place of each."""
    T, V = tokens.shape[1], model.task.vocabulary_size
    if V < 2:
        raise BadInput("a model of one symbol has no other to put in its place", remedy="Choose another probe")
    further = 1 + torch.randperm(V - 1, generator=torch.Generator().manual_seed(SEED))[:OTHERS].to(tokens.device)
    texts = tokens.repeat(len(further), T, 1)  # by other token and by place
    texts.diagonal(0, 1, 2).add_(further[:, None]).remainder_(V)
    with torch.no_grad():
        parts = tokens, *torch.split(texts.flatten(0, 1), ROWS)
        scores = [model.score(part, asked.expand(len(part), -1)) for part in parts]
    nats = torch.cat(scores).float().clamp(min=math.log(LEAST))
    return (nats[1:] - nats[0]).abs().view(-1, T, T).mean(0).T
