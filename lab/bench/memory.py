"""Memory that runs leave in use: that of the process after many runs, relative to that after the first ten."""

from __future__ import annotations

import ctypes
import gc
import shutil
import sys
import time
from collections.abc import Callable
from typing import Any

import psutil  # type: ignore[import-untyped]

from lab.bench.home import temporary_home

RUNS = 1000
FIRST = 10
"""Number of runs after which everything that is created once exists."""

TEXT = "the cat sat on the mat. a dog ran to the hat.\n" * 60
SMALL = {"layers": 1, "width": 16, "heads": 2}
SHORT = {"steps": 20, "context_length": 16, "batch_size": 4, "sample_tokens": 8, "threads": 1, "device": "cpu"}


def memory(runs: int, report: Callable[[str], None]) -> dict[str, Any]:
    """Measure resident memory after `runs` runs of 20 steps, over that after ten, with unused pages returned.

    Args:
        runs: Number of runs, more than ten.
        report: Called with a line of progress.
    """
    from lab.host import Plugins
    from lab.recipes import Recipe
    from lab.workbench import Workbench

    runs = max(FIRST + 1, runs)
    recipe = Recipe().with_values(
        {"corpus": {"name": "text", "text": TEXT}, "architecture": {"name": "transformer", **SMALL}, "training": SHORT}
    )
    measured: dict[int, int] = {}
    with temporary_home():
        bench = Workbench(Plugins(safe_mode=True))
        started = time.perf_counter()
        for number in range(1, runs + 1):
            run = bench.start(recipe)
            run.wait_out()
            shutil.rmtree(run.path)
            if number in (FIRST, runs) or number % 100 == 0:
                measured[number] = resident()
                report(f"{number} of {runs} runs, {measured[number] / 2**20:.1f} MiB")
        seconds = time.perf_counter() - started
        bench.close()
    return {
        "ratio": measured[runs] / measured[FIRST],
        "runs": runs,
        "mib_after_ten": measured[FIRST] / 2**20,
        "mib_at_the_end": measured[runs] / 2**20,
        "mib": {str(number): round(size / 2**20, 1) for number, size in measured.items()},
        "seconds_per_run": seconds / runs,
        "pages_given_back": _give_back(),
    }


def resident() -> int:
    """Return the resident bytes of this process, after collecting garbage and returning unused pages."""
    gc.collect()
    _give_back()
    return int(psutil.Process().memory_info().rss)


def _give_back() -> bool:
    """Return unused pages to the system; return True if the C library can do that (glibc alone)."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)
    return trim is not None
