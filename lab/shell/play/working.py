"""What the pages of Play share that work in a thread: the work, a button that starts and cancels it, a progress bar."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QVBoxLayout, QWidget

from lab.base.problems import Problem
from lab.shell.runtime.background import Background
from lab.widgets.core.controls import Button
from lab.widgets.core.i18n import tr
from lab.widgets.core.messages import problem_line
from lab.widgets.core.splitter import Splitter
from lab.widgets.core.theme import BETWEEN

if TYPE_CHECKING:
    from lab.base.jobs import Job

STEPS = 1000
"""Steps of a progress bar."""
POLL = 100
"""Milliseconds between two updates of the progress."""


class PageWork(QObject):
    """The one work of a page: it runs in a thread until it ends, fails or is cancelled.

    Args:
        background: Runs work in threads.
        key: The key of the work: the next one of this key replaces it.
        title: What it does, in the list of jobs.
        parent: The page.

    Attributes:
        changed: A work has started or ended.
        polled: Time to show the progress; emitted while it runs and at its end.
        works: Whether it runs.
        problem: Why the last one failed, in the language of the window; "" if it did not.
    """

    changed, polled = Signal(), Signal()

    def __init__(self, background: Background, key: str, title: str, parent: QObject) -> None:
        super().__init__(parent)
        self._background, self._key, self._title = background, key, title
        self.works, self.problem = False, ""
        self._number = 0  # of the last work: what an earlier one reports is dropped
        self._poll = QTimer(self)
        self._poll.setInterval(POLL)
        self._poll.timeout.connect(self.polled)

    def start(self, work: Callable[[Job], Any], take: Callable[[Any], object] = lambda _: None) -> None:
        """Start a work.

        Args:
            work: Does it, in a thread.
            take: Called with its result, in the main thread, unless it failed or was cancelled.
        """
        self._number += 1
        self.works, self.problem = True, ""
        taken, failed = partial(self._take, self._number, take), partial(self._fail, self._number)
        self._background.run(self._title, work, taken, failed, replaces=self._key)
        self._poll.start()
        self.changed.emit()

    def cancel(self) -> None:
        """Cancel the work; what it reported until then stays."""
        self._background.cancel(self._key)
        self._end()

    def close_down(self) -> None:
        """Stop the work with its page: nothing is shown any more."""
        self._number += 1
        self._poll.stop()
        self._background.cancel(self._key)
        self.works = False

    def _take(self, number: int, take: Callable[[Any], object], result: Any) -> None:
        if number == self._number and self.works:
            take(result)
            self._end()

    def _fail(self, number: int, problem: Problem) -> None:
        if number == self._number and self.works:
            self.problem = problem_line(problem)
            self._end()

    def _end(self) -> None:
        self.works = False
        self._poll.stop()
        self.polled.emit()
        self.changed.emit()


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
