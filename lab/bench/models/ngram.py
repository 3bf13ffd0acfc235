"""Speed and memory of n-gram models of order 5: tokens counted and scored per second, and the growth of the cost."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from lab.bench.models.counting import memory_watched

ORDER, SYMBOLS = 5, 64
SIZES = (1_000_000, 10_000_000)
"""Tokens of the texts."""

SCORED = 500_000
TICK = 0.001
"""Seconds that a second thread sleeps; it wakes late by as long as a window would be blocked."""


def ngram(sizes: tuple[int, int] = SIZES) -> dict[str, Any]:
    """Measure tokens counted per second at order 5 on 1 and 10 million tokens, in slices as in a run.

    The text is synthetic: a Markov chain of order 2 over 64 symbols with a few frequent ones, so that n-grams repeat as
    in natural text. Counting includes the default smoothing of the counts, without which nothing can be scored.

    Args:
        sizes: Tokens of the two texts, the shorter one first.
    """
    import torch

    from lab.api import Task
    from lab.host import Plugins
    from lab.recipes import Choice
    from lab.training.experiment import build_model
    from lab.training.resolution import resolve

    text = _text(sizes[-1] + SCORED + 1)
    card = resolve(Plugins(safe_mode=True), "architectures", Choice(name="n-gram"), "architecture")
    found: dict[str, Any] = {"order": ORDER, "vocabulary": SYMBOLS}
    seconds = []
    for size in sizes:
        model = build_model(card, Task(SYMBOLS, 256))
        name = f"of_{size}"
        with memory_watched() as memory, _late() as late:
            started = time.perf_counter()
            counted = 0
            while counted < size:
                slice_size = min(max(4096, counted), size - counted)
                model.count(text[counted : counted + slice_size])
                counted += slice_size
            counting = time.perf_counter() - started
            row = torch.from_numpy(text[size : size + SCORED + 1])[None]
            model.score(row[:, :2], row[:, 1:3])
            seconds.append(time.perf_counter() - started)
            started = time.perf_counter()
            nats = -model.score(row[:, :-1], row[:, 1:]).double().mean()
            scoring = time.perf_counter() - started
        found |= {
            f"count_seconds_{name}": counting,
            f"smoothing_seconds_{name}": seconds[-1] - counting,
            f"tokens_counted_per_second_{name}": size / counting,
            f"tokens_scored_per_second_{name}": SCORED / scoring,
            f"peak_memory_growth_mib_{name}": (max(memory) - memory[0]) / 2**20,
            f"largest_gap_ms_{name}": 1000 * max(late),
            f"nats_per_token_{name}": float(nats),
        }
    growth = math.log(seconds[1] / seconds[0]) / math.log(sizes[1] / sizes[0])
    return {**found, "growth_exponent": growth}


def _text(size: int) -> Any:
    """Return (size,) int64 tokens: a thousand chains, each symbol drawn given the two before it."""
    import numpy as np

    rows = 1000
    draws = np.random.default_rng(0).random((-(-size // rows), rows))
    ranks = (SYMBOLS * draws**6).astype(np.int64)  # low ranks are far more frequent
    text = np.zeros((len(ranks) + 2, rows), np.int64)
    for t, rank in enumerate(ranks):
        text[t + 2] = (rank * 37 + text[t + 1] * 11 + text[t] * 5) % SYMBOLS
    return text[2:].T.ravel()[:size].copy()


@contextmanager
def _late() -> Iterator[list[float]]:
    """Record how many seconds late a thread wakes that sleeps repeatedly."""
    late, ended = [0.0], threading.Event()

    def tick() -> None:
        before = time.perf_counter()
        while not ended.is_set():
            time.sleep(TICK)
            now = time.perf_counter()
            late.append(now - before - TICK)
            before = now

    thread = threading.Thread(target=tick, name="lab: ticks", daemon=True)
    thread.start()
    try:
        yield late
    finally:
        ended.set()
        thread.join()
