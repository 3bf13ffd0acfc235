"""A small field for the number of a place along an axis: typed, or gone through by the arrow keys."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QAbstractSpinBox, QSizePolicy, QSpinBox, QWidget

from lab.widgets.words import text

FEWEST = 12
"""Places from which on a field is quicker than a click."""


class NumberField(QSpinBox):
    """The number of one of many places, that takes the wheel only with focus."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.offers = False
        self._first = 1
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setButtonSymbols(QAbstractSpinBox.ButtonSymbols.NoButtons)
        self.setKeyboardTracking(False)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(text("Number of the row"))
        self.setToolTip(text("Type the number of a row, or go through them with the arrow keys"))

    @property
    def place(self) -> int:
        """The place along the axis, from 0."""
        return self.value() - self._first

    def offer(self, name: str, first: int, count: int) -> None:
        """Offers the places along an axis.

        Args:
            name: What one of them is called.
            first: The number of the first.
            count: How many there are; 0 where they have no numbers.
        """
        self._first, self.offers = first, count >= FEWEST
        with QSignalBlocker(self):
            self.setRange(first, first + max(0, count - 1))
        self.setPrefix(f"{name} ")

    def show_place(self, place: int) -> None:
        """Shows a place without telling anybody."""
        with QSignalBlocker(self):
            self.setValue(place + self._first)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Goes through the places with focus; else what is around scrolls."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()
