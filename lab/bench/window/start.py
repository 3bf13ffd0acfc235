"""The start of the window: seconds from the start of a process to the first idle time, and to the first curve."""

from __future__ import annotations

import importlib.util
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lab.base import LabError
from lab.base.folders import resources
from lab.bench.home import temporary_home
from lab.host import BUILT_INS

if TYPE_CHECKING:
    from lab.shell.window.main_window import Window

CHILD = """
import gc, sys
import lab.cli.main
from lab.base.system.compiler import hold_back_compiler
from lab.shell.runtime.feature_check import skip_known_modules
hold_back_compiler()
gc.disable()
skip_known_modules()  # all as `lm-lab` does before it imports the window
import lab.bench.window.start, lab.shell.app
make = lab.shell.app.Window
lab.shell.app.Window = lambda *given, **named: lab.bench.window.start.watched(make(*given, **named))
sys.exit(lab.cli.main.main([]))
"""
"""A program that does what `lm-lab` does and observes its window."""
PROCESSES = 5
LARGEST = 6
"""Number of packages whose import time is reported."""


def start(processes: int = PROCESSES, *, cold: bool = False) -> dict[str, Any]:
    """Measure the seconds from the start of a process until its window is painted and idle.

    The clock runs in this process. The first start is not counted: it loads the files into memory and compiles the
    modules, as an installation does.

    Args:
        processes: Number of fresh processes to measure.
        cold: Measure the first start after an installation: nothing is compiled, and the files of the installation
            are dropped from memory before each process.

    Returns:
        "seconds" (median), "spread" (smallest and largest), "cpu_seconds" (median; far below "seconds" if the machine
        is busy), "ready_seconds" (median, until a run can be started), "curve_seconds" (median, until the quick start,
        started then, has a curve of losses in the window), "longest_gap_ms" (maximum over all processes of
        the time between two ticks of a 10 ms timer from the first paint until then), "torch_imported" (True if any
        process had imported it when first idle), and "imports_ms": the imports of the largest packages in one more
        process, which timing slows down.

    Raises:
        LabError: A process ended before its window was idle.
    """
    from lab.shell.app import has_screen

    with temporary_home() as home:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(home / "compiled"), "PYTHONDONTWRITEBYTECODE": ""}
        if not has_screen():
            environment["QT_QPA_PLATFORM"] = "offscreen"
        found = []
        if not cold:
            _started(environment)
        for number in range(processes):
            if cold:
                environment["PYTHONPYCACHEPREFIX"] = str(home / f"compiled {number}")
                drop_from_memory(installed_folders())
            found.append(_started(environment))
        _, _, timed = _started(environment, "-X", "importtime")
    seconds = [passed for passed, _, _ in found]
    return {
        "seconds": statistics.median(seconds),
        "spread": [min(seconds), max(seconds)],
        "cpu_seconds": statistics.median(figures["cpu_seconds"] for _, figures, _ in found),
        "processes": processes,
        "torch_imported": any(figures["torch_imported"] for _, figures, _ in found),
        "ready_seconds": statistics.median(figures["ready_seconds"] for _, figures, _ in found),
        "curve_seconds": statistics.median(figures["curve_seconds"] for _, figures, _ in found),
        "longest_gap_ms": max(figures["longest_gap_ms"] for _, figures, _ in found),
        "cold": cold,
        "platform": found[0][1]["platform"],
        "imports_ms": imports(timed.splitlines()),
    }


def installed_folders() -> set[Path]:
    """Return the folders of Python, its packages, and the lab with its plugins, which may be installed elsewhere."""
    specs = filter(None, map(importlib.util.find_spec, ("lab", *BUILT_INS)))
    own = {Path(folder) for spec in specs for folder in spec.submodule_search_locations or ()}
    return {Path(sys.prefix), Path(sys.base_prefix), Path(str(resources())), *own}


def drop_from_memory(folders: Iterable[Path]) -> None:
    """Ask the system to drop its cached copies of the files in some folders."""
    if not hasattr(os, "posix_fadvise"):
        return
    for root in folders:
        for file in root.rglob("*"):
            if file.is_file() and not file.is_symlink():
                descriptor = os.open(file, os.O_RDONLY)
                os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
                os.close(descriptor)


def watched(window: Window) -> Window:
    """Observe the window of the measured process: print a line when it is idle, and one when a curve is painted."""
    from PySide6.QtCore import QAbstractEventDispatcher, QEvent, QObject
    from PySide6.QtGui import QGuiApplication

    class FirstCurve(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            run = window.session.selected
            if event.type() == QEvent.Type.Paint and run is not None and len(run.curves.steps("train loss")) > 1:
                watched.event(event)
                first.end(time.perf_counter())
            return False

    class FirstPaint(QObject):
        idle_at: float | None = None
        ready_at: float | None = None
        longest = 0.0

        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() == QEvent.Type.Paint:
                watched.removeEventFilter(self)
                window.watchdog.measure()
                window.session.warm_up.done.connect(self.ready)
                QAbstractEventDispatcher.instance().aboutToBlock.connect(self.idle)
            return False

        def idle(self) -> None:
            QAbstractEventDispatcher.instance().aboutToBlock.disconnect(self.idle)
            self.idle_at = time.perf_counter()
            self.write(
                {
                    "cpu_seconds": time.process_time(),
                    "torch_imported": "torch" in sys.modules,
                    "platform": QGuiApplication.platformName(),
                }
            )
            self.train()

        def ready(self) -> None:
            self.ready_at = time.perf_counter()
            self.train()

        def train(self) -> None:
            if self.idle_at is not None and self.ready_at is not None:  # on a busy machine in either order
                from lab.widgets.charts.chart import Chart  # not before the first paint

                self.longest = max(window.watchdog.gaps(), default=0.0)
                window.home_actions.watch()
                chart = window.train.cards[0].findChild(Chart)  # that of the losses
                assert chart is not None
                chart.installEventFilter(curve)

        def end(self, curve_at: float) -> None:
            assert self.idle_at is not None
            assert self.ready_at is not None
            after = {"after_seconds": max(0.0, self.ready_at - self.idle_at), "curve_after": curve_at - self.idle_at}
            self.write({**after, "longest_gap_ms": self.longest})
            os._exit(0)

        def write(self, values: dict[str, Any]) -> None:
            sys.stdout.write(json.dumps(values) + "\n")
            sys.stdout.flush()

    first, curve = FirstPaint(window), FirstCurve(window)
    window.installEventFilter(first)
    return window


def _started(environment: Mapping[str, str], *options: str) -> tuple[float, dict[str, Any], str]:
    """Return the seconds of one start, the figures it printed, and its standard error."""
    from lab.shell.runtime.single_instance import remove_stale_sockets

    with tempfile.TemporaryFile("w+", encoding="utf-8") as errors:
        started = time.perf_counter()
        with subprocess.Popen(
            [sys.executable, *options, "-c", CHILD], env=environment, stdout=subprocess.PIPE, stderr=errors, text=True
        ) as process:
            assert process.stdout is not None
            try:
                line = process.stdout.readline()
                seconds = time.perf_counter() - started
                last = process.stdout.readline()
            except BaseException:
                process.kill()
                raise
        remove_stale_sockets()  # that of the process, which ends at once
        errors.seek(0)
        output = errors.read()
    if not last:
        raise LabError("the window did not open", remedy=f"Its output: {output[-500:].strip()}")
    measured = json.loads(line) | json.loads(last)
    measured["ready_seconds"] = seconds + measured.pop("after_seconds")
    measured["curve_seconds"] = seconds + measured.pop("curve_after")
    return seconds, measured, output


def imports(lines: Iterable[str]) -> dict[str, float]:
    """Return the milliseconds that the imports of the largest packages took, without their own imports.

    Args:
        lines: The output of Python with -X importtime: "import time: self [us] | cumulative | imported package".
    """
    found: Counter[str] = Counter()
    for line in lines:
        own, _, module = line.removeprefix("import time:").split("|") if line.count("|") == 2 else ("", "", "")
        if own.strip().isdecimal():  # the first line is a heading
            found[module.strip().partition(".")[0]] += int(own)
    return {package: round(spent / 1000, 1) for package, spent in found.most_common(LARGEST)}
