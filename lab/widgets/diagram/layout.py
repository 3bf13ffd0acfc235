"""The boxes and lines of the drawing of a model, from its tree and the parts that are unfolded."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Literal

from lab.base.model_parts import Branch, ModelPart

BOX = 28.0
"""Height of a folded part, and of the title of an unfolded one, in pixels, where no other is given."""
PAD = 10.0
"""Pixels between the edge of an unfolded part and what is in it."""
APART = 8.0
"""Pixels between parts side by side."""
SHORT = 14.0
"""Pixels of a line between two rows, and of the space that a sum takes."""
TURN = 8.0
"""Pixels of a line before it spreads to parts side by side, or leaves for a residual branch."""
LANE = 14.0
"""Pixels between two residual lines side by side."""
NARROWEST = 92.0
"""Least width of a part in pixels at a scale of 1; where more are side by side than fit, they go on below."""
SUM = 7.0
"""Radius of the circle of a sum in pixels."""
VISIBLE = 14
"""Most parts that are visible at first."""

Point = tuple[float, float]


@dataclass(frozen=True)
class Box:
    """A part where it is drawn.

    Args:
        part: The part.
        x: Left edge in pixels.
        y: Upper edge.
        width: Its width.
        height: Its height, with everything in it.
        depth: Number of parts around it.
        is_open: Whether it is unfolded.
    """

    part: ModelPart
    x: float
    y: float
    width: float
    height: float
    depth: int
    is_open: bool


@dataclass(frozen=True)
class Connection:
    """A line along which data flows.

    Args:
        points: Its corners.
        kind: "flow" from part to part, "residual" around parts.
        arrow: Whether it ends with an arrow.
    """

    points: tuple[Point, ...]
    kind: Literal["flow", "residual"] = "flow"
    arrow: bool = False


@dataclass(frozen=True)
class Diagram:
    """A drawing of a model.

    Args:
        boxes: Its visible parts, each before the parts in it.
        lines: Its lines.
        sums: Centres of the circles at which residual branches are added.
        width: Its width in pixels.
        height: Its height.
    """

    boxes: tuple[Box, ...]
    lines: tuple[Connection, ...]
    sums: tuple[Point, ...]
    width: float
    height: float

    def box_of(self, path: str) -> Box | None:
        """Return the box of a part; None if it is not visible."""
        return next((box for box in self.boxes if box.part.path == path), None)

    def box_at(self, x: float, y: float) -> Box | None:
        """Return the innermost box at a position; None if there is none."""
        found = None
        for box in self.boxes:
            if box.x <= x < box.x + box.width and box.y <= y < box.y + box.height:
                found = box
        return found

    def around(self, path: str) -> Box | None:
        """Return the box of the part around another one; None for the model."""
        outer: list[Box] = []
        for box in self.boxes:
            del outer[box.depth :]
            if box.part.path == path:
                return outer[-1] if outer else None
            outer.append(box)
        return None


def first_open(tree: ModelPart) -> frozenset[str]:
    """Return the parts that are unfolded at first: level by level, blocks before others, while there is room."""
    opened, visible = {tree.path}, 1 + len(tree.children)
    level, unfolds = list(tree.children), ["block", "group", "tokens"]
    while level:
        for part in sorted(level, key=lambda part: part.kind not in ("block", "group")):
            fits = visible + len(part.children) <= VISIBLE
            if part.children and fits and part.kind in unfolds:
                opened.add(part.path)
                visible += len(part.children)
        unfolds = ["block", "group"]
        level = [child for part in level if part.path in opened for child in part.children]
    return frozenset(opened)


def laid_out(
    tree: ModelPart, opened: Collection[str], width: float, *, box: float = BOX, scale: float = 1.0
) -> Diagram:
    """Return the drawing of a model.

    Args:
        tree: Its parts.
        opened: Paths of the parts that are unfolded; the model itself always is.
        width: Available width in pixels.
        box: Height of a folded part, and of the title of an unfolded one.
        scale: The size of the type, by which the least width of a part grows.
    """
    layout = _Layout({*opened, tree.path}, box, NARROWEST * scale)
    height = layout.place(tree, 0.0, 0.0, width, 0)
    return Diagram(tuple(layout.boxes), tuple(layout.lines), tuple(layout.sums), width, height)


@dataclass
class _Layout:
    """A drawing in the making."""

    opened: Collection[str]
    box: float
    narrowest: float
    boxes: list[Box] = field(default_factory=list)
    lines: list[Connection] = field(default_factory=list)
    sums: list[Point] = field(default_factory=list)

    def place(self, part: ModelPart, x: float, y: float, width: float, depth: int) -> float:
        """Place a part and all that is visible of it, and return its height."""
        is_open = bool(part.rows) and part.path in self.opened
        index = len(self.boxes)
        self.boxes.append(Box(part, x, y, width, self.box, depth, is_open))
        if not is_open:
            return self.box
        lanes = _lanes(part.branches)
        gutter = LANE * max(lanes.values()) + LANE if lanes else 0.0
        left = x + PAD + gutter
        bottom = self._rows(part, left, y + self.box, width - 2 * (left - x), depth, lanes)
        self.boxes[index] = Box(part, x, y, width, bottom - y, depth, is_open)
        return bottom - y

    def _rows(
        self, part: ModelPart, left: float, y: float, width: float, depth: int, lanes: dict[Branch, int]
    ) -> float:
        """Place the rows of a part with their lines, and return where the part ends."""
        flows = not any(child.kind == "table" for child in part.children)
        middle = left + width / 2
        before: list[float] = [middle]  # where lines come from above
        leaves: dict[Branch, float] = {}
        for number, row in enumerate((*part.rows, ())):
            joining = [branch for branch in part.branches if branch.last == number - 1]
            starting = [branch for branch in part.branches if branch.first == number]
            columns = _columns(row, width, self.narrowest)
            targets = [left + column + size / 2 for line, column, size in columns if line == 0] or [middle]
            if not flows:
                y += PAD
            else:
                y = self._gap(y, before, targets, middle, left, (joining, starting), leaves, lanes, last=not row)
            below = y
            lines_of: dict[int, float] = {}
            for part_inside, (line, column, size) in zip(row, columns, strict=True):
                top = below + sum(height + APART for at, height in lines_of.items() if at < line)
                height = self.place(part_inside, left + column, top, size, depth + 1)
                lines_of[line] = max(lines_of.get(line, 0.0), height)
                y = max(y, top + height)
            before = [left + column + size / 2 for line, column, size in columns if line == max(lines_of, default=0)]
            if flows and row and len(row) > 1:
                self._reach_down(row, y)
        return y

    def _gap(
        self,
        y: float,
        before: Sequence[float],
        targets: Sequence[float],
        middle: float,
        left: float,
        branches: tuple[Sequence[Branch], Sequence[Branch]],
        leaves: dict[Branch, float],
        lanes: dict[Branch, int],
        *,
        last: bool,
    ) -> float:
        """Draw the lines between two rows and return where the next row starts."""
        joining, starting = branches
        at = y
        if len(before) > 1:  # parts side by side meet
            at = y + TURN
            self.lines += [Connection(((one, y), (one, at))) for one in before]
            self.lines.append(Connection(((min(*before, middle), at), (max(*before, middle), at))))
        start = at
        for branch in sorted(joining, key=lambda branch: lanes[branch]):
            centre = at + SHORT / 2 + SUM
            lane = left - LANE * (lanes[branch] + 0.5)
            self.lines.append(Connection(((middle, start), (middle, centre - SUM)), arrow=True))
            points = ((middle, leaves[branch]), (lane, leaves[branch]), (lane, centre), (middle - SUM, centre))
            self.lines.append(Connection(points, "residual", arrow=True))
            self.sums.append((middle, centre))
            at = start = centre + SUM
        for branch in sorted(starting, key=lambda branch: -lanes[branch]):
            at += TURN
            leaves[branch] = at
        if len(targets) > 1:
            turn = at + TURN
            self.lines.append(Connection(((middle, start), (middle, turn))))
            self.lines.append(Connection(((min(*targets, middle), turn), (max(*targets, middle), turn))))
            at = turn + SHORT - 2
            self.lines += [Connection(((one, turn), (one, at)), arrow=True) for one in targets]
            return at
        at += SHORT if not last else TURN
        self.lines.append(Connection(((middle, start), (middle, at)), arrow=not last))
        return at

    def _reach_down(self, row: Sequence[ModelPart], bottom: float) -> None:
        """Draw lines from parts that end higher than those beside them down to the end of their row."""
        boxes = {box.part.path: box for box in self.boxes}
        found = [boxes[part.path] for part in row]
        lowest = max(box.y for box in found)
        for box in found:
            if box.y == lowest and box.y + box.height < bottom:
                x = box.x + box.width / 2
                self.lines.append(Connection(((x, box.y + box.height), (x, bottom))))


def _columns(row: Sequence[ModelPart], width: float, narrowest: float) -> list[tuple[int, float, float]]:
    """Return the line, left edge and width of each part of a row; parts that do not fit side by side go on below."""
    if not row:
        return []
    most = max(1, min(len(row), int((width + APART) // (narrowest + APART))))
    lines = -(-len(row) // most)
    most = -(-len(row) // lines)
    size = (width - (most - 1) * APART) / most
    return [(index // most, index % most * (size + APART), size) for index in range(len(row))]


def _lanes(branches: Sequence[Branch]) -> dict[Branch, int]:
    """Return the lane of each residual line, so that lines which run side by side do not meet; 0 is the innermost."""
    lanes: dict[Branch, int] = {}
    for branch in sorted(branches, key=lambda branch: (branch.last - branch.first, branch.first)):
        taken = {lane for other, lane in lanes.items() if other.first <= branch.last and branch.first <= other.last}
        lanes[branch] = next(lane for lane in range(len(branches)) if lane not in taken)
    return lanes
