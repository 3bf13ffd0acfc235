"""The crosshair that charts share: one position on the x axis, shown in all of them."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal


class Crosshair(QObject):
    """The position on the x axis that all charts with the same x axis show."""

    moved = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.x: float | None = None

    def move(self, x: float | None) -> None:
        """Move to a value of the x axis; None hides it."""
        if x != self.x:
            self.x = x
            self.moved.emit(x)
