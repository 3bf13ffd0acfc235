"""Where the points of a series lie along an axis of steps, tokens, seconds or FLOPs: for charts and for exports."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

Unit: TypeAlias = Literal["steps", "tokens", "seconds", "FLOPs"]
CLOCKS: dict[Unit, str] = {"steps": "steps", "tokens": "tokens", "seconds": "s", "FLOPs": "FLOPs"}
"""Along what a series can be laid, and the unit of that. Tokens and seconds are series of the run by these names."""


def flops_per_token(facts: Mapping[str, Any]) -> float | None:
    """What a token takes in training, from the facts of a run; None for models that count, and where it is not known.

    FLOPs of a point are this times the tokens read until then.
    """
    cost = facts.get("cost")
    told = cost.get("flops_per_token") if isinstance(cost, Mapping) else None
    known = isinstance(told, int | float) and math.isfinite(told) and told > 0
    return float(told) if known else None  # type: ignore[arg-type]


def placed(steps: NDArray[Any], known: NDArray[Any], told: NDArray[np.float64]) -> NDArray[np.float64]:
    """(N,) places of (N,) steps along an axis of which (M,) values were told at (M,) known steps.

    They lie on straight lines between those that were told, and from 0 at step 0 to the first; behind the last they
    stay. Where the steps are those known, what was told is given out itself.
    """
    if steps is known or np.array_equal(steps, known[: len(steps)]):  # as the training loss is
        return told[: len(steps)]
    if not len(known) or known[0] > 0:
        known, told = np.concatenate([[0.0], known]), np.concatenate([[0.0], told])
    between: NDArray[np.float64] = np.interp(steps, known, told)
    return between
