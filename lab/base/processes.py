"""Processes: which still run, requests to end this one, and Python code in one of its own."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator

from lab.base.leaving import Watchdog

POLL = 0.05
"""Seconds between two checks whether it was cancelled."""
MOST_THREADS = 1024
"""Most processor threads of a training."""
SAME = 2.0
"""Seconds by which two readings of the start of a process may differ (clock ticks, clock corrections)."""


def start_of(pid: int) -> float:
    """Return when a process started, in seconds since 1970.

    Raises:
        psutil.Error: There is none of this number.
    """
    import psutil  # type: ignore[import-untyped] # late: not every start needs it

    return float(psutil.Process(pid).create_time())


def is_alive(pid: int, started: float) -> bool:
    """Return True if the process of this number that started at this time still runs; numbers are used again.

    Args:
        pid: Its number.
        started: When it started, in seconds since 1970.
    """
    import psutil

    try:
        ended = psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
        return not ended and abs(start_of(pid) - started) < SAME
    except (psutil.Error, ValueError, OverflowError):
        return False


@contextlib.contextmanager
def on_signals(call: Callable[[int], object]) -> Iterator[None]:
    """Call a function in the main thread when this process is asked to end, instead of ending it.

    That is Ctrl+C, SIGTERM (`kill`, the shutdown of the system) and SIGHUP (a closed terminal). One that is ignored, as
    by `nohup`, stays ignored, and one whose handler is no Python code keeps it. If the body has not ended ten seconds
    after SIGTERM or SIGHUP, the process ends all the same. In another thread than the main one this does nothing.

    Args:
        call: Called with the number of the signal.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before, late = {}, []
    over = False

    def receive(number: int, _: object) -> None:
        if over:  # a handler that raises would leave the others in place
            late.append(number)
        else:
            call(number)

    watchdog = Watchdog()
    try:
        for number in (getattr(signal, name, None) for name in ("SIGINT", "SIGTERM", "SIGHUP")):
            if number is not None and signal.getsignal(number) not in (signal.SIG_IGN, None):
                before[number] = signal.getsignal(number)
                signal.signal(number, receive)
        yield
    finally:
        over = True
        for number, handler in before.items():
            signal.signal(number, handler)
        watchdog.close()
    for number in late:
        signal.raise_signal(number)


def run_python(code: str, cancelled: Callable[[], bool], **environment: str) -> bool:
    """Run Python code in a new process, without input and output, and wait for its end.

    Args:
        code: The code; it may import the lab.
        cancelled: Returns True to end the process.
        **environment: Variables that it gets beside those of this process.

    Returns:
        True if it ended without an error.
    """
    with subprocess.Popen(
        [sys.executable, "-P", "-c", code],
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        while process.poll() is None:
            if cancelled():
                process.terminate()
            try:
                process.wait(POLL)
            except subprocess.TimeoutExpired:
                continue
        return process.returncode == 0
