"""Laws read off the best runs of each compute, size or number of tokens: power laws, fitted as lines of logarithms."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from lab.base import BadInput
from lab.studies.scaling.descent import Array
from lab.studies.scaling.fit import FitOptions, Interval
from lab.studies.scaling.table import ScalingTable

GAP = 0.15
"""Difference of ln C from which on two rows belong to different budgets of compute."""
FEWEST = 4
"""Fewest rows of a parabola, one more than it has coefficients."""
POINTS = 200
"""Amounts of compute at which the envelope of training curves is taken (Hoffmann et al. 2022 take 1,500)."""


@dataclass(frozen=True)
class Frontier:
    """Power laws of one quantity against another.

    Args:
        name: "isoflop", "envelope" or "kaplan".
        values: What was fitted by name, with intervals.
        points: The points that the lines were fitted to: by title, arrays of equal length.
        warnings: What forbids to rely on it, one sentence each.
        rows: The number of rows that were read.
    """

    name: str
    values: dict[str, Interval]
    points: dict[str, Array]
    rows: int
    warnings: list[str] = field(default_factory=list)


def _percentiles(value: float, drawn: Array, level: float) -> Interval:
    drawn = drawn[np.isfinite(drawn)]
    if len(drawn) < 2:
        return Interval(value, math.nan, math.nan)
    tail = 50 * (1 - level)
    low, high = np.percentile(drawn, [tail, 100 - tail])
    return Interval(value, float(low), float(high))


def _lines(x: Array, y: Array) -> tuple[Array, Array]:
    """Return (R,) slopes and intercepts of the lines of least squares through (R, n) or (n,) points."""
    middle = x.mean(axis=-1, keepdims=True)
    with np.errstate(all="ignore"):
        slope = ((x - middle) * y).sum(axis=-1) / ((x - middle) ** 2).sum(axis=-1)
    return slope, y.mean(axis=-1) - slope * middle[..., 0]


def fit_isoflops(table: ScalingTable, options: FitOptions | None = None) -> Frontier:
    """Fit a parabola in ln N to the losses of each compute, and power laws to their minima: N ∝ C^a, D ∝ C^b.

    Intervals are percentiles over resampled residuals of the parabolas, widened by their degrees of freedom.

    Raises:
        BadInput: Fewer than two budgets of compute have a parabola with a minimum.

    Source: Hoffmann et al. 2022, section 3.2.
    """
    options = options or FitOptions()
    table = table.needing(("N", "C"))
    compute, size, loss = np.log(table.columns["C"]), np.log(table.columns["N"]), table.loss
    order = np.argsort(compute, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(compute[order]) > GAP) + 1)
    warnings, fits, scaled = [], [], []
    for rows in groups:
        budget = f"{math.exp(compute[rows].mean()):.3g} FLOPs"
        if len(np.unique(size[rows])) < FEWEST:
            warnings.append(f"{budget}: {len(rows)} rows are too few for a parabola, and left out")
            continue
        middle = size[rows].mean()
        powers = np.stack([np.ones(len(rows)), size[rows] - middle, (size[rows] - middle) ** 2], axis=-1)
        inverse = np.linalg.pinv(powers)
        fitted = powers @ (inverse @ loss[rows])
        curve = inverse @ loss[rows]
        if curve[2] <= 0:
            warnings.append(f"{budget}: its losses have no minimum, and it is left out")
            continue
        best = middle - curve[1] / (2 * curve[2])
        if not size[rows].min() <= best <= size[rows].max():
            warnings.append(f"{budget}: its minimum is outside the sizes that were trained")
        scaled.append((loss[rows] - fitted) * math.sqrt(len(rows) / (len(rows) - 3)))
        fits.append((compute[rows].mean(), middle, inverse, fitted, best, curve))
    if len(fits) < 2:
        remedy = f"Give at least {FEWEST} sizes for each of several budgets of compute"
        raise BadInput("fewer than two budgets of compute have a minimum", field="file", remedy=remedy)
    random = np.random.default_rng(options.seed)
    pool = np.concatenate(scaled)
    x = np.array([fit[0] for fit in fits])
    drawn = np.empty((options.resamples, len(fits)))
    for index, (_, middle, inverse, fitted, _, _) in enumerate(fits):
        noise = random.choice(pool, size=(options.resamples, len(fitted)))
        curves = (fitted + noise) @ inverse.T
        with np.errstate(all="ignore"):
            drawn[:, index] = np.where(curves[:, 2] > 0, middle - curves[:, 1] / (2 * curves[:, 2]), np.nan)
    best = np.array([fit[4] for fit in fits])
    values = _of_sizes(x, best, drawn, options.level)
    least = np.array([fit[5][0] - fit[5][1] ** 2 / (4 * fit[5][2]) for fit in fits])
    points = {"compute": np.exp(x), "parameters": np.exp(best), "tokens": np.exp(x - best) / 6, "loss": least}
    if len(fits) < 4:
        warnings.append(f"{len(fits)} budgets of compute: the exponents rest on them")
    return Frontier("isoflop", values, points, len(loss), warnings)


def _of_sizes(x: Array, best: Array, drawn: Array, level: float) -> dict[str, Interval]:
    """Return a, b, and the size and tokens per unit of compute, of the best sizes at ln C."""
    found = {}
    for exponent, factor, y, again in (
        ("a", "G_N", best, drawn),
        ("b", "G_D", x - best - math.log(6), x - drawn - math.log(6)),
    ):
        slope, start = _lines(x, y)
        slopes, begins = _lines(np.broadcast_to(x, again.shape), again)
        found[exponent] = _percentiles(float(slope), slopes, level)
        found[factor] = _percentiles(float(np.exp(start)), np.exp(np.minimum(begins, 700.0)), level)
    return found


def fit_envelope(table: ScalingTable, options: FitOptions | None = None) -> Frontier:
    """Fit power laws to the sizes whose training curves are lowest at each compute: N ∝ C^a, D ∝ C^b.

    Rows are points of training curves: those with the same N are one curve. Intervals are percentiles over resampled
    curves.

    Raises:
        BadInput: Fewer than three sizes have a curve, or no compute is reached by two of them.

    Source: Hoffmann et al. 2022, section 3.1.
    """
    options = options or FitOptions()
    table = table.needing(("N", "C"))
    sizes, compute, loss = table.columns["N"], np.log(table.columns["C"]), table.loss
    models = [size for size in np.unique(sizes) if (sizes == size).sum() >= 2]
    if len(models) < 3:
        remedy = "Give the losses along the training of several sizes, or use --form isoflop"
        raise BadInput("fewer than three sizes have a training curve of two points", field="file", remedy=remedy)
    at = np.linspace(compute.min(), compute.max(), POINTS)
    curves = np.full((len(models), POINTS), np.inf)
    for index, size in enumerate(models):
        rows = np.flatnonzero(sizes == size)
        rows = rows[np.argsort(compute[rows])]
        curve = np.interp(at, compute[rows], np.log(loss[rows]), left=np.inf, right=np.inf)
        curves[index] = curve
    logs = np.log(np.array(models))

    def lowest(rows: NDArray[np.int64]) -> tuple[Array, Array]:
        some = curves[rows]
        several = np.isfinite(some).sum(axis=0) > 1
        return at[several], logs[rows][np.argmin(some[:, several], axis=0)]

    x, best = lowest(np.arange(len(models)))
    if len(np.unique(best)) < 2:
        raise BadInput("one size is lowest at every compute", field="file", remedy="Give curves of further sizes")
    random = np.random.default_rng(options.seed)
    slopes, factors = [], []
    for _ in range(options.resamples):
        some = np.unique(random.integers(len(models), size=len(models)))
        along, found = lowest(some)
        if len(np.unique(found)) > 1:
            slope, start = _lines(along, found)
            slopes.append(float(slope))
            factors.append(float(np.exp(start)))
    slope, start = _lines(x, best)
    drawn, drawn_factors = np.array(slopes), np.array(factors)
    values = {
        "a": _percentiles(float(slope), drawn, options.level),
        "G_N": _percentiles(float(np.exp(start)), drawn_factors, options.level),
        "b": _percentiles(1 - float(slope), 1 - drawn, options.level),
        "G_D": _percentiles(float(np.exp(-start)) / 6, 1 / (6 * drawn_factors), options.level),
    }
    points = {"compute": np.exp(x), "parameters": np.exp(best), "tokens": np.exp(x - best) / 6}
    used = len(np.unique(best))
    warnings = [f"{used} sizes touch the envelope: its exponents move in steps"] if used < 8 else []
    if (best[0] == logs.min()) or (best[-1] == logs.max()):
        warnings.append("the smallest or largest size is lowest at an end: other sizes may be lower there")
    return Frontier("envelope", values, points, len(loss), warnings)


def fit_single_laws(table: ScalingTable, options: FitOptions | None = None) -> Frontier:
    """Fit L = (X_c/X)^alpha_X for X = N, D and C, each to the rows that the others limit least.

    For N the row of the most tokens for each size, for D that of the largest size for each number of tokens, for C the
    rows below which no row of less compute comes. Intervals are percentiles over resampled rows.

    Source: Kaplan et al. 2020, equations 1.1 to 1.3.
    """
    options = options or FitOptions()
    random = np.random.default_rng(options.seed)
    values, points, warnings = dict[str, Interval](), dict[str, Array](), list[str]()
    for name, other in (("N", "D"), ("D", "N"), ("C", None)):
        if name not in table.columns:
            continue
        rows = _least_limited(table, name, other)
        if len(rows) < 3:
            warnings.append(f"{len(rows)} rows are too few for L({name})")
            continue
        x, y = np.log(table.columns[name][rows]), np.log(table.loss[rows])
        slope, start = _lines(x, y)
        picks = random.integers(len(rows), size=(options.resamples, len(rows)))
        slopes, begins = _lines(x[picks], y[picks])
        with np.errstate(all="ignore"):
            centre, centres = np.exp(-start / slope), np.exp(np.clip(-begins / slopes, -700, 700))
        values[f"alpha_{name}"] = _percentiles(-float(slope), -slopes, options.level)
        values[f"{name}_c"] = _percentiles(float(centre), centres, options.level)
        points[name], points[f"L({name})"] = np.exp(x), np.exp(y)
        if slope >= 0:
            warnings.append(f"the loss does not fall with {name}: no law of it is read here")
    if not values:
        raise BadInput("has too few rows for any law", field="file", allowed="at least 3 values of N, D or C")
    return Frontier("kaplan", values, points, len(table.loss), warnings)


def _least_limited(table: ScalingTable, name: str, other: str | None) -> NDArray[np.int64]:
    """Return the rows that a law of one quantity is fitted to."""
    if other is None:
        order = np.lexsort((table.loss, table.columns["C"]))
        lowest = np.minimum.accumulate(table.loss[order])
        found: NDArray[np.int64] = order[(table.loss[order] <= lowest) & np.concatenate([[True], np.diff(lowest) < 0])]
        return found
    column = table.columns[name]
    limit = table.columns.get(other)
    rank = -table.loss if limit is None else limit
    best = [max(np.flatnonzero(column == value), key=lambda row: rank[row]) for value in np.unique(column)]
    return np.array(best)
