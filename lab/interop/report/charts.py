"""Curves of a run as inline SVG, with axes, units, floors and flags, and all extremes of dense curves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from lab.base.charts.extremes import extreme_indices
from lab.base.charts.flags import FlagLabel, flag_labels
from lab.base.charts.layout import spread
from lab.base.charts.numbers import format_value
from lab.base.charts.ranges import coarse_y
from lab.base.charts.ticks import MOST, format_ticks, ticks, value_ticks
from lab.base.charts.transform import Frame
from lab.interop.report.markup import Markup, element, joined
from lab.interop.report.words import number, tr, tr_n

COLUMNS = 700
"""Number of columns of a chart, in each of which a line shows its first, smallest, largest and last value."""
ROW, LETTER = 15, 7
"""Height of a line of small text and width of a letter in it, in pixels."""
LARGEST = 1e300
"""Values beyond this are not drawn, like infinity."""
FLAG_ROWS = 3
"""Number of rows for the labels of flags."""
TOP, BOTTOM, LEFT = 12, 40, 70
"""Pixels around the plot; names and values are to its right."""

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Line:
    """One curve.

    Args:
        name: The label at its end, before its last value; "" shows only the value, None neither.
        steps: (N,), increasing.
        values: (N,); values that are not finite leave a gap.
        style: "faint", behind another line and without a label; "thin"; or "strong", with a point at each value.
    """

    name: str | None
    steps: NDArray[Any]
    values: Values
    style: Literal["faint", "thin", "strong"] = "thin"

    @property
    def drawable(self) -> NDArray[np.bool_]:
        """A mask of the values that can be drawn, (N,)."""
        return drawable(self.values)


@dataclass(frozen=True)
class Flag:
    """An event on the axis of steps.

    Args:
        step: The step of the event.
        label: The label at the top of its line, if there is space; "" shows only the line.
    """

    step: int
    label: str


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
    """Draw a chart over steps, or no picture if no line has a finite value.

    Args:
        title: Its description for screen readers.
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
    longest = max((len(name) + len(format_value(value, 4)) for name, value, _ in labels), default=0)
    margin = min(30 + LETTER * longest, 260)
    width, height = size
    y0, y1 = coarse_y(min(heights), max(heights))
    frame = Frame(0, max(last, 1), y0, y1, LEFT, TOP, width - margin - LEFT, height - BOTTOM - TOP)
    along = [float(frame.across(flag.step)) for flag in flags]
    placed = flag_labels(along, [LETTER * len(flag.label) for flag in flags], LEFT, width, FLAG_ROWS)
    rows = ROW * max((label.row + 1 for label in placed), default=0)
    frame = replace(frame, top=TOP + rows, height=frame.height - rows)
    picture = (
        _axes(frame, axis),
        *(_flag(frame, flag, label) for flag, label in zip(flags, placed, strict=True)),
        *(_level(frame, value) for _, value, end in labels if end is None),
        *(_curve(frame, line) for line in lines),
        *_labels(frame, labels, width),
    )
    svg = element("svg", element("title", title), *picture, viewBox=f"0 0 {width} {height}", role="img", class_="chart")
    return element("figure", svg, _gaps(lines))


def step_text(step: float) -> str:
    """Return "step 1,200"."""
    return tr("step {step}", step=number(f"{step:,}"))


def drawable(values: Values) -> NDArray[np.bool_]:
    """Return a mask of the values that are finite and small enough to be drawn, (N,)."""
    return np.abs(values) < LARGEST


def _ends(lines: Sequence[Line]) -> Iterator[tuple[str, float, float | None]]:
    for line in lines:
        finite = np.flatnonzero(line.drawable)
        if line.style != "faint" and line.name is not None and len(finite):
            yield line.name, float(line.values[finite[-1]]), float(line.steps[finite[-1]])


def _axes(frame: Frame, name: str) -> Markup:
    across = ticks(frame.x0, frame.x1, kind="steps", most=max(3, int(frame.width / 90)))
    down = value_ticks(frame.y0, frame.y1, most=max(3, min(MOST, int(frame.height / 32))))
    rows = [
        joined(
            element("path", d=f"M{frame.left} {y:.1f}H{frame.right:.1f}", class_="grid"),
            element("text", number(label), x=frame.left - 8, y=f"{y + 4:.1f}", text_anchor="end"),
        )
        for value, label in zip(down, format_ticks(down), strict=True)
        for y in [frame.down(value)]
    ]
    columns = [
        joined(
            element("path", d=f"M{x:.1f} {frame.bottom}v4", class_="axis"),
            element("text", number(label), x=f"{x:.1f}", y=frame.bottom + 18, text_anchor="middle"),
        )
        for step, label in zip(across, format_ticks(across, kind="steps"), strict=True)
        for x in [frame.across(step)]
    ]
    middle = (frame.top + frame.bottom) / 2
    names = (
        element(
            "text", tr("steps"), x=f"{(frame.left + frame.right) / 2:.1f}", y=frame.bottom + 34, text_anchor="middle"
        ),
        element("text", name, transform=f"translate(13 {middle:.1f}) rotate(-90)", text_anchor="middle"),
    )
    foot = element("path", d=f"M{frame.left} {frame.bottom}H{frame.right:.1f}", class_="axis")
    return element("g", *rows, *columns, foot, *names, class_="axes")


def _curve(frame: Frame, line: Line) -> Markup:
    finite = line.drawable
    edges = np.flatnonzero(np.diff(finite.astype(int))) + 1
    paths, dots = [], []
    for part in np.split(np.arange(len(finite)), edges):
        if not len(part) or not finite[part[0]]:
            continue
        steps, values = line.steps[part].astype(float), line.values[part]
        picked = extreme_indices(steps, values, max(1, COLUMNS * len(part) // len(finite)))
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
    middles = spread(wanted, ROW, frame.top - ROW / 2, frame.bottom + 4 + ROW / 2)
    for (name, value, end), level, y in zip(labels, wanted, middles, strict=True):
        start = frame.right if end is None else float(frame.across(end))
        path = f"M{start + 3:.1f} {level:.1f}H{frame.right + 3:.1f}L{frame.right + 11:.1f} {y:.1f}"
        yield joined(
            element("path", d=path, class_="join"),
            element(
                "text", name, x=f"{frame.right + 15:.1f}", y=f"{y + 4:.1f}", class_="floor" if end is None else "end"
            ),
            element(
                "text", number(format_value(value, 4)), x=width - 4, y=f"{y + 4:.1f}", text_anchor="end", class_="value"
            ),
        )


def _flag(frame: Frame, flag: Flag, placed: FlagLabel) -> Markup:
    x, y = frame.across(flag.step), TOP + ROW * placed.row
    top = frame.top if placed.row < 0 else y - 8
    line = element("path", d=f"M{x:.1f} {top:.1f}V{frame.bottom}", class_="flag")
    tooltip = element("title", f"{step_text(flag.step)} {flag.label}")
    if placed.row < 0:
        return element("g", tooltip, line, class_="flags")
    fitting = int(placed.width / LETTER + 1e-9)
    text = flag.label if fitting >= len(flag.label) else f"{flag.label[: max(0, fitting - 1)]}…"
    is_left = placed.left < x
    side, anchor = (placed.left + placed.width, "end") if is_left else (placed.left, "start")
    label = element("text", text, x=f"{side:.1f}", y=y + 2, text_anchor=anchor)
    return element("g", tooltip, line, label, class_="flags")


def _gaps(lines: Iterable[Line]) -> Markup | None:
    """Describe the values that are not finite, which no picture can show."""
    gaps = []
    for line in lines:
        gaps_at = np.flatnonzero(~line.drawable)
        if len(gaps_at):
            count = tr_n("1 value is not finite", "{n} values are not finite", len(gaps_at))
            value, step = line.values[gaps_at[0]], number(f"{line.steps[gaps_at[0]]:,}")
            name = f"{line.name}: " if line.name else ""
            gaps.append(name + tr("{count}, the first is {value} at step {step}", count=count, value=value, step=step))
    return element("figcaption", ". ".join(gaps), class_="gaps") if gaps else None
