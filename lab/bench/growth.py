"""What a process holds on to, at like moments of its life, and by how much that grows."""

from __future__ import annotations

import functools
import gc
import statistics
import sys
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import psutil  # type: ignore[import-untyped]

from lab.bench.memory import resident

WARM_UP = 0.25
"""The share of the measurements, the first ones, in which what is made once is still being made."""
MOST_GROWTH = 5.0
"""Most percent by which anything may grow."""
FEW = 3
"""Threads, timers or files that may come and go, whatever their percentage."""
ALONE = 3600.0
"""Seconds after which another thread would get its turn: far longer than anything is counted."""

T = TypeVar("T")


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


def of_all_objects(count: Callable[[list[Any]], T]) -> T:
    """Return what a function counts among all objects of Python, while no other thread runs.

    A tuple that another thread is filling must not be held when that goes on: Python would raise SystemError there.
    """
    interval = sys.getswitchinterval()
    sys.setswitchinterval(ALONE)
    try:
        return count(gc.get_objects())
    finally:
        sys.setswitchinterval(interval)


def empty_caches(prefixes: tuple[str, ...]) -> None:
    """Empty all caches of functions that have a bound, in modules that start with a prefix.

    They fill up to their bound, which takes hours. Caches without a bound stay as they are, and are counted.
    """
    kind = type(functools.lru_cache(lambda: None))
    modules = [module for name, module in sys.modules.items() if name.startswith(prefixes)]
    for one in (value for module in modules for value in vars(module).values() if type(value) is kind):
        if one.cache_parameters()["maxsize"] is not None:
            one.cache_clear()


def process_figures() -> dict[str, float]:
    """Collect all garbage, and return the resident MiB, Python's objects, the threads and open files."""
    process = psutil.Process()
    return {
        "mib": resident() / 2**20,
        "objects": of_all_objects(len),
        "threads": threading.active_count(),
        "open_files": process.num_fds() if hasattr(process, "num_fds") else process.num_handles(),
    }


def objects_by_kind(prefixes: tuple[str, ...]) -> Counter[str]:
    """Return how many objects there are of each class, with its module, in modules that start with a prefix."""
    kinds = of_all_objects(lambda objects: Counter(map(type, objects)))
    own = {kind: count for kind, count in kinds.items() if str(kind.__module__).startswith(prefixes)}
    return Counter({f"{kind.__module__}.{kind.__qualname__}": count for kind, count in own.items()})


def open_files() -> list[str]:
    """Return the last part of the path of every regular file that the process has open."""
    return sorted(Path(one.path).name for one in psutil.Process().open_files())
