"""The layout of a map: the rectangles of cells, side bars and colour bar, and the labels that fit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from lab.widgets.core.theme import px

GAP = 4.0
"""Pixels between neighbouring labels of more than one sign, and between parts."""
LABEL = 88.0
"""The largest width of the label of a row in pixels; longer ones are elided."""
BAR = 10.0
"""Width of the colour bar in pixels."""
SIDE = 104.0
"""Width of the bars next to the rows in pixels, but at most a quarter of the map."""


class NameLabel(str):
    """A label that identifies its cell by itself, like the name of a quantity; tokens need their number."""

    __slots__ = ()


@dataclass(frozen=True)
class Needs:
    """The space needed around the cells of a map, in pixels.

    Args:
        row_label: Width of the longest label of a row.
        scale_label: Width of the longest label of the colour bar; 0 without a bar.
        names: Whether the axes are named.
        side: Width of the bars next to the rows; 0 without them.
        line: Height of a line of labels.
    """

    row_label: float
    scale_label: float
    names: bool
    side: float
    line: float

    @property
    def left(self) -> float:
        """The pixels left of the cells."""
        return min(self.row_label, px(LABEL)) + GAP + (self.line + 2 if self.names else 0.0)

    @property
    def right(self) -> float:
        """The pixels right of the cells."""
        bar = 3 * GAP + BAR + GAP + self.scale_label if self.scale_label else GAP
        return bar + (self.side + 2 * GAP if self.side else 0.0)

    @property
    def below(self) -> float:
        """The pixels below the cells."""
        return GAP + self.line + (self.line if self.names else 0.0)


@dataclass(frozen=True)
class Frame:
    """The rectangles of the parts of a map.

    Args:
        cells: The map itself.
        side: The bars next to the rows; empty without them.
        bar: The colour bar; empty without one.
    """

    cells: QRectF
    side: QRectF
    bar: QRectF


def frame_of(width: float, height: float, needs: Needs, shape: tuple[int, int], square: bool) -> Frame:
    """Return the layout of the largest map that fits, centred if its cells are square."""
    top = GAP + 2  # half a label of the colour bar extends above it
    room_x = max(1.0, width - needs.left - needs.right)
    room_y = max(1.0, height - needs.below - top)
    across, down = room_x, room_y
    if square:
        cell = min(room_x / shape[1], room_y / shape[0])
        across, down = cell * shape[1], cell * shape[0]
    left = needs.left + (room_x - across) / 2
    cells = QRectF(round(left), round(top), round(across), round(down))
    edge = cells.right() + 2 * GAP
    side = QRectF(edge, cells.top(), needs.side, cells.height()) if needs.side else QRectF()
    edge = side.right() if needs.side else cells.right()
    bar = QRectF(edge + 3 * GAP, cells.top(), BAR, cells.height()) if needs.scale_label else QRectF()
    return Frame(cells, side, bar)


def fitting(
    labels: Sequence[str], pitch: float, extent: Callable[[str], float], *, always: int = -1
) -> list[tuple[int, float]]:
    """Return the labels that fit next to each other without touching.

    Of numbers only round ones remain; other labels are shown wherever there is space.

    Args:
        labels: One label for each cell.
        pitch: Pixels from one cell to the next.
        extent: Returns the length of a label along the axis in pixels, with its margin.
        always: The index of a label that is always shown; −1 for none.

    Returns:
        The index of each label, and the middle of its cell in pixels.
    """
    middle, reserved = (always + 0.5) * pitch, extent(labels[always]) / 2 if always >= 0 else 0.0
    shown: list[tuple[int, float]] = []
    edge = float("-inf")
    for number in _offered(labels, pitch, extent, always):
        at, half = (number + 0.5) * pitch, extent(labels[number]) / 2
        clear = always in (-1, number) or abs(at - middle) >= half + reserved - 0.01
        if clear and at - half >= edge - 0.01:
            shown.append((number, at))
            edge = at + half
    return shown


def readable(labels: Sequence[str], pitch: float, extent: Callable[[str], float]) -> Sequence[str]:
    """Return the labels, or numbers if many do not fit: every second letter of a text would be misleading.

    Args:
        labels: One label for each cell.
        pitch: Pixels from one cell to the next.
        extent: Returns the length of a label along the axis in pixels, with its margin.
    """
    if (
        are_numbers(labels)
        or isinstance(labels[0], NameLabel)
        or 4 * len(fitting(labels, pitch, extent)) > 3 * len(labels)
    ):
        return labels
    return tuple(map(str, range(1, len(labels) + 1)))


def are_numbers(labels: Sequence[str]) -> bool:
    """Return True if the labels only number the cells, instead of naming something, as tokens do."""
    ends = labels[0] + labels[-1] if labels else ""
    return ends.isdecimal() and int(labels[-1]) - int(labels[0]) == len(labels) - 1


def name_of(axis: str, labels: Sequence[str], number: int) -> str:
    """Return the name of a cell along an axis: "channel 3", "token 6 “␣”"; the text after a colon is left out.

    A label that is empty or that of the axis stands alone.
    """
    name, label = axis.partition(":")[0], labels[number]
    if isinstance(label, NameLabel) and label in ("", name):
        return label
    return (
        f"{name} {label}" if are_numbers(labels) or isinstance(label, NameLabel) else f"{name} {number + 1} “{label}”"
    )


def _offered(labels: Sequence[str], pitch: float, extent: Callable[[str], float], always: int) -> Iterable[int]:
    """Return the indices of labels that may be shown: all, or every second, fifth, … of consecutive numbers."""
    count = len(labels)
    if not are_numbers(labels):
        return range(count)
    first = int(labels[0])
    least = extent(labels[-1]) / pitch
    step = next(factor * 10**power for power in range(20) for factor in (1, 2, 5) if factor * 10**power >= least)
    offered = range(-first % step, count, step)
    return offered if always < 0 or always in offered else sorted({*offered, always})


def draw_upright(painter: QPainter, middle: QPointF, length: float, text: str, metrics: QFontMetricsF) -> None:
    """Draw a text that reads from bottom to top.

    Args:
        painter: A painter with font and pen set.
        middle: The middle of the text.
        length: The largest length in pixels.
        text: The text.
        metrics: The metrics of the font.
    """
    painter.save()
    painter.translate(middle)
    painter.rotate(-90)
    shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, length)
    room = QRectF(-length / 2, -metrics.height() / 2, length, metrics.height())
    painter.drawText(room, Qt.AlignmentFlag.AlignCenter, shown)
    painter.restore()
