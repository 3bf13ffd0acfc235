"""Work in threads for the window: each runs as a listed job, and its result is delivered in the main thread."""

from __future__ import annotations

import contextlib
import functools
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import shiboken6
from PySide6.QtCore import QObject, Qt, Signal, Slot

from lab.base.jobs import Job
from lab.base.notices import notify
from lab.base.problems import Problem, problem_of

T = TypeVar("T")
PATIENCE = 5.0
"""Seconds that closing waits for cancelled work."""


@dataclass
class _Task:
    """A job, its callbacks in the main thread, and the key by which a later job replaces it."""

    job: Job
    done: Callable[[Any], object]
    failed: Callable[[Problem], object] | None
    key: str


class Background(QObject):
    """Runs work in threads and delivers its results in the main thread, until it is closed.

    Args:
        parent: Its parent; it must live in the main thread.
    """

    _ended = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks: dict[int, _Task] = {}
        self._outcomes: deque[tuple[int, Any, Problem | None]] = deque()
        self._lock = threading.Lock()  # so that no thread posts its outcome after closing
        self._closed = False
        self._ending: list[Job] = []
        self._count = 0
        self._ended.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def run(
        self,
        title: str,
        work: Callable[[Job], T],
        done: Callable[[T], object],
        failed: Callable[[Problem], object] | None = None,
        *,
        replaces: str = "",
    ) -> None:
        """Run `work` in its own thread; do nothing after `close`.

        If `done` is a method of a Qt object, or a partial of one, it is not called after Qt has deleted that object.

        Args:
            title: The title of the job, shown to the user.
            work: Called in the thread with its job, which has a flag for being cancelled.
            done: Called in the main thread with the result of `work`.
            failed: Called in the main thread with the problem if `work` raised; None reports it as a notice.
            replaces: A key; a running job with the same key is cancelled, and its result is dropped.
        """
        if self._closed:
            return
        if replaces:
            self.cancel(replaces)
        self._count += 1
        number = self._count

        def in_thread(job: Job) -> None:
            try:
                value, problem = work(job), None
            except BaseException as error:  # noqa: BLE001 - a plugin's code may raise anything
                value, problem = None, problem_of(error, doing=title)
            self._post(number, value, problem)

        self._tasks[number] = _Task(Job(title, in_thread), done, failed, replaces)
        self._tasks[number].job.start()

    def cancel(self, key: str) -> None:
        """Cancel the running job with a key, and drop its result; do nothing if there is none."""
        for number in [number for number, task in self._tasks.items() if task.key == key]:
            self._tasks.pop(number).job.cancel()

    @property
    def closed(self) -> bool:
        """True once `stop` was called; nothing more is started."""
        return self._closed

    def stop(self) -> None:
        """Cancel all jobs. No more results are delivered, and no more jobs start."""
        with self._lock:
            self._closed = True
            self._outcomes.clear()
        self._ending += [task.job for task in self._tasks.values()]
        self._tasks.clear()
        for job in self._ending:
            job.cancel()

    def join(self) -> None:
        """Wait for the cancelled jobs, for PATIENCE seconds at most; any thread may call it."""
        deadline = time.monotonic() + PATIENCE
        for job in self._ending:
            job.join(max(0.0, deadline - time.monotonic()))

    def close(self) -> None:
        """Cancel all jobs, and wait for them."""
        self.stop()
        self.join()

    def _post(self, number: int, value: Any, problem: Problem | None) -> None:
        """Store an outcome for the main thread; called in the job's thread."""
        with self._lock, contextlib.suppress(RuntimeError):  # Qt deleted this object before it was closed
            if not self._closed:
                self._outcomes.append((number, value, problem))
                self._ended.emit()

    @Slot()
    def _deliver(self) -> None:
        """Deliver one outcome per event, so that a callback that raises does not lose the others."""
        if not self._outcomes:
            return
        number, value, problem = self._outcomes.popleft()
        task = self._tasks.pop(number, None)
        if task is None or _is_gone(task.done):
            return
        if problem is None:
            task.done(value)
        elif task.failed is not None:
            task.failed(problem)
        else:
            notify("error", problem)


def _is_gone(callback: Callable[..., object]) -> bool:
    """Return True if Qt has deleted the object whose method would be called."""
    while isinstance(callback, functools.partial):
        callback = callback.func
    receiver = getattr(callback, "__self__", None)
    return isinstance(receiver, QObject) and not shiboken6.isValid(receiver)
