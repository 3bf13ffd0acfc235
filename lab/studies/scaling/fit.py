"""A scaling law fitted to a table of runs: parameters with intervals, their correlation, residuals, predictions."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from lab.base import BadInput, Problem
from lab.studies.scaling.descent import Array, descend, huber
from lab.studies.scaling.forms import FORMS, Form
from lab.studies.scaling.table import ScalingTable

LOSSES = ("huber", "squares")
MOST_RESAMPLES = 100_000
FEWEST_RESAMPLES = 20
"""Least and most resamples of the rows from which intervals are made."""
DESCENTS = 64
"""Most starts, the best of all, that are followed down to a minimum."""
SAME = 1e-3
"""Relative difference of two objectives below which two descents ended in the same minimum."""
FEW_SIZES = 5
FAR = 10.0
"""Factor beyond the largest row from which on a prediction is an extrapolation that nothing here supports."""
NO_FLOOR = 0.01
"""Share of the lowest loss of the rows below which E is 0 to all intents."""
CLOSE = 0.95
"""Correlation of two parameters from which on the rows do not tell them apart."""


class Interval(NamedTuple):
    """An estimate and its interval.

    Args:
        value: The estimate.
        low: The lower end of the interval.
        high: The upper end.
    """

    value: float
    low: float
    high: float

    def as_dict(self) -> dict[str, Any]:
        """Return it for JSON: "value" and "interval"; numbers that are not finite become null."""
        ends = [end if math.isfinite(end) else None for end in (self.low, self.high)]
        return {"value": self.value if math.isfinite(self.value) else None, "interval": ends}


@dataclass(frozen=True)
class FitOptions:
    """How a law is fitted.

    Args:
        loss: "huber", or "squares" for least squares; of residuals of ln L, summed over the rows.
        delta: The residual beyond which Huber's loss is linear.
        resamples: The number of resamples of the rows; each is fitted from the minimum of all rows.
        level: The share of the intervals.
        seed: The seed of the resamples.
    """

    loss: str = "huber"
    delta: float = 1e-3
    resamples: int = 1000
    level: float = 0.95
    seed: int = 0

    def __post_init__(self) -> None:
        if self.loss not in LOSSES:
            raise BadInput("is not a loss of a fit", field="--loss", value=self.loss, allowed=", ".join(LOSSES))
        if not 0 < self.delta < math.inf:
            raise BadInput("is not allowed", field="--delta", value=self.delta, allowed="a number above 0")
        if not FEWEST_RESAMPLES <= self.resamples <= MOST_RESAMPLES:
            allowed = f"{FEWEST_RESAMPLES} ≤ x ≤ {MOST_RESAMPLES}"
            raise BadInput("is not allowed", field="--resamples", value=self.resamples, allowed=allowed)
        if not 0.5 <= self.level < 1:
            raise BadInput("is not allowed", field="--level", value=self.level, allowed="0.5 ≤ x < 1")
        if not 0 <= self.seed < 2**63:
            raise BadInput("is not allowed", field="--seed", value=self.seed, allowed="0 ≤ x < 2^63")

    @property
    def bend(self) -> float:
        """The residual from which on the loss is linear; inf for least squares."""
        return self.delta if self.loss == "huber" else math.inf


class Prediction(NamedTuple):
    """A predicted loss.

    Args:
        loss: The loss in nats, with the band of the resampled fits: of the law, not of one more run.
        spread: Standard deviation of ln L of the rows about the law, which one more run has besides.
        factors: How far beyond the largest row each quantity is, by name; at most 1 inside.
        warning: What forbids to rely on it; "" if nothing does.
    """

    loss: Interval
    spread: float
    factors: dict[str, float]
    warning: str


@dataclass(frozen=True)
class ScalingFit:
    """A fitted law.

    Args:
        form: The law.
        table: The rows.
        options: How it was fitted.
        parameters: (p,) the fitted parameters, mostly logarithms.
        resampled: (R, p) those of the resamples.
        objective: The sum of the losses at the minimum.
        starts: The number of starts that were followed.
        agreeing: How many of them ended in the same minimum.
    """

    form: Form
    table: ScalingTable
    options: FitOptions
    parameters: Array
    resampled: Array
    objective: float
    starts: int
    agreeing: int

    @property
    def values(self) -> dict[str, Interval]:
        """The published parameters by name, and what follows from them, with intervals of percentiles."""
        best, drawn = self._named(self.parameters), self._named(self.resampled)
        return {name: self.interval(float(best[name]), drawn[name]) for name in best}

    @property
    def fitted(self) -> dict[str, Interval]:
        """The published parameters alone, without what follows from them."""
        names = self.form.values(self.parameters)
        return {name: value for name, value in self.values.items() if name in names}

    def _named(self, parameters: Array) -> dict[str, Array]:
        with np.errstate(all="ignore"):
            values = self.form.values(parameters)
            return {**values, **self.form.derived(values)}

    def interval(self, value: float, drawn: Array) -> Interval:
        """Return an estimate with the percentiles of what resamples gave."""
        finite = drawn[np.isfinite(drawn)]
        if not len(finite):
            return Interval(value, math.nan, math.nan)
        tail = 50 * (1 - self.options.level)
        low, high = np.percentile(finite, [tail, 100 - tail])
        return Interval(value, float(low), float(high))

    @property
    def correlation(self) -> tuple[list[str], Array]:
        """The names of the published parameters, and the (p, p) correlation of their resampled estimates.

        Of E, A and other factors it is that of the logarithms.
        """
        drawn = self.form.values(self.resampled)
        columns = [values if _is_exponent(name) else np.log(values) for name, values in drawn.items()]
        rows = np.stack(columns)
        rows = rows[:, np.isfinite(rows).all(axis=0)]
        with np.errstate(all="ignore"):
            matrix = np.nan_to_num(np.corrcoef(rows))
        np.fill_diagonal(matrix, 1.0)
        return list(drawn), matrix

    @property
    def residuals(self) -> Array:
        """The (n,) ln L of the rows less that of the law."""
        found: Array = np.log(self.table.loss) - self.form.predict(self.table.logarithms, self.parameters)
        return found

    @property
    def spread(self) -> float:
        """Standard deviation of the residuals, with the parameters taken off the number of rows."""
        free = max(1, len(self.table.loss) - len(self.parameters))
        return float(np.sqrt((self.residuals**2).sum() / free))

    def predict(self, at: Mapping[str, float]) -> Prediction:
        """Return the loss at other N, D and U, with its band.

        Args:
            at: The quantities of the form by name.

        Raises:
            BadInput: One is missing or not above 0.
        """
        for name in self.form.columns:
            if not at.get(name, 0) > 0 or not math.isfinite(at[name]):
                raise BadInput("is needed above 0 for a prediction", field=name, value=at.get(name))
        data = {name: np.log(np.array([at[name]])) for name in self.form.columns}
        best = float(np.exp(self.form.predict(data, self.parameters)[0]))
        with np.errstate(all="ignore"):
            drawn = np.exp(self.form.predict(data, self.resampled)[:, 0])
        factors = {name: at[name] / float(self.table.columns[name].max()) for name in self.form.columns}
        far = {name: factor for name, factor in factors.items() if factor > 1}
        warning = ""
        if far:
            beyond = ", ".join(f"{name} is {factor:.3g} times the largest here" for name, factor in far.items())
            warning = f"an extrapolation: {beyond}; the band holds if the law does, which these rows cannot show"
            if max(far.values()) > FAR:
                warning += ", and at such a distance no rows of this table support it"
        return Prediction(self.interval(best, drawn), self.spread, factors, warning)

    @property
    def warnings(self) -> list[str]:
        """What the smallness of the table forbids to conclude, one sentence each."""
        return [problem.what for problem in self.problems]

    @property
    def problems(self) -> list[Problem]:
        """The warnings as problems, which the window translates."""
        found = list[Problem]()
        rows, free = len(self.table.loss), len(self.parameters)
        if rows < 3 * free:
            what = f"{rows} rows for {free} parameters: the intervals are too narrow, as few rows resample poorly"
            found.append(Problem(what))
        for name in self.form.columns:
            column = self.table.columns[name]
            distinct, span = len(np.unique(column)), float(column.max() / column.min())
            if distinct < FEW_SIZES:
                found.append(Problem(f"{name} has {distinct} values only: its exponent rests on them"))
            elif span < FAR:
                found.append(Problem(f"{name} spans a factor of {span:.3g} only: its exponent is a local slope"))
        if self.agreeing < 2 <= self.starts:
            found.append(Problem("only one start came to this minimum, so that there may be a lower one"))
        names, matrix = self.correlation
        close = [
            f"{names[i]} and {names[j]} ({matrix[i, j]:+.2f})"
            for i in range(len(names))
            for j in range(i)
            if abs(matrix[i, j]) > CLOSE
        ]
        if close:
            found.append(Problem(f"told apart poorly, since they vary together over the resamples: {', '.join(close)}"))
        entropy = self.values.get("E")
        if entropy is not None and entropy.value < NO_FLOOR * float(self.table.loss.min()):
            what = "E is 0: the rows show no loss that the law cannot fall below, and say nothing of one"
            found.append(Problem(what))
        elif entropy is not None and entropy.low < 0.2 * entropy.value:
            found.append(Problem("E is hardly told from 0: the rows do not reach losses that would show it"))
        return found


def _is_exponent(name: str) -> bool:
    return name.startswith(("alpha", "beta"))


def fit_law(name: str, table: ScalingTable, options: FitOptions | None = None) -> ScalingFit:
    """Fit a law to a table: from many starts, then for resamples of its rows.

    Args:
        name: A key of FORMS.
        table: The rows.
        options: How to fit; None for the defaults.

    Raises:
        BadInput: The table lacks a column or has too few rows, or no fit was found.
    """
    form, options = FORMS[name], options or FitOptions()
    table = table.needing(form.columns)
    data, target = table.logarithms, np.log(table.loss)
    if len(target) <= form.free:
        what = f"has {len(target)} rows, too few for the {form.free} parameters of {form.name}"
        raise BadInput(what, field="file", allowed=f"at least {form.free + 1} rows")
    if name == "data-constrained" and not (table.columns["D"] > table.columns["U"]).any():
        remedy = "Fit --form chinchilla, or give runs that read their tokens several times"
        raise BadInput("has no row that repeats its data", field="file", allowed="tokens > unique", remedy=remedy)

    def predict(parameters: Array) -> Array:
        return form.predict(data, parameters)

    starts = form.starts(data, table.loss)
    with np.errstate(all="ignore"):
        first = huber(target - predict(starts), options.bend).sum(axis=-1)
    order = np.argsort(np.where(np.isfinite(first), first, np.inf))[:DESCENTS]
    found = descend(predict, starts[order], target, options.bend)
    best = int(np.argmin(found.objective))
    lowest = float(found.objective[best])
    if not math.isfinite(lowest):
        raise BadInput("cannot be fitted: no start gives finite losses", field="file", remedy="Check its numbers")
    agreeing = int((found.objective <= lowest * (1 + SAME) + 1e-15).sum())
    random = np.random.default_rng(options.seed)
    counts = random.multinomial(len(target), np.full(len(target), 1 / len(target)), size=options.resamples).astype(
        float
    )
    again = np.repeat(found.parameters[best : best + 1], options.resamples, axis=0)
    resampled = descend(predict, again, target, options.bend, counts)
    return ScalingFit(form, table, options, found.parameters[best], resampled.parameters, lowest, len(order), agreeing)
