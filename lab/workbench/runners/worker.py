"""What a process runs that trains one run: what is asked comes on standard input, the end goes to standard output.

All between lies in the run's folder, where any process can follow it: numbers, events and notices. It imports no Qt.
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

WORD = "--worker"
"""The one word by which a packaged app, which is its own interpreter, is told to be a worker."""
LOOK = 0.5
"""Seconds between two looks at whether it ended."""
MOST_UNTOLD = 100
"""Notices that are kept for a run that has no folder yet."""


def command() -> list[str]:
    """How this installation starts a worker. No file of the folder it is started in is taken for a module."""
    if getattr(sys, "frozen", False):
        return [sys.executable, WORD]
    return [sys.executable, "-P", "-m", "lab.workbench.runners.worker"]


def main() -> int:
    """Trains what standard input asks for, and prints how it ended as a last line of JSON.

    Returns:
        0 if all went well, 2 for a recipe that cannot be used, 1 for a failure.
    """
    undo = catch_uncaught()
    answer: dict[str, Any] = {}
    try:
        asked = json.load(sys.stdin)
        plugins = Plugins.from_environment(**asked["plugins"])
        answer = _train(ActiveRun(origin_of(asked["asked"]), plugins, asked["command"]))
    except LabError as error:
        answer = {"problem": error.problem.as_dict(), "refused": isinstance(error, BadInput)}
    except Exception as error:  # noqa: BLE001 - a fault of ours is told like any other
        answer = {"problem": problem_of(error).as_dict()}
    finally:
        undo()
    sys.stdout.write(f"\n{json.dumps(answer)}\n")
    sys.stdout.flush()
    return 0 if "problem" not in answer else 2 if answer.get("refused") else 1


def _train(run: ActiveRun) -> dict[str, Any]:
    """Trains a run, and tells how it ended; a system that shuts down has it stopped and saved."""
    run.start()
    untold: deque[Notice] = deque(maxlen=MOST_UNTOLD)

    def stop(number: int, frame: FrameType | None) -> None:
        del number, frame
        run.control.stop()

    def tell() -> None:
        while untold and run.folder is not None:
            notice = untold.popleft()
            event = {"event": "notice", "step": run.step, "level": notice.level, **notice.problem.as_dict()}
            with contextlib.suppress(LabError, OSError):  # a full disk: a notice less
                run.folder.append_event(event)

    signal.signal(signal.SIGTERM, stop)
    silence = listen(untold.append)
    try:
        while not run.join(LOOK):
            tell()
    finally:
        silence()
    tell()
    try:
        run.wait_out()
    except LabError as error:
        return {"problem": error.problem.as_dict(), "refused": isinstance(error, BadInput)}
    return {"state": run.state}


if __name__ == "__main__":
    raise SystemExit(main())
