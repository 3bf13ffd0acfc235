"""A figure as a table of comma-separated values, exact to the last bit."""

from __future__ import annotations

import csv
import io
from itertools import repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.widgets.core.i18n import tr
from lab.widgets.figures.chart import ChartFigure
from lab.widgets.figures.diagram import DiagramFigure, DrawnPart
from lab.widgets.figures.links import LinksFigure
from lab.widgets.figures.map import BarsFigure, MapFigure
from lab.widgets.figures.points import PointsFigure


def csv_of(figure: Any) -> str:
    """Return the table of a figure.

    A chart has one row for each visible point: its kind (line, floor or flag), its name, its x and its y; the header
    has the units. Maps and lines between tokens have one row for each of their rows, bars and points one row each, and
    a drawing of a model one row for each visible part.

    Args:
        figure: A ChartFigure, MapFigure, LinksFigure, BarsFigure, PointsFigure or DiagramFigure.
    """
    file = io.StringIO()
    table = csv.writer(file, lineterminator="\n")
    match figure:
        case ChartFigure():
            _write_chart(table, figure)
        case MapFigure() | LinksFigure():
            corner = with_unit(f"{figure.row_name} \\ {figure.column_name}", figure.unit)
            table.writerow([corner, *figure.columns])
            table.writerows([label, *number_texts(row)] for label, row in zip(figure.rows, figure.values, strict=True))
        case BarsFigure():
            table.writerow([figure.name, with_unit(tr("value"), figure.unit)])
            table.writerows(zip(figure.labels, number_texts(figure.values), strict=True))
        case DiagramFigure():
            table.writerow(part_columns())
            table.writerows(map(part_cells, figure.parts))
        case PointsFigure():
            table.writerow([figure.order_name, tr("label"), figure.x_name, figure.y_name])
            x, y = figure.points.T
            positions = range(1, len(figure.labels) + 1)
            table.writerows(zip(positions, figure.labels, number_texts(x), number_texts(y), strict=True))
    return file.getvalue()


def part_columns() -> list[str]:
    """Return the names of what the table of a drawing has for each part."""
    return [tr("level"), tr("part"), tr("shape"), tr("parameters"), tr("FLOPs per token")]


def part_cells(part: DrawnPart) -> tuple[str, ...]:
    """Return the row of a part of a drawing; "" for operations that are unknown."""
    flops = "" if part.flops is None else repr(part.flops).removesuffix(".0")
    return str(part.depth), part.name, part.shape, str(part.parameters), flops


def _write_chart(table: Any, figure: ChartFigure) -> None:
    table.writerow([tr("kind"), tr("name"), figure.x.name, figure.y.name])
    for line in figure.lines:
        positions = figure.x.positions(line.points[:, 0])
        x, y = line.points[(positions >= 0) & (positions <= 1)].T
        table.writerows(zip(repeat(tr("line")), repeat(line.name), number_texts(x), number_texts(y)))
    table.writerows((tr("reference line"), name, "", *number_texts(np.array([value]))) for name, value in figure.floors)
    table.writerows((tr("flag"), caption, *number_texts(np.array([x])), "") for x, caption in figure.flags)


def number_texts(values: NDArray[np.floating[Any]]) -> list[str]:
    """Return numbers with the fewest digits that restore the same value in their precision; "nan" for none."""
    given = values.tolist() if values.dtype == np.float64 else [float(text) for text in values.astype(str).tolist()]
    return [repr(value).removesuffix(".0") for value in given]


def with_unit(name: str, unit: str) -> str:
    """Return the name of a column with its unit in parentheses; without one, the name alone."""
    return f"{name} ({unit})" if unit else name
