"""Scrubbing through the snapshots of a run: the time from a move of the slider until all cards are drawn."""

from __future__ import annotations

import random
import time
from typing import Any

import numpy as np
from PySide6.QtCore import QEventLoop
from PySide6.QtWidgets import QApplication

from lab.base import LabError
from lab.base.run_state import RunState
from lab.bench.home import temporary_home
from lab.bench.window.window import shown_window, until
from lab.recipes import Recipe
from lab.shell.window.main_window import Window

SNAPSHOTS = 60
ROUNDS = 3
"""Number of times the slider moves to every snapshot in each order."""
BOUND_MS = 33.0
"""Most milliseconds that a move may take."""
RECIPE = (
    "architecture.name=transformer", "architecture.layers=4", "architecture.heads=4", "architecture.width=64",
    "readings.tokens=64", f"readings.moments={SNAPSHOTS}", "training.steps=120", "training.batch_size=4",
    "training.context_length=64", "training.evaluate_every=20", "training.evaluate_tokens=2048",
    "training.sample_tokens=64", "training.device=cpu", "training.threads=1",
)  # fmt: skip


def scrub() -> dict[str, Any]:
    """Train a transformer of 4 layers × 4 heads with 60 snapshots of 64 tokens, and move to all of them.

    Returns:
        "move_ms" and, with a second snapshot pinned, "pinned_ms": median, 95th percentile and maximum of the
        milliseconds from a move of the slider until every visible card is painted; "within" is true if the 95th
        percentiles are at most 33 ms; "moments", "cards", the megabytes "on_disk", and the seconds "read_s" until all
        snapshots were in memory.
    """
    with temporary_home(), shown_window() as shown:
        run = shown.session.registry.start(Recipe().with_assignments(*RECIPE))
        until(lambda: not run.works)
        if run.state != RunState.FINISHED:
            raise LabError("the run of the benchmark ended", remedy=str(run.problem or "Try again"))
        inspect, slider = shown.inspect, shown.inspect.panel.timeline.slider
        started = time.perf_counter()
        shown.show_place("inspect")
        until(lambda: inspect.snapshots.is_read)
        read = time.perf_counter() - started
        until(lambda: all(card.state == "content" for card in inspect.cards))
        until(lambda: slider.maximum() == SNAPSHOTS)
        moved = _move_times(shown)
        inspect.panel.timeline.pin_requested.emit()
        pinned = _move_times(shown)
        cards, size = sum(card.isVisible() for card in inspect.cards), inspect.snapshots.size
    return {
        "move_ms": moved,
        "pinned_ms": pinned,
        "within": max(moved["p95"], pinned["p95"]) <= BOUND_MS,
        "moments": SNAPSHOTS,
        "cards": cards,
        "on_disk": size / 2**20,
        "read_s": read,
        "platform": QApplication.platformName(),
    }


def _move_times(shown: Window) -> dict[str, float]:
    """Return the milliseconds of moves to every snapshot: forwards, backwards, and in random order."""
    slider = shown.inspect.panel.timeline.slider
    shuffled = random.Random(0).sample(range(SNAPSHOTS), SNAPSHOTS)
    taken = []
    for position in [*range(SNAPSHOTS), *reversed(range(SNAPSHOTS)), *shuffled] * ROUNDS:
        if position == slider.value():
            continue
        started = time.perf_counter()
        slider.setValue(position)
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
        taken.append(1000 * (time.perf_counter() - started))
    p50, p95, longest = (float(one) for one in np.percentile(taken, (50, 95, 100)))
    return {"p50": p50, "p95": p95, "max": longest}
