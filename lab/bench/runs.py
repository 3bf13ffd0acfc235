"""Runs on disk: opening and zooming a run of a million steps, its size, and the cost of recording."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from lab.base.run_state import RunState
from lab.bench.home import temporary_home
from lab.bench.models.counting import memory_watched
from lab.bench.pairs import compare

STEPS = 1_000_000
LAYERS = 15
"""Series of the run in addition to the five that every run has."""
FRAMES = 120
"""Turns of the mouse wheel, in and out."""
BATCH = 768
"""Tokens per step of the run, whose figures are synthetic."""
ROWS = 1 << 16


def runs(pairs: int) -> dict[str, Any]:
    """Open a run of a million steps × 20 series in its own process, and train with and without recording.

    Args:
        pairs: Measurements of each side of the recording.

    Returns:
        "open_seconds" until its charts are painted, "open_processor_seconds" of the process in that time,
        "open_peak_mib" (its largest growth in that time), "bytes_per_point" on disk; "frames_per_second" and "frame_ms"
        (median and largest) of the chart of its losses while the wheel zooms, and "all_series_frames_per_second" of a
        chart of all its series, or "no_frames" (the reason why there are none); "recording_share" (what recording adds
        to a training step, from interleaved measurements with their "spread"), and "writer_share" (the processor time
        of the recording thread), both as shares of the step of the preset nanogpt-cpu; and the machine's "load" before.
    """
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    with tempfile.TemporaryDirectory() as folder:
        size = make_run(Path(folder) / "run")
        code = f"from lab.bench.runs import open_run; open_run({folder!r})"
        ended = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=True)
    opened = json.loads(ended.stdout.splitlines()[-1])
    return {**opened, "bytes_per_point": size / (STEPS * (LAYERS + 5)), **recording(pairs), "load": load}


def make_run(path: Path) -> int:
    """Make a finished run with synthetic figures; return the size of its metrics in bytes."""
    from lab.recipes import Recipe
    from lab.runs import MetricWriter, RunFolder

    run = RunFolder.create(path, Recipe().to_toml(), {"cost": {"flops_per_token": 6e6}})
    draws = np.random.default_rng(0)
    layers = [f"gradient norm layer {number}" for number in range(LAYERS)]
    units = {"train loss": "nats", "gradient norm": "", "learning rate": "", "tokens": "tokens", "seconds": "s"}
    with MetricWriter(run.metrics_file) as writer:
        for name, unit in {**units, **dict.fromkeys(layers, "")}.items():
            writer.add_series(name, unit)
        for first in range(1, STEPS + 1, ROWS):
            steps = np.arange(first, min(first + ROWS, STEPS + 1))
            for name in (*units, *layers):
                values = 1.5 + 3 * np.exp(-steps / (STEPS / 5)) + 0.1 * draws.standard_normal(len(steps))
                figures = {"tokens": BATCH * steps, "seconds": 0.03 * steps}.get(name, values)
                points = zip(steps.tolist(), figures.tolist(), strict=True)
                writer.append((step, name, value) for step, value in points)
    run.update(state=RunState.FINISHED, step=STEPS, summary={"steps": STEPS})
    return run.metrics_file.stat().st_size


def open_run(folder: str) -> None:
    """Open the run in a folder, in the window if Qt is installed, and print the measurements as JSON."""
    path = Path(folder) / "run"
    missing = [name for name in ("PySide6", "pyqtgraph") if find_spec(name) is None]
    with temporary_home():
        result = _in_window(path) if not missing else {**_in_memory(path), "no_frames": f"without {missing[0]}"}
    print(json.dumps(result))  # noqa: T201 - for the parent process


def _in_memory(path: Path) -> dict[str, Any]:
    from lab.runs import RunFolder
    from lab.workbench import Curves

    with memory_watched() as memory:
        started = time.perf_counter(), time.process_time()
        curves = Curves()
        curves.fill(RunFolder.open(path).metrics())
        for name in ("train loss", "gradient norm"):
            curves.x(name, "steps")
            curves.smoothed(name, 0.9)
        curves.speed("steps")
        spent = _since(started)
    return {**spent, **_grown(memory)}


def _in_window(path: Path) -> dict[str, Any]:
    from lab.bench.window.window import shown_window, until
    from lab.widgets.charts.chart import Chart, Line

    with shown_window() as shown:
        chart = shown.train.loss.chart
        chart.grab()  # fonts etc. are created once
        with memory_watched() as memory:
            started = time.perf_counter(), time.process_time()
            run = shown.session.registry.open(path)
            until(lambda: run.state == RunState.FINISHED and chart.isVisible() and bool(chart.accessibleDescription()))
            spent = _since(started)
        frames = _zoomed(chart)
        every = Chart()
        every.resize(chart.size())
        every.set_axes("step", "value", x_kind="steps")
        names, x = run.curves.names(), run.curves.steps("train loss")
        shown_names = [name for name in names if name not in ("tokens", "seconds")]
        every.set_lines([Line(name, name, "#4da3ff", x, run.curves.values(name)) for name in shown_names])
        every.show()
        every.draw()
        all_frames = _zoomed(every)
        every.close()
        every.deleteLater()
    return {
        **spent,
        **_grown(memory),
        "frames_per_second": 1 / statistics.mean(frames),
        "frame_ms": [1000 * statistics.median(frames), 1000 * max(frames)],
        "all_series_frames_per_second": 1 / statistics.mean(all_frames),
    }


def _since(started: tuple[float, float]) -> dict[str, float]:
    seconds, busy = time.perf_counter() - started[0], time.process_time() - started[1]
    return {"open_seconds": seconds, "open_processor_seconds": busy}


def _grown(memory: list[int]) -> dict[str, float]:
    return {"open_peak_mib": (max(memory) - memory[0]) / 2**20}


def _zoomed(chart: Any) -> list[float]:
    """Return the seconds from each turn of the wheel until the chart is painted, zooming in and out."""
    from PySide6.QtCore import QPoint, QPointF, Qt
    from PySide6.QtGui import QWheelEvent
    from PySide6.QtWidgets import QApplication

    frames = []
    for number in range(-4, FRAMES):  # the first ones fill caches
        point = QPointF(chart.width() * (0.2 + 0.6 * (number % FRAMES) / FRAMES), chart.height() / 2)
        turn = QPoint(0, 120 if number % 40 < 20 else -120)
        event = QWheelEvent(
            point, chart.mapToGlobal(point), QPoint(), turn, Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        started = time.perf_counter()
        QApplication.sendEvent(chart, event)
        chart.repaint()
        frames.append(time.perf_counter() - started)
    return frames[4:]


def recording(pairs: int) -> dict[str, Any]:
    """Measure what recording adds to a step of nanogpt-cpu, relative to the same training without recording."""
    from lab.bench.training import STEPS as AT_ONCE
    from lab.bench.training import make_steps, paused_training

    with paused_training() as recorded, paused_training(recorded=False) as bare:
        written: list[float] = []

        def measured(trainer: Any) -> float:
            before, busy = trainer.seconds, _writing_seconds()
            make_steps(trainer, AT_ONCE)
            spent: float = trainer.seconds - before
            if trainer is recorded and busy is not None:
                written.append(((_writing_seconds() or busy) - busy) / spent)
            return AT_ONCE / spent

        measured(recorded), measured(bare)  # the first steps of both are slower
        written.clear()
        result = compare(lambda: measured(recorded), lambda: measured(bare), pairs)
    return {
        "recording_share": 1 / result["ratio"] - 1,
        "spread": sorted(1 / ratio - 1 for ratio in result["spread"]),
        "writer_share": statistics.median(written) if written else None,
        "step_ms": 1000 / result["theirs"],
    }


def _writing_seconds() -> float | None:
    """Return the processor time of the recording thread; None if the system does not provide it."""
    if sys.platform != "linux":
        return None
    thread = next(one for one in threading.enumerate() if one.name.startswith("lab: writer of"))
    assert thread.ident is not None
    spent: float = time.clock_gettime(time.pthread_getcpuclockid(thread.ident))
    return spent
