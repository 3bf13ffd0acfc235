"""A small field for the number of a position along an axis, typed or stepped by the arrow keys."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QIntValidator, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from lab.widgets.core.controls import label
from lab.widgets.core.fonts import follow_type
from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import px

FEWEST = 12
"""Number of positions from which a field is quicker than a click."""
WIDTH = 56
"""Width of the field in pixels."""


class NumberField(QWidget):
    """A field for the number of one of many positions, after the name of a position."""

    picked = Signal(int)
    """The index that the user picked, from 0."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.offers = False
        self.field = _Field()
        follow_type(self.field, lambda field: field.setFixedWidth(px(WIDTH)))
        self.field.stepped.connect(self._step)
        self.field.editingFinished.connect(self._take)
        self._range = QIntValidator(self.field)
        self.field.setValidator(self._range)
        self._name = label("", "note")
        self._first, self._count, self._index = 1, 0, 0
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self._name)
        layout.addWidget(self.field)

    def offer(self, name: str, first: int, count: int) -> None:
        """Offer the indices along an axis.

        Args:
            name: The name of one of them.
            first: The number of the first one.
            count: Their count; 0 if they have no numbers.
        """
        self._first, self._count, self.offers = first, count, count >= FEWEST
        self._name.setText(name)
        self._range.setRange(first, first + max(0, count - 1))
        hint = tr("{name}: type a number, or step with the arrow keys", name=name)
        self.field.setToolTip(hint)
        self.field.setAccessibleName(hint)

    def show_index(self, index: int) -> None:
        """Show an index without emitting anything."""
        self._index = index
        with QSignalBlocker(self.field):
            self.field.setText(str(index + self._first))

    def _step(self, direction: int) -> None:
        self._choose(self._index + direction)

    def _take(self) -> None:
        known = self.field.hasAcceptableInput()
        self._choose(int(self.field.text()) - self._first if known else self._index)

    def _choose(self, index: int) -> None:
        index = min(max(index, 0), self._count - 1)
        changed = index != self._index
        self.show_index(index)
        if changed:
            self.picked.emit(index)


class _Field(QLineEdit):
    stepped = Signal(int)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Step to the index before or after."""
        direction = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}.get(Qt.Key(event.key()))
        if direction is None:
            super().keyPressEvent(event)
        else:
            self.stepped.emit(direction)
