"""The probes of attention: its scores, its circuits, and the effect of positions."""

from __future__ import annotations

import math
from contextlib import ExitStack
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from lab.api import BadInput, LanguageModel, ProbeFunction, Reading
from lab.layers import Attention, ResidualStack, rotate, sinusoids
from lab_transformer.model import Transformer, without_order

BINS = 64
"""Bins of a histogram of scores."""
LAGS = 512
"""Most distances between positions, if the context is long enough."""
SEED = 20170612
"""Seed of the permutation: the day on which Vaswani et al. 2017 appeared."""


def score_histogram(config: Any) -> ProbeFunction:
    """Return the probe of scores q·k of all pairs that are read, with and without 1/√D, as shares of pairs per bin.

    It also returns the mean over heads and tokens of the largest weight after softmax of each, including what positions
    add, before soft cap and sink (Vaswani et al. 2017, section 3.2.1).
    """
    del config

    def probe(model: LanguageModel, tokens: Tensor) -> list[Reading]:
        inputs: dict[nn.Module, Tensor] = {}
        with ExitStack() as hooks:
            for module in attentions(model):
                hook = module.register_forward_pre_hook(lambda module, given: inputs.update({module: given[0]}))
                hooks.enter_context(hook)
            model(tokens)
        readings = []
        for layer, module in enumerate(attentions(model)):
            readings += _scores(module, inputs[module], layer)
        return readings

    return probe


def _scores(module: Attention, x: Tensor, layer: int) -> list[Reading]:
    T, divisor = x.shape[1], math.sqrt(module.head_width)
    q, k, _ = module.queries_keys_values(x)
    shared = module.heads // module.kv_heads
    scores = (q[0] @ k[0].repeat_interleave(shared, dim=0).mT).float()  # (H, T, T)
    index = torch.arange(T, device=x.device)
    read = module.window.reads(index[:, None], index)
    pairs = scores[:, read].cpu().numpy()
    edges = np.histogram_bin_edges(pairs, BINS)  # the divided scores are in the same range
    counts = [np.histogram(each, edges)[0] for each in (pairs / divisor, pairs)]
    quantities, centres = ("q·k / √D", "q·k"), tuple(((edges[1:] + edges[:-1]) / 2).tolist())
    added = module.positional_scores(T).masked_fill(~read, -math.inf)
    largest = [float((each + added).softmax(-1).amax(-1).mean()) for each in (scores / divisor, scores)]
    coordinates = {"quantity": quantities}
    return [
        Reading(
            "score histogram", ("quantity", "bin"), np.stack(counts) / pairs.size, layer,
            units="share", coordinates={**coordinates, "bin": centres},
        ),
        Reading("largest weight", ("quantity",), np.array(largest), layer, units="share", coordinates=coordinates),
    ]  # fmt: skip


def permutation(config: Any) -> ProbeFunction:
    """Return the probe of f(P X) = P f(X), which holds without positions for the tokens in another order P X.

    Its values are ‖f(P X) − P f(X)‖ / ‖P f(X)‖ of each token's logits, for the model as it is and for a copy whose
    positions add nothing and whose tokens read all others. The order is drawn from a generator of its own.
    """
    del config

    def probe(model: LanguageModel, tokens: Tensor) -> list[Reading]:
        if not isinstance(model, Transformer):
            raise BadInput("this probe is for transformers", remedy="Choose another probe")
        order = torch.from_numpy(np.random.default_rng(SEED).permutation(tokens.shape[1])).to(tokens.device)
        values = [_differences(each, tokens, order) for each in (model, without_order(model))]
        coordinates = {"quantity": ("as it is", "without positions")}
        return [Reading("permutation", ("quantity", "token"), torch.stack(values), coordinates=coordinates)]

    return probe


def _differences(model: nn.Module, tokens: Tensor, order: Tensor) -> Tensor:
    """Return the relative difference (T,) of each token's logits when the text is read in another order."""
    as_written: Tensor = model(tokens)[0].float()
    permuted = torch.empty_like(as_written)
    permuted[order] = model(tokens[:, order])[0].float()
    distance: Tensor = torch.linalg.vector_norm(permuted - as_written, dim=-1)
    size: Tensor = torch.linalg.vector_norm(as_written, dim=-1)
    return distance / size.clamp(min=torch.finfo().tiny)


def position_scores(config: Any) -> ProbeFunction:
    """Return the probe of what positions alone add to the score of a token by distance, and of the encodings.

    Encodings added to the embedding (learned, sinusoidal): their dot products, averaged over positions. Rotary:
    q · R k of two vectors 1/√D, the mean of cos(distance · θ) over the pairs of channels; its image has the cosines and
    then the sines of the angles. A bias (ALiBi, T5): its value for each head.
    """
    del config

    def probe(model: Any, tokens: Tensor) -> list[Reading]:
        module, T = attentions(model)[0], tokens.shape[1]
        lags = min(LAGS, model.task.context_length)
        image: Tensor | None = None
        if isinstance(model, ResidualStack) and model.positions != "none":
            encodings = _added(model, max(lags, T))
            image, products = encodings[:T], encodings[:lags] @ encodings[:lags].T
            scores = torch.stack([products.diagonal(-lag).mean() for lag in range(lags)])[None]
        elif module.rotary is not None:
            angles = torch.arange(T)[:, None] * module.rotary.frequencies(module.head_width)
            image = torch.cat([angles.cos(), angles.sin()], dim=1)
            unit = torch.full((1, 1, lags, module.head_width), module.head_width**-0.5)
            scores = (rotate(unit, 0, module.rotary)[0] * unit[0]).sum(-1)
        elif module.position_bias is not None:
            scores = module.positional_scores(lags)[:, -1].flip(-1)  # for the last token, from distance 0 on
        else:
            raise BadInput("this model has no positions")
        found = [Reading("position scores", ("head", "lag"), scores, coordinates={"lag": tuple(range(lags))})]
        return found if image is None else [*found, Reading("positions", ("token", "channel"), image)]

    return probe


def _added(model: ResidualStack, length: int) -> Tensor:
    """Return the encodings added to the embedding of the first tokens, (length, C)."""
    if model.positions == "learned":
        return model.position.weight[:length].detach().float()
    return sinusoids(0, length, model.config.width, model.output.weight.device)


def attentions(model: Any) -> list[Attention]:
    """Return the attention of each block.

    Raises:
        BadInput: A block has another token mixer.
    """
    mixers = [getattr(block, "token", None) for block in getattr(model, "blocks", ())]
    found = [mixer for mixer in mixers if isinstance(mixer, Attention)]
    if not found or len(found) < len(mixers):
        raise BadInput("this probe reads models whose blocks all have attention", remedy="Choose another probe")
    return found
