"""The snapshots of the selected run: listed and read in the background; all cards show the same step."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from lab.base.notices import notify
from lab.base.problems import Problem
from lab.shell.runtime.background import Background
from lab.shell.session.runs.model import RunModel
from lab.widgets.core.i18n import number_text, tr, tr_n
from lab.workbench.access.inspection import Inspection
from lab.workbench.analysis.snapshots import Cut, Limits, Timeline

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.recipes import Readings

BATCH = 0.15
"""Seconds of reading after which the cards show what was read so far."""


class Snapshots(QObject):
    """The snapshots of one run at a time, and the selected one.

    Args:
        background: Runs the reading in a thread.
        parent: Its parent.

    Attributes:
        step: The selected step; None for the current model.
    """

    list_changed = Signal()
    """The list of recorded steps, or of those that did not fit into the budget, changed."""
    loaded = Signal()
    """More snapshots are in memory."""
    step_changed = Signal()
    """Another step is selected."""

    def __init__(self, background: Background, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.step: int | None = None
        self._background = background
        self._run: RunModel | None = None
        self._timeline: Timeline | None = None
        self._is_reading = False
        self._finding: Timeline | None = None  # the one in which snapshots are being searched for
        self._find_again = False
        self._reported: tuple[object, ...] = ()

    def follow(self, run: RunModel | None) -> None:
        """Follow another run, and release the snapshots of the previous one."""
        self._run, self._is_reading, self._reported = run, False, ()
        self._finding, self._find_again = None, False
        self._timeline = None if run is None else Timeline(run.source)
        self.select(None)

    def close_down(self) -> None:
        """Release the snapshots; what threads still find of them is ignored from now on."""
        self._run = self._timeline = None

    def find(self) -> None:
        """Find the snapshots that were recorded since the last call, and read them.

        A search under way is followed by another one, and not replaced: on a busy machine none would ever end.
        """
        timeline, run = self._timeline, self._run
        if timeline is not None and timeline is self._finding:
            self._find_again = True
        elif timeline is not None and run is not None:
            self._finding = timeline
            timeline.run = run.source  # a different object once the training has ended
            title, failed = tr("Finding snapshots"), partial(self._fail_to_find, timeline)
            key = f"snapshots of {run.key}"  # different keys, since two runs may be compared
            self._background.run(title, partial(_find, timeline), self._take_list, failed, replaces=key)

    def select(self, step: int | None) -> None:
        """Select a step; its snapshot and those near it are read first."""
        if step != self.step:
            self.step = step
            self.step_changed.emit()
        if self._timeline is not None and step is not None:
            self._timeline.near = step
            self._read()

    def at(self, step: int) -> Inspection | Problem | None:
        """Return the snapshot of a step, or the problem of reading it; None until it is in memory."""
        return None if self._timeline is None else self._timeline.at(step)

    @property
    def inspections(self) -> list[Inspection]:
        """The snapshots in memory, in order of their steps."""
        found = [self.at(step) for step in self.steps]
        return [one for one in found if isinstance(one, Inspection)]

    @property
    def steps(self) -> list[int]:
        """The recorded steps, in order."""
        return [] if self._timeline is None else list(self._timeline.sizes)

    @property
    def is_read(self) -> bool:
        """True if all snapshots were read, and those that fit are in memory."""
        return self._timeline is not None and bool(self._timeline.sizes) and self._timeline.is_read

    @property
    def size(self) -> int:
        """The size of the snapshots on disk, in bytes."""
        return 0 if self._timeline is None else sum(self._timeline.sizes.values())

    @property
    def cut(self) -> Cut | None:
        """The reduction by the budget; None if every planned snapshot fits."""
        return None if self._timeline is None else self._timeline.cut

    @property
    def limits(self) -> Limits:
        """The limits over all snapshots read so far."""
        return {} if self._timeline is None else self._timeline.limits

    def status(self) -> tuple[str, str]:
        """Return a note about the recorded snapshots and a warning about missing ones; "" for none."""
        if self._run is None:
            return tr("Snapshots are recorded while a run trains."), ""
        if not self.steps and self._run.reads in ("vectors", "images"):
            return "", tr("This run recorded no snapshots of rows; “now” shows its model.")
        settings, cut = self._run.recipe.readings, self.cut
        budget = _megabytes(settings.budget)
        if not self.steps:
            return "", self._why_none(settings)
        count = tr_n("1 snapshot", "{n} snapshots", len(self.steps))
        note = tr("{count} · {size} of {budget} MB", count=count, size=_megabytes(self.size), budget=budget)
        if len(self.steps) > 1:
            note += "\n" + tr("All snapshots share one colour scale.")
        if cut is None:
            return note, ""
        return note, tr("The budget holds {stored} of {planned} snapshots, spread over the training. "
                          "To record more, raise readings.budget in the next run.",
                          stored=cut.stored, planned=cut.planned)  # fmt: skip

    def _why_none(self, settings: Readings) -> str:
        """Return a message that explains why nothing was recorded and what to do."""
        for name in ("tokens", "moments", "budget"):
            if not getattr(settings, name):
                return tr("Nothing is recorded because readings.{name} is 0. Raise it in the next run.", name=name)
        if self.cut is not None:
            return tr("One snapshot takes {size} MB, more than the budget of {budget} MB, so nothing was recorded. "
                        "Raise readings.budget in the next run.",
                        size=_megabytes(self.cut.size), budget=_megabytes(settings.budget))  # fmt: skip
        if self._run is not None and self._run.works:
            return ""
        return tr("This run has no snapshots. Train its recipe again to record some.")

    def _take_list(self, timeline: Timeline) -> None:
        if timeline is self._timeline:
            self._end_search()
            if self.step is None and timeline.sizes:
                timeline.near = max(timeline.sizes)  # the nearest one to the current model
            current = (timeline.sizes, timeline.cut)
            if current != self._reported:
                self._reported = current
                self.list_changed.emit()
            self._read()

    def _fail_to_find(self, timeline: Timeline, problem: Problem) -> None:
        if timeline is self._timeline:
            self._end_search()
        notify("error", problem)

    def _end_search(self) -> None:
        self._finding, is_due, self._find_again = None, self._find_again, False
        if is_due:
            self.find()

    def _read(self) -> None:
        timeline = self._timeline
        if timeline is not None and not self._is_reading and not timeline.is_read:
            self._is_reading = True
            self._background.run(tr("Reading snapshots"), partial(_read, timeline), self._take, self._fail)

    def _take(self, timeline: Timeline) -> None:
        if timeline is self._timeline:
            self._is_reading = False
            self.loaded.emit()
            self._read()

    def _fail(self, _problem: Problem) -> None:
        """Ignore the problem, since the timeline stores it for the snapshot."""
        self._is_reading = False


def _megabytes(size: int) -> str:
    """Format bytes in units of 2**20, with two digits or as an integer."""
    value = size / 2**20
    return (
        number_text(value, ".0f")
        if value >= 9.95 or not value
        else number_text(value, ".2g")
        if value >= 0.01
        else tr("under 0.01")
    )


def _find(timeline: Timeline, job: Job) -> Timeline:
    """Find the snapshots of a run; in a thread."""
    del job
    timeline.find()
    return timeline


def _read(timeline: Timeline, job: Job) -> Timeline:
    """Read snapshots of a run until the selected one is in memory or the time is over; in a thread."""
    until = time.monotonic() + BATCH
    present = timeline.near if timeline.at(timeline.near) is not None else None

    def enough() -> bool:
        is_loaded = timeline.near != present and timeline.at(timeline.near) is not None
        return job.cancelled or is_loaded or time.monotonic() > until

    timeline.read(enough)
    return timeline
