"""Published mixtures of experts as presets, each with its own router and balance, at a width for a laptop."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lab_moe.sizes import WIDTH, settings_at


def _trained(steps: int = 1000) -> dict[str, Any]:
    """Return all training settings of a preset, so that they replace those of an earlier preset."""
    return {
        "objective": {"name": "causal"},
        "training": {
            "context_length": 128, "batch_size": 12, "accumulation": 1, "order": "crops", "steps": steps, "clip": 1.0,
            "average": 0,
            "optimizer": {
                "name": "adamw", "learning_rate": 2e-3, "beta1": 0.9, "beta2": 0.95, "eps": 1e-8, "weight_decay": 0.1,
            },
            "schedule": {"name": "cosine", "warmup": 100, "floor": 0.1},
        },
    }  # fmt: skip


PRESETS: Mapping[str, Mapping[str, Any]] = {
    # Jiang et al. 2024, section 2; the weight of the balance loss is that of the released config.
    "mixtral": {
        "architecture": {
            "chosen": 2, "activation": "swiglu", "balance": 0.02, "rotary_base": 1e6, "tie": False,
            **settings_at("mixtral", WIDTH),
        },
        **_trained(),
    },
    # Fedus et al. 2021, sections 2.1 and 2.2, which use T5's positions.
    "switch": {
        "architecture": {
            "experts": 8, "chosen": 1, "renormalise": False, "activation": "relu", "every": 2, "capacity": 1.25,
            "balance": 0.01, **settings_at("switch", WIDTH),
        },
        **_trained(),
    },
    # Dai et al. 2024, sections 3 and 5.1: many small experts, some of them shared; weights are not renormalised.
    "deepseek-moe": {
        "architecture": {
            "renormalise": False, "activation": "swiglu", "dense_first": 1, "balance": 0.001, "tie": False,
            **settings_at("deepseek-moe", WIDTH),
        },
        **_trained(),
    },
    # DeepSeek-AI 2024, sections 2.1.2 and 4.2, which use multi-head latent attention, three dense blocks of 61, and a
    # small balance loss per sequence.
    "deepseek-v3": {
        "architecture": {
            "experts": 16, "chosen": 4, "shared": 1, "scores": "sigmoid", "scale": 2.5, "activation": "swiglu",
            "dense_first": 1, "bias_rate": 0.001, "balance": 0.0001, "tie": False,
            **settings_at("deepseek-v3", WIDTH),
        },
        **_trained(),
    },
    # Shazeer et al. 2017, section 2.1 and appendix A, which put the experts between recurrent layers.
    "noisy-top-k": {
        "architecture": {
            "experts": 8, "chosen": 2, "routing": "noisy-top-k", "activation": "relu", "balance": 0.1,
            **settings_at("noisy-top-k", WIDTH),
        },
        **_trained(),
    },
    # Zhou et al. 2022, sections 3.2 and 4.1: an expert takes its tokens from the whole text, later ones too. So it
    # sees the tokens it predicts: they influence which tokens are taken.
    "expert-choice": {
        "architecture": {
            "experts": 8, "chosen": 2, "routing": "expert-choice", "activation": "gelu", "every": 2,
            **settings_at("expert-choice", WIDTH),
        },
        **_trained(),
    },
}  # fmt: skip
"""Partial recipes by name. Settings of the architecture that are missing here have their defaults."""
