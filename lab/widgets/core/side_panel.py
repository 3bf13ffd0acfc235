"""The base of every right dock: a title with its controls, rows that scroll, and a fixed foot."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from lab.widgets.core.card import title_row
from lab.widgets.core.controls import label
from lab.widgets.core.theme import INSIDE


class SidePanel(QFrame):
    """A right dock.

    Args:
        title: Its title.
        scrolls: Whether its rows often do not fit into the window, so that space for the scroll bar is reserved.

    Attributes:
        head: The row of the title; controls are added at its end.
        rows: The layout of the rows that scroll.
        foot: The layout of the fixed part below.
    """

    def __init__(self, title: str, *, scrolls: bool = False) -> None:
        super().__init__()
        self.setProperty("role", "panel")
        self.head = QHBoxLayout()
        self.head.setContentsMargins(INSIDE, 0, 8, 0)
        self.head.addWidget(label(title, "title"))
        self.head.addStretch()
        inside = QWidget()
        self.rows = QVBoxLayout(inside)
        self.rows.setContentsMargins(INSIDE, 0, INSIDE, 0)
        self.rows.setSpacing(6)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # it scrolls to the focused child
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(inside)
        self._area = area
        if scrolls:
            self._reserve(0, 0)
            area.verticalScrollBar().rangeChanged.connect(self._reserve)
        self.foot = QVBoxLayout()
        self.foot.setContentsMargins(INSIDE, 0, INSIDE, 0)
        self.foot.setSpacing(6)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 8, 0, INSIDE)
        layout.setSpacing(6)
        layout.addWidget(title_row(self.head))
        layout.addWidget(area, 1)
        layout.addLayout(self.foot)

    def _reserve(self, low: int, high: int) -> None:
        """Reserve the space of the scroll bar while there is none, so that the rows keep their width."""
        reserved = 0 if high > low else self._area.verticalScrollBar().sizeHint().width()
        self.rows.setContentsMargins(INSIDE, 0, 2 + reserved, 0)
