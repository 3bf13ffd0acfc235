"""Rows with a number to predict: waves of one number, and a linear rule of many, with the loss of their noise."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from lab.api import BadInput, Vectors, setting
from lab.sources.rows.draws import RowsConfig, normals, row_uniforms
from lab.sources.rows.points import Floats, snapped

MOST_NUMBERS = 100_000_000
"""The largest product of rows and features, 400 MB."""
_AT_ONCE = 1 << 22  # numbers drawn at once


class CurveConfig(RowsConfig):
    """A wave with noise."""

    shape: Literal["sine", "step", "sawtooth"] = setting(
        "sine",
        help="The wave. A step jumps between −1 and 1; a sawtooth rises and falls in straight lines, one tooth in each "
        "wave.",
        cite="Telgarsky 2016 (sawtooth)",
    )
    waves: float = setting(2.0, gt=0, le=50, unit="waves", help="Full waves between −1 and 1.")
    noise: float = setting(0.1, ge=0, le=2, help="Standard deviation of what is added to the number to predict.")


class LinearRuleConfig(RowsConfig):
    """A linear rule with noise, of which some features may be small."""

    features: int = setting(20, ge=1, le=10_000, log=True, unit="features", help="Numbers in each row.")
    noise: float = setting(0.5, ge=0, le=10, help="Standard deviation of what is added to the number to predict.")
    small: int = setting(
        0, ge=0, le=10_000, unit="features",
        help="Features that are small, so that gradient descent learns them late; 0 for none, and at most all.",
        cite="Heckel & Yilmaz 2021",
    )  # fmt: skip
    size: float = setting(
        0.05, gt=0, le=1, log=True, help="Standard deviation of the small features; that of the others is 1."
    )
    share: float = setting(
        0.5, ge=0, le=1, help="Share of the variance of the rule that comes from the small features."
    )

    @classmethod
    def unused(cls, values: Mapping[str, Any]) -> frozenset[str]:
        """Return the settings that are only of small features."""
        return frozenset() if values.get("small") else frozenset({"size", "share"})


def curve(config: CurveConfig) -> Vectors:
    """Return positions between −1 and 1, each with the height of a wave there and noise, whose square is lost."""
    uniform = row_uniforms(config, 0, np.arange(config.rows), 3)
    inputs = snapped(2 * uniform[:, :1] - 1)
    heights = _heights(config, inputs) + config.noise * normals(uniform[:, 1:])
    return Vectors(
        config.shape,
        inputs.astype(np.float32),
        snapped(heights).astype(np.float32),
        features=("x",),
        outputs=("y",),
        floors={"noise": round(config.noise**2, 12)},
    )


def _heights(config: CurveConfig, x: Floats) -> Floats:
    """Return the height of the wave without noise; each begins at 0 and rises, as a sine does."""
    if config.shape == "sine":
        return np.sin(math.pi * config.waves * x)
    waves = config.waves * x / 2
    if config.shape == "step":
        return np.where(waves - np.floor(waves) < 0.5, 1.0, -1.0)
    quarter = waves + 0.75
    return 4 * np.abs(quarter - np.floor(quarter) - 0.5) - 1


def linear_rule(config: LinearRuleConfig) -> Vectors:
    """Return rows of independent normal numbers x with y = Σ θᵢ xᵢ + noise, where Σ θᵢ² Var(xᵢ) = 1.

    All θᵢ of features of one size are equal: since their distribution is round, no other direction is different. The
    rule is the same for every seed, which draws the rows and the noise.

    Raises:
        BadInput: There would be too many numbers.
    """
    if config.rows * config.features > MOST_NUMBERS:
        raise BadInput(
            f"{config.rows:,} rows of {config.features:,} features are too many numbers",
            field="corpus.rows",
            value=config.rows,
            allowed=f"at most {MOST_NUMBERS // config.features:,} rows of so many features",
        )
    small = min(config.small, config.features)
    large = config.features - small
    share = (config.share if large else 1.0) if small else 0.0
    sizes = np.r_[np.ones(large), np.full(small, config.size)]
    rule = np.r_[
        np.full(large, math.sqrt((1 - share) / max(1, large))), np.full(small, math.sqrt(share / max(1, small)))
    ]
    inputs = np.empty((config.rows, config.features), np.float32)
    targets = np.empty((config.rows, 1), np.float32)
    at_once = max(1, _AT_ONCE // (config.features + 1))
    for start in range(0, config.rows, at_once):
        rows = np.arange(start, min(start + at_once, config.rows))
        drawn = normals(row_uniforms(config, 0, rows, 2 * (config.features + 1)))
        units = snapped(drawn[:, 1:])
        inputs[rows] = snapped(units * sizes)
        targets[rows] = snapped(units @ rule[:, None] + config.noise * drawn[:, :1])
    names = tuple(f"x{number}" for number in range(1, config.features + 1))
    return Vectors(
        "linear rule", inputs, targets, features=names, outputs=("y",), floors={"noise": round(config.noise**2, 12)}
    )
