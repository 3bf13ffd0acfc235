"""Probes of how much the state of each layer retains of earlier tokens: by gradients, and by a linear probe."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from lab.api import BadInput, LanguageModel, ProbeFunction, Reading, select_state
from lab.diagnostics.embeddings import embeddings
from lab.diagnostics.state.carried import Carried, carried, undisturbed

LAGS = 32
"""The longest lag."""
SIGNS = 8
"""Number of random directions of the state whose gradients are computed."""
SYMBOLS = 16
"""The largest number of symbols of the random texts, so that chance is known."""
LENGTH = 64
"""Number of tokens of a random text, if the model reads as many."""
FITTED, JUDGED = 64, 32
"""Numbers of random texts for fitting the linear probes and for testing them."""
FEATURES = 256
"""The largest number of inputs of a linear probe."""
SHRINKAGE = 1e-3
"""The shrinkage of the linear probes, as a share of the variance of one feature."""
SEED = 20070903
"""The seed of signs, texts and projections."""


def memory(config: Any) -> ProbeFunction:
    """Return the probe of two measures of the memory of each layer's state, by lag.

    Influence is (E |vᵀ ∂ state_T / ∂ embedding_{T−k}|²)½ divided by its value at lag 0, with T the last token of the
    text and v random signs (Hutchinson 1990): the Frobenius norm of the Jacobian, by one backward pass per layer.

    Recall is the share of tokens t − k that a linear probe, ridge regression to each symbol, predicts from the state
    after t. It is fitted on random texts of at most 16 symbols and tested on others; it reads 256 random sums of a
    large state. Chance is one over the number of symbols.
    """
    del config

    def probe(model: LanguageModel, tokens: Tensor) -> list[Reading]:
        with undisturbed(model):
            layers = carried(model, tokens)
            random = torch.Generator().manual_seed(SEED)
            influences, recalled = (
                _influence(model, tokens, layers, random),
                _recall(model, layers, tokens.device, random),
            )
        readings = []
        for layer, shares in influences.items():
            readings.append(_by_lag("influence by lag", {"influence": shares}, layer))
        for layer, (shares, chance) in recalled.items():
            curves = {"recalled": shares, "chance": torch.full_like(shares, chance)}
            readings.append(_by_lag("recall by lag", curves, layer))
        return readings

    return probe


def _by_lag(name: str, curves: dict[str, Tensor], layer: Carried) -> Reading:
    values = torch.stack([*curves.values()])
    coordinates: dict[str, tuple[str | float, ...]] = {"quantity": tuple(curves), "lag": tuple(range(values.shape[1]))}
    return Reading(name, ("quantity", "lag"), values, layer.layer, layer.path, None, coordinates)


def _influence(
    model: LanguageModel, tokens: Tensor, layers: Sequence[Carried], random: torch.Generator
) -> dict[Carried, Tensor]:
    """Return the influence (lags,) on each layer's state; {} for a model without gradients by its embeddings."""
    if model.learns == "counting":
        return {}
    count = min(LAGS + 1, tokens.shape[1])
    before, read = tokens[:, :-count], tokens[:, -count:].expand(SIGNS, -1)
    now = model.start(1)
    if before.shape[1]:
        now = model.extend(before, now, last=1)[1]
    now = select_state(now, torch.zeros(SIGNS, dtype=torch.long, device=tokens.device))
    found = {}
    with torch.enable_grad():
        with embeddings(model) as candidates:
            after = model.extend(read, now, last=1)[1]
        for layer in layers:
            states = _numbers(layer.of(after))
            signs = torch.randint(2, states.shape, generator=random).mul(2).sub(1).to(states.device)
            for x in candidates:
                norms = _gradient((states * signs).sum(), x)
                if len(norms) == count:
                    found[layer] = norms.flip(0) / norms[-1].masked_fill(norms[-1] == 0, torch.nan)
                    break
    return found


def _gradient(y: Tensor, x: Sequence[Tensor]) -> Tensor:
    """Return the norm of the gradient by each token's embedding, root mean square over rows, (T,); (0,) if none."""
    if not y.requires_grad or not all(one.requires_grad for one in x):
        return torch.zeros(0)
    parts = torch.autograd.grad(y, x, retain_graph=True, allow_unused=True)
    rows = [torch.zeros_like(one) if part is None else part for one, part in zip(x, parts, strict=True)]
    gradients = torch.cat([row if row.ndim == 3 else row[:, None] for row in rows], dim=1)  # (B, T, C)
    return gradients.detach().cpu().double().square().sum(-1).mean(0).sqrt()


def _recall(
    model: Any, layers: Sequence[Carried], device: torch.device, random: torch.Generator
) -> dict[Carried, tuple[Tensor, float]]:
    """Return the share of tokens predicted correctly at each lag, (lags,), and that of chance, by layer."""
    count = min(SYMBOLS, model.task.vocabulary_size)
    if count < 2:
        raise BadInput("a model of one symbol has nothing to recall", remedy="Choose another probe")
    symbols = torch.randperm(model.task.vocabulary_size, generator=random)[:count]
    length = min(LENGTH, model.reach or LENGTH)
    lags = min(LAGS, length // 2) + 1
    written = torch.randint(count, (FITTED + JUDGED, length), generator=random)
    texts, now = symbols[written].to(device), model.start(len(written))
    projections: dict[Carried, _Sums] = {}
    features: dict[Carried, list[Tensor]] = {layer: [] for layer in layers}
    if lags > 1:  # one set of positions for all lags, so that one system of equations gives all probes
        now = model.extend(texts[:, : lags - 1], now, last=1)[1]
    for t in range(lags - 1, length):
        now = model.extend(texts[:, t : t + 1], now, last=1)[1]
        for layer in layers:
            states = _numbers(layer.of(now))
            if layer not in projections:
                projections[layer] = _Sums(states.shape[1], random, device)
            features[layer].append(projections[layer](states.float()).cpu())
    wanted = torch.stack([written[:, lags - 1 - lag : length - lag] for lag in range(lags)], dim=-1)  # (B, n, lags)
    return {
        layer: (_share_right(torch.stack(read, dim=1), wanted, count), 1 / count) for layer, read in features.items()
    }


def _numbers(states: Tensor) -> Tensor:
    """Return states (B, …), real or complex, as (B, real numbers)."""
    return states.flatten(1) if not states.is_complex() else torch.view_as_real(states).flatten(1)


class _Sums:
    """A projection to FEATURES sums: each number, with a random sign, is part of one of them."""

    def __init__(self, size: int, random: torch.Generator, device: torch.device) -> None:
        self._each = -(-size // FEATURES)
        self._signs = torch.randint(2, (self._each, FEATURES), generator=random).mul(2).sub(1).float().to(device)

    def __call__(self, x: Tensor) -> Tensor:
        """Return the sums, (B, size) -> (B, FEATURES), or x itself if it is no larger."""
        if self._each == 1:
            return x
        wide = F.pad(x, (0, self._signs.numel() - x.shape[1])).view(len(x), self._each, FEATURES)
        return torch.einsum("bef,ef->bf", wide, self._signs)


def _share_right(read: Tensor, wanted: Tensor, symbols: int) -> Tensor:
    """Return the share of symbols that linear probes predict correctly.

    Args:
        read: (B, n, features): their inputs, first the rows for fitting, then those for testing.
        wanted: (B, n, lags): the symbols.
        symbols: The number of symbols.

    Returns:
        (lags,); NaN if an input is not finite.
    """
    lags = wanted.shape[-1]
    if not read.isfinite().all():
        return torch.full((lags,), torch.nan)
    fitted, judged = read[:FITTED].flatten(0, 1).double(), read[FITTED:].flatten(0, 1).double()
    mean, spread = fitted.mean(0), fitted.std(0)
    scale = torch.where(spread > torch.finfo(torch.float32).eps * mean.abs(), 1 / spread, 0)
    fitted, judged = (fitted - mean) * scale, (judged - mean) * scale
    one_hot = F.one_hot(wanted[:FITTED].flatten(0, 1), symbols).flatten(1).double()  # (rows, lags · symbols)
    usual = one_hot.mean(0)
    shrunk = fitted.mT @ fitted + SHRINKAGE * len(fitted) * torch.eye(fitted.shape[1], dtype=torch.float64)
    weights = torch.linalg.solve(shrunk, fitted.mT @ (one_hot - usual))
    guesses = (judged @ weights + usual).view(len(judged), lags, symbols).argmax(-1)
    right: Tensor = guesses == wanted[FITTED:].flatten(0, 1)
    return right.float().mean(0)
