"""Counting and scoring with a vocabulary of 50,000, whose logits would not fit into memory."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator
from typing import Any

import psutil  # type: ignore[import-untyped]


def scoring(pairs: int, tokens: int = 1_000_000) -> dict[str, Any]:
    """Measure counting and scoring of a million tokens of a vocabulary of 50,000 at order 5: seconds and memory."""
    del pairs  # nothing to compare with: the logits do not fit into memory
    import numpy as np
    import torch

    from lab.api import Task
    from lab.host import Plugins
    from lab.recipes import Choice
    from lab.training.experiment import build_model
    from lab.training.resolution import resolve

    size = 50_000
    draws = np.random.default_rng(0).zipf(1.3, 2 * tokens)
    text = (draws % size).astype(np.int64)
    card = resolve(Plugins(safe_mode=True), "architectures", Choice(name="n-gram"), "architecture")
    model = build_model(card, Task(size, 256))
    started = time.perf_counter()
    model.count(text[:tokens])
    counted = time.perf_counter() - started
    read = torch.from_numpy(text[tokens:-1])[None]
    wanted = torch.from_numpy(text[tokens + 1 :])[None]
    with memory_watched() as memory:
        started = time.perf_counter()
        nats = -model.score(read, wanted).double().mean()
        scored = time.perf_counter() - started
    return {
        "vocabulary": size,
        "tokens": tokens,
        "count_seconds": counted,
        "score_seconds": scored,
        "score_peak_growth_mib": (max(memory) - memory[0]) / 2**20,
        "logits_would_take_mib": tokens * size * 4 / 2**20,
        "nats_per_token": float(nats),
    }


@contextlib.contextmanager
def memory_watched(every: float = 0.002) -> Iterator[list[int]]:
    """Record the resident bytes of this process: at the start, every `every` seconds, and at the end."""
    process, ended = psutil.Process(), threading.Event()
    recorded = [process.memory_info().rss]

    def watch() -> None:
        while not ended.wait(every):
            recorded.append(process.memory_info().rss)

    thread = threading.Thread(target=watch, name="lab: memory", daemon=True)
    thread.start()
    try:
        yield recorded
    finally:
        ended.set()
        thread.join()
        recorded.append(process.memory_info().rss)
