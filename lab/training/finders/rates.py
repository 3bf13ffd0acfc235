"""The range test: the learning rate grows from step to step, and the loss says from where on it is too large."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from lab.base import BadInput, LabError
from lab.training.experiment import Experiment
from lab.training.finders.trials import Prepare, Progress, Trial

LOWEST, HIGHEST, STEPS = 1e-5, 1.0, 120
"""The rates of a test, and how many there are, unless others are asked for."""
LEAST_STEPS, MOST_STEPS = 20, 10_000
LOST = 1.25
"""Times the first loss at which a test ends: nothing is learned beyond."""
BELOW = 3.5
"""The suggestion is the rate of the lowest loss divided by this."""


class Reason(StrEnum):
    """What a suggestion stands on."""

    LOWEST = "lowest"
    """The loss has a lowest point, and rises behind it."""
    STILL_FALLS = "still falls"
    """The loss falls until the last rate, so that a larger one may be better."""
    NEVER_FALLS = "never falls"
    """The loss falls at no rate, so that nothing is suggested."""


@dataclass(frozen=True)
class RateTest:
    """The result of a range test.

    Args:
        rates: The learning rate of each step.
        losses: The loss of each step.
        smoothed: The losses, averaged over the steps around each.
        suggestion: The learning rate that is suggested; None if the loss never fell.
        lowest: The rate of the lowest smoothed loss.
        reason: What the suggestion stands on.
    """

    rates: tuple[float, ...]
    losses: tuple[float, ...]
    smoothed: tuple[float, ...]
    suggestion: float | None
    lowest: float
    reason: Reason


def find_rate(
    experiment: Experiment,
    prepare: Prepare = lambda *_: None,
    *,
    lowest: float = LOWEST,
    highest: float = HIGHEST,
    steps: int = STEPS,
    cancelled: Callable[[], bool] = lambda: False,
    progress: Progress = lambda _: None,
    report: Callable[[float, float], object] = lambda *_: None,
) -> RateTest:
    """Test learning rates (Smith 2017, section 3.3, with rates that grow geometrically).

    Args:
        experiment: The experiment; its weights are not touched.
        prepare: Gives the model its weights.
        lowest: The first learning rate.
        highest: The last one.
        steps: How many there are; the test ends sooner once the loss is lost.
        cancelled: Called between steps; True ends the test, and its steps so far count.
        progress: Called with the share that is done.
        report: Called with rate and loss of each step.

    Raises:
        BadInput: The rates or their number cannot be used, or the model counts.
        LabError: A plugin's code raised.
    """
    check_range(lowest, highest, steps)
    own = experiment.optimizer.config.learning_rate

    def rate(step: int) -> float:
        return float(lowest * (highest / lowest) ** (step / (steps - 1)))

    trial = Trial(experiment, prepare, factor=lambda step: rate(step) / own)
    rates: list[float] = []
    losses: list[float] = []
    for step in range(steps):
        if cancelled():
            break
        try:
            loss = trial.advance()
        except LabError:
            if step < LEAST_STEPS:  # it fails with rates that train everything
                raise
            break
        rates.append(rate(step))
        losses.append(loss)
        report(rates[-1], loss)
        progress((step + 1) / steps)
        if len(losses) > LEAST_STEPS and np.mean(losses[-5:]) > LOST * losses[0]:
            break
    return judged(rates, losses)


def check_range(lowest: float, highest: float, steps: int) -> None:
    """Refuse rates that cannot be tested.

    Raises:
        BadInput: They cannot; the problem names the option.
    """
    if not (math.isfinite(lowest) and 0 < lowest <= 1e3):
        raise BadInput("is not allowed", field="--lowest", value=str(lowest), allowed="0 < x ≤ 1000")
    if not (math.isfinite(highest) and lowest < highest <= 1e4):
        raise BadInput("is not allowed", field="--highest", value=str(highest), allowed=f"{lowest:g} < x ≤ 10000")
    if not LEAST_STEPS <= steps <= MOST_STEPS:
        allowed = f"{LEAST_STEPS} to {MOST_STEPS:,}"
        raise BadInput("is not allowed", field="--trial", value=str(steps), allowed=allowed)


def judged(rates: Sequence[float], losses: Sequence[float]) -> RateTest:
    """Return the result of a test.

    Args:
        rates: The learning rate of each step, growing.
        losses: Its loss.

    Raises:
        LabError: There are no steps.
    """
    if not losses:
        raise LabError("no step was made", remedy="Let the test run for some steps")
    smoothed = centred(losses, max(1, len(losses) // 25))
    at = int(np.argmin(smoothed))
    fell = smoothed[0] - smoothed[at]
    noise = float(np.std(np.asarray(losses) - smoothed))
    reason = Reason.LOWEST if at < len(losses) - max(2, len(losses) // 25) else Reason.STILL_FALLS
    if not fell > noise:
        reason = Reason.NEVER_FALLS
    suggestion = None if reason is Reason.NEVER_FALLS else rates[at] / (BELOW if reason is Reason.LOWEST else 1.0)
    return RateTest(tuple(rates), tuple(losses), tuple(smoothed.tolist()), suggestion, rates[at], reason)


def centred(values: Sequence[float], reach: int) -> np.ndarray:
    """Return the mean of each value and those at most `reach` before and behind it, as many on either side."""
    series = np.asarray(values, float)
    sums = np.concatenate([[0.0], np.cumsum(series)])
    index = np.arange(len(series))
    sides = np.minimum(reach, np.minimum(index, len(series) - 1 - index))
    means: np.ndarray = (sums[index + sides + 1] - sums[index - sides]) / (2 * sides + 1)
    return means
