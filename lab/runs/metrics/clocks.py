"""Positions of points along an axis of steps, tokens, epochs, seconds, FLOPs or joules: for charts and for exports."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

Unit: TypeAlias = Literal["steps", "tokens", "epochs", "seconds", "FLOPs", "joules"]
CLOCKS: dict[Unit, str] = {
    "steps": "steps", "tokens": "tokens", "epochs": "epochs", "seconds": "s", "FLOPs": "FLOPs", "joules": "J",
}  # fmt: skip
"""The axes along which a series can be drawn, and their units. Tokens, epochs and seconds are series of the run."""
POWER, ACCELERATOR_POWER = "power", "accelerator power"
"""The series of the watts of the processors and of an accelerator, whose integral over the seconds are joules."""


def flops_per_token(facts: Mapping[str, Any]) -> float | None:
    """Return the training FLOPs per token from the facts of a run; None for models that count, and if unknown.

    The FLOPs of a point are this times the tokens read until then.
    """
    cost = facts.get("cost")
    values = cost.get("flops_per_token") if isinstance(cost, Mapping) else None
    known = isinstance(values, int | float) and math.isfinite(values) and values > 0
    return float(values) if known else None  # type: ignore[arg-type]


def interpolate(steps: NDArray[Any], known: NDArray[Any], values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the positions (N,) of steps (N,) along an axis with values (M,) at known steps (M,).

    Positions are linear between the known values, and from 0 at step 0 to the first; after the last they are constant.
    If the steps are the known steps, the values themselves are returned.
    """
    if steps is known or np.array_equal(steps, known[: len(steps)]):  # as for the training loss
        return values[: len(steps)]
    if not len(known) or known[0] > 0:
        known, values = np.concatenate([[0.0], known]), np.concatenate([[0.0], values])
    between: NDArray[np.float64] = np.interp(steps, known, values)
    return between


def energy(
    steps: NDArray[Any], seconds: NDArray[np.float64], at: NDArray[Any], watts: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the joules (M,) used until each of the steps `at` (M,), of the watts (M,) since the step before.

    Args:
        steps: (N,) steps whose training time is known.
        seconds: (N,) their times.
        at: The steps at which power was recorded.
        watts: The mean power since the record before.
    """
    times = interpolate(at, steps, seconds)
    return np.cumsum(np.nan_to_num(watts) * np.diff(times, prepend=0.0))
