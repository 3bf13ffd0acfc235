"""Scores of heads: how widely and how far each one reads, and how much it acts as one of the known kinds."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lab.api import LanguageModel, ProbeFunction, Reading
from lab.diagnostics.maps import ONE_MAP, labelled_maps, mixing_maps, shares

QUANTITIES = ("entropy", "mean distance", "previous token", "duplicate token", "induction", "first token")
UNITS = {"entropy": "bits", "mean distance": "tokens back"}
"""The units of the quantities that are no shares."""
REPEATED = 16
"""Number of tokens in the repeated sequence, if the model can read as many."""
ROWS = 4
"""Number of such texts."""
SEED = 20220308
"""The seed of the texts: the day on which Olsson et al. 2022 appeared."""


def head_scores(config: Any) -> ProbeFunction:
    """Return the probe of six quantities of each head, from the shares of its absolute weights a(t, s).

    On the probe text, means over all tokens but the first: entropy −Σ a log₂ a in bits, distance Σ a |t − s| in tokens,
    a(t, t − 1), and a(t, 0). On random tokens written twice, r r with L tokens in r, means over the second half:
    a(t, t − L), which reads the same token, and a(t, t − L + 1), which reads the one after it (Olsson et al. 2022).
    Maps that are no heads, such as the means over channels of Mamba, come in a reading of their own with their labels.
    """
    del config

    def probe(model: LanguageModel, tokens: Tensor) -> list[Reading]:
        on_text = labelled_maps(model, tokens)
        twice, length = _twice(model, tokens.device)
        repeating = mixing_maps(model, twice) if length else {}
        scores: dict[tuple[str, ...], dict[str, np.ndarray]] = {}
        for layer, maps in on_text.items():
            entropy, distance, previous, first = _on_text(shares(maps.weights))
            nothing = torch.full_like(entropy, torch.nan)
            duplicate, induction = _on_repeats(shares(repeating[layer]), length) if length else (nothing, nothing)
            found = torch.stack([entropy, distance, previous, duplicate, induction, first]).cpu().numpy()
            scores.setdefault(maps.labels, {})[layer] = found
        return [_reading(labels, of_layers) for labels, of_layers in scores.items()]

    return probe


def _reading(labels: tuple[str, ...], scores: Mapping[str, np.ndarray]) -> Reading:
    """Return the scores of the layers whose maps have these labels; without labels they are those of heads."""
    most = max(each.shape[1] for each in scores.values())
    values = np.full((len(QUANTITIES), len(scores), most), np.nan, np.float32)
    for index, each in enumerate(scores.values()):
        values[:, index, : each.shape[1]] = each
    coordinates = {"quantity": QUANTITIES, "layer": tuple(scores), **({"head": labels} if labels else {})}
    of_maps = "map scores" if labels == ONE_MAP else f"map scores ({', '.join(labels)})"
    name, axes = of_maps if labels else "head scores", ("quantity", "layer", "head")
    return Reading(name, axes, values, coordinates=coordinates, quantity_units=UNITS)


def _on_text(maps: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Return entropy, mean distance, and the shares of previous and first token, (H,) each."""
    _, _, T, S = maps.shape
    maps = maps[0, :, min(1, T - 1) :]  # (H, tokens that read, S); the first token can only read itself
    position = torch.arange(S, device=maps.device)
    reader = position[-maps.shape[1] :, None]
    entropy = -torch.xlogy(maps, maps).sum(-1).mean(-1) / np.log(2)
    distance = (maps * (reader - position).abs()).sum(-1).mean(-1)
    before = (maps * (reader - position == 1)).sum(-1).mean(-1)
    return entropy, distance, before, maps[:, :, 0].mean(-1)


def _on_repeats(maps: Tensor, length: int) -> tuple[Tensor, Tensor]:
    """Return the shares of duplicate token and induction, (H,) each, of maps (B, H, 2 L, 2 L)."""
    second = maps[:, :, length:]  # t − L counts from 0
    same = second.diagonal(0, -2, -1)
    after = second.diagonal(1, -2, -1)
    return same.mean((0, -1)), after.mean((0, -1))


def _twice(model: Any, device: torch.device) -> tuple[Tensor, int]:
    """Return (ROWS, 2 L) random tokens, each exactly twice, and L, which is 0 if the model can read too few."""
    vocabulary = model.task.vocabulary_size
    length = min(REPEATED, vocabulary, REPEATED if model.reach is None else model.reach // 2)
    return torch.tensor(_random_rows(vocabulary, length), device=device).repeat(1, 2), length


@functools.cache
def _random_rows(vocabulary: int, length: int) -> list[list[int]]:
    """Return ROWS rows of different random tokens."""
    random = np.random.default_rng(SEED)
    return [random.choice(vocabulary, length, replace=False).tolist() for _ in range(ROWS)]
