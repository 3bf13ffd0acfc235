"""Learning-rate schedules, pure functions from the step to a factor on the learning rate, and the built-in ones."""

from __future__ import annotations

import math
from collections.abc import Callable

from lab.base import LabError
from lab.base.problems import attributed
from lab.training.builtins import ConstantConfig, CosineConfig
from lab.training.resolution import Resolved


def schedule_of(schedule: Resolved, steps: int) -> Callable[[int], float]:
    """Return the factor of a schedule for each step, checked at each call.

    Args:
        schedule: Its card and config.
        steps: The steps of the training.

    Raises:
        LabError: The schedule's code raised, now or when it is called, or its factor is not a finite number ≥ 0; the
            problem names its plugin.
    """
    own = schedule.make(steps)

    def factor(step: int) -> float:
        with attributed(schedule.plugin, schedule.card.title):
            found = own(step)
            number = float(found)
        if not 0 <= number < math.inf:
            raise LabError(
                f"the schedule's factor is {number:g} at step {step}",
                field="training.schedule.name",
                value=schedule.card.name,
                allowed="a finite number ≥ 0",
                remedy="Choose another schedule, or repair this one",
                plugin=schedule.plugin,
            )
        return number

    return factor


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
