"""The window during a training: its effect on the training's speed, and how evenly it updates."""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from lab.base import LabError
from lab.base.run_state import TrainerState
from lab.bench.home import temporary_home
from lab.bench.pairs import compare
from lab.bench.training import nanogpt
from lab.host import Plugins
from lab.shell.app import SWITCH, has_screen
from lab.shell.runtime.watchdog import BEAT
from lab.shell.runtime.window_state import WindowState
from lab.shell.session.runs.model import RunModel
from lab.shell.session.session import Session
from lab.shell.window.main_window import Window
from lab.widgets.core.appearance import Appearance
from lab.widgets.core.theme import themes
from lab.workbench import ActiveRun
from lab.workbench.analysis.curves import Curves

PAIRS = 5
SIZE = (1600, 1000)
EARLIER = 2000
"""Synthetic steps before the first one, so that there is something to paint."""
EVALUATED = 250
"""Synthetic steps between two evaluations."""
SETTLING = 2.0
"""Seconds that the window runs before measurements start."""
PATIENCE = 120.0
"""Seconds after which a run that has not started is given up."""


def window(seconds: float = 20.0, pairs: int = PAIRS) -> dict[str, Any]:
    """Measure tokens per second of a training with a live window, over the same with a blocked window.

    Both are measured in one process, in turn. The window shows Train with all its cards; the training is nanogpt-cpu.

    Args:
        seconds: Duration of all measurements of each side together.
        pairs: Number of measurements of each side.

    Returns:
        "throughput_ratio" and its "spread"; "window_share", the share of one core that the main thread of the live
        window uses; then, for the same duration with the window live, "frame_gap_ms", the gaps between the ticks of a
        precise timer of 10 ms in the main thread, the number of "draws", and the milliseconds of one draw, "draw_ms".
    """
    with temporary_home(), shown_window() as shown:
        trainer, drawing = _training(shown), shown.session.drawing
        tokens = trainer.learner.training.batch_size * trainer.learner.training.context_length
        shares: list[float] = []

        def shown_live() -> float:
            busy, started = time.thread_time(), time.perf_counter()
            speed = measured(live)
            shares.append((time.thread_time() - busy) / (time.perf_counter() - started))
            return speed

        def measured(pass_time: Callable[[float], None]) -> float:
            shown.watchdog.measure(BEAT)  # restart it, so that this is not reported as a blocked window
            first, started = _end_of_step(trainer)
            pass_time(seconds / pairs)
            last, ended = _end_of_step(trainer)
            return float((last - first) * tokens / (ended - started))

        until(lambda: all(card.state == "content" for card in shown.train.cards if card.isVisible()))
        live(SETTLING)
        result = compare(shown_live, lambda: measured(time.sleep), pairs)
        draws, spent = drawing.draws, drawing.spent
        shown.watchdog.measure()
        live(seconds)
        draws, spent, gaps = drawing.draws - draws, drawing.spent - spent, shown.watchdog.gaps()
        cards = sum(card.isVisible() for card in shown.train.cards)
    return {
        "throughput_ratio": result.pop("ratio"),
        "frame_gap_ms": gap_figures(gaps),
        "unit": "tokens/s",
        **result,
        "window_share": statistics.median(shares),
        "cards": cards,
        "draws": draws,
        "draw_ms": 1000 * spent / max(1, draws),
        "platform": QApplication.platformName(),
    }


def gap_figures(gaps: Sequence[float]) -> dict[str, float]:
    """Return median, 99th percentile, maximum and number of gaps in milliseconds."""
    p50, p99, longest = (float(gap) for gap in np.percentile(gaps, (50, 99, 100)))
    return {"p50": p50, "p99": p99, "max": longest, "count": len(gaps)}


@contextmanager
def started_application() -> Iterator[None]:
    """Start Qt as `lm-lab` does, in the dark theme; at the end, delete what is to be deleted."""
    if not has_screen():
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    application = QApplication.instance() or QApplication(["lm-lab"])
    assert isinstance(application, QApplication)
    application.setQuitOnLastWindowClosed(False)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH)
    themes.start(application, Appearance(theme="dark"))
    try:
        yield
    finally:
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        sys.setswitchinterval(interval)


@contextmanager
def shown_window() -> Iterator[Window]:
    """Open the window as `lm-lab` does and wait until it is ready to train; close it at the end."""
    with started_application():
        shown = Window(Session(Plugins(safe_mode=True), floors=True), WindowState())
        shown.session.setParent(shown)
        closed: list[bool] = []
        shown.closed.connect(lambda: closed.append(True))
        shown.resize(*SIZE)
        shown.show()
        try:
            until(lambda: shown.session.warm_up.ready)
            yield shown
        finally:
            shown.shutdown.close()
            until(lambda: bool(closed))
            shown.deleteLater()


def _training(shown: Window) -> Any:
    """Return the trainer of a run in the window, with many steps on its curves."""
    run = shown.session.registry.start(nanogpt(shown.session.plugins))
    until(lambda: run.step > 20 and len(run.curves.steps("train loss")) > 10)
    _make_up(run)
    assert isinstance(run.active, ActiveRun)
    return run.active.trainer


def _make_up(run: RunModel) -> None:
    """Add synthetic figures before the first step of a run, as noisy as its own."""
    from lab.training.recording.telemetry import Rows

    recorded, curves, draws = run.curves, Curves(), np.random.default_rng(0)
    for name in recorded.names():
        steps, values = recorded.steps(name), recorded.values(name)
        earlier = np.arange(steps[0] - EARLIER, steps[0])
        if name in ("tokens", "seconds"):  # they grow evenly
            figures = values[0] * (earlier - steps[0] + 1)
        else:
            figures = values[-1] * (1 + 0.05 * draws.standard_normal(EARLIER))
        rows = (
            np.concatenate([earlier, steps]),
            np.zeros(EARLIER + len(steps), int),
            np.concatenate([figures, values]),
        )
        curves.feed(Rows(*rows), [name])
    steps, losses = curves.steps("train loss")[:EARLIER:EVALUATED], curves.values("train loss")[:EARLIER:EVALUATED]
    curves.feed(Rows(steps, np.zeros(len(steps), int), losses), ["validation loss"])
    run.series.replace(curves)
    run.texts.samples = [(int(step), "What the model wrote, as long as a sample is. " * 4) for step in steps]


def _end_of_step(trainer: Any) -> tuple[int, float]:
    """Wait for the end of the current step; return its number and its time."""
    before = trainer.step
    while trainer.step == before:
        if trainer.state != TrainerState.RUNNING:
            raise LabError("the run of the benchmark ended", remedy=str(trainer.problem or "Try again"))
        time.sleep(0.0005)
    return trainer.step, time.perf_counter()


def live(seconds: float) -> None:
    """Run the event loop of the window for a while."""
    loop = QEventLoop()
    QTimer.singleShot(round(1000 * seconds), loop.quit)
    loop.exec()


def until(condition: Callable[[], bool]) -> None:
    """Run the event loop of the window until a condition is true."""
    given_up = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > given_up:
            raise LabError(
                "the window of the benchmark did not become ready", remedy="Run lm-lab and see what it reports"
            )
        live(0.05)
