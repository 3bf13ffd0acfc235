"""The time for maps between 64 tokens: the exact map and the influence map of every architecture."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from lab.api import BadInput
from lab.host import Plugins

TOKENS, VOCABULARY = 64, 65
"""Tokens of the text, and symbols of the vocabulary."""
SHAPE = {"layers": 4, "width": 128}
"""Size of each model that has these settings."""
COUNTED = 100_000
"""Number of tokens counted by a counting model."""
ROUNDS = 5
"""Measurements of each; the smallest counts, as disturbances only add time."""


def maps(rounds: int = ROUNDS) -> dict[str, Any]:
    """Measure milliseconds of a forward pass, a pass that reports maps, and the influence map, by architecture.

    Args:
        rounds: Measurements of each, in turn.

    Returns:
        "unit", "threads", "tokens", the values of SHAPE, and "models": by architecture "forward", "map" (None without
        maps) and "influence"; and the largest of each, "slowest_map" and "slowest_influence".
    """
    import torch

    found = {}
    for name, card in Plugins(safe_mode=True).cards("architectures").items():
        if "causal" in card.tasks:
            with torch.random.fork_rng(), torch.no_grad():
                torch.manual_seed(0)
                found[name] = _milliseconds(_passes(card), rounds)
    return {
        "unit": "milliseconds", "threads": torch.get_num_threads(), "tokens": TOKENS, **SHAPE, "models": found,
        "slowest_map": max(times["map"] or 0.0 for times in found.values()),
        "slowest_influence": max(times["influence"] or 0.0 for times in found.values()),
    }  # fmt: skip


def _passes(card: Any) -> dict[str, Callable[[], object]]:
    """Return the passes to measure for a model of this architecture."""
    import torch

    from lab.api import Task
    from lab.diagnostics.flow import influence
    from lab.diagnostics.maps import mixing_maps

    settings = {name: value for name, value in SHAPE.items() if name in card.config.model_fields}
    model = card.make(card.config(**settings), Task(VOCABULARY, TOKENS)).eval()
    if model.learns == "counting":
        model.count((VOCABULARY * np.random.default_rng(0).random(COUNTED) ** 2).astype(np.int64))
    tokens, probe = torch.randint(VOCABULARY, (1, TOKENS)), influence(None)
    return {
        "forward": lambda: model(tokens),
        "map": lambda: mixing_maps(model, tokens),
        "influence": lambda: probe(model, tokens),
    }


def _milliseconds(passes: dict[str, Callable[[], object]], rounds: int) -> dict[str, float | None]:
    """Return the smallest time of each pass after one warm-up pass; None for a pass that the model refuses."""
    least: dict[str, float | None] = {}
    for name, once in passes.items():
        try:
            once()
        except BadInput:
            least[name] = None
            continue
        took = []
        for _ in range(rounds):
            started = time.perf_counter()
            once()
            took.append(1000 * (time.perf_counter() - started))
        least[name] = min(took)
    return least
