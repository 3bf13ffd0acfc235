"""The figures of many runs, read in a thread for the table of Compare."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from lab.base import LabError
from lab.base.run_state import RunState
from lab.runs import RunFolder
from lab.runs.library.columns import Row
from lab.runs.metrics.clocks import flops_per_token
from lab.studies.statistics import RunFigures

Curve: TypeAlias = tuple[NDArray[np.float64], NDArray[np.float64]]
LOSS_SERIES = "validation loss"
LAST, BEST, MEAN = "last", "best", "mean"
"""What stands for the losses of a run: at its end, the lowest one, or the mean of the last few."""
FEW = 5
"""Evaluations of which MEAN takes the mean."""


class FiguresReader:
    """Reads runs once, and again only if they changed.

    Attributes:
        curves: Steps and validation losses of each run, by its key.
    """

    def __init__(self) -> None:
        self._known: dict[Path, tuple[int, RunFigures]] = {}
        self.curves: dict[str, Curve] = {}

    def read(
        self,
        runs: Iterable[Path],
        cancelled: Callable[[], bool] = lambda: False,
    ) -> list[RunFigures]:
        """Return the figures of runs; those that cannot be read are left out.

        Args:
            runs: Their folders.
            cancelled: Returns True to end with what was read so far.
        """
        found = []
        for path in runs:
            if cancelled():
                break
            try:
                changed = (path / "status.json").stat().st_mtime_ns
                known = self._known.get(path)
                if known is None or known[0] != changed:
                    run = RunFolder.open(path)
                    known = self._known[path] = changed, figures_of(run)
                    with contextlib.suppress(LabError):  # it was not evaluated
                        steps, values = run.metrics().read(LOSS_SERIES)
                        self.curves[known[1].key] = steps.astype(np.float64), values.astype(np.float64)
            except (OSError, LabError):  # deleted or damaged: the list of runs reports it
                continue
            found.append(known[1])
        return found


def figures_of(run: RunFolder) -> RunFigures:
    """Return the figures of a run; one that is not finished has no loss.

    Raises:
        LabError: The run is damaged.
    """
    row = Row(run)
    summary, settings = row.summary, row.settings
    cost = run.facts.get("cost")
    cost = cost if isinstance(cost, dict) else {}
    tokens, per_token = _number(summary.get("tokens")), flops_per_token(run.facts)
    ended = row.state == RunState.FINISHED  # a loss on the way says nothing about the end
    values = {
        LAST: _number(summary.get("validation_loss") if ended else None),
        BEST: _number(row.figure("best", LOSS_SERIES) if ended else None),
        MEAN: _number(row.figure("mean", LOSS_SERIES, FEW) if ended else None),
        "parameters": _number(summary.get("parameters")),
        "active parameters": _number(cost.get("active_parameters")),
        "tokens": tokens,
        "seconds": _number(summary.get("seconds")),
        "FLOPs": tokens * per_token if per_token is not None else math.nan,
        "state bytes": _number(summary.get("state_bytes")),
    }
    fields = {path: value for path, value in settings.items() if path not in ("title", "format")}
    seed = settings.get("training.seed")
    name = row.label.name or run.assigned_name or str(settings.get("title") or run.name)
    tags = {"tags": row.label.tags}
    return RunFigures(str(run.path), name, fields | tags, values, seed if isinstance(seed, int) else None)


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else math.nan
