"""Work off the main thread for the window: it runs as a listed job, and its result comes back to the main thread."""

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
"""Seconds for which closing waits for work that was asked to end."""


@dataclass
class _Task:
    """What is to be called in the main thread when a job has ended, and the key under which a later one replaces it."""

    job: Job
    done: Callable[[Any], object]
    failed: Callable[[Problem], object] | None
    key: str


class Background(QObject):
    """Runs work in threads and calls back in the main thread, until it is closed.

    Args:
        parent: Its parent; it must live in the main thread.
    """

    _ended = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks: dict[int, _Task] = {}
        self._outcomes: deque[tuple[int, Any, Problem | None]] = deque()
        self._lock = threading.Lock()  # held while a thread tells its end, so that none tells it to what is closed
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
        """Runs `work` in a thread of its own; nothing after `close`.

        Where `done` is a method of an object of Qt, maybe in a partial, nobody is told once Qt has deleted that object.

        Args:
            title: What is being done, in words for people.
            work: Called in the thread with its job, to ask whether it was cancelled.
            done: Called in the main thread with what `work` returned.
            failed: Called in the main thread with the problem, where it raised; None gives a notice.
            replaces: A key: what runs under the same key is cancelled, and its result is never told.
        """
        if self._closed:
            return
        if replaces:
            for number in [number for number, task in self._tasks.items() if task.key == replaces]:
                self._tasks.pop(number).job.cancel()
        self._count += 1
        number = self._count

        def in_thread(job: Job) -> None:
            try:
                value, problem = work(job), None
            except BaseException as error:  # noqa: BLE001 - a plugin's code may raise anything
                value, problem = None, problem_of(error, doing=title)
            self._tell(number, value, problem)

        self._tasks[number] = _Task(Job(title, in_thread), done, failed, replaces)
        self._tasks[number].job.start()

    @property
    def closed(self) -> bool:
        """True once `stop` was called: nothing more is started."""
        return self._closed

    def stop(self) -> None:
        """Cancels what runs. No result is told any more, and nothing more is begun."""
        with self._lock:
            self._closed = True
            self._outcomes.clear()
        self._ending += [task.job for task in self._tasks.values()]
        self._tasks.clear()
        for job in self._ending:
            job.cancel()

    def join(self) -> None:
        """Waits for what was stopped, for some seconds at most; may be called from any thread."""
        deadline = time.monotonic() + PATIENCE
        for job in self._ending:
            job.join(max(0.0, deadline - time.monotonic()))

    def close(self) -> None:
        """Stops and waits."""
        self.stop()
        self.join()

    def _tell(self, number: int, value: Any, problem: Problem | None) -> None:
        with self._lock, contextlib.suppress(RuntimeError):  # Qt has deleted this object before anybody closed it
            if not self._closed:
                self._outcomes.append((number, value, problem))
                self._ended.emit()

    @Slot()
    def _deliver(self) -> None:
        """Takes one outcome a call, so that a callback which raises costs no other its result."""
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
    """Whether Qt has deleted the object that would be called."""
    while isinstance(callback, functools.partial):
        callback = callback.func
    receiver = getattr(callback, "__self__", None)
    return isinstance(receiver, QObject) and not shiboken6.isValid(receiver)
