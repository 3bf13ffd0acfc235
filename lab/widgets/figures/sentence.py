"""A figure in words, for users who cannot see it: what it shows, its size, its ends and its extremes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lab.base.charts.numbers import format_value
from lab.widgets.core.i18n import localized, number_text, quoted, tr, tr_n
from lab.widgets.figures.chart import Axis, ChartFigure, FigureLine
from lab.widgets.figures.diagram import DiagramFigure
from lab.widgets.figures.links import LinksFigure
from lab.widgets.figures.map import BarsFigure, MapFigure
from lab.widgets.figures.points import PointsFigure

LISTED = 6
"""The largest number of lines, floors or events that are described; others are counted."""
LEVEL = 0.02
"""Share of the largest size up to which two ends of a line count as level."""


def sentence_of(figure: Any) -> str:
    """Return a figure in a few sentences.

    Args:
        figure: A ChartFigure, MapFigure, LinksFigure, BarsFigure, PointsFigure or DiagramFigure.
    """
    match figure:
        case ChartFigure():
            return _chart(figure)
        case MapFigure():
            names = (figure.row_name, figure.column_name)
            return _cells(tr("Map of {what}", what=figure.title), figure, names)
        case LinksFigure():
            names = (figure.row_name, figure.column_name)
            return _cells(tr("Weights between tokens of {what}", what=figure.title), figure, names)
        case BarsFigure():
            count, name, labels = len(figure.labels), figure.name, figure.labels
            head = tr_n("{what}: 1 bar, for {name}", "{what}: {n} bars, one for each {name}", count, what=figure.title,
                        name=name)  # fmt: skip
            return ". ".join([head, *_extremes(figure.values, lambda at: _label(labels[at]), figure.unit)])
        case PointsFigure():
            head = tr_n("{what}: 1 point, {y} over {x}", "{what}: {n} points, {y} over {x}", len(figure.points),
                        what=figure.title, x=figure.x_name, y=figure.y_name)  # fmt: skip
            ranges = [_range(name, values) for name, values in zip(_names(figure), figure.points.T, strict=True)]
            return ". ".join([head, *filter(None, ranges), *_classes(figure)])
        case DiagramFigure():
            return tr_n("{what}: 1 part", "{what}: {n} parts", len(figure.parts), what=figure.title)
    raise TypeError(f"{type(figure).__name__} is not a figure")


def _chart(figure: ChartFigure) -> str:
    lines = [line for line in figure.lines if np.isfinite(line.points[:, 1]).any()]
    named = sorted(lines, key=lambda line: not line.label)  # those with a label first
    parts = [tr("{what}: {y} over {x}", what=figure.title, x=figure.x.name, y=figure.y.name)]
    parts += [_line(line, figure.x) for line in named[:LISTED]]
    if len(named) > LISTED:
        parts.append(tr_n("1 more line", "{n} more lines", len(named) - LISTED))
    if figure.floors:
        floors = ", ".join(f"{name} {localized(format_value(value))}" for name, value in figure.floors[:LISTED])
        parts.append(tr("Reference lines: {floors}", floors=floors))
    if figure.flags:
        flags = ", ".join(f"{label} ({localized(format_value(x))})" for x, label in figure.flags[:LISTED])
        parts.append(tr("Events: {events}", events=flags))
    return ". ".join(parts)


def _line(line: FigureLine, x: Axis) -> str:
    """Return a line in words: its points, its ends, and its extremes if they are not its ends."""
    known = line.points[np.isfinite(line.points).all(axis=1)]
    first, last, values = known[0], known[-1], known[:, 1]
    start, end = localized(format_value(float(first[1]))), localized(format_value(float(last[1])))
    if len(known) == 1:
        return tr("{name}: one point at {x} {at}, {value}", name=line.name, x=x.name,
                  at=localized(format_value(float(first[0]))),
                  value=end)  # fmt: skip
    head = tr("{name}: {n} points from {x} {start} to {end}", name=line.name, n=number_text(len(known)), x=x.name,
              start=localized(format_value(float(first[0]))), end=localized(format_value(float(last[0]))))  # fmt: skip
    change = float(last[1] - first[1])
    if abs(change) <= LEVEL * float(np.abs(values).max()):
        course = tr("level at {value}", value=end)
    elif change < 0:
        course = tr("falling from {start} to {end}", start=start, end=end)
    else:
        course = tr("rising from {start} to {end}", start=start, end=end)
    found = [head, course]
    least, most = int(values.argmin()), int(values.argmax())
    inner = [(tr("lowest"), least), (tr("highest"), most)]
    found += [
        tr("{kind} {value} at {at}", kind=kind, value=localized(format_value(float(values[index]))),
           at=localized(format_value(float(known[index, 0]))))
        for kind, index in inner if localized(format_value(float(values[index]))) not in (start, end)
    ]  # fmt: skip
    return ", ".join(found)


def _cells(head: str, figure: MapFigure | LinksFigure, names: tuple[str, str]) -> str:
    rows, columns = (name.partition(":")[0] for name in names)
    size = ", ".join((
        tr_n("1 row ({name})", "{n} rows ({name})", len(figure.rows), name=rows),
        tr_n("1 column ({name})", "{n} columns ({name})", len(figure.columns), name=columns),
    ))  # fmt: skip

    def label_of(at: int) -> str:
        row, column = divmod(at, len(figure.columns))
        where = {"i": _label(figure.rows[row]), "j": _label(figure.columns[column])}
        return tr("{row} {i}, {column} {j}", row=rows, column=columns, **where)

    return ". ".join([f"{head}: {size}", *_extremes(figure.values.ravel(), label_of, figure.unit)])


def _extremes(values: NDArray[np.floating[Any]], label_of: Callable[[int], str], unit: str) -> list[str]:
    """Return the largest and the smallest value, each with its label, and the mean."""
    known = np.isfinite(values)
    if not known.any():
        return [tr("No values")]
    most, least = int(np.where(known, values, -np.inf).argmax()), int(np.where(known, values, np.inf).argmin())
    texts = [(tr("Largest"), most), (tr("smallest"), least)]
    found = [
        tr("{kind} {value} at {where}", kind=kind, value=_with_unit(float(values[index]), unit), where=label_of(index))
        for kind, index in texts
    ]
    return [", ".join([*found, tr("mean {value}", value=_with_unit(float(values[known].mean()), unit))])]


def _range(name: str, values: NDArray[np.floating[Any]]) -> str:
    known = values[np.isfinite(values)]
    if not len(known):
        return ""
    return tr("{name} from {low} to {high}", name=name, low=localized(format_value(float(known.min()))),
              high=localized(format_value(float(known.max()))))  # fmt: skip


def _classes(figure: PointsFigure) -> list[str]:
    """Return how many points each class has."""
    names, counts = np.unique(np.array(figure.labels), return_counts=True)
    found = dict(zip(names.tolist(), counts.tolist(), strict=True))
    shown = [f"{name} {number_text(found.get(name, 0))}" for name in figure.classes or ()]
    return [tr("Points of each class: {classes}", classes=", ".join(shown))] if shown else []


def _names(figure: PointsFigure) -> tuple[str, str]:
    return figure.x_name, figure.y_name


def _label(label: str) -> str:
    return label if label.isalnum() else quoted(label)


def _with_unit(value: float, unit: str) -> str:
    return f"{localized(format_value(value))} {unit}".rstrip()
