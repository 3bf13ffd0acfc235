"""Background reading of the series of runs on disk; they are added to the models in the main thread."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from lab.base.notices import notify
from lab.base.problems import Problem
from lab.base.run_state import RunState
from lab.shell.runtime.background import Background
from lab.shell.session.runs.loading import SeriesUpdate, add_rows, read_new_data, read_series
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.series import SeriesState
from lab.widgets.core.i18n import tr

if TYPE_CHECKING:
    from lab.base.jobs import Job


class SeriesReader(QObject):
    """Reads series, texts and status of runs.

    Args:
        background: Runs the reading in threads.
        parent: Its parent.
    """

    updated = Signal(object)
    """A RunModel has new data, or they could not be read."""
    died = Signal(object)
    """The process that trained a RunModel ended before the training did."""

    def __init__(self, background: Background, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._background = background
        self._pending: set[str] = set()  # keys of runs whose new or past data are being read

    def is_reading(self, view: RunModel) -> bool:
        """Return True while new or past data of a run are being read."""
        return view.key in self._pending

    def read(self, view: RunModel) -> None:
        """Read the series of a run on disk, unless that was done before."""
        if view.loaded or view.active is not None:
            return
        view.series.state = SeriesState.READ
        self._pending.add(view.key)
        taken, failed = partial(self._take, view), partial(self._fail, view)
        self._background.run(_title(view), partial(_read_series, view), taken, failed)

    def read_new_data(self, view: RunModel) -> None:
        """Read the data that another process wrote about a run since the last call."""
        self._pending.add(view.key)
        taken, failed = partial(self._take_new_data, view), partial(self._skip_new_data, view)
        self._background.run(_title(view), partial(_read_new_data, view), taken, failed)

    def read_past(self, view: RunModel) -> None:
        """Read the series of a resumed run up to its checkpoint, and possibly a little further."""
        self._pending.add(view.key)
        taken, failed = partial(self._take_past, view), partial(self._skip_past, view)
        self._background.run(_title(view), partial(_read_series, view), taken, failed)

    def _take(self, view: RunModel, update: SeriesUpdate) -> None:
        if view.active is None:
            view.series.replace(update.curves)
            self._take_texts_and_status(view, update)
        self._end(view)

    def _fail(self, view: RunModel, problem: Problem) -> None:
        """Report that a run cannot be read."""
        notify("error", problem)
        self._end(view)

    def _take_new_data(self, view: RunModel, update: SeriesUpdate) -> None:
        if view.active is None:
            was_elsewhere = view.elsewhere
            if update.rows is not None and update.curves is view.curves:
                add_rows(update.curves, update.rows)
            self._take_texts_and_status(view, update)
            self._end(view)
            if was_elsewhere and view.state == RunState.INTERRUPTED:
                self.died.emit(view)
        else:
            self._end(view)

    def _skip_new_data(self, view: RunModel, _problem: Problem) -> None:
        """Ignore that a run of another process cannot be read now; it is read again soon."""
        self._end(view)

    def _take_past(self, view: RunModel, update: SeriesUpdate) -> None:
        if view.series.state is SeriesState.PAST_NOT_READ:
            view.series.take_past(update.curves)
            view.texts.clear()  # those after the checkpoint are gone
            self._take_texts(view, update)
        self._end(view)

    def _skip_past(self, view: RunModel, problem: Problem) -> None:
        """Let the run continue without its past in the charts."""
        view.series.skip_past()
        view.texts.clear()
        notify("warning", problem)
        self._end(view)

    def _take_texts_and_status(self, view: RunModel, update: SeriesUpdate) -> None:
        self._take_texts(view, update)
        if update.status is not None:
            view.update_status(update.status)

    def _take_texts(self, view: RunModel, update: SeriesUpdate) -> None:
        view.checkpoints = list(update.checkpoints)
        if update.texts is not None:
            view.add_texts(update.texts)

    def _end(self, view: RunModel) -> None:
        self._pending.discard(view.key)
        self.updated.emit(view)


def _title(view: RunModel) -> str:
    return tr("Reading {run}", run=view.name)


def _read_series(view: RunModel, job: Job) -> SeriesUpdate:
    """Read all series of a run; in a thread."""
    del job
    return read_series(view)


def _read_new_data(view: RunModel, job: Job) -> SeriesUpdate:
    """Read the new data of a run; in a thread."""
    del job
    return read_new_data(view)
