"""The moments of the selected run in the window: found and read in the background, looked at together by all cards."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from lab.base.problems import Problem
from lab.shell.runtime.background import Background
from lab.shell.session.runs.model import RunModel
from lab.widgets.core.i18n import tr
from lab.workbench.access.inspection import Inspection
from lab.workbench.analysis.snapshots import ROOM, Cut, Limits, Timeline

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.recipes import Readings

AT_ONCE = 0.15
"""Seconds of reading after which the cards are told what came."""


class Moments(QObject):
    """The recorded moments of one run at a time, and the one that is looked at.

    Args:
        background: Brings the reading off the main thread.
        parent: Its parent.

    Attributes:
        step: The step that is looked at; None for now.
    """

    found = Signal()
    """Moments, or what is known of them, came or went."""
    came = Signal()
    """More of them are in memory."""
    moved = Signal()
    """Another one is looked at."""

    def __init__(self, background: Background, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.step: int | None = None
        self._background = background
        self._view: RunModel | None = None
        self._film: Timeline | None = None
        self._reads = False
        self._known: tuple[object, ...] = ()

    def follow(self, view: RunModel | None) -> None:
        """Another run is selected: nothing of the last one stays."""
        self._view, self._reads, self._known = view, False, ()
        self._film = None if view is None else Timeline(view.run, ROOM)
        self.look_at(None)

    def find(self) -> None:
        """Looks for moments that were recorded meanwhile, and reads them."""
        film, view = self._film, self._view
        if film is not None and view is not None:
            film.run = view.run  # which is another one once its training has ended
            title = tr("Finding recorded moments")
            self._background.run(title, _Finding(film).work, self._take_found, replaces="moments")

    def look_at(self, step: int | None) -> None:
        """Looks at a moment: those near it are read before others."""
        if step != self.step:
            self.step = step
            self.moved.emit()
        if self._film is not None and step is not None:
            self._film.near = step
            self._read()

    def at(self, step: int) -> Inspection | Problem | None:
        """What was recorded at a step, or why it cannot be read; None as long as it is not in memory."""
        return None if self._film is None else self._film.at(step)

    @property
    def looks(self) -> list[Inspection]:
        """What was recorded at the moments that are in memory, in order."""
        found = [self.at(step) for step in self.steps]
        return [one for one in found if isinstance(one, Inspection)]

    @property
    def steps(self) -> list[int]:
        """The recorded steps, in order."""
        return [] if self._film is None else list(self._film.sizes)

    @property
    def is_read(self) -> bool:
        """Whether every moment there is was read, and those that there is room for are in memory."""
        return self._film is not None and bool(self._film.sizes) and self._film.is_read

    @property
    def size(self) -> int:
        """Bytes that they take on the disk."""
        return 0 if self._film is None else sum(self._film.sizes.values())

    @property
    def cut(self) -> Cut | None:
        """What the budget left out."""
        return None if self._film is None else self._film.cut

    @property
    def limits(self) -> Limits:
        """Over all moments that were read."""
        return {} if self._film is None else self._film.limits

    def told(self) -> tuple[str, str]:
        """What was recorded, in words; and what was not, with what to do about it."""
        if self._view is None:
            return tr("Moments are recorded while a run trains."), ""
        asked, cut = self._view.recipe.readings, self.cut
        budget = _megabytes(asked.budget)
        if not self.steps:
            return "", self._why_none(asked)
        count = tr("1 moment") if len(self.steps) == 1 else tr("{n} moments", n=f"{len(self.steps):,}")
        words = tr("{count} · {size} of {budget} MB", count=count, size=_megabytes(self.size), budget=budget)
        if len(self.steps) > 1:
            words += "\n" + tr("Colours keep one scale over all moments.")
        if cut is None:
            return words, ""
        return words, tr("The budget holds {kept} of {planned} moments, spread over the training. "
                           "For more, raise readings.budget in the next run.",
                           kept=cut.stored, planned=cut.planned)  # fmt: skip

    def _why_none(self, asked: Readings) -> str:
        """Why no moment was recorded, and what to do."""
        for name in ("tokens", "moments", "budget"):
            if not getattr(asked, name):
                return tr("Nothing is recorded where readings.{name} is 0. Raise it in the next run.", name=name)
        if self.cut is not None:
            return tr("One moment takes {size} MB, and the budget is {budget} MB: nothing was recorded. "
                        "Raise readings.budget in the next run.",
                        size=_megabytes(self.cut.size), budget=_megabytes(asked.budget))  # fmt: skip
        if self._view is not None and self._view.works:
            return ""
        return tr("No moment of this run is stored. Train it again from its recipe to record some.")

    def _take_found(self, film: Timeline) -> None:
        if film is self._film:
            known = (film.sizes, film.cut)
            if known != self._known:
                self._known = known
                self.found.emit()
            self._read()

    def _read(self) -> None:
        film = self._film
        if film is not None and not self._reads and not film.is_read:
            self._reads = True
            self._background.run(tr("Reading recorded moments"), _Reading(film).work, self._take_read, self._unread)

    def _take_read(self, film: Timeline) -> None:
        if film is self._film:
            self._reads = False
            self.came.emit()
            self._read()

    def _unread(self, _problem: Problem) -> None:
        """Nothing: a film keeps what it cannot read as the problem of that moment."""
        self._reads = False


def _megabytes(size: int) -> str:
    """Bytes in units of 2**20, in two digits or whole."""
    value = size / 2**20
    return f"{value:.0f}" if value >= 9.95 or not value else f"{value:.2g}" if value >= 0.01 else tr("under 0.01")


class _Finding:
    """One look for the moments of a run."""

    def __init__(self, film: Timeline) -> None:
        self._film = film

    def work(self, job: Job) -> Timeline:
        """Looks; in a thread of its own."""
        del job
        self._film.find()
        return self._film


class _Reading:
    """Some of the moments of a run, being read."""

    def __init__(self, film: Timeline) -> None:
        self._film = film

    def work(self, job: Job) -> Timeline:
        """Reads; in a thread of its own."""
        until, film = time.monotonic() + AT_ONCE, self._film
        here = film.near if film.at(film.near) is not None else None

        def enough() -> bool:
            came = film.near != here and film.at(film.near) is not None  # what is waited for
            return job.cancelled or came or time.monotonic() > until

        self._film.read(enough)
        return self._film
