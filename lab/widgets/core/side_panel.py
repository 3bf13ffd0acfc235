"""The base of every right dock: a title with its controls, rows that scroll, and a fixed foot."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from lab.widgets.core.card import title_row
from lab.widgets.core.controls import label, plain_tip
from lab.widgets.core.theme import INSIDE, themes

FOOT_SHARE = 0.55
"""Share of the height up to which the foot stands below the rows that scroll; a higher one scrolls with them."""

AROUND_FOCUS = 24
"""Pixels of the rows above and below the focused control that stay visible with it."""


class _RowsArea(QScrollArea):
    """Rows that scroll; a focused control stays visible when they get less height."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Scroll to the focused control if it was visible before, such as when a problem appears below the rows."""
        super().resizeEvent(event)
        rows, focused = self.widget(), QApplication.focusWidget()
        if rows is not None and focused is not None and rows.isAncestorOf(focused):
            top = focused.mapTo(self.viewport(), QPoint(0, 0)).y()
            if top + focused.height() > 0 and top < event.oldSize().height():
                self.ensureWidgetVisible(focused, 0, AROUND_FOCUS)


class SidePanel(QFrame):
    """A right dock.

    Args:
        title: Its title.
        description: A longer title for the tool tip and screen readers; "" uses the title.
        scrolls: Whether its rows often do not fit into the window, so that space for the scroll bar is reserved.

    Attributes:
        title: The label with the title.
        head: The row of the title; controls are added at its end.
        rows: The layout of the rows that scroll.
        foot: The layout of the fixed part below.
    """

    def __init__(self, title: str, description: str = "", *, scrolls: bool = False) -> None:
        super().__init__()
        self.setAccessibleName(description or title)
        self.setProperty("role", "panel")
        self.head = QHBoxLayout()
        self.head.setContentsMargins(INSIDE, 0, 8, 0)
        self.title = label(title, "title")
        self.title.setToolTip(plain_tip(description) if description else "")
        self.head.addWidget(self.title)
        self.head.addStretch()
        inside = QWidget()
        self._scrolled = QVBoxLayout(inside)
        self._scrolled.setContentsMargins(0, 0, 0, 0)
        self._scrolled.setSpacing(6)
        self.rows = QVBoxLayout()
        self._scrolled.addLayout(self.rows, 1)
        self.rows.setContentsMargins(INSIDE, 0, INSIDE, 0)
        self.rows.setSpacing(6)
        area = _RowsArea()
        area.setWidgetResizable(True)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # it scrolls to the focused child
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(inside)
        self._area, self._scrolls = area, scrolls
        area.verticalScrollBar().rangeChanged.connect(self._reserve)
        self._reserve()
        self._foot = QWidget()
        self.foot = QVBoxLayout(self._foot)
        self.foot.setContentsMargins(INSIDE, 0, INSIDE, 0)
        self.foot.setSpacing(6)
        self._outer = QVBoxLayout(self)
        self._outer.setContentsMargins(0, 8, 0, INSIDE)
        self._outer.setSpacing(6)
        self._outer.addWidget(title_row(self.head))
        self._outer.addWidget(area, 1)
        self._outer.addWidget(self._foot)
        themes.changed.connect(self._fit)

    def scroll_to(self, row: QWidget) -> None:
        """Scroll to one of the rows without giving it the focus."""
        self._area.ensureWidgetVisible(row, 0, AROUND_FOCUS)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Let the foot scroll, too, if it would take more than its share of the height."""
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """Reserve the space of the scroll bar as wide as another style draws it."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and hasattr(self, "_area"):
            self._reserve()

    def _fit(self) -> None:
        scrolls = self._foot.sizeHint().height() > FOOT_SHARE * self.height()
        wanted = self._scrolled if scrolls else self._outer
        if wanted.indexOf(self._foot) < 0:
            (self._outer if scrolls else self._scrolled).removeWidget(self._foot)
            wanted.addWidget(self._foot)

    def _reserve(self) -> None:
        """Reserve the space of the scroll bar while there is none, so that the rows keep their width."""
        if self._scrolls:
            bar = self._area.verticalScrollBar()
            reserved = 0 if bar.maximum() > bar.minimum() else bar.sizeHint().width()
            self.rows.setContentsMargins(INSIDE, 0, 2 + reserved, 0)
