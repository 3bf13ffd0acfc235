"""What charts of runs share: the x axes, the names of axes, and the colours of runs."""

from __future__ import annotations

import numpy as np

from lab.shell.run_view import RunView
from lab.widgets.chart_numbers import clock_words, place_words
from lab.widgets.theme import themes
from lab.widgets.words import text
from lab.workbench.curves import Curves, Unit

AXES_X: dict[Unit, str] = {"steps": "step", "tokens": "tokens", "seconds": "seconds"}
"""Quantities on an x axis, and what they are called."""

PACE = 20
"""Steps over which one value of the speed is taken."""


def unit_named(name: str) -> Unit:
    """The x axis of that name."""
    return next(by for by in AXES_X if by == name)


def axis_name(by: Unit) -> str:
    """The name of an x axis, with its unit."""
    return {"steps": text("step"), "tokens": text("tokens read"), "seconds": text("training time (s)")}[by]


def place_told(curves: Curves, x: float, by: Unit) -> str:
    """A place on an x axis in all its units, as a run knows them: "step 454 · 348 k tokens · 0:23"."""
    known = set(curves.names())
    series = next((name for name in ("train loss", "validation loss") if name in known), None)
    if series is None:
        return ""
    here = curves.x(series, by)
    step, tokens, seconds = (float(np.interp(x, here, curves.x(series, unit))) for unit in AXES_X)
    words = [text("step {step}", step=place_words(step, "steps"))]
    words += [text("{n} tokens", n=place_words(tokens, "tokens"))] if "tokens" in known else []
    words += [clock_words(seconds)] if "seconds" in known else []
    return " · ".join(words)


def run_colour(view: RunView) -> str:
    """The colour of a run in the theme that is worn."""
    return themes.now.runs[view.colour % len(themes.now.runs)]


def speed(curves: Curves, by: Unit) -> tuple[np.ndarray, np.ndarray]:
    """Tokens per second over the training: x (N,) and values (N,), one per PACE steps."""
    if not {"tokens", "seconds"} <= set(curves.names()):
        return np.empty(0), np.empty(0)
    count = min(len(curves.values("tokens")), len(curves.values("seconds")))
    tokens, seconds = curves.values("tokens")[:count:PACE], curves.values("seconds")[:count:PACE]
    if len(tokens) < 2:
        return np.empty(0), np.empty(0)
    with np.errstate(divide="ignore", invalid="ignore"):
        rate = np.diff(tokens) / np.diff(seconds)
    return curves.x("tokens", by)[:count:PACE][1:], np.where(np.isfinite(rate), rate, np.nan)
