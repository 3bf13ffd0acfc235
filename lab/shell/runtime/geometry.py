"""The geometry of the window on the screens, without Qt; the frame with the title bar stays on the screen too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Frame(NamedTuple):
    """The widths in pixels of a window's frame; the title bar is its upper edge."""

    left: int = 0
    top: int = 0
    right: int = 0
    bottom: int = 0


class Box(NamedTuple):
    """A rectangle in pixels."""

    left: int
    top: int
    width: int
    height: int

    def overlap(self, other: Box) -> int:
        """Return the area in common with another rectangle."""
        width = min(self.left + self.width, other.left + other.width) - max(self.left, other.left)
        height = min(self.top + self.height, other.top + other.height) - max(self.top, other.top)
        return max(0, width) * max(0, height)

    def inside(self, frame: Frame) -> Box:
        """Return the rectangle inside a frame along its edges."""
        width, height = self.width - frame.left - frame.right, self.height - frame.top - frame.bottom
        return Box(self.left + frame.left, self.top + frame.top, width, height)

    def centred(self, width: int, height: int) -> Box:
        """Return a rectangle of a size around the centre of this one."""
        return Box(self.left + (self.width - width) // 2, self.top + (self.height - height) // 2, width, height)


def fitted(
    previous: Box | None, screens: Sequence[Box], frame: Frame, first: tuple[int, int], smallest: tuple[int, int]
) -> tuple[Box, tuple[int, int]]:
    """Return the rectangle of a window without its frame, and its smallest size, on the screen with most of it.

    Args:
        previous: Its last rectangle, on a screen that may be gone or smaller now; None at the first start.
        screens: The available rectangle of each screen, the primary one first.
        frame: The frame of the window.
        first: Width and height at the first start, if the screen is large enough.
        smallest: The smallest width and height, if the screen is large enough.
    """
    rooms = [screen.inside(frame) for screen in screens]
    wanted = previous or rooms[0].centred(*first)
    room = max(rooms, key=wanted.overlap)  # the primary one if it is on none
    least = min(smallest[0], room.width), min(smallest[1], room.height)
    width, height = min(max(wanted.width, least[0]), room.width), min(max(wanted.height, least[1]), room.height)
    left = min(max(wanted.left, room.left), room.left + room.width - width)
    top = min(max(wanted.top, room.top), room.top + room.height - height)
    return Box(left, top, width, height), least
