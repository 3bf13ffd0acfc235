"""Two views of the same kind at two steps: next to each other or stacked, each below its own title."""

from __future__ import annotations

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QVBoxLayout, QWidget

from lab.widgets.core.controls import follow_in_tab_order, tab_stops
from lab.widgets.core.theme import INSIDE
from lab.widgets.readings.base import Line


class ViewPair(QWidget):
    """A view, and while a step is pinned a second one before it.

    Args:
        view: The permanent view.
    """

    def __init__(self, view: QWidget) -> None:
        super().__init__()
        self._titles: list[Line] = []
        self._pinned: QWidget | None = None
        self._halves = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._halves.setContentsMargins(0, 0, 0, 0)
        self._halves.setSpacing(INSIDE)
        self._half_shown = self._half(view)
        self._halves.addWidget(self._half_shown, 1)

    def _half(self, view: QWidget) -> QWidget:
        made, title = QWidget(), Line()
        rows = QVBoxLayout(made)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.setSpacing(6)
        rows.addWidget(title)
        rows.addWidget(view, 1)
        title.hide()
        self._titles.append(title)
        return made

    def pin(self, view: QWidget | None) -> None:
        """Put a pinned view before the other; None removes and deletes it."""
        if self._pinned is not None:
            self._pinned.hide()
            self._pinned.deleteLater()
            self._pinned = None
            del self._titles[1:]
            self._titles[0].hide()
        if view is not None:
            self._pinned = self._half(view)
            self._halves.insertWidget(0, self._pinned, 1)
            for title in self._titles:
                title.show()
            self._pinned.show()
            self._arrange()
            stops = tab_stops(self._half_shown)
            if stops:  # the pinned view comes first in the tab order
                follow_in_tab_order(stops[0], self._pinned, self._half_shown)

    def name(self, shown: str, pinned: str) -> None:
        """Set the titles of both views."""
        for title, text in zip(self._titles, (shown, pinned), strict=False):
            if title.full_text != text:
                title.set_full_text(text)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Arrange the views again."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        width, height = self.width(), self.height()
        side_by_side = min(width / 2, height) >= min(width, height / 2)
        self._halves.setDirection(
            QBoxLayout.Direction.LeftToRight if side_by_side else QBoxLayout.Direction.TopToBottom
        )
