"""Columns of numbers with mean 0 and standard deviation 1, over all rows or over those for training."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.api import Vectors

SCALED = "scaled"
"""The fact of a corpus with the mean and the deviation by column."""


def scaled(
    values: NDArray[Any],
    names: Sequence[str],
    rows: NDArray[np.int64] | None = None,
    *,
    except_labels: bool = False,
) -> tuple[NDArray[np.float32], dict[str, dict[str, float]]]:
    """Return columns (N, F) with mean 0 and deviation 1 over some rows, and both by column; a constant one becomes 0.

    Args:
        values: (N, F).
        names: The name of each column.
        rows: The rows whose mean and deviation are used; None for all.
        except_labels: Whether columns of nothing but 0 and 1 stay as they are, and are not among those by column.
    """
    by_name = {}
    made = np.empty(values.shape, np.float32)
    for index, name in enumerate(names):
        column = values[:, index].astype(np.float64)
        if except_labels and np.isin(column, (0, 1)).all():
            made[:, index] = column
            continue
        fitted = column if rows is None else column[rows]
        mean = math.fsum(fitted) / len(fitted)  # exact, so that the numbers are the same on every machine
        deviation = math.sqrt(math.fsum((fitted - mean) ** 2) / len(fitted))
        made[:, index] = (column - mean) / (deviation or 1.0)
        by_name[name] = {"mean": mean, "deviation": deviation}
    return made, by_name


def scaled_by_training(vectors: Vectors, training: NDArray[np.int64]) -> tuple[Vectors, dict[str, Any]]:
    """Return vectors whose columns have mean 0 and deviation 1 over the rows for training, and the fact SCALED.

    Where they were scaled before, the fact states both as they were before that.
    """
    names = vectors.features or _numbered(vectors.inputs)
    inputs, by_name = scaled(vectors.inputs, names, training)
    targets: NDArray[Any] = vectors.targets
    if not vectors.classes:
        names = vectors.outputs or _numbered(vectors.targets)
        targets, of_targets = scaled(vectors.targets, names, training, except_labels=True)
        by_name |= of_targets
    before = vectors.facts.get(SCALED, {})
    facts = {name: _composed(before.get(name), found) for name, found in by_name.items()}
    return replace(vectors, inputs=inputs, targets=targets), {SCALED: facts}


def _numbered(values: NDArray[Any]) -> list[str]:
    return [str(number) for number in range(1, values.shape[1] + 1)]


def _composed(first: Mapping[str, float] | None, second: Mapping[str, float]) -> Mapping[str, float]:
    """Return mean and deviation of two scalings, one after the other."""
    if first is None:
        return second
    unit = first["deviation"] or 1.0
    return {"mean": first["mean"] + unit * second["mean"], "deviation": unit * second["deviation"]}
