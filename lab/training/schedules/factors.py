"""Learning-rate schedules: functions from the step to a factor of the learning rate, and to a momentum."""

from __future__ import annotations

import bisect
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

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
    MomentumCycle,
    MultiStepConfig,
    OneCycleConfig,
    PlateauConfig,
    PolynomialConfig,
    RestartsConfig,
    StableConfig,
    StepConfig,
)


class CheckedSchedule:
    """A schedule whose factors and momenta are checked at each call.

    Args:
        schedule: Its card and config.
        steps: The steps of the training.

    Raises:
        LabError: The schedule's code raised, now or when it is called, or its factor is not a finite number ≥ 0; the
            problem names its plugin.
    """

    def __init__(self, schedule: Resolved, steps: int) -> None:
        self._schedule = schedule
        self._own = schedule.make(steps)

    def __call__(self, step: int) -> float:
        """Return the factor of the learning rate."""
        with attributed(self._schedule.plugin, self._schedule.card.title):
            number = float(self._own(step))
        if not 0 <= number < math.inf:
            raise self._refusal(f"the schedule's factor is {number:g} at step {step}", "a finite number ≥ 0")
        return number

    def momentum(self, step: int) -> float | None:
        """Return the momentum of a step; None if the schedule leaves it as it is."""
        with attributed(self._schedule.plugin, self._schedule.card.title):
            number = momentum_of(self._own, step)
        if number is not None and not 0 <= number < 1:
            raise self._refusal(f"the schedule's momentum is {number:g} at step {step}", "0 ≤ x < 1")
        return number

    def note_loss(self, loss: float) -> None:
        """Tell the schedule a validation loss, if it asks for them."""
        with attributed(self._schedule.plugin, self._schedule.card.title):
            note_loss(self._own, loss)

    def state_dict(self) -> dict[str, Any]:
        """Return what a schedule knows of the training so far, plain data; {} for a function of the step alone."""
        with attributed(self._schedule.plugin, self._schedule.card.title):
            return dict(self._own.state_dict()) if hasattr(self._own, "state_dict") else {}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Continue from what `state_dict` returned."""
        if state and hasattr(self._own, "load_state_dict"):
            with attributed(self._schedule.plugin, self._schedule.card.title):
                self._own.load_state_dict(state)

    def _refusal(self, what: str, allowed: str) -> LabError:
        return LabError(
            what,
            field="training.schedule.name",
            value=self._schedule.card.name,
            allowed=allowed,
            remedy="Choose another schedule, or repair this one",
            plugin=self._schedule.plugin,
        )


def momentum_of(factor: Any, step: int) -> float | None:
    """Return the momentum that a schedule gives a step; None if it gives none."""
    return float(factor.momentum(step)) if hasattr(factor, "momentum") else None


def note_loss(factor: Any, loss: float) -> None:
    """Tell a schedule a validation loss, if it asks for them."""
    if hasattr(factor, "note_loss"):
        factor.note_loss(loss)


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


@dataclass(frozen=True)
class AgainstMomentum:
    """A factor with a momentum that goes the other way.

    Args:
        factor: The factor of the learning rate.
        height: From 0 where the learning rate is lowest, to 1 where it is highest, by step.
        config: The momenta at these heights.
    """

    factor: Factor
    height: Callable[[int], float]
    config: MomentumCycle

    def __call__(self, step: int) -> float:
        """Return the factor of the learning rate."""
        return self.factor(step)

    def momentum(self, step: int) -> float:
        """Return the momentum."""
        high, low = self.config.high_momentum, self.config.low_momentum
        return high - (high - low) * self.height(step)


def one_cycle(config: OneCycleConfig, steps: int) -> Factor:
    """Return half a cosine from `first` up to 1 over the share `rise` of the steps, and another one to the floor.

    With `cycle_momentum` the momentum follows the same halves of a cosine the other way.
    """
    top = config.rise * steps - 1
    last = max(steps - 1, 1)
    first, floor = config.first, config.floor

    def factor(step: int) -> float:
        if step <= top:
            return 1 + (first - 1) * half_cosine(step / top) if top > 0 else 1.0
        return floor + (1 - floor) * half_cosine(min(1.0, (step - top) / (last - top)))

    def height(step: int) -> float:
        if step <= top:
            return 1 - half_cosine(step / top) if top > 0 else 1.0
        return half_cosine(min(1.0, (step - top) / (last - top)))

    return AgainstMomentum(factor, height, config) if config.cycle_momentum else factor


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
    """Return a linear warm-up to the floor, then straight lines up to 1 and down; each cycle half as high if set.

    With `cycle_momentum` the momentum goes straight down and up.
    """
    del steps
    rise, floor, halves, length = config.rise, config.floor, config.halves, config.warmup

    def height(step: int) -> float:
        cycle, within = divmod(max(0, step - length), 2 * rise)
        return (0.5**cycle if halves else 1.0) * (1 - abs(within / rise - 1))

    def factor(step: int) -> float:
        return floor * (step + 1) / (length + 1) if step < length else floor + (1 - floor) * height(step)

    return AgainstMomentum(factor, height, config) if config.cycle_momentum else factor


class Plateau:
    """A factor that falls when the validation loss does not, after a linear warm-up.

    A loss is better if it is below (1 − threshold) times the best one so far; after more than `wait` others in
    sequence the factor is multiplied by that of the settings, down to the floor.
    """

    def __init__(self, config: PlateauConfig) -> None:
        self._config, self._warm = config, warm(config, lambda _: 1.0)
        self._factor, self._best, self._others = 1.0, math.inf, 0

    def __call__(self, step: int) -> float:
        """Return the present factor; that of the warm-up is a function of the step."""
        return self._factor * self._warm(step)

    def note_loss(self, loss: float) -> None:
        """Take the next validation loss."""
        config, best = self._config, self._best
        if loss < best - abs(best) * config.threshold if math.isfinite(best) else loss < best:
            self._best, self._others = loss, 0
            return
        self._others += 1
        if self._others > config.wait:
            self._factor, self._others = max(config.floor, self._factor * config.factor), 0

    def state_dict(self) -> dict[str, Any]:
        """Return the factor, the best loss, and how many came after it."""
        best = self._best if math.isfinite(self._best) else None
        return {"factor": self._factor, "best": best, "others": self._others}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Continue from what `state_dict` returned."""
        self._factor, self._others = state["factor"], state["others"]
        self._best = math.inf if state["best"] is None else state["best"]


def plateau(config: PlateauConfig, steps: int) -> Plateau:
    """Return 1 after a linear warm-up, times a factor at each plateau of the validation loss."""
    del steps
    return Plateau(config)


def drawn(config: DrawnConfig, steps: int) -> Factor:
    """Return a linear warm-up, then the straight lines between the factors that are given for the remaining steps.

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
    last = max(1, steps - 1 - config.warmup)

    def factor(step: int) -> float:
        share = min(1.0, step / last)
        right = min(len(shares) - 1, bisect.bisect_right(shares, share))
        left = right - 1
        between = (share - shares[left]) / (shares[right] - shares[left])
        return factors[left] + between * (factors[right] - factors[left])

    # the warm-up leads up to the first of the factors
    length = config.warmup
    return lambda step: factors[0] * (step + 1) / (length + 1) if step < length else factor(step - length)
