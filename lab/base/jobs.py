"""The registry of running work: what runs, how to cancel it, and how to wait for it before leaving."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from lab.base.notices import notify
from lab.base.problems import LabError, problem_of

_running: list[Job] = []
_lock = threading.Lock()


class Cancelled(LabError):
    """Work was ended by who asked for it, before it had a result. A job that raises it ends without a notice."""

    def __init__(self) -> None:
        super().__init__("it was cancelled")


class Job:
    """Work in a thread of its own, listed until it ends. It gets its job, to ask `cancelled`.

    Args:
        title: What is being done, in words for people.
        work: Called with the job in the new thread. An exception becomes a notice.
    """

    def __init__(self, title: str, work: Callable[[Job], None]) -> None:
        self.title = title
        self.started = time.monotonic()
        self._work = work
        self._cancel = threading.Event()
        self._on_cancel: list[Callable[[], None]] = []
        self._thread = threading.Thread(target=self._run, name=f"lab: {title}", daemon=True)

    def start(self) -> Job:
        """Starts the work and lists it."""
        with _lock:
            _running.append(self)
        self._thread.start()
        return self

    @property
    def cancelled(self) -> bool:
        """Whether someone asked the work to end."""
        return self._cancel.is_set()

    def when_cancelled(self, call: Callable[[], None]) -> None:
        """Has `call` called when the job is cancelled, in the thread that cancels."""
        self._on_cancel.append(call)

    def cancel(self) -> None:
        """Asks the work to end; does not wait."""
        self._cancel.set()
        for call in tuple(self._on_cancel):
            call()

    def join(self, seconds: float | None = None) -> bool:
        """Waits for the end. Returns whether it came."""
        self._thread.join(seconds)
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


def running_jobs() -> tuple[Job, ...]:
    """The jobs that run now, oldest first."""
    with _lock:
        return tuple(_running)
