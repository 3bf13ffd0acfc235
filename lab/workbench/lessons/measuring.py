"""What a lesson measures of its runs, from their figures, series, evaluations and readings."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.api import Reading
from lab.base import BadInput
from lab.lessons.comparisons import Value
from lab.lessons.lesson import Lesson, Measure
from lab.runs.metrics.clocks import flops_per_token
from lab.workbench.access.saved import SavedRun
from lab.workbench.analysis.lengths import over_lengths
from lab.workbench.scoring.degeneration import degeneration_table
from lab.worked.examples import Printed, find_example

MOST_POINTS = 60
"""Most points of a series that is measured as a curve; those between are left out evenly."""
_SUMMARY = {
    "validation loss": "validation_loss",
    "train loss": "train_loss",
    "perplexity": "perplexity",
    "bits per byte": "bits_per_byte",
    "parameters": "parameters",
    "decoding state": "state_bytes",
}
TEXTS, TOKENS = 16, 200
"""Texts that a run writes to be measured, and their tokens."""


def measure_all(
    lesson: Lesson,
    runs: Mapping[tuple[str, str], SavedRun],
    *,
    cancelled: Callable[[], bool] = lambda: False,
    progress: Callable[[float], object] = lambda _: None,
) -> dict[str, Value]:
    """Measure all quantities of a lesson.

    Args:
        lesson: The lesson.
        runs: The trained runs by (name of the run, key of its value).
        cancelled: Called for each quantity; returning True ends the work with what was measured.
        progress: Called with the share that is done.

    Raises:
        BadInput: A run has no such figure.
        LabError: A run is damaged, or a plugin's code raised.
    """
    found: dict[str, Value] = {}
    for index, measure in enumerate(lesson.measures):
        if cancelled():
            break
        progress(index / len(lesson.measures))
        found[measure.name] = _measured(lesson, measure, runs)
    return found


def _measured(lesson: Lesson, measure: Measure, runs: Mapping[tuple[str, str], SavedRun]) -> Value:
    if measure.figure == "example":
        return _of_example(measure)
    if len(measure.runs) > 1:
        return {name: _number(measure, runs[name, ""]) for name in measure.runs}
    name = measure.runs[0]
    keys = lesson.run(name).keys
    if keys != ("",):
        return {key: _number(measure, runs[name, key]) for key in keys}
    if measure.figure == "series" and measure.step is None:
        return _curve(measure, runs[name, ""])
    return _number(measure, runs[name, ""])


def _number(measure: Measure, run: SavedRun) -> float:
    """Return a figure of one run."""
    if measure.figure in _SUMMARY:
        return _figure(measure, run, run.summary.get(_SUMMARY[measure.figure]))
    if measure.figure in ("metric", "floor"):
        values = run.summary.get("metrics" if measure.figure == "metric" else "floors") or {}
        return _figure(measure, run, values.get(measure.of), known=values)
    if measure.figure == "loss under protocol":
        return float(run.evaluate(protocol=measure.of, device="cpu").loss)
    if measure.figure in ("loss at length", "accuracy at length"):
        (point,) = over_lengths(run, [measure.length or 1], device="cpu")
        return _figure(measure, run, point.loss if measure.figure == "loss at length" else point.accuracy)
    if measure.figure == "series":
        steps, values = _series(measure, run)
        position = len(steps) - 1 if measure.step is None else int(np.abs(steps - measure.step).argmin())
        return float(values[position])
    if measure.figure == "flops per token":
        return _figure(measure, run, flops_per_token(run.folder.facts))
    if measure.figure == "writing":
        return _writing(measure, run)
    return _reading(measure, run)


def _writing(measure: Measure, run: SavedRun) -> float:
    """Return a measure of texts that a run writes in a way of decoding, or of those of its corpus."""
    settings = [measure.decoding] if measure.decoding else []
    table = degeneration_table(run, settings, texts=TEXTS, tokens=TOKENS, device="cpu")
    known = (table.rows[0].measures if settings else table.human).as_dict()
    return _figure(measure, run, known.get(measure.of), known=known)


def _of_example(measure: Measure) -> float:
    """Return the number that a step of a worked example gives."""
    example = find_example(measure.example)
    step = Printed(measure.of, "")
    value = example.compute().find(step.step)
    number = None if value is None else step.entry(value)
    if number is None:
        allowed = ", ".join(one.key for one in example.steps)
        what = f"the worked example {example.name} gives no number {measure.of}"
        raise BadInput(what, field=f"measures.{measure.name}", allowed=allowed)
    return number


def _figure(measure: Measure, run: SavedRun, value: Any, known: Mapping[str, Any] | None = None) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    if _SUMMARY.get(measure.figure) in (run.summary.get("infinite") or ()):
        return math.inf
    if measure.figure == "perplexity" and "validation_loss" in (run.summary.get("infinite") or ()):
        return math.inf
    what = f"the run {run.name} has no {measure.figure}{f' {measure.of}' if measure.of else ''}"
    allowed = None if known is None else ", ".join(known) or "none"
    raise BadInput(what, field=f"measures.{measure.name}", allowed=allowed)


def _series(measure: Measure, run: SavedRun) -> tuple[NDArray[Any], NDArray[Any]]:
    reader = run.metrics()
    known = reader.series()
    if measure.of not in known:
        what = f"the run {run.name} has no series {measure.of}"
        raise BadInput(what, field=f"measures.{measure.name}", allowed=", ".join(known) or "none")
    steps, values = reader.read(measure.of)
    sound = np.isfinite(values)
    if not sound.any():
        raise BadInput(f"the series {measure.of} is empty", field=f"measures.{measure.name}")
    return steps[sound], values[sound]


def _curve(measure: Measure, run: SavedRun) -> dict[str, float]:
    steps, values = _series(measure, run)
    picked = np.unique(np.linspace(0, len(steps) - 1, min(MOST_POINTS, len(steps))).round().astype(int))
    return {str(int(steps[index])): float(values[index]) for index in picked}


def _reading(measure: Measure, run: SavedRun) -> float:
    """Return one number of the readings of a probe: the values at the positions that the measure names, reduced."""
    readings = run.probe(measure.probe, measure.text or None, settings=measure.probe_settings, device="cpu")
    named = [one for one in readings if one.name == measure.of]
    if "layer" in measure.at:
        named = [one for one in named if one.layer in (None, measure.at["layer"])]
    if not named:
        known = ", ".join(dict.fromkeys(one.name for one in readings))
        what = f"the probe {measure.probe} gives no reading {measure.of} there"
        raise BadInput(what, field=f"measures.{measure.name}", allowed=known or "none")
    values = np.concatenate([np.ravel(_at(one, measure)) for one in named]).astype(float)
    values = values[np.isfinite(values)]
    if not len(values):
        raise BadInput(f"the reading {measure.of} holds no number there", field=f"measures.{measure.name}")
    reduced = {"mean": np.mean, "least": np.min, "most": np.max, "last": lambda numbers: numbers[-1]}
    return float(reduced[measure.reduce](values))  # type: ignore[operator]


def _at(reading: Reading, measure: Measure) -> NDArray[Any]:
    """Return the values of a reading at the positions along axes that the measure names."""
    values, axes = np.asarray(reading.values), list(reading.axes)
    for axis, position in measure.at.items():
        if axis not in axes:
            if axis == "layer":
                continue
            what = f"the reading {reading.name} has no axis {axis}"
            raise BadInput(what, field=f"measures.{measure.name}.at", allowed=", ".join(axes))
        index = _index(reading.coordinates.get(axis), position, values.shape[axes.index(axis)])
        if index is None:
            what = f"the axis {axis} has no position {position}"
            raise BadInput(what, field=f"measures.{measure.name}.at")
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
