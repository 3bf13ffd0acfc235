"""The notification centre: problems, warnings and uncaught exceptions for the user. Without Qt."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Literal

from lab.base.problems import Problem, problem_of

Level = Literal["debug", "info", "warning", "error"]
"""The severity of a notice; a "debug" notice appears only in the log of the window."""


@dataclass(frozen=True)
class Notice:
    """A message: its level, its problem, and its time in seconds since the epoch."""

    level: Level
    problem: Problem
    time: float


_listeners: list[Callable[[Notice], None]] = []
_lock = threading.Lock()


def notify(level: Level, problem: Problem | str) -> None:
    """Pass a message to every listener; may be called from any thread.

    A listener that raises (a closed terminal) is removed: it must not end the work that sends a notice.
    """
    notice = Notice(level, problem if isinstance(problem, Problem) else Problem(problem), time.time())
    with _lock:
        listeners = tuple(_listeners)
    for listener in listeners:
        try:
            listener(notice)
        except Exception:  # noqa: BLE001 - its error cannot be reported: this is where reports go
            _forget(listener)


def listen(listener: Callable[[Notice], None]) -> Callable[[], None]:
    """Call `listener` with every new notice, in the thread that sends it. Return a function that removes it."""
    with _lock:
        _listeners.append(listener)

    return lambda: _forget(listener)


def _forget(listener: Callable[[Notice], None]) -> None:
    with _lock:
        if listener in _listeners:
            _listeners.remove(listener)


def catch_uncaught() -> Callable[[], None]:
    """Report uncaught exceptions of all threads as notices. Return a function that undoes it."""
    old_main, old_thread = sys.excepthook, threading.excepthook

    def in_main(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            old_main(kind, error, trace)
        else:
            notify("error", problem_of(error, doing="Something"))
        for name in ("last_value", "last_traceback", "last_exc"):  # or Python retains its frames and their objects
            setattr(sys, name, None)

    def in_thread(arguments: threading.ExceptHookArgs) -> None:
        if arguments.exc_value is not None and not issubclass(arguments.exc_type, SystemExit):
            name = arguments.thread.name if arguments.thread else "a thread"
            notify("error", problem_of(arguments.exc_value, doing=f"Work in {name}"))

    sys.excepthook, threading.excepthook = in_main, in_thread

    def undo() -> None:
        sys.excepthook, threading.excepthook = old_main, old_thread

    return undo
