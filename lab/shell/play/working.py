"""Widgets that the pages of Play share which work in a thread: a button that starts and cancels, a progress bar."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QVBoxLayout, QWidget

from lab.widgets.core.controls import Button
from lab.widgets.core.i18n import tr
from lab.widgets.core.splitter import Splitter
from lab.widgets.core.theme import BETWEEN

STEPS = 1000
"""Steps of a progress bar."""


class WorkButton(Button):
    """Starts a work, and cancels it while it runs.

    Args:
        title: What it does.
        hint: The tip while nothing runs.
        cancel_hint: The tip while the work runs.
    """

    def __init__(self, title: str, hint: str, cancel_hint: str) -> None:
        super().__init__(title, hint=hint, icon_name="start", role="primary")
        self._start, self._cancel = (title, "start", hint), (tr("Cancel"), "stop", cancel_hint)

    def show_work(self, *, works: bool) -> None:
        """Offer to cancel while the work runs, and to start it otherwise."""
        self.set_face(*(self._cancel if works else self._start))
        self.change_role("" if works else "primary")


class WorkBar(QProgressBar):
    """The share of a work that is done.

    Args:
        spoken: Its name for screen readers.
    """

    def __init__(self, spoken: str) -> None:
        super().__init__()
        self.setRange(0, STEPS)
        self.setTextVisible(False)
        self.setAccessibleName(spoken)

    def show_share(self, share: float) -> None:
        """Show a share from 0 to 1."""
        self.setValue(round(STEPS * share))


def work_column(
    about: QWidget, button: WorkButton, *widgets: QWidget, growing: QWidget, last: QWidget | None = None
) -> QWidget:
    """Return the content of the card of a work: a text beside its button, and the rest below them.

    Args:
        about: The text.
        button: The button.
        *widgets: What follows: progress, problem, figures.
        growing: The widget that takes the room that is left.
        last: The widget below it, if there is one.
    """
    head = QHBoxLayout()
    head.setSpacing(8)
    head.addWidget(about, 1)
    head.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
    content = QWidget()
    rows = QVBoxLayout(content)
    rows.setContentsMargins(0, 0, 0, 0)
    rows.setSpacing(8)
    rows.addLayout(head)
    for widget in widgets:
        rows.addWidget(widget)
    rows.addWidget(growing, 1)
    if last is not None:
        rows.addWidget(last)
    return content


def side_by_side(page: QWidget, first: QWidget, second: QWidget, *, sizes: tuple[int, int]) -> Splitter:
    """Put two cards into a page, one beside the other, growing in the proportion of their sizes.

    Args:
        page: The page.
        first: The left card.
        second: The right card.
        sizes: Their widths at first, in pixels.
    """
    split = Splitter(Qt.Orientation.Horizontal)
    for at, (card, size) in enumerate(zip((first, second), sizes, strict=True)):
        split.addWidget(card)
        split.setStretchFactor(at, size)
    split.setSizes(list(sizes))
    layout = QVBoxLayout(page)
    layout.setContentsMargins(0, 0, BETWEEN, 0)
    layout.addWidget(split)
    return split
