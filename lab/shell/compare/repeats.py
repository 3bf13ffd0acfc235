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
        training: The repetition of the template that trains now; None if none does.
    """

    template: RunModel
    seed: int
    training: RunModel | None = None

    @property
    def recipe(self) -> Recipe:
        """The recipe of the template with the seed."""
        return self.template.recipe_here.with_assignments(f"{SEED}={self.seed}")

    @property
    def seconds(self) -> float | None:
        """The seconds that it takes at the pace of the repetition that trains now, or else of the template.

        None if both are unknown.
        """
        now = None if self.training is None else self.training.full_seconds()
        return self.template.full_seconds() if now is None else now


@dataclass(frozen=True)
class RepeatPlan:
    """The repetitions that a comparison lacks before it can tell a difference from chance.

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
    queued = [[run for run in working if _is_queued_like(run, _template(group))] for group in groups]
    waiting = sum(run.works for group in groups if len(_counted(group)) > 1 for run in group.runs)
    waiting += sum(map(len, queued))
    rows = [_missing_of(group, like) for group, like in zip(groups, queued, strict=True)]
    if len(groups) < 2 or not any(rows):
        return RepeatPlan(len(groups), waiting=waiting)
    templates = [row[0].template for row in rows if row]
    refused = next(((run, why) for run in templates if (why := _obstacle(run)) is not None), None)
    if refused is not None:
        return RepeatPlan(len(groups), refused=refused, waiting=waiting)
    in_turn = (one for turn in itertools.zip_longest(*rows) for one in turn if one is not None)
    return RepeatPlan(len(groups), tuple(in_turn), waiting=waiting)


def _missing_of(group: Group, queued: Sequence[RunModel]) -> list[Missing]:
    """Return the runs that a kind lacks, with the lowest seeds that none of its runs has."""
    to_come = {_seed(run) for run in queued}
    taken = {_seed(run) for run in group.runs} | to_come
    free = (seed for seed in itertools.count(1) if seed not in taken)
    count = max(0, SEEDS - len(_counted(group) | to_come))
    training = next((run for run in group.runs if run.trains), None)
    return [Missing(_template(group), seed, training) for seed in itertools.islice(free, count)]


def _template(group: Group) -> RunModel:
    """Return the run of a kind that is repeated."""
    return next((run for run in group.runs if run.is_finished), group.runs[0])


def _is_queued_like(run: RunModel, template: RunModel) -> bool:
    """Return True if a run without a folder, of which only the recipe is known, repeats another one."""
    if run.source.folder is not None:
        return False
    repeated = template.recipe_here.with_assignments(f"{SEED}={_seed(run)}")
    return run.recipe.model_copy(update={"title": repeated.title}) == repeated


def _counted(group: Group) -> set[object]:
    """Return the seeds of the runs of a kind that are finished, or will be."""
    return {_seed(run) for run in group.runs if run.is_finished or run.works or run.elsewhere}


def _seed(run: RunModel) -> object:
    return run.settings.get(SEED, run.recipe.training.seed)


def _obstacle(run: RunModel) -> Obstacle | None:
    """Return why another seed would not repeat a run; None if it would."""
    folder = run.source.folder
    if run.counts:
        return Obstacle.COUNTS
    if folder is not None and "pretrained" in folder.facts:
        return Obstacle.IMPORTED
    if run.parent is not None:
        return Obstacle.BRANCH
    return Obstacle.CHANGED if run.changed else None
