"""Many runs as a table: what differs between them, groups by any field with their spread, and the Pareto front."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from lab.studies.statistics.spread import Spread, spread_of

Field: TypeAlias = bool | int | float | str | tuple[str, ...] | None


@dataclass(frozen=True)
class RunFigures:
    """A run in a table.

    Args:
        key: Its identity.
        name: Its name.
        fields: Its settings by path, and what else runs can be grouped by.
        values: Its figures by name.
        seed: Its seed; None if it has none.
    """

    key: str
    name: str
    fields: Mapping[str, Field]
    values: Mapping[str, float]
    seed: int | None = None


@dataclass(frozen=True)
class Group:
    """Runs of one value of a field.

    Args:
        value: The value.
        runs: The runs.
        spread: The spread of a figure over those that have it; None if none has.
    """

    value: Field
    runs: tuple[RunFigures, ...] = field(repr=False)
    spread: Spread | None


def differing_fields(runs: Sequence[RunFigures]) -> list[str]:
    """Return the fields in which runs differ, those of the fewest values first: a seed comes last."""
    values: dict[str, set[Field]] = {}
    for run in runs:
        for name, value in run.fields.items():
            values.setdefault(name, set()).add(value)
    counts: dict[str, int] = dict.fromkeys(values, 0)
    for run in runs:
        for name in run.fields:
            counts[name] += 1
    found = [name for name, each in values.items() if len(each) > 1 or counts[name] < len(runs)]
    return sorted(found, key=lambda name: (len(values[name]), name))


def grouped(runs: Sequence[RunFigures], by: str, figure: str) -> list[Group]:
    """Return groups of runs by a field, those of the lowest mean of a figure first; groups without it come last."""
    members: dict[Field, list[RunFigures]] = {}
    for run in runs:
        members.setdefault(run.fields.get(by), []).append(run)
    found = []
    for value, some in members.items():
        known = [run.values[figure] for run in some if math.isfinite(run.values.get(figure, math.nan))]
        found.append(Group(value, tuple(some), spread_of(known) if known else None))
    return sorted(found, key=lambda group: math.inf if group.spread is None else group.spread.mean)


def pareto_front(x: Sequence[float], y: Sequence[float]) -> list[int]:
    """Return the indices of the points that no other one has both less or equal x and less y than, by ascending x.

    Points that are not finite belong to no front.
    """
    across, up = np.asarray(x, float), np.asarray(y, float)
    finite = np.flatnonzero(np.isfinite(across) & np.isfinite(up))
    order = finite[np.lexsort((up[finite], across[finite]))]
    front, least = list[int](), math.inf
    for index in order.tolist():
        if up[index] < least:
            front.append(index)
            least = float(up[index])
    return front
