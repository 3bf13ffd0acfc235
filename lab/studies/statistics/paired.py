"""Two arms of a comparison on the same validation windows: their difference, its interval, and what would narrow it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lab.base import BadInput
from lab.studies.statistics.spread import t_quantile

BLOCKS = 64
"""Blocks of neighbouring windows: neighbours are alike, so that they are resampled together."""
RESAMPLES = 2000
MOST_SEEDS = 50
"""Most further seeds that are counted; a difference that needs more is as good as none."""


@dataclass(frozen=True)
class Arm:
    """The runs of one arm.

    Args:
        name: Its name.
        losses: (W,) mean losses of the same windows in the same order, by seed, one for each run.
        windows: A digest of what is scored in these windows, one for each different one among the runs.
    """

    name: str
    losses: Mapping[int, NDArray[np.float64]]
    windows: frozenset[str] = frozenset()


@dataclass(frozen=True)
class PairedTest:
    """The difference between two arms.

    Args:
        better: The name of the arm of the lower mean loss.
        other: That of the other one.
        difference: Mean loss of the other less that of the better, in nats.
        low: Lower end of the 95 % interval.
        high: Its upper end.
        window_low: Lower end of the bootstrap interval over windows alone, as if these runs were all there are.
        window_high: Its upper end.
        p: Two-sided p value of the windows: how often swapping the arms at random gives as large a difference.
        seeds: Numbers of runs of the better arm and of the other.
        paired: True if the runs of both arms have the same seeds, so that they are compared one by one.
        more: Further seeds of each arm that would tell them apart if nothing else changed; 0 if they are told apart,
            None if no number of them would, or if the spread over seeds is not known.
        needs_text: True if the windows are too few, whatever the number of seeds.
    """

    better: str
    other: str
    difference: float
    low: float
    high: float
    window_low: float
    window_high: float
    p: float
    seeds: tuple[int, int]
    paired: bool
    more: int | None
    needs_text: bool

    @property
    def is_clear(self) -> bool:
        """True if the interval excludes 0."""
        return self.low > 0

    @property
    def knows_seeds(self) -> bool:
        """True if there are two runs of each arm at least, so that the interval counts their spread."""
        return min(self.seeds) > 1

    def sentence(self) -> str:
        """Return what can be said: "A is better by 0.013 nats, 95 % 0.006 to 0.021, …"."""
        interval = f"95 % {_nats(self.low)} to {_nats(self.high)}"
        seeds = f"{self.seeds[0]} and {self.seeds[1]} seeds"
        if self.seeds[0] == self.seeds[1]:
            seeds = f"{self.seeds[0]} seeds each" if self.seeds[0] > 1 else "one seed each"
        if not self.knows_seeds:
            lead = f"{self.better} is better than {self.other} by {_nats(self.difference)} nats on these windows"
            lead += f", {interval}"
            if not self.is_clear:
                lead = (
                    f"{self.better} and {self.other} are not told apart on these windows: {_nats(self.difference)} nats"
                )
                lead += f", {interval}"
            return f"{lead}, with {seeds}: how much of it is the seed is not known; train a second seed of both."
        if self.is_clear:
            return (
                f"{self.better} is better than {self.other} by {_nats(self.difference)} nats, {interval}, with {seeds}."
            )
        lead = f"{self.better} and {self.other} are not told apart: {_nats(self.difference)} nats, {interval}"
        lead += f", with {seeds}"
        if self.needs_text:
            return f"{lead}; more seeds would not tell, a longer validation text might."
        if self.more is None:
            return f"{lead}; {MOST_SEEDS} more would hardly tell."
        return f"{lead}; {self.more} more of each would tell if the difference is as large as it looks."


def _nats(value: float) -> str:
    return f"{value:.4f}" if abs(value) < 0.1 else f"{value:.3f}"


def compare_arms(one: Arm, other: Arm, *, seed: int = 0) -> PairedTest:
    """Compare two arms on the same windows.

    The interval of the difference adds the variance over seeds (of the pairs, if both arms have the same seeds) and
    that over blocks of windows; the tests measure its coverage.

    Args:
        one: An arm.
        other: The other arm.
        seed: The seed of the resamples.

    Raises:
        BadInput: An arm has no run, or the windows differ.

    Source: Welch 1947 for arms of unequal spread; Zou and Donner 2008 for the sum of the two; Efron and Tibshirani
    1993, chapter 13, for the percentiles.
    """
    sizes = {len(losses) for arm in (one, other) for losses in arm.losses.values()}
    if not one.losses or not other.losses or len(sizes) != 1 or min(sizes) < 2:
        what = "two arms need at least one run each, evaluated on the same two or more windows"
        raise BadInput(what, field="runs", remedy="Evaluate all runs on the same text")
    if len(one.windows | other.windows) > 1:
        what = "the windows of two arms are as many, and what is scored in them is not the same"
        raise BadInput(what, field="runs", remedy="Evaluate all runs on the same text with the same tokens")
    if _mean(one) > _mean(other):
        one, other = other, one
    paired = one.losses.keys() == other.losses.keys() and len(one.losses) > 1
    by_window = _over_seeds(other) - _over_seeds(one)  # (W,)
    difference = float(by_window.mean())
    blocks = _blocks(by_window)
    window_variance = float(blocks.var(ddof=1)) / len(blocks)
    parts = [(window_variance, len(blocks) - 1)]
    seeds = (len(one.losses), len(other.losses))
    if paired:
        gaps = np.array([other.losses[each].mean() - one.losses[each].mean() for each in sorted(one.losses)])
        parts.append((float(gaps.var(ddof=1)) / len(gaps), len(gaps) - 1))
    elif min(seeds) > 1:
        for arm in (one, other):
            means = np.array([losses.mean() for losses in arm.losses.values()])
            parts.append((float(means.var(ddof=1)) / len(means), len(means) - 1))
    half = _half_width(parts)
    random = np.random.default_rng(seed)
    picks = random.integers(len(blocks), size=(RESAMPLES, len(blocks)))
    drawn = blocks[picks].mean(axis=1)
    low, high = np.percentile(drawn, [2.5, 97.5])
    signs = random.choice([-1.0, 1.0], size=(RESAMPLES, len(blocks)))
    swapped = np.abs((signs * blocks).mean(axis=1))
    p = (1 + int((swapped >= abs(blocks.mean()) - 1e-15).sum())) / (RESAMPLES + 1)
    clear = difference - half > 0
    text = not clear and difference <= _half_width(parts[:1])
    more = 0 if clear else None if text or len(parts) == 1 else _more_seeds(difference, parts, seeds, paired=paired)
    return PairedTest(
        one.name, other.name, difference, difference - half, difference + half, float(low), float(high), p, seeds,
        paired, more, text,
    )  # fmt: skip


def _mean(arm: Arm) -> float:
    return float(np.mean([losses.mean() for losses in arm.losses.values()]))


def _over_seeds(arm: Arm) -> NDArray[np.float64]:
    found: NDArray[np.float64] = np.mean(list(arm.losses.values()), axis=0)
    return found


def _blocks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the means of blocks of neighbours, of equal length up to one."""
    return np.array([part.mean() for part in np.array_split(values, min(BLOCKS, len(values)))])


def _half_width(parts: list[tuple[float, int]]) -> float:
    """Return half of the 95 % interval of a mean whose variance is that over windows and that over seeds.

    Each has an interval of its own, and their half widths add up as variances do (Zou and Donner 2008). Satterthwaite's
    freedom for both together would trust a small spread of two seeds.

    Args:
        parts: Estimated variance and its freedom: of the windows, then of the seeds, of both arms together or of each.
    """
    return math.hypot(_half_of(parts[:1]), _half_of(parts[1:]))


def _half_of(parts: list[tuple[float, int]]) -> float:
    """Return half of the 95 % interval for a sum of variances, with the freedom of Satterthwaite; 0 for none."""
    variance = sum(part for part, _ in parts)
    if variance <= 0:
        return 0.0
    freedom = variance**2 / sum(part**2 / degrees for part, degrees in parts)
    return t_quantile(0.975, max(1.0, freedom)) * math.sqrt(variance)


def _more_seeds(
    difference: float, parts: list[tuple[float, int]], seeds: tuple[int, int], *, paired: bool
) -> int | None:
    """Return the further seeds of each arm with which the interval would exclude 0 if the estimates stay."""
    windows, *spreads = parts
    counts = seeds[:1] if paired else seeds
    for more in range(1, MOST_SEEDS + 1):
        grown = [
            (variance * count / (count + more), count + more - 1)
            for (variance, _), count in zip(spreads, counts, strict=True)
        ]
        if _half_width([windows, *grown]) < difference:
            return more
    return None
