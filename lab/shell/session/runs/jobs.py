"""The jobs of the list of runs: each does its reading in a thread, and hands over in the main thread."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from lab.base.notices import notify
from lab.base.problems import Problem
from lab.shell.session.runs.loading import Listing, Series, add_news, listing, news_of, series_of
from lab.shell.session.runs.model import RunModel
from lab.workbench import Workbench

if TYPE_CHECKING:
    from lab.base.jobs import Job


class ListingJob:
    """One reading of the list of runs."""

    def __init__(self, workbench: Workbench, seen: set[Path] | None) -> None:
        self._workbench, self._seen = workbench, seen

    def work(self, job: Job) -> Listing:
        """Reads; in a thread of its own."""
        del job
        return listing(self._workbench, self._seen)


class ReadingJob:
    """The series of one run on disk on their way into its view.

    Args:
        told: Called once they are there, or are not to be had.
        view: The run.
        died: Called where the process that trained the run turns out to be gone in the middle of it.
    """

    def __init__(
        self,
        told: Callable[[RunModel], object],
        view: RunModel,
        died: Callable[[RunModel], object] = lambda _: None,
    ) -> None:
        self._told, self._view, self._died = told, view, died

    def read(self, job: Job) -> Series:
        """Reads them, its texts and how far it is; in a thread of its own."""
        del job
        return series_of(self._view)

    def take(self, found: Series) -> None:
        """Hands them over; in the main thread."""
        if self._view.active is None:
            self._view.curves = found.curves
            self._tell(found)

    def read_news(self, job: Job) -> Series:
        """Reads what came since; in a thread of its own."""
        del job
        return news_of(self._view)

    def take_news(self, found: Series) -> None:
        """Adds it; in the main thread."""
        if self._view.active is None:
            trained = self._view.elsewhere
            if found.is_new is not None and found.curves is self._view.curves:
                add_news(found.curves, found.is_new)
            self._tell(found)
            if trained and self._view.state == "interrupted":
                self._died(self._view)
        else:
            self._told(self._view)

    def lost(self, problem: Problem) -> None:
        """A run of another process cannot be read at this moment; it is tried again."""
        del problem
        self._told(self._view)

    def take_past(self, found: Series) -> None:
        """Hands over what a run that goes on had told before; what it tells again is dropped as it comes."""
        if self._view.waits_for_past:
            self._view.curves, self._view.waits_for_past = found.curves, False
            self._hear(found)
        self._told(self._view)

    def take_no_past(self, problem: Problem) -> None:
        """It goes on without its past in the charts."""
        self._view.waits_for_past = False
        notify("warning", problem)
        self._told(self._view)

    def _tell(self, found: Series) -> None:
        self._hear(found)
        if found.status is not None:
            self._view.told(found.status)
        self._told(self._view)

    def _hear(self, found: Series) -> None:
        self._view.checkpoints = list(found.checkpoints)
        if found.texts is not None:
            self._view.hear(found.texts)
