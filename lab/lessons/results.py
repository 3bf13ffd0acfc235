"""Measured results of lessons: recorded with a lesson, or cached on this machine, so that not everybody has to wait."""

from __future__ import annotations

import contextlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lab.base import LabError
from lab.base.files.reading import read_json
from lab.base.files.writing import make_folder, write_file
from lab.base.folders import cache_folder
from lab.lessons.comparisons import NotComparable, Value, Values, parse_comparison
from lab.lessons.lesson import Lesson

FORMAT = 1
RECORDED = "results.json"
"""The file of the recorded results in the folder of a lesson."""
LARGEST = 1 << 20
"""Most bytes of a file of results."""
INFINITE = "infinite"
"""How a file writes an infinite number, for which JSON has none."""


@dataclass(frozen=True)
class Outcome:
    """What was measured with one seed.

    Args:
        values: The measured quantities by name.
        seconds: Seconds that the trainings took.
    """

    values: Values
    seconds: float = 0.0


@dataclass(frozen=True)
class Result:
    """The outcomes of a lesson by seed.

    Args:
        outcomes: The outcomes.
        recorded: True if they were recorded with the lesson, False if they were measured on this machine.
    """

    outcomes: Mapping[int, Outcome] = field(default_factory=dict)
    recorded: bool = False

    @property
    def first(self) -> Outcome | None:
        """The outcome of the first seed; None if there is none."""
        return next(iter(self.outcomes.values()), None)


@dataclass(frozen=True)
class Decided:
    """What a comparison came to.

    Args:
        text: The comparison.
        holds: Whether it holds; None if it could not be decided.
        why: Why it could not.
    """

    text: str
    holds: bool | None
    why: str = ""


def decide(comparison: str, values: Values) -> Decided:
    """Decide a comparison for measured quantities."""
    try:
        return Decided(comparison, parse_comparison(comparison).holds(values))
    except NotComparable as error:
        return Decided(comparison, None, str(error))


def decide_checks(lesson: Lesson, values: Values) -> list[list[Decided]]:
    """Return what each comparison of each check of a lesson comes to."""
    return [[decide(text, values) for text in check.holds] for check in lesson.checks]


def passes(lesson: Lesson, values: Values) -> bool:
    """Return True if all checks of a lesson hold."""
    return all(one.holds for check in decide_checks(lesson, values) for one in check)


def read_recorded(lesson: Lesson) -> Result:
    """Return the results that were recorded with a lesson; an empty one if there are none of this version of it."""
    return Result(_read(lesson.folder / RECORDED, lesson), recorded=True)


def read_cached(lesson: Lesson) -> Result:
    """Return the results that were measured on this machine; an empty one if there are none."""
    return Result(_read(cache_file(lesson), lesson))


def cache_file(lesson: Lesson) -> Path:
    """Return the path of the results of a lesson that were measured on this machine."""
    return cache_folder() / "lessons" / f"{lesson.name}-{lesson.digest[:12]}.json"


def store(lesson: Lesson, outcomes: Mapping[int, Outcome], file: Path) -> None:
    """Write outcomes of a lesson, beside those of other seeds that the file has already.

    Raises:
        LabError: The file cannot be written.
    """
    merged = {**_read(file, lesson), **outcomes}
    content = {
        "format": FORMAT,
        "digest": lesson.digest,
        "seeds": {
            str(seed): {"seconds": round(one.seconds, 1), "values": {k: _stored(v) for k, v in one.values.items()}}
            for seed, one in sorted(merged.items())
        },
    }
    make_folder(file.parent)
    write_file(file, json.dumps(content, indent=1, allow_nan=False) + "\n")


def cache(lesson: Lesson, outcomes: Mapping[int, Outcome]) -> None:
    """Keep outcomes on this machine; a cache that cannot be written is none."""
    with contextlib.suppress(LabError):
        store(lesson, outcomes, cache_file(lesson))


def _read(file: Path, lesson: Lesson) -> dict[int, Outcome]:
    try:
        stored = read_json(file, LARGEST)
    except (OSError, ValueError):
        return {}
    if not isinstance(stored, dict) or stored.get("digest") != lesson.digest or stored.get("format") != FORMAT:
        return {}
    seeds = stored.get("seeds")
    found: dict[int, Outcome] = {}
    for seed, one in seeds.items() if isinstance(seeds, dict) else ():
        if isinstance(one, dict) and isinstance(one.get("values"), dict) and str(seed).isdecimal():
            values = {str(name): value for name, value in map(_restored, one["values"].items()) if value is not None}
            seconds = one.get("seconds")
            found[int(seed)] = Outcome(values, float(seconds) if isinstance(seconds, int | float) else 0.0)
    return found


def _stored(value: Value) -> Any:
    if isinstance(value, Mapping):
        return {key: _stored(number) for key, number in value.items()}
    if isinstance(value, float) and not math.isfinite(value):
        return INFINITE if value > 0 else None
    return float(f"{value:.8g}") if isinstance(value, float) else value


def _restored(item: tuple[str, Any]) -> tuple[str, Value | None]:
    name, value = item
    if isinstance(value, dict):
        entries = {str(key): _number(number) for key, number in value.items()}
        return name, {key: number for key, number in entries.items() if number is not None}
    return name, _number(value)


def _number(value: Any) -> float | None:
    if value == INFINITE:
        return math.inf
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
