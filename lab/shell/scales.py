"""What charts of runs share: the x axes, the names of axes, and the colours of runs."""

from __future__ import annotations

import numpy as np

from lab.shell.run_view import RunView
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
