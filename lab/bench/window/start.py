"""The start of the window: seconds from the start of a process to the first idle moment after the first paint."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from lab.base import LabError
from lab.bench.home import home_of_its_own

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

CHILD = """
import sys
import lab.bench.window.start, lab.cli.main, lab.shell.app
make = lab.shell.app.Window
lab.shell.app.Window = lambda *given: lab.bench.window.start.watched(make(*given))
sys.exit(lab.cli.main.main([]))
"""
"""What a person's `lm-lab` does; the window that it makes is watched."""
PROCESSES = 5
LARGEST = 6
"""Packages of which the time is told that their imports take."""


def start(processes: int = PROCESSES) -> dict[str, Any]:
    """Seconds from the start of a process until its window is painted and waits.

    The clock runs in this process. One start before is not counted: it brings the files into memory and compiles the
    modules, as an installation does.

    Args:
        processes: Fresh processes that are measured.

    Returns:
        "seconds" (median), "spread" (least and greatest), "cpu_seconds" (median; far below "seconds" where others work
        on this machine), "torch_imported" (whether it was by then, in any of them), and "imports_ms": what the imports
        of the largest packages take in one more process, where timing slows them.

    Raises:
        LabError: A process ended before its window was idle.
    """
    from lab.shell.app import has_screen

    with home_of_its_own() as home:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(home / "compiled"), "PYTHONDONTWRITEBYTECODE": ""}
        if not has_screen():
            environment["QT_QPA_PLATFORM"] = "offscreen"
        _started(environment)
        found = [_started(environment) for _ in range(processes)]
        _, _, timed = _started(environment, "-X", "importtime")
    seconds = [passed for passed, _, _ in found]
    return {
        "seconds": statistics.median(seconds),
        "spread": [min(seconds), max(seconds)],
        "cpu_seconds": statistics.median(said["cpu_seconds"] for _, said, _ in found),
        "processes": processes,
        "torch_imported": any(said["torch_imported"] for _, said, _ in found),
        "platform": found[0][1]["platform"],
        "imports_ms": imports(timed.splitlines()),
    }


def watched(window: QWidget) -> QWidget:
    """The window, that says in the process that is measured when it is idle for the first time, and ends it."""
    from PySide6.QtCore import QAbstractEventDispatcher, QEvent, QObject
    from PySide6.QtGui import QGuiApplication

    class FirstPaint(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() == QEvent.Type.Paint:
                watched.removeEventFilter(self)
                QAbstractEventDispatcher.instance().aboutToBlock.connect(self.tell)
            return False

        def tell(self) -> None:
            said = {
                "cpu_seconds": time.process_time(),
                "torch_imported": "torch" in sys.modules,
                "platform": QGuiApplication.platformName(),
            }
            sys.stdout.write(json.dumps(said) + "\n")
            sys.stdout.flush()
            os._exit(0)  # the warm-up is under way, and nobody waits for it

    window.installEventFilter(FirstPaint(window))
    return window


def _started(environment: Mapping[str, str], *options: str) -> tuple[float, dict[str, Any], str]:
    """Seconds of one start, what it said, and what stands in its standard error."""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as errors:
        began = time.perf_counter()
        with subprocess.Popen(
            [sys.executable, *options, "-c", CHILD], env=environment, stdout=subprocess.PIPE, stderr=errors, text=True
        ) as process:
            assert process.stdout is not None
            line = process.stdout.readline()
            seconds = time.perf_counter() - began
        errors.seek(0)
        told = errors.read()
    if not line:
        raise LabError("the window did not open", remedy=f"See what it said: {told[-500:].strip()}")
    return seconds, json.loads(line), told


def imports(lines: Iterable[str]) -> dict[str, float]:
    """Milliseconds that the imports of the largest packages took, theirs alone.

    Args:
        lines: What Python tells under -X importtime: "import time: self [us] | cumulative | imported package".
    """
    found: Counter[str] = Counter()
    for line in lines:
        own, _, module = line.removeprefix("import time:").split("|") if line.count("|") == 2 else ("", "", "")
        if own.strip().isdecimal():  # the first line is a heading
            found[module.strip().partition(".")[0]] += int(own)
    return {package: round(spent / 1000, 1) for package, spent in found.most_common(LARGEST)}
