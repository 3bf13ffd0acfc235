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
"""What `lm-lab` does; the window that it makes is observed."""
PROCESSES = 5
LARGEST = 6
"""Number of packages whose import time is reported."""


def start(processes: int = PROCESSES) -> dict[str, Any]:
    """Measure the seconds from the start of a process until its window is painted and waits.

    The clock runs in this process. The first start is not counted: it brings the files into memory and compiles the
    modules, as an installation does.

    Args:
        processes: Fresh processes that are measured.

    Returns:
        "seconds" (median), "spread" (least and greatest), "cpu_seconds" (median; far below "seconds" if other work runs
        on this machine), "torch_imported" (true if any of them had imported it by then), and "imports_ms": the import
        time of the largest packages in one more process, where timing slows them.

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
        "cpu_seconds": statistics.median(figures["cpu_seconds"] for _, figures, _ in found),
        "processes": processes,
        "torch_imported": any(figures["torch_imported"] for _, figures, _ in found),
        "platform": found[0][1]["platform"],
        "imports_ms": imports(timed.splitlines()),
    }


def watched(window: QWidget) -> QWidget:
    """Let the measured process print its figures and end when the window is idle for the first time."""
    from PySide6.QtCore import QAbstractEventDispatcher, QEvent, QObject
    from PySide6.QtGui import QGuiApplication

    class FirstPaint(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() == QEvent.Type.Paint:
                watched.removeEventFilter(self)
                QAbstractEventDispatcher.instance().aboutToBlock.connect(self.report)
            return False

        def report(self) -> None:
            figures = {
                "cpu_seconds": time.process_time(),
                "torch_imported": "torch" in sys.modules,
                "platform": QGuiApplication.platformName(),
            }
            sys.stdout.write(json.dumps(figures) + "\n")
            sys.stdout.flush()
            os._exit(0)  # the warm-up is under way, and nobody waits for it

    window.installEventFilter(FirstPaint(window))
    return window


def _started(environment: Mapping[str, str], *options: str) -> tuple[float, dict[str, Any], str]:
    """Return the seconds of one start, the figures it printed, and its standard error."""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as errors:
        started = time.perf_counter()
        with subprocess.Popen(
            [sys.executable, *options, "-c", CHILD], env=environment, stdout=subprocess.PIPE, stderr=errors, text=True
        ) as process:
            assert process.stdout is not None
            line = process.stdout.readline()
            seconds = time.perf_counter() - started
        errors.seek(0)
        output = errors.read()
    if not line:
        raise LabError("the window did not open", remedy=f"Its output: {output[-500:].strip()}")
    return seconds, json.loads(line), output


def imports(lines: Iterable[str]) -> dict[str, float]:
    """Return the milliseconds that the imports of the largest packages took, without what they import.

    Args:
        lines: The output of Python with -X importtime: "import time: self [us] | cumulative | imported package".
    """
    found: Counter[str] = Counter()
    for line in lines:
        own, _, module = line.removeprefix("import time:").split("|") if line.count("|") == 2 else ("", "", "")
        if own.strip().isdecimal():  # the first line is a heading
            found[module.strip().partition(".")[0]] += int(own)
    return {package: round(spent / 1000, 1) for package, spent in found.most_common(LARGEST)}
