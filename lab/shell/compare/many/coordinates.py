"""Runs as lines through parallel axes, one for each setting in which they differ, and the ranges that select some."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lab.base.units import short
from lab.studies.statistics import RunFigures
from lab.studies.statistics.groups import Field
from lab.widgets.core.i18n import localized, tr

MOST_AXES = 8
FACTOR = 8.0
"""Factor between the ends of a setting from which on its axis is logarithmic."""
EDGE = 1e-9


@dataclass(frozen=True)
class Coordinate:
    """One axis.

    Args:
        path: The setting or figure that it shows.
        title: Its title.
        positions: (N,) where each run meets it, from 0 to 1; NaN for a run without a value.
        ticks: Positions with their labels.
    """

    path: str
    title: str
    positions: NDArray[np.float64]
    ticks: Sequence[tuple[float, str]]


def coordinates_of(
    runs: Sequence[RunFigures], fields: Mapping[str, str], figures: Mapping[str, str]
) -> list[Coordinate]:
    """Return the axes of runs.

    Args:
        runs: The runs.
        fields: The titles of settings by path; the first MOST_AXES are taken.
        figures: The titles of figures, such as the loss, which come last.
    """
    found = [_of_field(path, title, runs) for path, title in list(fields.items())[:MOST_AXES]]
    for name, title in figures.items():
        values = np.array([run.values.get(name, math.nan) for run in runs], float)
        found.append(_of_numbers(name, title, values))
    return found


def selected(coordinates: Sequence[Coordinate], ranges: Mapping[str, tuple[float, float]]) -> NDArray[np.bool_]:
    """Return whether each run lies in all ranges, (N,).

    Args:
        coordinates: The axes.
        ranges: The lower and upper end of a range on an axis, from 0 to 1, by its path.
    """
    count = len(coordinates[0].positions) if coordinates else 0
    found = np.ones(count, bool)
    for each in coordinates:
        if each.path in ranges:
            low, high = ranges[each.path]
            with np.errstate(invalid="ignore"):
                found &= (each.positions >= low - EDGE) & (each.positions <= high + EDGE)
    return found


def _of_field(path: str, title: str, runs: Sequence[RunFigures]) -> Coordinate:
    values = [run.fields.get(path) for run in runs]
    if all(_is_number(value) or value is None for value in values):
        numbers = np.array([float(value) if isinstance(value, int | float) else math.nan for value in values])
        return _of_numbers(path, title, numbers)
    names = sorted({_text(value) for value in values if value is not None})
    places = {name: (at + 0.5) / len(names) for at, name in enumerate(names)}
    positions = np.array([math.nan if value is None else places[_text(value)] for value in values])
    return Coordinate(path, title, positions, [(places[name], name) for name in names])


def _of_numbers(path: str, title: str, values: NDArray[np.float64]) -> Coordinate:
    finite = np.isfinite(values)
    if not finite.any():
        return Coordinate(path, title, np.full(len(values), math.nan), [])
    low, high = float(values[finite].min()), float(values[finite].max())
    is_log = low > 0 and high > FACTOR * low
    with np.errstate(all="ignore"):
        scaled = np.log(values) if is_log else values
    start, end = (math.log(low), math.log(high)) if is_log else (low, high)
    positions = (scaled - start) / (end - start) if end > start else np.where(finite, 0.5, math.nan)
    known = sorted(set(values[finite].tolist()))
    shown = known if len(known) <= 5 else [low, high]
    at = {value: ((math.log(value) if is_log else value) - start) / (end - start) if end > start else 0.5
          for value in shown}  # fmt: skip
    return Coordinate(path, title, positions, [(at[value], number_label(value)) for value in shown])


def number_label(value: float) -> str:
    """Return a number in short, in the language of the window."""
    return localized(short(value) if abs(value) >= 10_000 else f"{value:.4g}")


def _is_number(value: Field) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _text(value: Field) -> str:
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    if isinstance(value, tuple):
        return ", ".join(value)
    return str(value)
