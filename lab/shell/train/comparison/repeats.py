"""The repetition of compared runs with other seeds: which runs are missing, how long they take, or why none."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

from lab.shell.session.runs.repetitions import Group, groups_of

if TYPE_CHECKING:
    from lab.recipes import Recipe
    from lab.shell.session.runs.model import RunModel

SEEDS = 3
"""Number of seeds of each kind of run from which on its mean and range say something."""
SEED = "training.seed"


class Obstacle(Enum):
    """The reasons why another seed would not repeat a run."""

    COUNTS = auto()
    """Its model counts, so that every seed gives the same."""
    IMPORTED = auto()
    """Its weights were imported, and there is no recipe of their training."""
    BRANCH = auto()
    """It started with the weights of another run."""
    CHANGED = auto()
    """Its settings were changed while it trained."""


@dataclass(frozen=True)
class Missing:
    """A run that is missing for a comparison.

    Args:
        template: The run that it repeats.
        seed: Its seed.
    """

    template: RunModel
    seed: int

    @property
    def recipe(self) -> Recipe:
        """The recipe of the template with the seed."""
        return self.template.recipe_here.with_assignments(f"{SEED}={self.seed}")

    @property
    def seconds(self) -> float | None:
        """The seconds that it takes at the measured speed of the template; None if that is unknown."""
        template = self.template
        pace, made = template.seconds_per_step, template.training_seconds
        if pace is None and made is not None and template.step > 0:
            pace = made / template.step
        return None if pace is None else pace * template.last_step


@dataclass(frozen=True)
class RepeatPlan:
    """What can be done about the part of chance in a comparison.

    Args:
        kinds: The number of kinds of runs that are compared.
        missing: The runs that are missing, each kind in turn.
        refused: A run that cannot be repeated, and why; None if all can.
        waiting: The number of repetitions that train or are queued.
    """

    kinds: int = 0
    missing: tuple[Missing, ...] = ()
    refused: tuple[RunModel, Obstacle] | None = None
    waiting: int = 0

    @property
    def seconds(self) -> float | None:
        """The seconds that all missing runs take one after the other; None if that is unknown."""
        times = [one.seconds for one in self.missing]
        return None if None in times else sum(time for time in times if time is not None)


def plan_repeats(compared: Sequence[RunModel], working: Sequence[RunModel] = ()) -> RepeatPlan:
    """Return the runs that each compared kind lacks to have three seeds.

    Args:
        compared: The runs that are compared.
        working: All runs that train or are queued; they count if they repeat one that is compared.
    """
    runs = [*compared, *(run for run in working if run not in compared)]
    groups = [group for group in groups_of(runs) if any(run in compared for run in group.runs)]
    waiting = sum(run.works for group in groups if len(_counted(group)) > 1 for run in group.runs)
    rows = [_missing_of(group) for group in groups]
    if len(groups) < 2 or not any(rows):
        return RepeatPlan(len(groups), waiting=waiting)
    templates = [row[0].template for row in rows if row]
    refused = next(((run, why) for run in templates if (why := _obstacle(run)) is not None), None)
    if refused is not None:
        return RepeatPlan(len(groups), refused=refused, waiting=waiting)
    in_turn = (one for turn in itertools.zip_longest(*rows) for one in turn if one is not None)
    return RepeatPlan(len(groups), tuple(in_turn), waiting=waiting)


def _missing_of(group: Group) -> list[Missing]:
    """Return the runs that a kind lacks, with the lowest seeds that none of its runs has."""
    template = next((run for run in group.runs if run.is_finished), group.runs[0])
    taken = {_seed(run) for run in group.runs}
    free = (seed for seed in itertools.count(1) if seed not in taken)
    return [Missing(template, seed) for seed in itertools.islice(free, max(0, SEEDS - len(_counted(group))))]


def _counted(group: Group) -> set[object]:
    """Return the seeds of the runs of a kind that are finished, or will be."""
    return {_seed(run) for run in group.runs if run.is_finished or run.works or run.elsewhere}


def _seed(run: RunModel) -> object:
    return run.settings.get(SEED, run.recipe.training.seed)


def _obstacle(run: RunModel) -> Obstacle | None:
    """Return why another seed would not repeat a run; None if it would."""
    folder = run.run.folder
    if run.counts:
        return Obstacle.COUNTS
    if folder is not None and "pretrained" in folder.facts:
        return Obstacle.IMPORTED
    if run.parent is not None:
        return Obstacle.BRANCH
    return Obstacle.CHANGED if run.changed else None
