"""Python code in a process of its own, for work that would keep the other threads of this one waiting."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable

POLL = 0.05
"""Seconds between two checks whether it was cancelled."""
MOST_THREADS = 1024
"""Most processor threads of a training."""


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
