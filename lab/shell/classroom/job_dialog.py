"""The base of the dialogs of a class: it works in a thread, which may outlive the dialog, and shows errors."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtWidgets import QVBoxLayout, QWidget

from lab.base.notices import notify
from lab.base.problems import Problem
from lab.shell.runtime.background import Background
from lab.widgets.core.controls import label
from lab.widgets.core.messages import problem_line
from lab.widgets.core.overlay import Overlay
from lab.widgets.core.theme import STEP

if TYPE_CHECKING:
    from lab.base.jobs import Job

T = TypeVar("T")


class JobDialog(Overlay):
    """A dialog that works in a thread. Closed meanwhile, it lets the work continue, and a notice tells a failure.

    Args:
        window: The window over which it opens.
        title: Its name for screen readers.
        background: Runs the work.
    """

    def __init__(self, window: QWidget, title: str, background: Background) -> None:
        super().__init__(window, title)
        self._background = background
        self._opened = 0  # how often: work that was begun before concerns the dialog no longer
        self._refused = label("", "bad")
        self._refused.setWordWrap(True)
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(5 * STEP, 4 * STEP, 5 * STEP, 4 * STEP)
        self._rows.setSpacing(2 * STEP)

    def show_over(self, first: QWidget) -> None:
        """Show it, and take nothing more from work that was begun before."""
        self._opened += 1
        super().show_over(first)

    def shut(self) -> None:
        """Close the dialog; what is being done continues."""
        self._opened += 1
        super().shut()

    def _place_above(self, width: int, height: Callable[[int], int]) -> None:
        """Place it in the upper middle of the window."""
        width = min(width, self._window.width() - 40)
        tall = height(width)
        self.setGeometry((self._window.width() - width) // 2, (self._window.height() - tall) // 3, width, tall)

    def _work(self, title: str, work: Callable[[Job], T], done: Callable[[T, bool], None]) -> None:
        """Do something in a thread.

        Args:
            title: What is done.
            work: Does it.
            done: Gets the result, and whether the dialog is still open as it was.
        """
        opened = self._opened
        self._background.run(title, work, partial(self._done, done, opened), partial(self._failed, opened))

    def _done(self, done: Callable[[T, bool], None], opened: int, result: T) -> None:
        done(result, opened == self._opened)

    def _failed(self, opened: int, problem: Problem) -> None:
        if opened == self._opened:
            self._show(problem_line(problem))
        else:
            notify("error", problem)

    def _show(self, refused: str) -> None:
        """Show a problem, or with "" none, and allow another attempt."""
        self._refused.setText(refused)
        self._refused.setVisible(bool(refused))
        self.place()
