"""Quantities of finished runs, as lessons and studies name them: from figures, series, evaluations, readings, texts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.api import Reading
from lab.base import BadInput
from lab.runs.library.measure import RunMeasure
from lab.runs.metrics.clocks import flops_per_token
from lab.workbench.access.saved import SavedRun
from lab.workbench.analysis.lengths import over_lengths
from lab.workbench.analysis.measurements import Measurer
from lab.workbench.scoring.by_checkpoint import tables_by_checkpoint
from lab.workbench.scoring.degeneration import MEASURES

_SUMMARY = {
    "validation loss": "validation_loss",
    "train loss": "train_loss",
    "perplexity": "perplexity",
    "bits per byte": "bits_per_byte",
    "parameters": "parameters",
    "decoding state": "state_bytes",
}


def measure_run(measure: RunMeasure, run: SavedRun, *, field: str) -> float:
    """Return a quantity of a finished run; of a step that was never reached infinity.

    Args:
        measure: The quantity; it is complete.
        run: The run.
        field: The field of problems.

    Raises:
        BadInput: The run has no such figure.
        LabError: The run is damaged, or a plugin's code raised.
    """
    if measure.figure in _SUMMARY:
        return _figure(measure, run, run.summary.get(_SUMMARY[measure.figure]), field)
    if measure.figure in ("metric", "floor"):
        values = run.summary.get("metrics" if measure.figure == "metric" else "floors") or {}
        return _figure(measure, run, values.get(measure.of), field, known=values)
    if measure.figure == "loss under protocol":
        return float(run.evaluate(protocol=measure.of, device="cpu").loss)
    if measure.figure in ("loss at length", "accuracy at length"):
        (point,) = over_lengths(run, [measure.length or 1], device="cpu")
        return _figure(measure, run, point.loss if measure.figure == "loss at length" else point.accuracy, field)
    if measure.figure == "loss at positions":
        return _at_positions(measure, run, field)
    if measure.figure == "step reached":
        return _step_reached(measure, run, field)
    if measure.figure == "series":
        steps, values = series_of(measure, run, field)
        position = len(steps) - 1 if measure.step is None else int(np.abs(steps - measure.step).argmin())
        return float(values[position])
    if measure.figure == "flops per token":
        return _figure(measure, run, flops_per_token(run.folder.facts), field)
    if measure.figure == "written text":
        return _written(measure, run, field)
    return _reading(measure, run, field)


def series_of(measure: RunMeasure, run: SavedRun, field: str) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return the (n,) steps of the series that a measure names, and its (n,) values, all of them finite.

    Raises:
        BadInput: The run has no such series, or one without a number.
    """
    reader = run.metrics()
    known = reader.series()
    if measure.of not in known:
        what = f"the run {run.name} has no series {measure.of}"
        raise BadInput(what, field=field, allowed=", ".join(known) or "none")
    steps, values = reader.read(measure.of)
    sound = np.isfinite(values)
    if not sound.any():
        raise BadInput(f"the series {measure.of} is empty", field=field)
    return steps[sound], values[sound]


def _figure(
    measure: RunMeasure, run: SavedRun, value: Any, field: str, known: Mapping[str, Any] | None = None
) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    if _SUMMARY.get(measure.figure) in (run.summary.get("infinite") or ()):
        return math.inf
    if measure.figure == "perplexity" and "validation_loss" in (run.summary.get("infinite") or ()):
        return math.inf
    what = f"the run {run.name} has no {measure.figure}{f' {measure.of}' if measure.of else ''}"
    raise BadInput(what, field=field, allowed=None if known is None else ", ".join(known) or "none")


def _step_reached(measure: RunMeasure, run: SavedRun, field: str) -> float:
    steps, values = series_of(measure, run, field)
    reached = values >= measure.at_least if measure.at_least is not None else values <= measure.at_most
    return float(steps[reached][0]) if reached.any() else math.inf


def _at_positions(measure: RunMeasure, run: SavedRun, field: str) -> float:
    """Return the mean loss of validation targets at some positions of their windows."""
    step = max(run.folder.checkpoint_steps(), default=0)
    found = Measurer(run.folder, step, run.plugins).difficulty().by_position
    first, last = measure.positions or (1, len(found))
    losses = np.array(found[first - 1 : last])
    losses = losses[np.isfinite(losses)]
    if not len(losses):
        what = f"the windows of the run {run.name} have no targets at the positions {first} to {last}"
        raise BadInput(what, field=field, allowed=f"1 to {len(found)}")
    return float(losses.mean())


def _written(measure: RunMeasure, run: SavedRun, field: str) -> float:
    """Return a measure of the texts that a checkpoint writes, or of those of its corpus."""
    if measure.of not in MEASURES:
        raise BadInput("there is no such measure of texts", field=field, value=measure.of, allowed=", ".join(MEASURES))
    settings = [measure.decoding] if measure.decoding else []
    (found,) = tables_by_checkpoint(run, [measure.checkpoint], settings, texts=measure.texts, device="cpu")
    return float(getattr(found.table.rows[0].measures if settings else found.table.human, measure.of))


def _reading(measure: RunMeasure, run: SavedRun, field: str) -> float:
    """Return one number of the readings of a probe: the values at the positions that the measure names, reduced."""
    readings = run.probe(measure.probe, measure.text or None, settings=measure.probe_settings, device="cpu")
    named = [one for one in readings if one.name == measure.of]
    if "layer" in measure.at:
        named = [one for one in named if one.layer in (None, measure.at["layer"])]
    if not named:
        known = ", ".join(dict.fromkeys(one.name for one in readings))
        what = f"the probe {measure.probe} gives no reading {measure.of} there"
        raise BadInput(what, field=field, allowed=known or "none")
    values = np.concatenate([np.ravel(_at(one, measure, field)) for one in named]).astype(float)
    values = values[np.isfinite(values)]
    if not len(values):
        raise BadInput(f"the reading {measure.of} holds no number there", field=field)
    reduced = {"mean": np.mean, "least": np.min, "most": np.max, "last": lambda numbers: numbers[-1]}
    return float(reduced[measure.reduce](values))  # type: ignore[operator]


def _at(reading: Reading, measure: RunMeasure, field: str) -> NDArray[Any]:
    """Return the values of a reading at the positions along axes that the measure names."""
    values, axes = np.asarray(reading.values), list(reading.axes)
    for axis, position in measure.at.items():
        if axis not in axes:
            if axis == "layer":
                continue
            what = f"the reading {reading.name} has no axis {axis}"
            raise BadInput(what, field=f"{field}.at", allowed=", ".join(axes))
        index = _index(reading.coordinates.get(axis), position, values.shape[axes.index(axis)])
        if index is None:
            what = f"the axis {axis} has no position {position}"
            raise BadInput(what, field=f"{field}.at")
        values = np.take(values, index, axis=axes.index(axis))
        axes.remove(axis)
    return values


def _index(coordinates: Sequence[Any] | None, position: int | str, size: int) -> int | None:
    """Return the index of a position: that of its name or number among the coordinates, or else the number itself."""
    if coordinates is not None:
        names = [str(one) for one in coordinates]
        if str(position) in names:
            return names.index(str(position))
    return position if isinstance(position, int) and -size <= position < size else None
