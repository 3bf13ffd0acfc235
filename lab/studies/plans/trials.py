"""The runs of a study: each a setting and a seed, with the recipe that follows and a key that names it everywhere."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from lab.base import BadInput
from lab.recipes import Recipe
from lab.recipes.assignments import assigned
from lab.studies.plans.study import Point, Study, Value

KEY = 20
"""Hexadecimal digits of a key."""


@dataclass(frozen=True)
class Trial:
    """One run of a study.

    Args:
        number: Its position in the plan, from 0.
        point: The values that it was given, by path.
        seed: Its seed.
        recipe: Its recipe.
        arm: What it is a repetition of, apart from the seed: all runs of an arm share it.
    """

    number: int
    point: Mapping[str, Value]
    seed: int
    recipe: Recipe
    arm: str

    @cached_property
    def key(self) -> str:
        """What makes runs the same, whatever study they belong to: a digest of all settings but title and threads."""
        plain = self.recipe.with_values({"title": None, "training": {"threads": None}})
        return hashlib.sha256(plain.to_toml().encode()).hexdigest()[:KEY]


def recipe_at(study: Study, point: Mapping[str, Value], seed: int) -> Recipe:
    """Return the recipe of a setting and a seed; names of cards are set before their settings.

    Raises:
        BadInput: A value is not allowed, or a path names no setting.
    """
    ordered = sorted(point.items(), key=lambda each: not each[0].endswith(".name"))
    pieces = [assigned(_plain(path), list(value) if isinstance(value, tuple) else value) for path, value in ordered]
    if study.data_per_seed:
        pieces.append({"corpus": {"seed": seed}})
    title = study.title if not point else f"{study.title}: {point_label(point)}"
    return study.base.with_values(*pieces, {"training": {"seed": seed}, "title": title[:200]})


def _plain(path: str) -> str:
    return f"architecture.{path.removeprefix('model.')}" if path.startswith("model.") else path


def point_label(point: Mapping[str, Value]) -> str:
    """Return a setting in short: "activation gelu, learning_rate 0.003"; "" for none."""
    shown = [f"{path.removesuffix('.name').rpartition('.')[2]} {_value_label(value)}" for path, value in point.items()]
    return ", ".join(shown)


def _value_label(value: Value) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_value_label, value))}]"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def trials_of(study: Study, points: Sequence[Point], first: int = 0) -> list[Trial]:
    """Return the runs of some settings: each with all seeds, the seeds of one setting after another.

    Args:
        study: The study.
        points: The settings.
        first: The number of the first run.

    Raises:
        BadInput: A value is not allowed; the problem names the setting.
    """
    found: list[Trial] = []
    for point in points:
        for seed in study.seeds:
            try:
                recipe = recipe_at(study, point, seed)
            except BadInput as error:
                raise BadInput(f"{error.problem.what} (in the setting {point_label(point)})", field=error.problem.field,
                               value=error.problem.value, allowed=error.problem.allowed) from None  # fmt: skip
            found.append(Trial(first + len(found), point, seed, recipe, point_label(point) or study.title))
    return found
