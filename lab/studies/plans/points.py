"""The settings of a study that does not learn from its runs: a grid, random draws, a Latin hypercube."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping

import numpy as np

from lab.base import BadInput
from lab.studies.plans.study import Point, Study, Value, Variation

MOST = 100_000
"""Most runs of a study."""
BEYOND = 10**15
"""Number of runs from which on it is not written out."""


def points_of(study: Study, base: Mapping[str, Value]) -> list[Point]:
    """Return the settings of a grid, of random draws or of a Latin hypercube: a function of the study alone.

    Equal settings, as conditions leave them, appear once.

    Args:
        study: The study.
        base: The settings of its recipe by path.

    Raises:
        BadInput: The grid is too large.
    """
    if not study.variations:
        return [{}]
    drawn = _grid(study) if study.sampler.name == "grid" else _drawn(study)
    unique = {tuple(sorted(point.items())): point for point in (_conditioned(study, each, base) for each in drawn)}
    return list(unique.values())


def at_share(variation: Variation, share: float) -> Value:
    """Return the value at a share of the way through a variation, 0 ≤ share < 1."""
    if variation.values:
        return variation.values[min(int(share * len(variation.values)), len(variation.values) - 1)]
    if variation.log:
        value = math.exp(math.log(variation.low) + share * (math.log(variation.high) - math.log(variation.low)))
    else:
        value = variation.low + share * (variation.high - variation.low)
    return round(value) if variation.whole else float(f"{value:.6g}")  # a number that one can type again


def _conditioned(study: Study, drawn: Mapping[str, Value], base: Mapping[str, Value]) -> Point:
    point: Point = {}
    for variation in study.variations:
        if variation.applies(point, base):
            point[variation.path] = drawn[variation.path]
    return point


def _grid(study: Study) -> list[Point]:
    columns = []
    for each in study.variations:
        steps = max(1, each.count - 1)
        columns.append(list(each.values) or list(dict.fromkeys(at_share(each, at / steps) for at in range(each.count))))
    size = math.prod(map(len, columns)) * len(study.seeds)
    if size > MOST:
        value = f"{size:,} runs with all seeds" if size < BEYOND else "more runs than can be counted"
        remedy = "Take fewer values, or another sampler"
        raise BadInput("the grid is too large", field="vary", value=value, allowed=f"{MOST:,}", remedy=remedy)
    paths = [each.path for each in study.variations]
    return [dict(zip(paths, values, strict=True)) for values in itertools.product(*columns)]


def _drawn(study: Study) -> list[Point]:
    """Return random draws; in a Latin hypercube each setting is drawn once from each of as many equal strata."""
    random, runs = np.random.default_rng(study.sampler.seed), study.sampler.runs
    shares = random.random((runs, len(study.variations)))
    if study.sampler.name == "latin-hypercube":
        strata = np.stack([random.permutation(runs) for _ in study.variations], axis=-1)
        shares = (strata + shares) / runs
    return [
        {each.path: at_share(each, float(share)) for each, share in zip(study.variations, row, strict=True)}
        for row in shares
    ]
