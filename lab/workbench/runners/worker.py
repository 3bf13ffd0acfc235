"""The program of a process that trains one run. It reads the request from standard input and prints the outcome.

Everything else goes into the run's folder, where any process can follow it: numbers, events and notices. No Qt here.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections import deque
from typing import Any

os.environ.setdefault("GOMP_SPINCOUNT", "1000")  # as `lm-lab` sets it; OpenMP reads it when torch is loaded

from lab.base import BadInput, LabError
from lab.base.leaving import leave
from lab.base.notices import Notice, catch_uncaught, listen
from lab.base.problems import problem_of
from lab.base.processes import on_signals
from lab.base.system.compiler import hold_back_compiler
from lab.host import Plugins
from lab.workbench.launch.request import origin_of
from lab.workbench.runners.thread_run import ActiveRun

OPTION = "--worker"
"""The option that makes a packaged app, which is its own interpreter, a worker."""
POLL = 0.5
"""Seconds between two checks whether the run ended."""
MOST_NOTICES = 100
"""Most notices that are stored until the run has a folder."""


def command() -> list[str]:
    """Return the command that starts a worker; it does not import modules from the current folder."""
    if getattr(sys, "frozen", False):
        return [sys.executable, OPTION]
    return [sys.executable, "-P", "-m", "lab.workbench.runners.worker"]


def main() -> int:
    """Train the run that standard input requests, and print the outcome as the last line, in JSON.

    Returns:
        0 for success, 2 if the recipe cannot be used, 1 for a failure.
    """
    undo = catch_uncaught()
    answer: dict[str, Any] = {}
    try:
        job = json.load(sys.stdin)
        plugins = Plugins.from_environment(**job["plugins"])
        answer = train_run(ActiveRun(origin_of(job["asked"]), plugins, job["command"]))
    except LabError as error:
        answer = {"problem": error.problem.as_dict(), "refused": isinstance(error, BadInput)}
    except Exception as error:  # noqa: BLE001 - a bug of the lab is reported like any other error
        answer = {"problem": problem_of(error).as_dict()}
    finally:
        undo()
    sys.stdout.write(f"\n{json.dumps(answer)}\n")
    sys.stdout.flush()
    return 0 if "problem" not in answer else 2 if answer.get("refused") else 1


def train_run(run: ActiveRun) -> dict[str, Any]:
    """Train a run and return the outcome; a signal, as at the shutdown of the system, stops and saves it."""
    pending: deque[Notice] = deque(maxlen=MOST_NOTICES)

    def write_notices() -> None:
        while pending and run.folder is not None:
            notice = pending.popleft()
            event = {"event": "notice", "step": run.step, "level": notice.level, **notice.problem.as_dict()}
            with contextlib.suppress(LabError, OSError):  # the disk is full; the notice is lost
                run.folder.append_event(event)

    with on_signals(lambda _: run.control.stop()):
        run.start()
        unsubscribe = listen(pending.append)
        try:
            while not run.join(POLL):
                write_notices()
        finally:
            unsubscribe()
    write_notices()
    try:
        run.wait_out()
    except LabError as error:
        return {"problem": error.problem.as_dict(), "refused": isinstance(error, BadInput)}
    return {"state": run.state}


if __name__ == "__main__":
    hold_back_compiler()
    leave(main(), lambda problem: sys.stderr.write(f"{problem.line()}\n"))
