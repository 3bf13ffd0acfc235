"""Other processes: which still run, and Python code in one of its own, for work that would keep threads waiting."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable

POLL = 0.05
"""Seconds between two checks whether it was cancelled."""
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
