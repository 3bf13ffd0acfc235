"""BERT and its relatives as presets, at a width that trains on a laptop in minutes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lab_encoder.sizes import scaled

WIDTH = 128
"""Width of the presets; other sizes can be chosen."""


def _trained(
    *, objective: Mapping[str, Any] | None = None, context: int = 128, batch: int = 16, steps: int = 2000
) -> dict[str, Any]:
    """Return all training settings of a preset, so that they replace those of an earlier preset."""
    return {
        "objective": {"name": "masked", **(objective or {})},
        "training": {
            "context_length": context, "batch_size": batch, "accumulation": 1, "order": "crops", "steps": steps,
            "clip": 1.0, "average": 0,
            "optimizer": {
                "name": "adamw", "learning_rate": 2e-3, "beta1": 0.9, "beta2": 0.98, "eps": 1e-8, "weight_decay": 0.01,
            },
            "schedule": {"name": "cosine", "warmup": 200, "floor": 0.1},
        },
    }  # fmt: skip


_BERT = {"norm_epsilon": 1e-12, "norm_place": "post", "positions": "learned", "feed_forward": "gelu", "segments": 2}

PRESETS: Mapping[str, Mapping[str, Any]] = {
    # Devlin et al. 2018: hidden tokens and the next sentence; the pairs, and so the masks, are new at every reading.
    "bert": {
        "architecture": {**_BERT, "pooler": "tanh", **scaled(WIDTH)},
        **_trained(objective={"name": "next-sentence"}),
    },
    # Liu et al. 2019: new masks at every reading, no next sentence.
    "roberta": {
        "architecture": {**_BERT, "segments": 1, "norm_epsilon": 1e-5, "pooler": "tanh", **scaled(WIDTH)},
        **_trained(),
    },
    # Lan et al. 2020: one block for all layers, a narrow embedding. It predicts the order of two sentences instead of
    # the next one, which is left out here.
    "albert": {
        "architecture": {
            **_BERT, "feed_forward": "gelu-tanh", "shared_groups": 1, "pooler": "tanh",
            **scaled(WIDTH, embedding_width=64),
        },
        **_trained(),
    },
    # Sanh et al. 2019: half of BERT's layers, no segments. Trained here by itself; the objective of distillation learns
    # from a larger run.
    "distilbert": {
        "architecture": {**_BERT, "segments": 0, "pooler": "relu", **scaled(WIDTH), "layers": 2},
        **_trained(),
    },
    # Not published: pre-norm, rotary positions, RMSNorm and a gate, as in today's decoders.
    "modern": {
        "architecture": {
            "norm": "rms", "norm_place": "pre", "positions": "rotary", "feed_forward": "geglu", "bias": False,
            "segments": 0, "embedding_norm": False, "norm_epsilon": 1e-5, **scaled(WIDTH),
        },
        **_trained(),
    },
    "bidirectional-lstm": {
        "architecture": {
            **_BERT, "norm_place": "pre", "norm_epsilon": 1e-5, "pattern": "lstm", "positions": "none", "segments": 0,
            **scaled(WIDTH), "layers": 2,
        },
        **_trained(),
    },
    "two-way-mamba": {
        "architecture": {
            **_BERT, "norm": "rms", "norm_place": "pre", "norm_epsilon": 1e-5, "pattern": "mamba", "positions": "none",
            "segments": 0, "bias": False, "mamba": {"state": 8}, **scaled(WIDTH),
        },
        **_trained(),
    },
}  # fmt: skip
"""Partial recipes of the encoder by name."""

PRESET_NOTES: Mapping[str, str] = {
    "bert": "It also predicts whether the second half of a row follows the first, and adds both losses in training.",
    "roberta": "Other tokens are hidden each time a row is read, and nothing but them is predicted.",
    "albert": "All blocks have one set of weights, and the embedding is half as wide as the blocks.",
    "modern": "Not a published model: the parts of today's decoders in an encoder.",
    "bidirectional-lstm": "Two LSTMs read each layer, one from each side.",
    "two-way-mamba": "Two Mambas read each layer, one from each side.",
}
"""Sentences about presets, by name."""

ELECTRA_PRESETS: Mapping[str, Mapping[str, Any]] = {
    "electra": {
        "architecture": {**_BERT, "pooler": "gelu", "generator_share": 0.25, **scaled(WIDTH)},
        **_trained(objective={"name": "replaced-tokens"}),
    },
}
"""Partial recipes of ELECTRA by name."""
