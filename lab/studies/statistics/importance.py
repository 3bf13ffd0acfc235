"""How much each setting matters for the loss over many runs: an estimate, by fANOVA of a random forest."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from lab.base import BadInput
from lab.base.extras import need
from lab.studies.statistics.groups import Field

LEAST_RUNS = 8
"""Fewer runs say nothing about any setting."""
FACTOR = 8.0
"""Factor between the ends of a setting from which on it counts by its logarithm."""


def importance(points: Sequence[Mapping[str, Field]], losses: Sequence[float], *, seed: int = 0) -> dict[str, float]:
    """Return the share of the variance of the loss that each setting explains by itself, the largest first.

    It is an estimate: a random forest is fitted to the runs, and its variance over the ranges that they cover is taken
    apart (Hutter et al. 2014), by Optuna. Settings that were not varied independently share what they explain.

    Args:
        points: The settings of each run by path; those that are not in all runs, or do not differ, are left out.
        losses: The loss of each run; runs without a finite one are left out.
        seed: The seed of the forest.

    Returns:
        Shares by path, which add up to 1.

    Raises:
        BadInput: There are too few runs, nothing differs, or Optuna is not installed.
    """
    optuna = need("optuna", "studies", "The importance of settings")
    need("sklearn", "studies", "The importance of settings")
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    known = [(point, loss) for point, loss in zip(points, losses, strict=True) if math.isfinite(loss)]
    if len(known) < LEAST_RUNS:
        what = f"{len(known)} runs with a loss are too few to say which setting matters"
        raise BadInput(what, field="runs", allowed=f"at least {LEAST_RUNS}")
    kinds = _distributions(optuna, [point for point, _ in known])
    if not kinds:
        raise BadInput("no setting differs between these runs, so that none can matter", field="runs")
    search = optuna.create_study(direction="minimize")
    for point, loss in known:
        values = {path: _value(point[path]) for path in kinds}
        search.add_trial(optuna.trial.create_trial(params=values, distributions=kinds, value=loss))
    if len({loss for _, loss in known}) == 1:
        return dict.fromkeys(kinds, 1 / len(kinds))
    evaluator = optuna.importance.FanovaImportanceEvaluator(seed=seed)
    found = optuna.importance.get_param_importances(search, evaluator=evaluator)
    return {str(path): float(share) for path, share in sorted(found.items(), key=lambda each: -each[1])}


def _distributions(optuna: Any, points: Sequence[Mapping[str, Field]]) -> dict[str, Any]:
    """Return the distribution of each setting that differs."""
    found: dict[str, Any] = {}
    for path in points[0]:
        if not all(path in point and point[path] is not None for point in points):
            continue
        values = [_value(point[path]) for point in points]
        if len(set(values)) == 1:
            continue
        if all(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
            low, high = float(np.min(values)), float(np.max(values))
            is_log = low > 0 and high > FACTOR * low
            found[path] = optuna.distributions.FloatDistribution(low, high, log=is_log)
        else:
            found[path] = optuna.distributions.CategoricalDistribution(sorted(set(values), key=str))
    return found


def _value(value: Field) -> bool | int | float | str:
    return ", ".join(value) if isinstance(value, tuple) else value if value is not None else ""
