"""The appearance of the window to the user: theme, size of the type, projector mode, motion, and dashes of lines."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Mode = Literal["system", "light", "dark", "contrast"]
Motion = Literal["system", "reduced"]
Dashes = Literal["contrast", "always"]

SIZES_OF_TYPE = (80, 90, 100, 110, 125, 150, 175, 200)
"""The offered sizes of the type in percent."""
PROJECTED = 1.4
"""The factor of the size of the type in projector mode."""
LARGEST = 2.0
"""The largest factor of all sizes of type together."""
SCREEN = (1366, 768)
"""Width and height in pixels of a window in which projector mode may have MOST_PROJECTED."""
MOST_PROJECTED = 1.5
"""The largest factor of larger type in projector mode in a window of SCREEN; it grows with the window."""


class Appearance(BaseModel):
    """The settings of the appearance, as they are stored.

    Args:
        theme: The light, dark or high-contrast theme, or the system's.
        type_size: The size of the type in percent.
        projector: Whether type and lines are large, and secondary texts are left out.
        motion: Whether things may move by themselves; "system" follows the system where Qt reports its setting.
        dashes: Whether the lines of runs always differ by dashes, or only in the high-contrast theme.
    """

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    theme: Mode = "system"
    type_size: Annotated[int, Field(ge=SIZES_OF_TYPE[0], le=SIZES_OF_TYPE[-1])] = 100
    projector: bool = False
    motion: Motion = "system"
    dashes: Dashes = "contrast"

    def scale(self, limit: float = LARGEST) -> float:
        """Return the factor of all sizes that belong to type.

        Args:
            limit: The largest factor that projector mode and larger type may reach together.
        """
        own = self.type_size / 100
        return max(own, min(limit, own * PROJECTED)) if self.projector else own

    def larger(self, limit: float = LARGEST) -> Appearance:
        """Return it with the next larger size of type, or itself if the type would not grow.

        Args:
            limit: The largest factor that projector mode and larger type may reach together.
        """
        size = next((size for size in SIZES_OF_TYPE if size > self.type_size), SIZES_OF_TYPE[-1])
        larger = self.model_copy(update={"type_size": size})
        return larger if larger.scale(limit) > self.scale(limit) else self

    def smaller(self) -> Appearance:
        """Return it with the next smaller size of type."""
        size = next((size for size in reversed(SIZES_OF_TYPE) if size < self.type_size), SIZES_OF_TYPE[0])
        return self.model_copy(update={"type_size": size})


def largest_in(width: int, height: int) -> float:
    """Return the largest factor that projector mode and larger type may reach together in a window, in tenths.

    Args:
        width: The width of the window in pixels.
        height: Its height in pixels.
    """
    room = min(width / SCREEN[0], height / SCREEN[1])
    return max(PROJECTED, min(LARGEST, int(MOST_PROJECTED * room * 10) / 10))
