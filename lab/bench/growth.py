"""What a process holds on to, at like moments of its life, and by how much that grows."""

from __future__ import annotations

import gc
import statistics
import threading
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import psutil  # type: ignore[import-untyped]

from lab.bench.memory import resident

WARM_UP = 0.25
"""The share of the measurements, the first ones, in which what is made once is still being made."""
MOST_GROWTH = 5.0
"""Most percent by which anything may grow."""
FEW = 3
"""Threads, timers or files that may come and go, whatever their percentage."""


class Growth(NamedTuple):
    """What is held on to at first and at last, as medians of a third of the measurements each."""

    before: float
    after: float

    @property
    def percent(self) -> float:
        """By how many percent there is more at last than at first; negative if there is less, 0 if there was none."""
        return 100 * (self.after / self.before - 1) if self.before else 0.0

    @property
    def is_within(self) -> bool:
        """True if it is small: by percent, or by so few that they come and go."""
        return self.percent <= MOST_GROWTH or self.after - self.before <= FEW


def growth(values: Sequence[float]) -> Growth | None:
    """Return the growth of measurements at like moments, in order; None if there are too few after the warm-up."""
    later = values[round(WARM_UP * len(values)) :]
    third = len(later) // 3
    if not third:
        return None
    return Growth(statistics.median(later[:third]), statistics.median(later[-third:]))


def process_figures() -> dict[str, float]:
    """Collect all garbage, and return the resident MiB, Python's objects, the threads and open files."""
    process = psutil.Process()
    return {
        "mib": resident() / 2**20,
        "objects": len(gc.get_objects()),
        "threads": threading.active_count(),
        "open_files": process.num_fds() if hasattr(process, "num_fds") else process.num_handles(),
    }


def objects_by_kind(prefixes: tuple[str, ...]) -> Counter[str]:
    """Return how many objects there are of each class, with its module, in modules that start with a prefix."""
    kinds = map(type, gc.get_objects())
    return Counter(
        f"{kind.__module__}.{kind.__qualname__}" for kind in kinds if str(kind.__module__).startswith(prefixes)
    )


def open_files() -> list[str]:
    """Return the last part of the path of every regular file that the process has open."""
    return sorted(Path(one.path).name for one in psutil.Process().open_files())
