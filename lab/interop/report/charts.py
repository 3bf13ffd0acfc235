"""Curves of a run as inline SVG, with axes, units, floors and flags, and with all extremes of dense curves."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from lab.base.units import short
from lab.interop.report.markup import Markup, element, joined

COLUMNS = 700
"""Columns of a chart's width in which a line shows its first, least, largest and last value."""
MEANS = 100
"""Number of parts of a curve whose means are drawn."""
ROW, LETTER = 15, 7
"""Height of a line of small text and width of a letter in it, in pixels."""
LARGEST = 1e300
"""Values beyond this cannot be drawn, like infinity."""
FLAG_ROWS = 3
"""Rows for the labels of flags."""
TOP, BOTTOM, LEFT = 12, 40, 70
"""Pixels around the plot; names and values are to its right."""

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Line:
    """One curve.

    Args:
        name: Shown at its end before its last value; "" shows only the value.
        steps: (N,), increasing.
        values: (N,); values that are not finite leave a gap.
        style: "faint", behind another line and without a label; "thin"; or "strong", with a point at each value.
    """

    name: str
    steps: NDArray[Any]
    values: Values
    style: Literal["faint", "thin", "strong"] = "thin"

    @property
    def drawable(self) -> NDArray[np.bool_]:
        """Which values can be drawn, (N,)."""
        return drawable(self.values)


@dataclass(frozen=True)
class Flag:
    """An event on the axis of steps.

    Args:
        step: The step of the event.
        label: Shown at the top of its line if there is room; "" shows only the line.
    """

    step: int
    label: str


@dataclass(frozen=True)
class Frame:
    """The area of the plot in pixels, and the ranges of its axes."""

    left: float
    top: float
    right: float
    bottom: float
    x0: float
    x1: float
    y0: float
    y1: float

    def across(self, step: Any) -> Any:
        """Return the x pixel of a step."""
        return self.left + (step - self.x0) / (self.x1 - self.x0) * (self.right - self.left)

    def down(self, value: Any) -> Any:
        """Return the y pixel of a value."""
        return self.bottom - (value - self.y0) / (self.y1 - self.y0) * (self.bottom - self.top)


def chart(
    title: str,
    axis: str,
    lines: Sequence[Line],
    last: int,
    *,
    floors: Sequence[tuple[str, float]] = (),
    flags: Sequence[Flag] = (),
    size: tuple[int, int] = (880, 330),
) -> Markup:
    """Draw a chart over steps; without a picture if no line has a finite value.

    Args:
        title: Its description for those who cannot see it.
        axis: Name and unit of its values.
        lines: Its curves, the most important ones last.
        last: The last step of the axis.
        floors: Name and value of horizontal lines.
        flags: Events.
        size: Width and height of the picture, in pixels.
    """
    finite = np.concatenate([line.values[line.drawable] for line in lines] or [np.empty(0)])
    if not len(finite):
        return _gaps(lines) or Markup()
    labels = [*_ends(lines), *((name, value, None) for name, value in floors if abs(value) < LARGEST)]
    heights = [float(finite.min()), float(finite.max()), *(value for _, value, end in labels if end is None)]
    margin = min(30 + LETTER * max((len(name) + len(_figure(value)) for name, value, _ in labels), default=0), 260)
    width, height = size
    frame = Frame(LEFT, TOP, width - margin, height - BOTTOM, 0, max(last, 1), *_widened(min(heights), max(heights)))
    placed = list(_placed(flags, frame, width))
    frame = replace(frame, top=TOP + ROW * max((row + 1 for _, row, _ in placed), default=0))
    picture = (
        _axes(frame, axis),
        *(_flag(frame, *each) for each in placed),
        *(_level(frame, value) for _, value, end in labels if end is None),
        *(_curve(frame, line) for line in lines),
        *_labels(frame, labels, width),
    )
    svg = element("svg", element("title", title), *picture, viewBox=f"0 0 {width} {height}", role="img", class_="chart")
    return element("figure", svg, _gaps(lines))


def drawable(values: Values) -> NDArray[np.bool_]:
    """Return which values are finite numbers small enough to be drawn, (N,)."""
    return np.abs(values) < LARGEST


def means(steps: NDArray[Any], values: Values) -> tuple[Values, Values]:
    """Return middles (M,) and means (M,) of MEANS equal parts of a curve's finite values; all if they are few."""
    finite = drawable(values)
    steps, values = steps[finite].astype(float), values[finite]
    if len(values) <= 2 * MEANS:
        return steps, values
    cuts = np.linspace(0, len(values), MEANS + 1).astype(int)[:-1]
    counts = np.diff(np.append(cuts, len(values)))
    return np.add.reduceat(steps, cuts) / counts, np.add.reduceat(values, cuts) / counts


def extremes(x: Values, values: Values, columns: int) -> NDArray[np.int64]:
    """Return the indices of first, least, largest and last value of each column, in order; all if they are few.

    Args:
        x: (N,), increasing.
        values: (N,), finite.
        columns: Number of columns into which the range of x is cut.
    """
    if len(values) <= 4 * columns:
        return np.arange(len(values))
    edges = np.linspace(x[0], x[-1], columns + 1)[1:-1]
    cuts = np.unique([0, *np.searchsorted(x, edges), len(x)])
    picked = {
        index
        for begin, end in pairwise(cuts.tolist())
        for part in [values[begin:end]]
        for index in (begin, begin + int(part.argmin()), begin + int(part.argmax()), end - 1)
    }
    return np.array(sorted(picked))


def ticks(low: float, high: float, count: int) -> list[float]:
    """Return about `count` round numbers between two others."""
    rough = (high - low) / count
    power = 10.0 ** math.floor(math.log10(rough))
    distance = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999)
    first = math.ceil(low / distance - 1e-9)
    return [number * distance for number in range(first, math.floor(high / distance + 1e-9) + 1)]


def _figure(value: float) -> str:
    """Format a value in four digits."""
    return short(value) if abs(value) >= 1e4 else f"{value:.4g}"


def _widened(low: float, high: float) -> tuple[float, float]:
    """Return the ends of an axis with a margin; values that differ only by rounding count as equal."""
    size = max(abs(low), abs(high))
    room = 0.04 * (high - low) if high - low > 1e-9 * size else 0.05 * size or 1.0
    return (low if low == 0 else low - room), high + room


def _ends(lines: Sequence[Line]) -> Iterator[tuple[str, float, float | None]]:
    for line in lines:
        finite = np.flatnonzero(line.drawable)
        if line.style != "faint" and len(finite):
            yield line.name, float(line.values[finite[-1]]), float(line.steps[finite[-1]])


def _axes(frame: Frame, name: str) -> Markup:
    across = ticks(frame.x0, frame.x1, max(3, int((frame.right - frame.left) / 90)))
    down = ticks(frame.y0, frame.y1, max(3, int((frame.bottom - frame.top) / 32)))
    digits = max(0, -math.floor(math.log10(down[1] - down[0]) + 1e-9)) if len(down) > 1 else 2
    rows = [
        joined(
            element("path", d=f"M{frame.left} {y:.1f}H{frame.right:.1f}", class_="grid"),
            element("text", _tick(value, digits), x=frame.left - 8, y=f"{y + 4:.1f}", text_anchor="end"),
        )
        for value in down
        for y in [frame.down(value)]
    ]
    columns = [
        joined(
            element("path", d=f"M{x:.1f} {frame.bottom}v4", class_="axis"),
            element("text", _step(step), x=f"{x:.1f}", y=frame.bottom + 18, text_anchor="middle"),
        )
        for step in across
        for x in [frame.across(step)]
    ]
    middle = (frame.top + frame.bottom) / 2
    names = (
        element("text", "steps", x=f"{(frame.left + frame.right) / 2:.1f}", y=frame.bottom + 34, text_anchor="middle"),
        element("text", name, transform=f"translate(13 {middle:.1f}) rotate(-90)", text_anchor="middle"),
    )
    foot = element("path", d=f"M{frame.left} {frame.bottom}H{frame.right:.1f}", class_="axis")
    return element("g", *rows, *columns, foot, *names, class_="axes")


def _step(step: float) -> str:
    return short(step).replace(".0 ", " ")


def _tick(value: float, digits: int) -> str:
    if abs(value) >= 1e4:
        return short(value)
    return f"{value:.{digits}f}" if digits <= 5 else f"{value:.1e}".replace("e-0", "e-")


def _curve(frame: Frame, line: Line) -> Markup:
    finite = line.drawable
    edges = np.flatnonzero(np.diff(finite.astype(int))) + 1
    paths, dots = [], []
    for part in np.split(np.arange(len(finite)), edges):
        if not len(part) or not finite[part[0]]:
            continue
        steps, values = line.steps[part].astype(float), line.values[part]
        picked = extremes(steps, values, max(1, COLUMNS * len(part) // len(finite)))
        points = [
            f"{x:.1f} {y:.1f}" for x, y in zip(frame.across(steps[picked]), frame.down(values[picked]), strict=True)
        ]
        paths.append("M" + "L".join(points))
        if len(part) == 1 or (line.style == "strong" and len(finite) <= 80):
            dots += points
    drawn = element("path", d="".join(paths), class_=line.style)
    round_ends = element("path", d="".join(f"M{point}h0" for point in dots), class_="dots") if dots else None
    return joined(drawn, round_ends)


def _level(frame: Frame, value: float) -> Markup:
    y = frame.down(value)
    return element("path", d=f"M{frame.left} {y:.1f}H{frame.right:.1f}", class_="floor")


def _labels(frame: Frame, labels: Sequence[tuple[str, float, float | None]], width: int) -> Iterator[Markup]:
    """Draw names and values at the right, each connected to its line, without overlaps."""
    wanted = [float(frame.down(value)) for _, value, _ in labels]
    order = sorted(range(len(labels)), key=lambda index: wanted[index])
    at: list[float] = []
    for index in order:
        at.append(max([wanted[index], *(last + ROW for last in at[-1:])]))
    for i in range(len(at) - 1, -1, -1):  # labels beyond the bottom push the others back up
        lowest = frame.bottom + 4 if i == len(at) - 1 else at[i + 1] - ROW
        at[i] = min(at[i], lowest)
    for index, y in zip(order, at, strict=True):
        name, value, end = labels[index]
        start = frame.right if end is None else float(frame.across(end))
        path = f"M{start + 3:.1f} {wanted[index]:.1f}H{frame.right + 3:.1f}L{frame.right + 11:.1f} {y:.1f}"
        yield joined(
            element("path", d=path, class_="join"),
            element(
                "text", name, x=f"{frame.right + 15:.1f}", y=f"{y + 4:.1f}", class_="floor" if end is None else "end"
            ),
            element("text", _figure(value), x=width - 4, y=f"{y + 4:.1f}", text_anchor="end", class_="value"),
        )


def _placed(flags: Sequence[Flag], frame: Frame, width: float) -> Iterator[tuple[Flag, int, bool]]:
    """Yield each flag with the row of its label, −1 for none or no room, and whether the label is to its left."""
    ends = [frame.left] * FLAG_ROWS
    for flag in sorted(flags, key=lambda flag: flag.step):
        x = frame.across(flag.step)
        needed = LETTER * len(flag.label) + 10
        leftwards = x + needed > width
        begin = x - needed if leftwards else x
        row = next((row for row in range(FLAG_ROWS) if flag.label and ends[row] <= begin), -1)
        if row >= 0:
            ends[row] = begin + needed
        yield flag, row, leftwards


def _flag(frame: Frame, flag: Flag, row: int, leftwards: bool) -> Markup:
    x = frame.across(flag.step)
    top = frame.top if row < 0 else TOP + ROW * row - 8
    line = element("path", d=f"M{x:.1f} {top:.1f}V{frame.bottom}", class_="flag")
    side, anchor = (x - 4, "end") if leftwards else (x + 4, "start")
    label = element("text", flag.label, x=f"{side:.1f}", y=TOP + ROW * row + 2, text_anchor=anchor)
    tooltip = element("title", f"step {flag.step:,} {flag.label}")
    return element("g", tooltip, line, label if row >= 0 else None, class_="flags")


def _gaps(lines: Iterable[Line]) -> Markup | None:
    """Describe which values are not finite: no picture can show them."""
    gaps = []
    for line in lines:
        gaps_at = np.flatnonzero(~line.drawable)
        if len(gaps_at):
            count = "one value is" if len(gaps_at) == 1 else f"{len(gaps_at):,} values are"
            name = f"{line.name}: " if line.name else ""
            first = f"{line.values[gaps_at[0]]} at step {line.steps[gaps_at[0]]:,}"
            gaps.append(f"{name}{count} not finite, the first is {first}")
    return element("figcaption", ". ".join(gaps), class_="gaps") if gaps else None
