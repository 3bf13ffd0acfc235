"""The start of the window: seconds from the start of a process to the first idle moment after the first paint."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable
from typing import Any

from lab.base import LabError
from lab.bench.memory import home_of_its_own

CHILD = """
import functools, sys
import lab.bench.start
import lab.cli.main
import lab.shell.app
lab.shell.app.open_window = functools.partial(lab.shell.app.open_window, idle=lab.bench.start.tell)
sys.exit(lab.cli.main.main([]))
"""
"""What a person's `lm-lab` does, up to the first idle moment."""
PROCESSES = 5
LARGEST = 6
"""Packages that are named with the time their imports take."""
PATIENCE = 60.0
"""Seconds after which a start has failed."""


def start(processes: int = PROCESSES) -> dict[str, Any]:
    """Seconds from the start of a process until the window is painted and waits, torch not yet imported.

    The clock runs in this process. The first start is not counted: it brings the files into memory.

    Args:
        processes: Fresh processes that are measured.

    Returns:
        "seconds" (median), "spread" (least and greatest), "torch_imported" (whether it was in any of them), and
        "imports_ms": what the largest packages of one more start take, where imports are timed, which is slower.

    Raises:
        LabError: A process ended before its window was idle.
    """
    from lab.shell.app import has_screen

    with home_of_its_own():
        environment = os.environ if has_screen() else {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
        _started(environment)
        found = [_started(environment) for _ in range(processes)]
        _, told = _started(environment, "-X", "importtime")
    seconds = [time for time, _ in found]
    return {
        "seconds": statistics.median(seconds),
        "spread": [min(seconds), max(seconds)],
        "processes": processes,
        "torch_imported": any(json.loads(lines[0])["torch"] for _, lines in found),
        "platform": json.loads(found[0][1][0])["platform"],
        "imports_ms": imports(told),
    }


def tell() -> None:
    """Called in the process that is measured, at its first idle moment: says so, and ends it."""
    from PySide6.QtGui import QGuiApplication

    print(json.dumps({"torch": "torch" in sys.modules, "platform": QGuiApplication.platformName()}), flush=True)
    os._exit(0)  # the warm-up is under way, and nobody needs its end
