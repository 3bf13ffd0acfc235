"""A fitted scaling law as a picture: the measured losses of each size over the tokens, and the law through them."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lab.base import BadInput
from lab.base.charts.ticks import Kind, format_ticks, value_ticks
from lab.base.units import short
from lab.widgets.core.theme import LIGHT
from lab.widgets.figures.chart import Axis, ChartFigure, FigureLine
from lab.widgets.figures.vector import printed

if TYPE_CHECKING:
    from lab.studies.scaling import ScalingFit

FORMS = (".svg", ".pdf")
"""Ends of the names of files that are written."""
MOST_SIZES = 8
"""Most sizes that are drawn, spread evenly over those of the table."""
POINTS = 64
"""Points of a drawn law, so many that none of them is shown as a dot."""
FAR = 2.0
"""The factor below the lowest loss up to which E is drawn."""
MARGIN = 1.08
"""The factor by which axes reach beyond the rows."""


def check_picture(file: Path) -> None:
    """Check that a file name says what is written.

    Raises:
        BadInput: It ends otherwise.
    """
    if file.suffix.casefold() not in FORMS:
        raise BadInput("has no form that can be written", field="--picture", value=file.name, allowed=", ".join(FORMS))


def picture_of(fit: ScalingFit, file: Path) -> bytes:
    """Return the picture of a law of N and D as a file.

    Args:
        fit: The fit.
        file: Where it is to be written; its end says the form.

    Raises:
        BadInput: matplotlib is not installed.
    """
    return printed(law_figure(fit), "pdf" if file.suffix.casefold() == ".pdf" else "svg")


def law_figure(fit: ScalingFit) -> ChartFigure:
    """Return the chart: dots are rows of the table, lines the law at the size of the dots in their colour.

    Args:
        fit: The fit of a law of N and D.
    """
    columns = fit.table.columns
    sizes = np.unique(columns["N"])
    shown = sizes[np.unique(np.linspace(0, len(sizes) - 1, min(MOST_SIZES, len(sizes))).round().astype(int))]
    low, high = float(columns["D"].min()) / MARGIN, float(columns["D"].max()) * MARGIN
    tokens = np.geomspace(low, high, POINTS)
    lines = []
    for number, size in enumerate(shown):
        colour = LIGHT.runs[number % len(LIGHT.runs)]
        data = {"N": np.full(POINTS, math.log(size)), "D": np.log(tokens)}
        if "U" in fit.form.columns:
            unique = columns["U"][columns["N"] == size].max()
            data["U"] = np.log(np.minimum(tokens, unique))
        law = np.exp(fit.form.predict(data, fit.parameters))
        name = f"N = {short(float(size))}"
        rows = columns["N"] == size
        lines.append(FigureLine(f"{name}, law", name, colour, 1.2, (), np.stack([tokens, law], axis=-1)))
        lines.append(FigureLine(name, "", colour, 3.0, (), _dots(columns["D"][rows], fit.table.loss[rows])))
    losses = np.concatenate([fit.table.loss, *(line.points[:, 1] for line in lines[::2])])
    lowest, highest = float(np.nanmin(losses)), float(np.nanmax(losses))
    floor = fit.values["E"].value if "E" in fit.values else 0.0
    floors = [("E", floor)] if floor > lowest / FAR else []  # one far below would leave the rows no height
    bottom = min([lowest, *(value for _, value in floors)])
    return ChartFigure(
        fit.form.formula,
        _axis("D, tokens of the training", low, high, "tokens"),
        _axis("validation loss, nats per token", bottom / MARGIN, highest * MARGIN),
        lines,
        floors,
    )


def _dots(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (2 n, 2) points with a gap after each, so that none is joined with the next."""
    order = np.argsort(x)
    points = np.full((2 * len(x), 2), np.nan)
    points[::2] = np.stack([x[order], y[order]], axis=-1)
    points[1::2, 0] = x[order]
    return points


def _axis(name: str, low: float, high: float, kind: Kind = "number") -> Axis:
    values = value_ticks(math.log10(low), math.log10(high), log=True)
    return Axis(name, low, high, True, tuple(zip(values, format_ticks(values, log=True, kind=kind), strict=True)))
