"""The decision surface while it trains: milliseconds of a surface, and how evenly the window updates meanwhile."""

from __future__ import annotations

import statistics
import threading
import time
from typing import Any

from PySide6.QtWidgets import QApplication

from lab.base.torch_lock import torch_lock
from lab.bench.home import temporary_home
from lab.bench.window.gaps import waited_for_processor
from lab.bench.window.window import SETTLING, gap_figures, live, shown_window, until
from lab.recipes import Recipe
from lab.shell.play.pages import PLANE
from lab.shell.play.plane.model import EXAMPLE, State
from lab.shell.runtime.watchdog import BEAT
from lab.workbench.access.threads import one_thread
from lab.workbench.analysis.plane_fit import SIDE, PlaneFit

WIDTHS = ((8, 8), (32, 32), (64, 64, 64))
"""The hidden layers of the networks whose surfaces are computed; the window shows the largest."""
ROUNDS = 20
FRAME_MS = 16.0
"""Most milliseconds of a surface of 200 × 200 points."""
P99_MS, LONGEST_MS = 17.0, 50.0
"""Bounds of the gaps."""
DRAG = 0.1
"""Seconds between two moves of a point."""


def plane(seconds: float = 20.0) -> dict[str, Any]:
    """Train networks on points of the plane, and show the surface of the largest live in Play while a point is dragged.

    Args:
        seconds: How long the window is watched.

    Returns:
        "surface_ms": for each network the median milliseconds of its surface of 200 × 200 points, "live" while it
        trains, with interpolation where it is flat, and "exact"; "gap_ms", the gaps between the ticks of a precise
        timer of 10 ms in the main thread; whether surfaces and gaps are "within" 16, and 17 and 50 ms; "frames" per
        second, "steps" of the training per second, and "waited", the share of the time that the main thread waited for
        a processor which others used: above a hundredth, the gaps are those of a busy machine.
    """
    with temporary_home(), shown_window() as shown:
        surfaces = {str(list(widths)): _surface_ms(shown.session.plugins, widths) for widths in WIDTHS}
        shown.session.draft.take(_recipe(WIDTHS[-1]), "plane")
        shown.play_pages.open_page(PLANE)
        shown.show_place("play")
        page = shown.play_pages.plane
        assert page is not None
        until(lambda: page.model.state is State.SHOWN)
        fit = page.model.fit
        assert fit is not None
        page.train.setChecked(True)
        live(SETTLING)
        shown.watchdog.measure()
        waited, step, frames = waited_for_processor(threading.get_native_id()), fit.step, 0
        started, number, last = time.perf_counter(), 0, fit.frame
        while (elapsed := time.perf_counter() - started) < seconds:
            x, y = fit.points[0][0].tolist()
            number += 1
            page.plane.moved.emit(0, x + 0.01 * (-1) ** number, y)
            for _ in range(10):
                live(DRAG / 10)
                frames, last = frames + (fit.frame is not last), fit.frame
        gaps = shown.watchdog.gaps()
        waited = waited_for_processor(threading.get_native_id()) - waited
        steps = fit.step - step
        shown.watchdog.measure(BEAT)
        page.train.setChecked(False)
    found = gap_figures(gaps)
    slowest = max(each["live"] for each in surfaces.values())
    return {
        "surface_ms": surfaces,
        "gap_ms": found,
        "within": slowest <= FRAME_MS and found["p99"] <= P99_MS and found["max"] <= LONGEST_MS,
        "frames": frames / elapsed,
        "steps": steps / elapsed,
        "waited": waited / elapsed,
        "platform": QApplication.platformName(),
    }


def _recipe(widths: tuple[int, ...]) -> Recipe:
    return Recipe().with_values(EXAMPLE).with_values({"architecture": {"widths": list(widths)}})


def _surface_ms(plugins: Any, widths: tuple[int, ...]) -> dict[str, float]:
    """Return the median milliseconds of a surface, while the fit trains and exactly."""
    with torch_lock:
        fit = PlaneFit(_recipe(widths), plugins)
    found = {}
    with one_thread():
        fit.train(True)
        until = time.perf_counter() + 1.0  # a surface that has a border
        while time.perf_counter() < until:
            fit.advance(0.05)
        for name, trains in (("live", True), ("exact", False)):
            fit.train(trains)
            taken = [fit.make_frame(SIDE).seconds for _ in range(ROUNDS)]
            found[name] = 1000 * statistics.median(taken)
    return found
