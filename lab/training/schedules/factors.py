"""Learning-rate schedules: pure functions from the step to a factor of the learning rate."""

from __future__ import annotations

import bisect
import math
import operator
from collections.abc import Callable

from lab.base import BadInput, LabError
from lab.base.problems import attributed
from lab.training.resolution import Resolved
from lab.training.schedules.builtins import (
    ConstantConfig,
    CosineConfig,
    CyclicConfig,
    DecayConfig,
    DrawnConfig,
    ExponentialConfig,
    InverseRootConfig,
    MultiStepConfig,
    OneCycleConfig,
    PolynomialConfig,
    RestartsConfig,
    StableConfig,
    StepConfig,
)


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


Factor = Callable[[int], float]
"""From the number of a step, 0 for the first, to the factor of the learning rate."""


def warm(config: ConstantConfig, rest: Callable[[int], float]) -> Factor:
    """Return the factor (step + 1) / (warmup + 1) during the warm-up, and then that of the steps since its end."""
    length = config.warmup
    return lambda step: (step + 1) / (length + 1) if step < length else rest(step - length)


def falling(config: DecayConfig, steps: int, shape: Callable[[float], float]) -> Factor:
    """Return a warm-up, then floor + (1 − floor) shape(r) at the share r of the remaining steps.

    Args:
        config: The settings.
        steps: The steps of the training.
        shape: Falls from 1 at 0 to 0 at 1.
    """
    rest, floor = max(1, (config.steps or steps) - config.warmup), config.floor
    return warm(config, lambda step: floor if step >= rest else floor + (1 - floor) * shape(step / rest))


def constant(config: ConstantConfig, steps: int) -> Factor:
    """Return 1 after a linear warm-up."""
    del steps
    return warm(config, lambda _: 1.0)


def cosine(config: CosineConfig, steps: int) -> Factor:
    """Return a linear warm-up, then floor + (1 − floor) (1 + cos π r) / 2 at the share r of the remaining steps."""
    return falling(config, steps, half_cosine)


def half_cosine(share: float) -> float:
    """Return (1 + cos π r) / 2."""
    return 0.5 * (1 + math.cos(math.pi * share))


def linear(config: DecayConfig, steps: int) -> Factor:
    """Return a linear warm-up, then floor + (1 − floor) (1 − r)."""
    return falling(config, steps, lambda share: 1 - share)


def polynomial(config: PolynomialConfig, steps: int) -> Factor:
    """Return a linear warm-up, then floor + (1 − floor) (1 − r)^power."""
    power = config.power
    return falling(config, steps, lambda share: (1 - share) ** power)


def exponential(config: ExponentialConfig, steps: int) -> Factor:
    """Return a linear warm-up, then floor^r."""
    rest, floor = max(1, (config.steps or steps) - config.warmup), config.floor
    return warm(config, lambda step: floor ** min(1.0, step / rest))


def step(config: StepConfig, steps: int) -> Factor:
    """Return a linear warm-up, then factor^⌊t / every⌋ at the step t after it."""
    del steps
    every, factor = config.every, config.factor
    return warm(config, lambda step: factor ** (step // every))


def multi_step(config: MultiStepConfig, steps: int) -> Factor:
    """Return a linear warm-up, then factor^n after n of the milestones, which are shares of the training.

    Raises:
        BadInput: A milestone is not between 0 and 1.
    """
    if not all(0 < share < 1 for share in config.milestones):
        raise BadInput(
            "is no share of the training",
            field="training.schedule.milestones",
            value=config.milestones,
            allowed="numbers between 0 and 1, such as 0.5, 0.75",
        )
    at = sorted(round(share * steps) - config.warmup for share in config.milestones)
    factor = config.factor
    return warm(config, lambda step: factor ** bisect.bisect_right(at, step))


def cosine_restarts(config: RestartsConfig, steps: int) -> Factor:
    """Return a linear warm-up, then half a cosine from 1 to the floor in each period, which grows by a factor."""
    del steps
    period, growth, floor = config.period, config.growth, config.floor

    def factor(step: int) -> float:
        number = step // period if growth == 1 else int(math.log1p(step / period * (growth - 1)) / math.log(growth))
        begin, length = _period(number, period, growth)
        if step < begin or step >= begin + length:  # the logarithm was rounded across a restart
            number += 1 if step >= begin + length else -1
            begin, length = _period(number, period, growth)
        return floor + (1 - floor) * half_cosine((step - begin) / length)

    return warm(config, factor)


def _period(number: int, first: int, growth: float) -> tuple[float, float]:
    """Return the first step and the length of a period."""
    begin = first * number if growth == 1 else first * (growth**number - 1) / (growth - 1)
    return begin, first * growth**number


def one_cycle(config: OneCycleConfig, steps: int) -> Factor:
    """Return half a cosine from `first` up to 1 over the share `rise` of the steps, and another one to the floor."""
    top = config.rise * steps - 1
    last = max(steps - 1, 1)
    first, floor = config.first, config.floor

    def factor(step: int) -> float:
        if step <= top:
            return 1 + (first - 1) * half_cosine(step / top) if top > 0 else 1.0
        return floor + (1 - floor) * half_cosine(min(1.0, (step - top) / (last - top)))

    return factor


def stable_decay(config: StableConfig, steps: int) -> Factor:
    """Return a linear warm-up, then 1, then a fall to the floor over the last share of the steps."""
    end = config.steps or steps
    begin = end - config.share * end
    root, floor = config.shape == "root", config.floor

    def factor(step: int) -> float:
        share = min(1.0, max(0.0, (step + config.warmup - begin) / max(1.0, end - begin)))
        return floor + (1 - floor) * (1 - (math.sqrt(share) if root else share))

    return warm(config, factor)


def inverse_root(config: InverseRootConfig, steps: int) -> Factor:
    """Return min(t / w, √(w / t)) at step t, counted from 1, with w steps of warm-up."""
    del steps
    length = config.warmup
    return lambda step: min((step + 1) / length, math.sqrt(length / (step + 1)))


def cyclic(config: CyclicConfig, steps: int) -> Factor:
    """Return a linear warm-up to the floor, then straight lines up to 1 and down; each cycle half as high if set."""
    del steps
    rise, floor, halves = config.rise, config.floor, config.halves

    def factor(step: int) -> float:
        cycle, within = divmod(step, 2 * rise)
        height = (1 - floor) * (0.5**cycle if halves else 1.0)
        return floor + height * (1 - abs(within / rise - 1))

    length = config.warmup
    return lambda step: floor * (step + 1) / (length + 1) if step < length else factor(step - length)


def drawn(config: DrawnConfig, steps: int) -> Factor:
    """Return the straight lines between the given factors.

    Raises:
        BadInput: There is not one factor ≥ 0 for each moment, or the moments do not rise from 0 to 1.
    """
    shares, factors = config.shares, config.factors
    if len(shares) < 2 or shares[0] != 0 or shares[-1] != 1 or any(map(operator.ge, shares, shares[1:])):
        raise BadInput(
            "do not rise from 0 to 1",
            field="training.schedule.shares",
            value=shares,
            allowed="rising numbers, the first 0 and the last 1",
        )
    if len(factors) != len(shares) or any(not 0 <= factor < math.inf for factor in factors):
        raise BadInput(
            "are not one for each moment",
            field="training.schedule.factors",
            value=factors,
            allowed=f"{len(shares)} numbers ≥ 0",
        )
    last = max(1, steps - 1)

    def factor(step: int) -> float:
        share = min(1.0, step / last)
        right = min(len(shares) - 1, bisect.bisect_right(shares, share))
        left = right - 1
        between = (share - shares[left]) / (shares[right] - shares[left])
        return factors[left] + between * (factors[right] - factors[left])

    return factor
