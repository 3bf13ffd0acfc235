"""The built-in learning-rate schedules: pure functions from the step to a factor on the learning rate."""

from __future__ import annotations

import math
from collections.abc import Callable

from lab.training.builtins import ConstantConfig, CosineConfig


def constant(config: ConstantConfig, steps: int) -> Callable[[int], float]:
    """Return 1 after a linear warm-up, and (step + 1) / (warmup + 1) during it."""
    del steps
    return lambda step: min(1.0, (step + 1) / (config.warmup + 1))


def cosine(config: CosineConfig, steps: int) -> Callable[[int], float]:
    """Return a linear warm-up, then floor + (1 − floor) (1 + cos π r) / 2 at the share r of the remaining steps."""
    end = config.steps or steps

    def factor(step: int) -> float:
        if step < config.warmup:
            return (step + 1) / (config.warmup + 1)
        if step >= end:
            return config.floor
        share = (step - config.warmup) / max(1, end - config.warmup)
        return config.floor + (1 - config.floor) * 0.5 * (1 + math.cos(math.pi * share))

    return factor
