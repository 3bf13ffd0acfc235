"""What charts of runs share: the x axes and their names, the colours of runs, and what is smoothed how far."""

from __future__ import annotations

import numpy as np

from lab.base.charts.numbers import format_value
from lab.base.charts.ticks import format_clock, format_position
from lab.runs.metrics.clocks import CLOCKS, Unit
from lab.shell.session.runs.model import RunModel
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import DASHES, themes
from lab.workbench.analysis.curves import Curves

AXES_X: tuple[Unit, ...] = tuple(CLOCKS)
"""Quantities on an x axis."""
NORM = "gradient norm"
CLIPPED_NORM, CLIPPED_STEPS = "clipped gradient norm", "clipped steps"
SMOOTHING = 0.9
"""What a smoothed value keeps of the one before it, until a person chooses otherwise."""


def unit_named(name: str) -> Unit:
    """The x axis of that name."""
    return next(by for by in AXES_X if by == name)


def unit_words(by: Unit) -> str:
    """What a person chooses an x axis by."""
    return {"steps": tr("step"), "tokens": tr("tokens"), "seconds": tr("seconds"), "FLOPs": tr("FLOPs")}[by]


def axis_name(by: Unit) -> str:
    """The name of an x axis, with its unit."""
    return {
        "steps": tr("step"), "tokens": tr("tokens read"),
        "seconds": tr("training time (s)"), "FLOPs": tr("training FLOPs"),
    }[by]  # fmt: skip


def lies_along(view: RunModel, by: Unit) -> bool:
    """Whether a run has places on an x axis: that of FLOPs needs what a token takes."""
    return by != "FLOPs" or view.curves.flops_per_token is not None


def place_told(curves: Curves, x: float, by: Unit) -> str:
    """A place on an x axis in the units that a run knows: "step 454 · 348 k tokens · 0:23"; FLOPs on their own axis."""
    known = set(curves.names())
    series = next((name for name in ("train loss", "validation loss") if name in known), None)
    if series is None:
        return ""
    here = curves.x(series, by)
    if by == "FLOPs" and curves.flops_per_token is None:
        return ""
    step, tokens, seconds = (
        float(np.interp(x, here, curves.x(series, unit))) for unit in ("steps", "tokens", "seconds")
    )
    words = [tr("step {step}", step=format_position(step, "steps"))]
    words += [tr("{n} tokens", n=format_position(tokens, "tokens"))] if "tokens" in known else []
    words += [format_clock(seconds)] if "seconds" in known else []
    words += [tr("{n} FLOPs", n=format_value(x))] if by == "FLOPs" else []
    return " · ".join(words)


def run_colour(view: RunModel) -> str:
    """The colour of a run in the theme that is worn."""
    return themes.now.runs[view.colour % len(themes.now.runs)]


def run_dashes(view: RunModel) -> int:
    """Which of lab.widgets.core.theme.DASHES tells the lines of a run from those of others of its colour."""
    return view.colour // len(themes.now.runs) % len(DASHES)


def make_ahead(curves: Curves) -> None:
    """Does, where curves are read in a thread, what cards would otherwise do in the main thread when they draw them."""
    for name in {"train loss", NORM, CLIPPED_NORM} & set(curves.names()):
        curves.smoothed(name, SMOOTHING)
    curves.speed("steps")
