"""Reading of the data of runs on disk, without Qt: their series and texts, and what other processes write."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import numpy as np

from lab.base.charts.averages import smoothing
from lab.base.notices import notify
from lab.base.run_state import RunState
from lab.runs import Status
from lab.runs.metrics.clocks import flops_per_token
from lab.shell.session.runs.model import RunModel
from lab.shell.session.runs.series import SeriesState
from lab.shell.session.runs.texts import TextUpdate, read_texts
from lab.workbench.analysis.curves import Curves

if TYPE_CHECKING:
    from lab.base.jobs import Job
    from lab.base.problems import Problem

T = TypeVar("T")
SMOOTHED = {"train loss", "gradient norm", "clipped gradient norm"}
"""The series that cards draw smoothed."""


@dataclass(frozen=True)
class SeriesUpdate:
    """The series, texts and status of a run on disk, or the new data among them.

    Args:
        curves: All series, or those to which the rows will be added.
        rows: New rows by series: (unit, steps, values).
        texts: New samples and events.
        status: The status.
        checkpoints: The steps of its checkpoints.
    """

    curves: Curves
    rows: dict[str, Any] | None = None
    texts: TextUpdate | None = None
    status: Status | None = None
    checkpoints: Sequence[int] = ()


class StartReading(Protocol):
    """A function that reads the data of a run in a thread."""

    def __call__(
        self,
        run: RunModel,
        work: Callable[[Job], SeriesUpdate],
        done: Callable[[SeriesUpdate], object],
        failed: Callable[[Problem], object],
    ) -> object:
        """Call `work` in a thread, and in the main thread `done` with its result, or `failed` with the problem."""


class SeriesReader:
    """Reads series, texts and status of runs, each run's newest request; answers to earlier ones are dropped.

    Args:
        start: Starts reading in a thread.
        updated: Called with a RunModel that has new data, or whose data could not be read.
        died: Called with a RunModel whose process ended before its training did.
    """

    def __init__(
        self, start: StartReading, updated: Callable[[RunModel], object], died: Callable[[RunModel], object]
    ) -> None:
        self._start, self._updated, self._died = start, updated, died

    def read(self, run: RunModel) -> None:
        """Read the series of a run on disk, unless that was done before."""
        if run.loaded or run.active is not None:
            return
        run.series.state = SeriesState.READ
        self._request(run, _read_series, self._take, self._fail)

    def read_new_data(self, run: RunModel) -> None:
        """Read the data that another process wrote about a run since the last call."""
        self._request(run, _read_new_data, self._take_new_data, self._skip_new_data)

    def read_past(self, run: RunModel) -> None:
        """Read the series of a resumed run up to its checkpoint, and possibly a little further."""
        self._request(run, _read_series, self._take_past, self._skip_past)

    def _request(
        self,
        run: RunModel,
        read: Callable[[RunModel, Job], SeriesUpdate],
        take: Callable[[RunModel, SeriesUpdate], object],
        fail: Callable[[RunModel, Problem], object],
    ) -> None:
        """Read in a thread, and hand on what was read or the problem if the request is still the newest one."""
        number = run.readings.start()
        taken, failed = partial(self._end, run, number, take), partial(self._end, run, number, fail)
        self._start(run, partial(read, run), taken, failed)

    def _end(self, run: RunModel, number: int, then: Callable[[RunModel, T], object], answer: T) -> None:
        if run.readings.end(number):
            then(run, answer)
            self._updated(run)

    def _take(self, run: RunModel, update: SeriesUpdate) -> None:
        run.series.replace(update.curves)
        self._take_texts_and_status(run, update)

    def _fail(self, _run: RunModel, problem: Problem) -> None:
        """Report that a run cannot be read."""
        notify("error", problem)

    def _take_new_data(self, run: RunModel, update: SeriesUpdate) -> None:
        if update.rows is not None:
            _add_rows(update.curves, update.rows)
        self._take_texts_and_status(run, update)

    def _skip_new_data(self, _run: RunModel, _problem: Problem) -> None:
        """Ignore that a run of another process cannot be read now; it is read again soon."""

    def _take_past(self, run: RunModel, update: SeriesUpdate) -> None:
        run.series.take_past(update.curves)
        run.texts.clear()  # those after the checkpoint are gone
        self._take_texts(run, update)

    def _skip_past(self, run: RunModel, problem: Problem) -> None:
        """Let the run continue without its past in the charts."""
        run.series.skip_past()
        run.texts.clear()
        notify("warning", problem)

    def _take_texts_and_status(self, run: RunModel, update: SeriesUpdate) -> None:
        self._take_texts(run, update)
        was_elsewhere = run.elsewhere
        if update.status is not None:
            run.update_status(update.status)
        if was_elsewhere and run.state == RunState.INTERRUPTED:
            self._died(run)

    def _take_texts(self, run: RunModel, update: SeriesUpdate) -> None:
        run.checkpoints = list(update.checkpoints)
        if update.texts is not None:
            run.add_texts(update.texts)


def _read_series(run: RunModel, _job: Job) -> SeriesUpdate:
    """Read the series, texts and status of a run; in a thread.

    Raises:
        LabError: They cannot be read.
    """
    folder = run.source.folder
    if folder is None:
        return SeriesUpdate(Curves())
    curves = Curves(flops_per_token(folder.facts))
    curves.fill(folder.metrics())
    _precompute(curves)
    since = (0, 0) if run.series.state is SeriesState.PAST_NOT_READ else run.texts.offsets
    return SeriesUpdate(curves, None, read_texts(folder, since), folder.status(), folder.checkpoint_steps())


def _precompute(curves: Curves) -> None:
    """Compute the smoothed series and the speed that cards draw, in the thread that reads the curves."""
    for name in SMOOTHED & set(curves.names()):
        curves.smoothed(name, smoothing(name))
    curves.speed("steps")


def _read_new_data(run: RunModel, _job: Job) -> SeriesUpdate:
    """Read the new data of a run that another process trains; in a thread.

    Raises:
        LabError: They cannot be read.
    """
    folder = run.source.folder
    assert folder is not None
    rows, texts = None, None
    if run.loaded:
        rows = folder.metrics().read_after(run.curves.ends())
        texts = read_texts(folder, run.texts.offsets)
    return SeriesUpdate(run.curves, rows, texts, folder.status(), folder.checkpoint_steps())


def _add_rows(curves: Curves, rows: dict[str, Any]) -> None:
    """Add new rows to curves; in the main thread."""
    from lab.training.recording.telemetry import Rows

    names = [name for name, (_, steps, _) in rows.items() if len(steps)]
    if not names:
        return
    counts = [len(rows[name][1]) for name in names]
    numbers = np.repeat(np.arange(len(names)), counts)
    steps, values = (np.concatenate([rows[name][column] for name in names]) for column in (1, 2))
    curves.feed(Rows(steps, numbers, values, 0), names)
