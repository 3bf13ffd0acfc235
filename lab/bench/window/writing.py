"""The window while Play writes a text beside a training: how evenly it updates, and how fast the text comes."""

from __future__ import annotations

import threading
import time
from typing import Any

from PySide6.QtWidgets import QApplication

from lab.base import LabError
from lab.bench.home import temporary_home
from lab.bench.training import nanogpt
from lab.bench.window.gaps import waited_for_processor
from lab.bench.window.window import SETTLING, gap_figures, live, shown_window, until
from lab.shell.runtime.watchdog import BEAT

TOKENS = 2000
"""Tokens of the text; beside a training they take minutes."""
PATIENCE = 1200.0
"""Seconds after which a text that has not ended is given up."""
P99_MS, LONGEST_MS = 17.0, 50.0
"""Bounds of the gaps."""


def writing(tokens: int = TOKENS) -> dict[str, Any]:
    """Let Play write a text with the model of a run while that trains, and measure gaps between beats of the window.

    Args:
        tokens: Tokens of the text.

    Returns:
        "writing": the "gap_ms" between the ticks of a precise timer of 10 ms in the main thread while the text is
        written ("p50", "p99", "max", "count"), whether they are "within" 17 and 50 ms, "tokens" and "tokens_per_second"
        of the text, "steps" that the training made meanwhile, the seconds "to_first_token", and "waited", the share of
        the time that the main thread waited for a processor which others used: above a hundredth, the gaps are those
        of a busy machine.
    """
    with temporary_home(), shown_window() as shown:
        run = shown.session.registry.start(nanogpt(shown.session.plugins))
        until(lambda: run.step > 20)
        panel = shown.play_panel
        panel.load_state_dict({**panel.state_dict(), "writing": {"tokens": tokens, "fixed_seed": True}})
        shown.play_pages.open_page()
        shown.show_place("play")
        live(SETTLING)
        play, step, started = shown.play, run.step, time.perf_counter()
        shown.watchdog.measure()
        waited = waited_for_processor(threading.get_native_id())
        shown.generate()
        until(lambda: play.writing)
        to_first = 0.0
        while play.writing:
            live(0.2)
            to_first = to_first or (0.0 if play.model.cost is None else play.model.cost.to_first)
            if time.perf_counter() - started > PATIENCE:
                raise LabError("the text of the benchmark did not end", remedy="Run it when the machine is idle")
        elapsed, gaps = time.perf_counter() - started, shown.watchdog.gaps()
        waited = waited_for_processor(threading.get_native_id()) - waited
        shown.watchdog.measure(BEAT)
        written, steps = len(play.model.tokens), run.step - step
    found = gap_figures(gaps)
    return {
        "writing": {
            "gap_ms": found,
            "within": found["p99"] <= P99_MS and found["max"] <= LONGEST_MS,
            "tokens": written,
            "tokens_per_second": written / elapsed,
            "to_first_token": to_first,
            "steps": steps,
            "waited": waited / elapsed,
            "platform": QApplication.platformName(),
        }
    }
