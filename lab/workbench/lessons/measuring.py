"""What a lesson measures of its runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from lab.base import BadInput
from lab.lessons.comparisons import Value
from lab.lessons.lesson import Lesson, Measure
from lab.workbench.access.saved import SavedRun
from lab.workbench.measures import measure_run, series_of
from lab.worked.examples import Printed, find_example

MOST_POINTS = 60
"""Most points of a series that is measured as a curve; those between are left out evenly."""


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
    return measure_run(measure, run, field=_field(measure))


def _of_example(measure: Measure) -> float:
    """Return the number that a step of a worked example gives."""
    example = find_example(measure.example)
    step = Printed(measure.of, "")
    value = example.compute().find(step.step)
    number = None if value is None else step.entry(value)
    if number is None:
        allowed = ", ".join(one.key for one in example.steps)
        what = f"the worked example {example.name} gives no number {measure.of}"
        raise BadInput(what, field=_field(measure), allowed=allowed)
    return number


def _curve(measure: Measure, run: SavedRun) -> dict[str, float]:
    steps, values = series_of(measure, run, _field(measure))
    picked = np.unique(np.linspace(0, len(steps) - 1, min(MOST_POINTS, len(steps))).round().astype(int))
    return {str(int(steps[index])): float(values[index]) for index in picked}


def _field(measure: Measure) -> str:
    return f"measures.{measure.name}"
