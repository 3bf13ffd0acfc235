"""The stops of the tour, which of them is shown, and where its panel stands beside a widget; without Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from lab.base.system.policy import policy
from lab.shell.runtime.geometry import Box

Side = Literal["above", "below", "left", "right", ""]
"""The side of the widget on which the panel stands; "" beside none."""
EDGE = 8
"""The smallest distance of the panel from the edge of the window, in pixels."""


@dataclass(frozen=True)
class Stop:
    """A stop of the tour.

    Args:
        key: The widget that it points at.
        place: The place that is opened for it.
    """

    key: str
    place: str


STOPS = (
    Stop("cards", "home"),
    Stop("form", "train"),
    Stop("start", "train"),
    Stop("loss", "train"),
    Stop("inspect", "inspect"),
    Stop("play", "play"),
)


class TourModel:
    """The position in the tour.

    Args:
        stops: The stops, in order; those in a hidden place are left out.
    """

    def __init__(self, stops: Sequence[Stop] = STOPS) -> None:
        self._stops = tuple(stop for stop in stops if stop.place not in policy().hidden_places)
        self._index: int | None = None

    @property
    def index(self) -> int | None:
        """The number of the stop that is shown, counted from 0; None while there is no tour."""
        return self._index

    @property
    def stop(self) -> Stop | None:
        """The stop that is shown; None while there is no tour."""
        return None if self._index is None else self._stops[self._index]

    @property
    def count(self) -> int:
        """The number of stops."""
        return len(self._stops)

    @property
    def is_last(self) -> bool:
        """True at the last stop."""
        return self._index == len(self._stops) - 1

    def start(self) -> None:
        """Go to the first stop."""
        self._index = 0

    def next(self) -> None:
        """Go to the next stop, or end the tour after the last one."""
        if self._index is not None:
            self._index = None if self.is_last else self._index + 1

    def back(self) -> None:
        """Go to the stop before, if there is one."""
        if self._index:
            self._index -= 1

    def end(self) -> None:
        """End the tour."""
        self._index = None


@dataclass(frozen=True)
class Placement:
    """The position of the panel.

    Args:
        left: Its left edge in the window, in pixels.
        top: Its upper edge.
        side: The side of the widget on which it stands.
        tip: The position of the arrow's tip along the edge of the panel that faces the widget, in pixels.
    """

    left: int
    top: int
    side: Side
    tip: int


def placement(target: Box | None, width: int, height: int, window: tuple[int, int], corner: int) -> Placement:
    """Return the position of a panel beside a widget, within the window and not over the widget.

    Args:
        target: The widget in the window; None if it is not visible.
        width: The width of the panel, with its arrow, in pixels.
        height: Its height.
        window: Width and height of the window.
        corner: The smallest distance of the arrow's tip from a corner of the panel.
    """
    most_left, most_top = window[0] - width - EDGE, window[1] - height - EDGE
    if target is not None:
        right, bottom = target.left + target.width, target.top + target.height
        middle_x, middle_y = target.left + target.width // 2, target.top + target.height // 2
        left = max(EDGE, min(middle_x - width // 2, most_left))
        top = max(EDGE, min(middle_y - height // 2, most_top))
        tip_x = max(corner, min(middle_x - left, width - corner))
        tip_y = max(corner, min(middle_y - top, height - corner))
        if bottom <= most_top:
            return Placement(left, bottom, "below", tip_x)
        if target.left - width >= EDGE:
            return Placement(target.left - width, top, "left", tip_y)
        if right <= most_left:
            return Placement(right, top, "right", tip_y)
        if target.top - height >= EDGE:
            return Placement(left, target.top - height, "above", tip_x)
    return Placement(max(0, (window[0] - width) // 2), max(0, most_top), "", 0)
