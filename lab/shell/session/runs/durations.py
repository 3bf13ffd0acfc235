"""The durations of recipes on this machine: one estimate for all that show one."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lab.base.problems import LabError
from lab.recipes import QUICK_START, Recipe, Recording, shipped, shipped_names
from lab.runs.origin import is_of_this_machine

WORK = 3.18e12
"""Operations of the training of the quick start."""
SEED = "training.seed"
"""The setting that does not change the duration."""
NEWEST = 3
"""Most finished runs that tell the speed of this machine."""


@dataclass(frozen=True)
class FinishedRun:
    """A training that has finished, or whose duration is known by its pace, and that may be one of a shipped recipe.

    Args:
        key: Its key in the list of runs.
        recipe: Its recipe.
        facts: The facts about how it was made.
        seconds: The duration of its training.
    """

    key: str
    recipe: Recipe
    facts: Mapping[str, Any]
    seconds: float


@dataclass(frozen=True)
class PastRun:
    """A finished training of a shipped recipe on this machine, from which the duration of the recipe is known.

    Args:
        recipe: The name of the recipe.
        seconds: The duration of its training.
    """

    recipe: str
    seconds: float


def past_runs(
    runs: Sequence[FinishedRun], differs: Callable[[Recipe, Recipe], Collection[str]]
) -> dict[str, PastRun | None]:
    """Return what finished runs tell about shipped recipes, by key; in a thread.

    A run tells nothing if another machine made it, or if it differs from every shipped recipe in more than its seed.

    Args:
        runs: The runs.
        differs: Returns the paths of the settings in which a recipe differs from another one.
    """
    found: dict[str, PastRun | None] = {}
    for run in runs:
        name = shipped_like(run.recipe, differs) if is_of_this_machine(run.facts) else None
        found[run.key] = None if name is None else PastRun(name, run.seconds)
    return found


def shipped_like(recipe: Recipe, differs: Callable[[Recipe, Recipe], Collection[str]]) -> str | None:
    """Return the name of the shipped recipe that takes as long, since only the seed may differ; None if there is none.

    Args:
        recipe: The recipe.
        differs: Returns the paths of the settings in which a recipe differs from another one.
    """
    for name in shipped_names():
        other = shipped(name)
        if _names(other) == _names(recipe):
            with contextlib.suppress(LabError):  # its plugin is missing
                if not set(differs(recipe, other)) - {SEED}:
                    return name
    return None


def _names(recipe: Recipe) -> tuple[object, ...]:
    """Return what is quickly compared before all settings are."""
    return recipe.architecture.name, recipe.corpus.name, recipe.training.steps


class Durations:
    """The durations of the shipped recipes on this machine.

    Args:
        recordings: The recorded trainings of recipes, by name.

    Attributes:
        speed: The speed of this machine as a multiple of the one that made the recordings, by a short measurement;
            None if it is unknown. Finished runs of shipped recipes replace it.
        known: What finished runs tell about shipped recipes, by the key of the run; see `past_runs`.
    """

    def __init__(self, recordings: Mapping[str, Recording]) -> None:
        self._recordings = recordings
        self.speed: float | None = None
        self.known: dict[str, PastRun | None] = {}
        self._past: dict[str, float] = {}  # seconds by the name of the recipe
        self._ratio: float | None = None  # the speed of this machine by finished runs, like `speed`

    def take_past(self, runs: Sequence[PastRun]) -> None:
        """Use the durations of finished runs, the newest first."""
        self._past = {run.recipe: run.seconds for run in reversed(runs)}
        recorded, seconds, count = 0.0, 0.0, 0
        for run in runs:
            recording = self._recordings.get(run.recipe)
            if recording is not None and run.seconds > 0:
                recorded, seconds, count = recorded + recording.seconds, seconds + run.seconds, count + 1
            if count == NEWEST:
                break
        self._ratio = recorded / seconds if seconds else None

    def seconds(self, *names: str) -> tuple[float, bool] | None:
        """Return the duration of shipped recipes one after the other, and True if it was measured on this machine.

        Returns:
            The seconds, and whether all of them were measured; None if the speed of this machine is not known yet.
        """
        total, measured = 0.0, True
        speed = self.speed if self._ratio is None else self._ratio
        for name in names:
            past = self._past.get(name)
            recording = self._recordings.get(name)
            if past is not None:
                total += past
            elif speed is None or recording is None:
                return None
            else:
                total, measured = total + recording.seconds / speed, False
        return total, measured

    def operations_per_second(self) -> float | None:
        """Return the speed of this machine in a training, from that of the quick start; None if it is not known."""
        found = self.seconds(QUICK_START)
        return None if found is None else WORK / found[0]
