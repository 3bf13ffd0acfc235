"""Predictions: what a learner drew, picked or typed, what was measured, and what the rule of the lesson says."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from lab.lessons.comparisons import NotComparable, Value, Values, number_key, parse_term
from lab.lessons.lesson import Lesson
from lab.lessons.reading import PREDICTION
from lab.lessons.results import Decided, decide

Predicted: TypeAlias = "float | str | Mapping[str, float]"
"""A prediction: the number, the key of the option, or the drawn curve by key."""
LARGEST = 1e100
"""Bound of the numbers of an answer, whose sums then stay finite."""
MOST_POINTS = 400
"""Most points of a drawn curve."""


@dataclass(frozen=True)
class Score:
    """What became of a prediction.

    Args:
        right: Whether every comparison of its rule holds; None if one could not be decided.
        decided: The comparisons.
        answer: The measured counterpart; None if it was not measured.
        distance: The mean distance of a drawn curve from the measured one, in the unit of the curve; None otherwise.
    """

    right: bool | None
    decided: tuple[Decided, ...]
    answer: Value | None = None
    distance: float | None = None


def score(lesson: Lesson, predicted: Predicted, values: Values) -> Score:
    """Score a prediction by the rule of its lesson, which the learner sees."""
    known: dict[str, Value] = {**values, PREDICTION: _comparable(predicted)}
    decided = tuple(decide(text, known) for text in lesson.prediction.right)
    undecided = any(one.holds is None for one in decided)
    answer = answer_of(lesson, values)
    distance = None
    if isinstance(predicted, Mapping) and isinstance(answer, Mapping):
        shared = [key for key in answer if key in predicted and math.isfinite(answer[key])]
        distance = math.fsum(abs(predicted[key] - answer[key]) for key in shared) / len(shared) if shared else None
    return Score(None if undecided else all(one.holds for one in decided), decided, answer, distance)


def answer_of(lesson: Lesson, values: Values) -> Value | None:
    """Return the measured counterpart of a prediction; None if it was not measured."""
    prediction = lesson.prediction
    if prediction.kind == "curve":
        return values.get(prediction.of)
    try:
        return parse_term(prediction.answer).value(values)
    except NotComparable:
        return None


def positions(lesson: Lesson, values: Values | None = None) -> list[str]:
    """Return the keys of a drawn curve, in order: those of the measured quantity, or its steps once it is measured."""
    measure = lesson.measure(lesson.prediction.of)
    keys = lesson.keys_of(measure)
    if keys or values is None:
        return list(keys)
    found = values.get(measure.name)
    return list(found) if isinstance(found, Mapping) else []


def read_prediction(lesson: Lesson, stored: Any) -> Predicted | None:
    """Return a prediction from a file that anybody may have written; None if it does not fit the lesson."""
    prediction = lesson.prediction
    if prediction.kind == "number":
        return float(stored) if _is_number(stored) else None
    if prediction.kind == "pick":
        return stored if isinstance(stored, str) and stored in [one.key for one in prediction.options] else None
    if not isinstance(stored, Mapping) or not 0 < len(stored) <= MOST_POINTS:
        return None
    curve = {str(key): value for key, value in stored.items()}
    return {key: float(value) for key, value in curve.items()} if all(map(_is_number, curve.values())) else None


def example_prediction(lesson: Lesson, values: Values | None = None) -> Predicted:
    """Return a prediction to show how one is made: the first option, or the middle of the range.

    Args:
        lesson: The lesson.
        values: What was measured, which gives the positions of a curve over steps; None if nothing was.
    """
    prediction = lesson.prediction
    if prediction.kind == "pick":
        return prediction.options[0].key
    low, high = prediction.low, prediction.high
    middle = math.sqrt(low * high) if prediction.log else (low + high) / 2
    return middle if prediction.kind == "number" else dict.fromkeys(positions(lesson, values), middle)


def shown(lesson: Lesson, value: Predicted | Value | None) -> str:
    """Return a prediction or its counterpart as a short text."""
    if value is None:
        return ""
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {number:.3g}" for key, number in value.items())
    text = f"{value:.4g}" if isinstance(value, int | float) else str(value)
    if lesson.prediction.kind == "pick":
        return next((one.label for one in lesson.prediction.options if _same(one.key, value)), text)
    return f"{text} {lesson.prediction.unit}".strip()


def distribution(lesson: Lesson, predictions: Sequence[Predicted]) -> dict[str, int]:
    """Return how often each option was picked; {} for other kinds."""
    if lesson.prediction.kind != "pick":
        return {}
    return {one.key: sum(predicted == one.key for predicted in predictions) for one in lesson.prediction.options}


def quantiles(predictions: Sequence[Predicted], keys: Sequence[str]) -> dict[str, tuple[float, float, float]]:
    """Return the lower quartile, the median and the upper quartile of drawn curves at each position."""
    found = {}
    for key in keys:
        drawn = sorted(one[key] for one in predictions if isinstance(one, Mapping) and key in one)
        if drawn:
            found[key] = (_quantile(drawn, 0.25), _quantile(drawn, 0.5), _quantile(drawn, 0.75))
    return found


def _quantile(ordered: Sequence[float], share: float) -> float:
    position = share * (len(ordered) - 1)
    below = int(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (position - below) * (ordered[above] - ordered[below])


def _comparable(predicted: Predicted) -> Value:
    return number_key(predicted) if isinstance(predicted, str) else predicted


def _same(key: str, value: Value) -> bool:
    return number_key(key) == value or key == str(value)


def _is_number(value: Any) -> bool:
    """Return True for a number whose sums stay finite: an answer may come from anybody."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < LARGEST
