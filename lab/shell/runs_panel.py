"""The runs at the left of every place: a list with a filter and an order, or a rail of dots where room is short."""

from __future__ import annotations

import math
from collections.abc import Callable

from PySide6.QtCore import QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QStackedLayout, QVBoxLayout, QWidget

from lab.shell.loss_card import shown
from lab.shell.run_book import RunBook
from lab.shell.run_view import RunView
from lab.shell.scales import run_colour
from lab.widgets.card import title_row
from lab.widgets.controls import Button, MenuButton, label, set_role
from lab.widgets.run_list import RunList, RunRail
from lab.widgets.run_rows import RunRow
from lab.widgets.theme import INSIDE, themes
from lab.widgets.words import text

NEWEST, LOSS, BITS = "newest", "loss", "bits per byte"
"""Orders of the list."""
MANY = 9
"""Runs from which on a filter is worth its room."""
ASIDE = 4
"""Pixels between the rows and the panel's edges."""


class RunsPanel(QFrame):
    """The list of runs.

    Args:
        book: The runs.
        start: Starts a run, for the empty state.
    """

    asked = Signal(str, QPoint)
    picked = Signal()
    """A person selected a run."""

    def __init__(self, book: RunBook, start: Callable[[], object]) -> None:
        super().__init__()
        self.setProperty("role", "panel")
        self._book = book
        self._count = label("", "note")
        orders = [
            (NEWEST, text("newest")),
            (LOSS, text("validation loss")),
            (BITS, text("bits per byte")),
        ]
        self._order = MenuButton(text("order"), orders, self._refresh_by)
        head = QHBoxLayout()
        head.setContentsMargins(INSIDE, 0, 8, 0)
        head.addWidget(label(text("Runs"), "title"))
        head.addWidget(self._count)
        head.addStretch()
        head.addWidget(self._order)
        self._find = QLineEdit()
        self._find.setPlaceholderText(text("Find a run"))
        self._find.setAccessibleName(text("Find a run"))
        self._find.setClearButtonEnabled(True)
        find = QHBoxLayout()
        find.setContentsMargins(INSIDE, 0, INSIDE, 0)
        find.addWidget(self._find)
        self.list = RunList()
        self._find.textChanged.connect(self.list.filter)
        self.list.selected.connect(self._select)
        self.list.shown_changed.connect(book.show)
        self.list.asked.connect(self.asked)
        self._quantity = label(text("validation loss, nats per token"), "note")
        self._quantity.setContentsMargins(INSIDE, 0, INSIDE, 0)
        self._quantity.setToolTip(text("In brackets: of the training text, where there was no evaluation yet"))
        self._quantity.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._nothing = _NoRuns(start)
        self._pages = QStackedLayout()
        pages = QVBoxLayout()  # a stack takes no margins
        pages.setContentsMargins(ASIDE, 0, ASIDE, 0)
        pages.addLayout(self._pages)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(0, 8, 0, INSIDE)
        rows.setSpacing(6)
        rows.addWidget(title_row(head))
        rows.addLayout(find)
        rows.addWidget(self._quantity)
        rows.addLayout(pages, 1)
        self._pages.addWidget(self._nothing)  # only now: what a layout without a widget shows is a window of its own
        self._pages.addWidget(self.list)
        book.listed.connect(self.refresh)
        book.chosen.connect(self.refresh)
        themes.changed.connect(self.refresh)
        self.refresh()

    def _refresh_by(self, order: str) -> None:
        del order
        self.refresh()

    def refresh(self) -> None:
        """Shows the runs as they are now."""
        views = ordered(self._book.views, self._order.value)
        self._count.setText(str(len(views)) if views else "")
        self._find.setVisible(len(views) >= MANY)
        self._order.setVisible(len(views) > 1)
        self._quantity.setVisible(bool(views))
        self._pages.setCurrentWidget(self.list if views else self._nothing)
        self.list.set_rows([row_of(view, self._order.value) for view in views])
        bits = self._order.value == BITS
        self._quantity.setText(text("validation, bits per byte") if bits else text("validation loss, nats per token"))
        if self._book.selected is not None:
            self.list.select(self._book.selected.key)

    def _select(self, key: str) -> None:
        self._book.select(key)
        self.picked.emit()


class _NoRuns(QWidget):
    """What stands in the list before there is a run."""

    def __init__(self, start: Callable[[], object]) -> None:
        super().__init__()
        words = label(text("Every run you start is kept here, with its curves and its model."), "dim")
        words.setWordWrap(True)
        words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        button = Button(text("Start the first run"), role="")
        button.clicked.connect(start)
        rows = QVBoxLayout(self)
        rows.setContentsMargins(INSIDE, INSIDE, INSIDE, INSIDE)
        rows.setSpacing(12)
        rows.addStretch()
        rows.addWidget(words)
        rows.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
        rows.addStretch()


class RunsSide(QWidget):
    """The left dock's content: the list, or the rail that opens it over the centre.

    Args:
        book: The runs.
        panel: The list.
        window: The window over whose centre the list opens.
    """

    def __init__(self, book: RunBook, panel: RunsPanel, window: QWidget) -> None:
        super().__init__()
        self._book, self._panel, self._window = book, panel, window
        self._rail = RunRail()
        self._frame = QFrame()
        self._frame.setProperty("role", "panel")
        inside = QVBoxLayout(self._frame)
        inside.setContentsMargins(0, 4, 0, 4)
        inside.addWidget(self._rail)
        self._wide = True
        self._rows = QHBoxLayout(self)
        self._rows.setContentsMargins(10, 0, 0, 0)
        self._rows.setSpacing(0)
        self._rows.addWidget(panel)
        self._rows.addWidget(self._frame)
        self._frame.hide()
        self._rail.selected.connect(book.select)
        self._rail.opened.connect(self.toggle)
        panel.picked.connect(self.fold)
        book.listed.connect(self._refresh)
        book.chosen.connect(self._refresh)

    def set_wide(self, wide: bool) -> None:
        """Shows the list, or the rail."""
        if wide == self._wide:
            return
        self._wide = wide
        self._frame.setVisible(not wide)
        if wide:
            set_role(self._panel, "panel")
            self._rows.insertWidget(0, self._panel)
            self._panel.show()
        else:
            set_role(self._panel, "overlay")  # stands out from the cards it lies over
            self._panel.setParent(self._window)
            self._panel.hide()
        self._refresh()

    @property
    def open_over(self) -> bool:
        """Whether the list lies open over the centre."""
        return not self._wide and self._panel.isVisible()

    def toggle(self) -> None:
        """Opens the list over the centre, or folds it."""
        if self._wide:
            return
        if self._panel.isVisible():
            self.fold()
            return
        corner = self.mapTo(self._window, QPoint(self.width() + 4, 0))
        self._panel.setGeometry(corner.x(), corner.y(), 260, self.height())
        self._panel.show()
        self._panel.raise_()
        self._panel.list.setFocus()

    def fold(self) -> None:
        """Folds the list where it lies over the centre."""
        if not self._wide:
            self._panel.hide()

    def changeEvent(self, event: QEvent) -> None:
        """The colours of the dots are the theme's."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and hasattr(self, "_rail"):
            self._refresh()

    def sizeHint(self) -> QSize:
        """As wide as the list or the rail."""
        return QSize(250 if self._wide else 60, 400)

    def _refresh(self) -> None:
        if not self._wide:
            self._rail.set_rows([row_of(view) for view in self._book.views])
            if self._book.selected is not None:
                self._rail.select(self._book.selected.key)


def ordered(views: list[RunView], order: str) -> list[RunView]:
    """The runs: newest first, or by what they reached, those that were not validated yet behind the others."""
    if order == NEWEST:
        return views
    return sorted(views, key=lambda view: (not view.is_validated, _reached(view, order)))


def row_of(view: RunView, order: str = NEWEST) -> RunRow:
    """The run's row as it is now; a loss of the training text stands in brackets."""
    value = _reached(view, order)
    words = shown(value) if math.isfinite(value) else ""
    return view.row(run_colour(view), words if view.is_validated or not words else f"({words})")


def _reached(view: RunView, order: str) -> float:
    """The loss in nats per token or in bits per byte; inf where the run does not tell it."""
    factor = view.bits_per_byte_factor if order == BITS else 1.0
    return math.inf if view.loss is None or factor is None else view.loss * factor
