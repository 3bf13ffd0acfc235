"""Progress and cancellation of long computations."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from lab.base.jobs import Cancelled

Step: TypeAlias = Callable[[int, int], object]
"""Called often with the work done and the total; it may raise to end the work."""

SLICE = 1 << 17
"""Number of characters or numbers that are processed between two steps."""


def unseen(done: int, total: int) -> None:
    """Ignore progress."""
    del done, total


def watched(progress: Callable[[int, int], object], cancelled: Callable[[], bool]) -> Step:
    """Return a step that calls `progress`, and raises Cancelled once `cancelled` returns True."""

    def step(done: int, total: int) -> None:
        if cancelled():
            raise Cancelled
        progress(done, total)

    return step
