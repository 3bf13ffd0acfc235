"""Questions to a process of its own: a broken library ends it, and not the lab, and how it ended is an answer, too.

The program writes lines of JSON, each an object with a part of the answer, so that what it found before its end counts.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, Any

POLL = 0.05
"""Seconds between two checks whether it has ended or was cancelled."""
LONGEST = 120.0
"""Seconds after which a process is ended: the first import of torch from a slow disk takes most of a minute."""
LAST_LINES = 3
"""Most lines of its error output that are shown."""


@dataclass(frozen=True)
class Answer:
    """What a process answered.

    Args:
        parts: What it wrote, together.
        ended: How it ended: "" for well; else "status 1", "signal SIGILL", "no answer within 120 s", "cancelled".
        errors: The last lines of its error output.
    """

    parts: Mapping[str, Any] = field(default_factory=dict)
    ended: str = ""
    errors: str = ""


def ask_child(module: str, cancelled: Callable[[], bool] = bool, command: Sequence[str] | None = None) -> Answer:
    """Run a module as a program in a new process, and return what it wrote.

    Args:
        module: The module, whose `__main__` part writes the answer.
        cancelled: Returns True to end the process.
        command: The command, if it is another one than Python with the module.
    """
    line = list(command or (sys.executable, "-P", "-m", module))
    try:
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            process = subprocess.Popen(
                line,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
            try:
                ended = _wait(process, cancelled)
            finally:
                with contextlib.suppress(OSError):
                    process.kill()
                process.wait()
            return Answer(_parts(_text(out)), ended, "\n".join(_text(err).splitlines()[-LAST_LINES:]))
    except OSError as error:  # no room for temporary files, or no more processes
        return Answer(ended=f"not started: {error.strerror or type(error).__name__}")


def _wait(process: subprocess.Popen[bytes], cancelled: Callable[[], bool]) -> str:
    """Wait for the end of a process, and return how it ended, as an Answer says it."""
    deadline = time.monotonic() + LONGEST
    while process.poll() is None:
        if cancelled():
            return "cancelled"
        if time.monotonic() > deadline:
            return f"no answer within {LONGEST:.0f} s"
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(POLL)
    code = process.returncode
    if code < 0 and sys.platform != "win32":
        return f"signal {next((one.name for one in signal.Signals if one.value == -code), -code)}"
    return f"status {code}" if code else ""


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode(errors="replace")


def _parts(text: str) -> dict[str, Any]:
    """Return the objects of all lines that hold one; other lines are somebody's messages."""
    found: dict[str, Any] = {}
    for line in text.splitlines():
        with contextlib.suppress(ValueError):
            part = json.loads(line)
            found |= part if isinstance(part, dict) else {}
    return found
