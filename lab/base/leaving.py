"""The end of this process: neither a thread that a plugin left running nor code that hangs keeps it alive."""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

from lab.base.notices import notify
from lab.base.problems import Problem, plugin_of, remedy_for

PATIENCE = 1.0
"""Seconds that threads of plugins have to end."""
LIMIT = 10.0
"""Seconds that the process has to end after SIGTERM or SIGHUP."""
GRACE = 2.0
"""Seconds after which a second such signal ends it at once (a closed terminal sends several together), and those that
it has for the rest once what was being saved is saved."""
REPORT = 0.5
"""Seconds that the report of such an end may take."""
POLL = 0.05
"""Shortest wait for another signal."""

_saving: list[object] = []


def leave(status: int, report: Callable[[Problem], object]) -> NoReturn:
    """End the process with a status; threads of plugins that do not end are named, and not waited for.

    Args:
        status: The status.
        report: Called with a problem for each such thread.
    """
    until = time.monotonic() + PATIENCE
    left = [
        (thread, plugin)
        for thread in threading.enumerate()
        if not thread.daemon and thread is not threading.current_thread() and (plugin := owner_of(thread))
    ]
    for thread, _ in left:
        thread.join(max(0.0, until - time.monotonic()))
    left = [(thread, plugin) for thread, plugin in left if thread.is_alive()]
    if not left:
        raise SystemExit(status)
    for thread, plugin in left:
        what = f"its thread {thread.name} still ran at the end, and was not waited for"
        report(Problem(what, plugin=plugin, remedy=f"Make it a daemon, or end it. {remedy_for(plugin)}"))
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def owner_of(thread: threading.Thread) -> str | None:
    """Return the third-party plugin whose code a thread runs or was started for; None if it is nobody's."""
    frame = sys._current_frames().get(thread.ident or 0)
    while frame is not None:
        plugin = plugin_of(frame.f_globals.get("__name__") or "")
        if plugin is not None:
            return plugin
        frame = frame.f_back
    target: Any = getattr(thread, "_target", None) or getattr(thread, "function", None)  # of a Timer
    return plugin_of(getattr(target, "__module__", None) or "") or plugin_of(type(thread).__module__)


@contextlib.contextmanager
def saving() -> Iterator[None]:
    """Let the watchdog wait for the body, which writes what would be lost; a second signal still ends it."""
    mark = object()
    _saving.append(mark)
    try:
        yield
    finally:
        _saving.remove(mark)


class Watchdog:
    """Ends this process if it does not end by itself after SIGTERM or SIGHUP, whatever hangs. For the main thread.

    Python calls handlers of signals in the main thread, which may wait in a plugin's code for ever; but it writes the
    number of each signal to a socket at once, which a thread reads here.
    """

    def __init__(self) -> None:
        self._received, self._sent = socket.socketpair()
        self._sent.setblocking(False)
        self._before = signal.set_wakeup_fd(self._sent.fileno(), warn_on_full_buffer=False)
        threading.Thread(target=self._watch, name="lab: watchdog", daemon=True).start()

    def close(self) -> None:
        """Stop watching."""
        signal.set_wakeup_fd(self._before)
        self._sent.close()

    def _watch(self) -> None:
        """Wait for a signal, and then for the end, the limit, or a second signal."""
        ending = {getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)}
        first, since, until = 0, 0.0, 0.0
        with self._received:
            while True:
                self._received.settimeout(max(POLL, until - time.monotonic()) if first else None)
                try:
                    numbers = self._received.recv(64)
                except TimeoutError:
                    if _saving:
                        until = time.monotonic() + GRACE
                        continue
                    return _end(first, f"the process did not end within {LIMIT:g} seconds, and was ended")
                if not numbers:
                    return None
                for number in ending.intersection(numbers):
                    if not first:
                        first, since = number, time.monotonic()
                        until = since + LIMIT
                    elif time.monotonic() - since >= GRACE:
                        return _end(first, "a second signal ended the process at once")


def _end(number: int, what: str) -> None:
    """Report what still runs, and end the process with the status of a signal."""
    plugin = next((plugin for thread in threading.enumerate() if (plugin := owner_of(thread))), None)
    problem = Problem(what, plugin=plugin, remedy=None if plugin is None else remedy_for(plugin))
    report = threading.Thread(target=notify, args=("error", problem), daemon=True)  # a listener may hang too
    report.start()
    report.join(REPORT)
    os._exit(128 + number)
