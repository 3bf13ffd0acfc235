"""The registry of running jobs: what runs, how to cancel it, and how to wait for it before the process ends."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator

from lab.base.notices import notify
from lab.base.problems import LabError, problem_of

TURN = 0.2
"""Seconds after which a wait without a limit lets the main thread run."""

_running: list[Job] = []
_lock = threading.Lock()
_interruptible = threading.local()  # the job whose work this thread does, while it can be interrupted


class Cancelled(LabError):
    """Raised when work is cancelled before it has a result. A job that raises it ends without a notice."""

    def __init__(self) -> None:
        super().__init__("it was cancelled")


class Job:
    """Work in a thread of its own, listed until it ends.

    Args:
        title: A title for the user.
        work: Called with the job in the new thread, so that it can poll `cancelled`. An exception becomes a notice.
    """

    def __init__(self, title: str, work: Callable[[Job], None]) -> None:
        self.title = title
        self.started = time.monotonic()
        self._work = work
        self._cancel = threading.Event()
        self._on_cancel: list[Callable[[], None]] = []
        self._thread = threading.Thread(target=self._run, name=f"lab: {title}", daemon=True)

    def start(self) -> Job:
        """List the work and start it."""
        with _lock:
            _running.append(self)
        self._thread.start()
        return self

    @property
    def cancelled(self) -> bool:
        """True once the job was cancelled."""
        return self._cancel.is_set()

    def when_cancelled(self, call: Callable[[], None]) -> None:
        """Register a function to be called when the job is cancelled, in the thread that cancels."""
        self._on_cancel.append(call)

    def cancel(self) -> None:
        """Request the work to end; do not wait."""
        self._cancel.set()
        for call in tuple(self._on_cancel):
            call()

    def join(self, seconds: float | None = None) -> bool:
        """Wait for the job to end. Return True if it ended in time.

        A signal may go to any thread, and Python handles it once the main thread runs, so it never waits long.
        """
        self._thread.join(TURN if seconds is None else seconds)
        while seconds is None and self._thread.is_alive():
            self._thread.join(TURN)
        return not self._thread.is_alive()

    def _run(self) -> None:
        try:
            self._work(self)
        except Cancelled:
            pass
        except BaseException as error:  # noqa: BLE001 - the last stop of this thread, for SystemExit too
            notify("error", problem_of(error, doing=self.title))
        finally:
            with _lock:
                _running.remove(self)


@contextlib.contextmanager
def interruptible(job: Job) -> Iterator[None]:
    """Let `check_cancelled` end the work inside the `with`, which must leave nothing half done."""
    _interruptible.job = job
    try:
        yield
    finally:
        _interruptible.job = None


def is_interrupted() -> bool:
    """Return True if this thread does interruptible work of a job that was cancelled."""
    job = getattr(_interruptible, "job", None)
    return job is not None and job.cancelled


def check_cancelled() -> None:
    """Raise Cancelled if this thread does interruptible work of a job that was cancelled."""
    if is_interrupted():
        raise Cancelled


def running_jobs() -> tuple[Job, ...]:
    """Return the jobs that are running, oldest first."""
    with _lock:
        return tuple(_running)
