"""Runs that differ by the seed alone: how many of each kind are finished, and how far their losses are apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lab.runs.library.differences import names_by_difference, settings_without_seed

if TYPE_CHECKING:
    from lab.shell.session.runs.model import RunModel

ENOUGH = 2
"""Number of finished runs of a kind from which on they have a spread."""


@dataclass(frozen=True)
class Group:
    """The runs of one kind, which differ by the seed alone.

    Args:
        name: What distinguishes them from the other runs.
        runs: All of them.
        finished: The finished ones, one for each seed.
    """

    name: str
    runs: tuple[RunModel, ...]
    finished: tuple[RunModel, ...]

    @property
    def is_repeated(self) -> bool:
        """True if it has enough finished runs for a spread."""
        return len(self.finished) >= ENOUGH


@dataclass(frozen=True)
class Spread:
    """The losses of a group in a few figures.

    Args:
        name: The name of the group.
        count: The number of runs.
        mean: The mean of their losses.
        lowest: The lowest of them.
        highest: The highest of them.
    """

    name: str
    count: int
    mean: float
    lowest: float
    highest: float

    @property
    def width(self) -> float:
        """The distance of the highest loss from the lowest."""
        return self.highest - self.lowest


def groups_of(runs: Sequence[RunModel]) -> list[Group]:
    """Return the runs by kind, in the order in which the kinds first occur."""
    members: dict[tuple[object, ...], list[RunModel]] = {}
    kinds = []
    for run in runs:
        settings = settings_without_seed(run.settings)
        key = tuple(sorted(settings.items(), key=lambda one: one[0]))
        if key not in members:
            kinds.append(settings)
        members.setdefault(key, []).append(run)
    names = _titled(names_by_difference(kinds), kinds, [found[0] for found in members.values()])
    return [
        Group(name, tuple(found), _one_per_seed(found)) for name, found in zip(names, members.values(), strict=True)
    ]


def _titled(names: Sequence[str], kinds: Sequence[Mapping[str, object]], runs: Sequence[RunModel]) -> list[str]:
    """Return names of kinds with the title of a run for one that is only the name of an architecture."""
    if len(names) < 2:
        return list(names)
    pairs = zip(names, kinds, runs, strict=True)
    titled = [run.base_name if name == kind.get("architecture.name") else name for name, kind, run in pairs]
    return titled if len(set(titled)) == len(titled) else list(names)


def spread_of(group: Group, loss: Callable[[RunModel], float]) -> Spread:
    """Return the spread of the losses of a group.

    Args:
        group: A group with a finished run.
        loss: Returns the loss of a run.
    """
    losses = [loss(run) for run in group.finished]
    return Spread(group.name, len(losses), sum(losses) / len(losses), min(losses), max(losses))


def _one_per_seed(runs: Sequence[RunModel]) -> tuple[RunModel, ...]:
    """Return the finished runs, the first of each seed: the same seed again repeats the same chance."""
    found: dict[object, RunModel] = {}
    for run in runs:
        if run.is_finished:
            found.setdefault(run.settings.get("training.seed"), run)
    return tuple(found.values())
