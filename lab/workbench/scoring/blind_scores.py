"""The scores of blind tests, kept in the settings of the lab by the set of runs that were told apart."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from lab.base.settings import change_section, read_section
from lab.workbench.scoring.blind import binomial_interval

SECTION = "blind tests"
MOST = 200
"""Most sets of runs whose scores are kept; those that were not tested for the longest time give way."""
MOST_GUESSES = 1_000_000
"""Most guesses of a stored score; more are damage."""
BETWEEN = "|"


@dataclass(frozen=True)
class BlindScore:
    """How often authors were guessed right.

    Args:
        right: Right guesses.
        guesses: All guesses.
        choices: Possible authors of each passage.
    """

    right: int
    guesses: int
    choices: int

    @property
    def chance(self) -> float:
        """The share of right guesses of somebody who cannot tell the authors apart."""
        return 1 / self.choices

    @property
    def interval(self) -> tuple[float, float]:
        """The exact 95 % interval of the probability of a right guess."""
        return binomial_interval(self.right, self.guesses)

    @property
    def is_above_chance(self) -> bool:
        """True if chance alone does not explain the score: it lies below the interval."""
        return self.interval[0] > self.chance


def blind_score(runs: Collection[str], choices: int) -> BlindScore:
    """Return the score of a set of runs so far.

    Args:
        runs: What identifies each run; the order does not matter.
        choices: Possible authors of each passage.
    """
    right, guesses = _counts(read_section(SECTION), _key(runs))
    return BlindScore(right, guesses, choices)


def add_guess(runs: Collection[str], choices: int, *, right: bool) -> BlindScore:
    """Count a guess, and return the score.

    Raises:
        LabError: The settings cannot be written.
    """
    key = _key(runs)
    counted = [0, 0]

    def changed(section: dict[str, Any]) -> dict[str, Any]:
        before, guesses = _counts(section, key)
        counted[:] = [before + right, guesses + 1]
        others = [(name, score) for name, score in section.items() if name != key]
        return {**dict(others[-(MOST - 1) :]), key: {"right": counted[0], "guesses": counted[1]}}

    change_section(SECTION, changed)
    return BlindScore(counted[0], counted[1], choices)


def forget_score(runs: Collection[str]) -> None:
    """Begin to count anew.

    Raises:
        LabError: The settings cannot be written.
    """
    key = _key(runs)
    change_section(SECTION, lambda section: {name: one for name, one in section.items() if name != key})


def _key(runs: Collection[str]) -> str:
    return BETWEEN.join(sorted(runs))


def _counts(section: dict[str, Any], key: str) -> tuple[int, int]:
    """Return right and all guesses; what is damaged counts nothing."""
    stored = section.get(key)
    counts: list[Any] = [stored.get("right"), stored.get("guesses")] if isinstance(stored, dict) else [0, 0]
    if any(type(count) is not int for count in counts) or not 0 <= counts[0] <= counts[1] <= MOST_GUESSES:
        return 0, 0
    return counts[0], counts[1]
