"""Conventions that charts of runs share: x axes and their labels, the colours of runs, and their validation losses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from lab.base.charts.averages import Values
from lab.base.charts.numbers import format_value
from lab.base.charts.ticks import Kind, format_clock, format_position
from lab.runs.metrics.clocks import CLOCKS, Unit
from lab.shell.session.runs.model import RunModel
from lab.widgets.charts.lines import Line
from lab.widgets.core.i18n import localized, tr
from lab.widgets.core.theme import DASHES, themes
from lab.workbench.analysis.curves import Curves

AXES_X: tuple[Unit, ...] = tuple(CLOCKS)
"""The quantities on an x axis."""
WHOLE, JOINT = " on all", " joint"
"""Suffixes of keys: of a mark measured on all of the validation text, and of the line that joins it to the curve."""
DOTTED = 2
"""The index of the dashes of what joins points that were not measured on the same text."""
NORM = "gradient norm"
CLIPPED_NORM, CLIPPED_STEPS = "clipped gradient norm", "clipped steps"


def unit_named(name: str) -> Unit:
    """Return the x axis with a name."""
    return next(by for by in AXES_X if by == name)


def unit_label(by: Unit) -> str:
    """Return the label of an x axis where it can be selected."""
    return {
        "steps": tr("step"), "tokens": tr("tokens"), "epochs": tr("epochs"), "seconds": tr("seconds"),
        "FLOPs": tr("FLOPs"), "joules": tr("joules"),
    }[by]  # fmt: skip


def axis_name(by: Unit) -> str:
    """Return the label of an x axis, with its unit."""
    return {
        "steps": tr("step"), "tokens": tr("tokens read"), "epochs": tr("epochs"),
        "seconds": tr("training time"), "FLOPs": tr("training FLOPs"), "joules": tr("energy of the training (J)"),
    }[by]  # fmt: skip


def axis_kind(by: Unit) -> Kind:
    """Return the format of the values on an x axis."""
    return "number" if by == "epochs" or by == "FLOPs" or by == "joules" else by


def has_axis(run: RunModel, by: Unit) -> bool:
    """Return True if a run has positions on an x axis: FLOPs need those of a token, epochs and joules their series."""
    return _is_known(run.curves, by)


def why_no_axis(run: RunModel, by: Unit) -> str:
    """Return the reason why a run has no positions on an x axis."""
    if by == "epochs":
        return tr("{run} recorded no epochs: its examples have no end.", run=run.name)
    if by == "joules":
        return tr(
            "The energy of {run} is unknown: its system did not tell the power, or only to administrators.",
            run=run.name,
        )
    return tr("The FLOPs per token of {run} are unknown.", run=run.name)


def _is_known(curves: Curves, by: Unit) -> bool:
    if by == "epochs":
        return "epochs" in curves.names()
    if by == "joules":
        return curves.power in curves.names() and "seconds" in curves.names()
    return by != "FLOPs" or curves.flops_per_token is not None


def position_label(curves: Curves | None, x: float, by: Unit) -> str:
    """Return a label of a position: "step 454 · 348 k tokens · 0:23"; FLOPs are added only on their own axis.

    Args:
        curves: The curves of the run that determines the other quantities, which are left out if it does not reach the
            position; None for the quantity of the axis alone.
        x: The position.
        by: The quantity of the axis.
    """
    others = {} if curves is None else _other_units(curves, x, by)
    return _units_label({by: x, **others})


def other_units_label(curves: Curves, x: float, by: Unit) -> str:
    """Return a label of what differs by run at a position: "348 k tokens · 0:23"; "" if a run does not reach it.

    Args:
        curves: The curves of the run.
        x: The position.
        by: The quantity of the axis, which is left out.
    """
    return _units_label(_other_units(curves, x, by))


def _other_units(curves: Curves, x: float, by: Unit) -> dict[Unit, float]:
    """Return the recorded quantities of a run at a position, other than that of the axis and FLOPs."""
    if not _reaches(curves, x, by):
        return {}
    series = _series(curves)
    here = curves.x(series, by)
    recorded: tuple[Unit, ...] = ("tokens", "seconds")
    units: list[Unit] = ["steps", *(unit for unit in recorded if unit in curves.names())]
    return {unit: float(np.interp(x, here, curves.x(series, unit))) for unit in units if unit != by}


def _units_label(values: Mapping[Unit, float]) -> str:
    parts = [tr("step {step}", step=localized(format_position(values["steps"], "steps")))] if "steps" in values else []
    if "tokens" in values:
        parts.append(tr("{count} tokens", count=localized(format_position(values["tokens"], "tokens"))))
    if "epochs" in values:
        parts.append(tr("{n} epochs", n=localized(format_value(values["epochs"]))))
    if "seconds" in values:
        parts.append(localized(format_clock(values["seconds"])))
    if "joules" in values:
        parts.append(tr("{n} J", n=localized(format_value(values["joules"]))))
    if "FLOPs" in values:
        parts.append(tr("{n} FLOPs", n=localized(format_value(values["FLOPs"]))))
    return " · ".join(parts)


def _series(curves: Curves) -> str:
    """Return the series of a run that has the most points; "" if it has no loss."""
    known = curves.names()
    return next((name for name in ("train loss", "validation loss") if name in known), "")


def _reaches(curves: Curves, x: float, by: Unit) -> bool:
    """Return True if a position is not behind the last point of a run, by at most the distance of two points."""
    series = _series(curves)
    if not series or not _is_known(curves, by):
        return False
    here = curves.x(series, by)
    if not len(here):
        return False
    last = float(here[-1])
    return x <= last + (last - float(here[0])) / max(1, len(here) - 1)


def run_colour(run: RunModel) -> str:
    """Return the colour of a run in the current theme."""
    return themes.now.runs[run.colour % len(themes.now.runs)]


def run_dashes(run: RunModel) -> int:
    """Return the index in lab.widgets.core.theme.DASHES that distinguishes a run from others of its colour.

    If the lines of runs are to differ by dashes, it also distinguishes a run from the next ones of other colours.
    """
    of_colour = run.colour // len(themes.now.runs)
    return (of_colour + (run.colour % len(themes.now.runs) if themes.dashed else 0)) % len(DASHES)


def validation_lines(run: RunModel, x: Values, y: Values, name: str) -> list[Line]:
    """Return the line of a run's validation loss.

    If its last point was measured on more text, that is a mark of its own, with what joins the two.

    Args:
        run: The run.
        x: Where it was evaluated, [N].
        y: The losses, [N].
        name: The label at the end.
    """
    description = f"{run.name} · {tr('validation loss')}"
    line = Line(f"{run.key}/validation", name, run_colour(run), x, y, "main", run_dashes(run), description)
    if run.part_tokens is None or len(x) < 2:
        return [line]
    mark = replace(line, key=line.key + WHOLE, x=x[-1:], y=y[-1:])
    joint = replace(
        line, key=line.key + JOINT, name="", x=x[-2:], y=y[-2:], dashes=DOTTED,
        long_name=tr("{line}, joined to its last point", line=description),
    )  # fmt: skip
    return [replace(line, name="", x=x[:-1], y=y[:-1], stands_in_for=mark.key), joint, mark]
