"""The field that searches or filters what stands below it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit


class SearchField(QLineEdit):
    """A search field; Esc clears it, and the arrow down leaves it.

    Args:
        hint: The text of the empty field.
        name: The name of the field, for screen readers.
    """

    left = Signal()
    """The arrow down was pressed; what was found may take the focus."""

    def __init__(self, hint: str, name: str) -> None:
        super().__init__()
        self.setPlaceholderText(hint)
        self.setAccessibleName(name)
        self.setClearButtonEnabled(True)
        self.setProperty("role", "small")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave the field downwards, or clear it."""
        if event.key() == Qt.Key.Key_Down:
            self.left.emit()
        elif event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)
