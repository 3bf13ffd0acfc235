"""The labels at the ends of the lines of runs that have come to different ends of the x axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from lab.base.charts.numbers import format_value
from lab.base.charts.ticks import Kind, format_position
from lab.widgets.charts.lines import Line
from lab.widgets.core.i18n import localized, tr


def with_positions(lines: Sequence[Line], kind: Kind) -> list[Line]:
    """Return the lines, with the position of the last value in the end labels where the runs end at different ones.

    Without it, the losses of runs that have come to different steps would look like a ranking.

    Args:
        lines: The lines of all runs; a key starts with the key of the run and a slash.
        kind: The kind of the values of the x axis.
    """
    ends = {line.key: end for line in lines if line.name and (end := _end(line)) is not None}
    of_runs: dict[str, set[str]] = {}
    for key, (x, _) in ends.items():
        of_runs.setdefault(key.partition("/")[0], set()).add(format_position(x, kind))
    if len(of_runs) < 2 or len(set().union(*of_runs.values())) < 2:
        return list(lines)
    return [replace(line, value_text=_label(*ends[line.key], kind)) if line.key in ends else line for line in lines]


def _end(line: Line) -> tuple[float, float] | None:
    """Return the last point of a line; None if it has none."""
    known = np.flatnonzero(np.isfinite(line.y))
    return (float(line.x[known[-1]]), float(line.y[known[-1]])) if len(known) else None


def _label(x: float, y: float, kind: Kind) -> str:
    position = localized(format_position(x, kind))
    return tr("{value} at {position}", value=localized(format_value(y)), position=position)
