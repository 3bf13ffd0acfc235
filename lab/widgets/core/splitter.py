"""The borders between widgets of the window, which can be moved with the keyboard as well."""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSplitter, QSplitterHandle, QWidget

from lab.widgets.core.i18n import tr
from lab.widgets.core.theme import BETWEEN, px, themes

STEP = 16
"""Pixels that one press of an arrow key moves a border."""
FOCUS_WIDTH = 4
"""Pixels of the line that marks the border with the focus."""


class Splitter(QSplitter):
    """Widgets with movable borders between them; no widget can be made to vanish.

    Args:
        orientation: Where the widgets lie: next to each other or below each other.
        parent: Its parent.
    """

    def __init__(self, orientation: Qt.Orientation, parent: QWidget | None = None) -> None:
        super().__init__(orientation, parent)
        self.setHandleWidth(BETWEEN)
        self.setChildrenCollapsible(False)

    def createHandle(self) -> QSplitterHandle:
        """Return a border for one more widget."""
        return SplitterHandle(self.orientation(), self)


class SplitterHandle(QSplitterHandle):
    """A border between two widgets, which takes the focus from the tab key and moves by arrow keys."""

    def __init__(self, orientation: Qt.Orientation, parent: QSplitter) -> None:
        super().__init__(orientation, parent)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        is_horizontal = orientation == Qt.Orientation.Horizontal
        self.setAccessibleName(
            tr("Border between left and right") if is_horizontal else tr("Border between above and below")
        )
        self.setAccessibleDescription(
            tr("Left and Right move the border") if is_horizontal else tr("Up and Down move the border")
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the border by an arrow key of its direction."""
        keys = Qt.Key
        is_horizontal = self.orientation() == Qt.Orientation.Horizontal
        steps = {keys.Key_Left: -1, keys.Key_Right: 1} if is_horizontal else {keys.Key_Up: -1, keys.Key_Down: 1}
        step = steps.get(keys(event.key()))
        if step is None:
            super().keyPressEvent(event)
        else:
            self.moveSplitter((self.x() if is_horizontal else self.y()) + step * px(STEP))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Mark the border by a line while it has the focus."""
        super().paintEvent(event)
        if not self.hasFocus():
            return
        _mark(self, self.orientation())


class DockBorder(QWidget):
    """The upper edge of a dock at the bottom of a window, beside the border that the mouse moves."""

    moved = Signal(int)
    """Pixels by which the edge is to move up; negative ones down."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(FOCUS_WIDTH)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(tr("Border between above and below"))
        self.setAccessibleDescription(tr("Up and Down move the border"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Request a move by Up and Down."""
        step = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
        else:
            self.moved.emit(step * px(STEP))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Mark the border by a line while it has the focus."""
        del event
        if self.hasFocus():
            _mark(self, Qt.Orientation.Vertical)


def _mark(border: QWidget, orientation: Qt.Orientation) -> None:
    """Paint a line in the middle of a border between widgets that lie in a direction."""
    painter, line = QPainter(border), QRect(border.rect())
    if orientation == Qt.Orientation.Horizontal:
        line.setWidth(FOCUS_WIDTH)
    else:
        line.setHeight(FOCUS_WIDTH)
    line.moveCenter(border.rect().center())
    painter.fillRect(line, QColor(themes.now.accent))
    painter.end()
