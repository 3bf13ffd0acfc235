"""Leads through the tour: opens the place of each stop, points at its widget, and stores that the tour was taken."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence

import shiboken6
from PySide6.QtCore import QObject, QPoint, QRect, QTimer, Signal
from PySide6.QtWidgets import QAbstractButton, QWidget

from lab.base.problems import LabError
from lab.base.settings import change_section, read_section
from lab.shell.runtime.background import Background
from lab.shell.runtime.geometry import Box
from lab.shell.tour.model import TourModel
from lab.shell.tour.pointer import Pointer, TargetFrame
from lab.widgets.core.i18n import tr

SECTION = "tour"
"""The section of the settings that stores whether the tour was taken."""
FOLLOW = 100
"""Milliseconds after which the panel follows a widget that moved."""

Targets = Mapping[str, Callable[[], Sequence[QWidget]]]
"""The widgets that a stop points at, by its key."""


class Tour(QObject):
    """The tour of a window. It starts only when the user asks for it.

    Args:
        window: The window.
        targets: The widgets of the stops; a stop without a visible one is shown without an arrow.
        show_place: Opens a place.
        background: Stores in a thread that the tour was taken.
    """

    ended = Signal()
    """The tour was finished or skipped."""

    def __init__(
        self, window: QWidget, targets: Targets, show_place: Callable[[str], object], background: Background
    ) -> None:
        super().__init__(window)
        self._window, self._targets, self._show_place, self._background = window, targets, show_place, background
        self.model = TourModel()
        self.pointer: Pointer | None = None
        self._written: object = None  # title and text that the pointer shows
        self._frame: TargetFrame | None = None
        self._following = QTimer(self)
        self._following.setInterval(FOLLOW)
        self._following.timeout.connect(self._follow)
        self.is_taken = read_section(SECTION).get("taken") is True

    def start(self) -> None:
        """Show the first stop."""
        if self.pointer is None:
            self._frame = TargetFrame(self._window)
            self.pointer = Pointer(self._window)
            self.pointer.next_clicked.connect(self._next)
            self.pointer.back_clicked.connect(self._back)
            self.pointer.skipped.connect(self.end)
        self.model.start()
        self._following.start()
        self._show()

    def end(self) -> None:
        """End the tour, and do not offer it again."""
        self.model.end()
        self._following.stop()
        if self.pointer is not None and self._frame is not None:
            self._frame.hide()
            self.pointer.shut()
        if not self.is_taken:
            self.is_taken = True
            self._background.run(tr("Storing that the tour was taken"), _store, _ignore, _ignore)
        self.ended.emit()

    def _next(self) -> None:
        self.model.next()
        self._show()

    def _back(self) -> None:
        self.model.back()
        self._show()

    def _show(self) -> None:
        stop, index = self.model.stop, self.model.index
        if stop is None or index is None or self.pointer is None:
            self.end()
            self._show_place("home")
            return
        self._show_place(stop.place)
        self._write(is_new=True)
        self._follow()

    def _write(self, *, is_new: bool = False) -> None:
        """Write the text of the stop, which names what the button of a start says now.

        Args:
            is_new: True at another stop.
        """
        stop, index = self.model.stop, self.model.index
        if stop is None or index is None or self.pointer is None:
            return
        start = next((widget for widget in self._targets["start"]() if isinstance(widget, QAbstractButton)), None)
        title, text = stop_texts(tr("Start") if start is None else start.text())[stop.key]
        if is_new:
            self.pointer.show_stop(title, text, index, self.model.count)
        elif (title, text) != self._written:
            self.pointer.show_text(title, text)
        self._written = title, text

    def _follow(self) -> None:
        """Point at the widget where it is now."""
        stop = self.model.stop
        if stop is None or self.pointer is None or self._frame is None:
            return
        self._write()
        target = self._target(stop.key)
        self._frame.show_around(target)
        self.pointer.point_at(target)
        self.pointer.raise_()

    def _target(self, key: str) -> Box | None:
        """Return the rectangle in the window of the visible widgets of a stop; None if there are none."""
        found = QRect()
        for widget in self._targets[key]():
            if shiboken6.isValid(widget) and widget.isVisible() and self._window.isAncestorOf(widget):
                found = found.united(QRect(widget.mapTo(self._window, QPoint(0, 0)), widget.size()))
        found = found.intersected(self._window.rect())
        return None if found.isEmpty() else Box(found.x(), found.y(), found.width(), found.height())


def stop_texts(start: str) -> dict[str, tuple[str, str]]:
    """Return title and text of the stops by their keys.

    Args:
        start: What the button says that starts, pauses and resumes a run.
    """
    is_free = start in (tr("Start"), tr("Start new run"))
    return {
        "cards": (
            tr("Three ways to start"),
            tr(
                "Watch a small model learn, use a text of your own, or train two architectures and compare them. "
                "Each card says how long it takes on this machine."
            ),
        ),
        "form": (
            tr("Next run"),
            tr("The next run: its text, its model, its training. Click a setting to read what it does."),
        ),
        "start": (
            start,
            tr("Starts a run of the configuration. The same button, or the space bar, pauses and resumes it.")
            if is_free
            else tr("This button, or the space bar, pauses and resumes the run. Without a run, it starts one."),
        ),
        "loss": (
            tr("The loss"),
            tr(
                "How well the model predicts; lower is better. A sentence beside the number says it in words, "
                "and below are the settings that may change during training."
            ),
        ),
        "inspect": (
            tr("Inspect"),
            tr("Shows the inside of the model, also while it trains: attention, states, weights."),
        ),
        "play": (
            tr("Play"),
            tr("Lets the model write, and shows how probable each token was and what it could have written instead."),
        ),
    }


def _store(_: object) -> None:
    """Store that the tour was taken; in a thread."""
    with contextlib.suppress(LabError):  # it is not stored; the reason was reported already
        change_section(SECTION, lambda section: {**section, "taken": True})


def _ignore(_: object) -> None:
    """Ignore the end of storing."""
