"""The program of a process that trains one run: the request comes on standard input, the end goes to standard output.

All between is in the run's folder, where any process can follow it: numbers, events and notices. It imports no Qt.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
from collections import deque
from types import FrameType
from typing import Any

os.environ.setdefault("GOMP_SPINCOUNT", "1000")  # as `lm-lab` sets it; read when torch is loaded

from lab.base import BadInput, LabError
from lab.base.notices import Notice, catch_uncaught, listen
from lab.base.problems import problem_of
from lab.host import Plugins
from lab.workbench.launch.request import origin_of
from lab.workbench.runners.thread_run import ActiveRun

OPTION = "--worker"
"""The option by which a packaged app, which is its own interpreter, becomes a worker."""
POLL = 0.5
"""Seconds between two checks whether the run ended."""
MOST_NOTICES = 100
"""Notices that are stored for a run that has no folder yet."""


def command() -> list[str]:
    """Return the command that starts a worker; modules are not looked for in the current folder."""
    if getattr(sys, "frozen", False):
        return [sys.executable, OPTION]
    return [sys.executable, "-P", "-m", "lab.workbench.runners.worker"]


def main() -> int:
    """Train what standard input requests, and print how it ended as the last line, in JSON.

    Returns:
        0 if all went well, 2 for a recipe that cannot be used, 1 for a failure.
    """
    undo = catch_uncaught()
    answer: dict[str, Any] = {}
    try:
        job = json.load(sys.stdin)
        plugins = Plugins.from_environment(**job["plugins"])
        answer = _train(ActiveRun(origin_of(job["asked"]), plugins, job["command"]))
    except LabError as error:
        answer = {"problem": error.problem.as_dict(), "refused": isinstance(error, BadInput)}
    except Exception as error:  # noqa: BLE001 - an error of ours is reported like any other
        answer = {"problem": problem_of(error).as_dict()}
    finally:
        undo()
    sys.stdout.write(f"\n{json.dumps(answer)}\n")
    sys.stdout.flush()
    return 0 if "problem" not in answer else 2 if answer.get("refused") else 1


def _train(run: ActiveRun) -> dict[str, Any]:
    """Train a run and return how it ended; a system that shuts down stops and saves it."""
    run.start()
    pending: deque[Notice] = deque(maxlen=MOST_NOTICES)

    def stop(number: int, frame: FrameType | None) -> None:
        del number, frame
        run.control.stop()

    def write_notices() -> None:
        while pending and run.folder is not None:
            notice = pending.popleft()
            event = {"event": "notice", "step": run.step, "level": notice.level, **notice.problem.as_dict()}
            with contextlib.suppress(LabError, OSError):  # a full disk: a notice less
                run.folder.append_event(event)

    signal.signal(signal.SIGTERM, stop)
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
    raise SystemExit(main())
